"""Settings of the whole suite: no settings of the developer's own reach a test; the walk over all messages is last."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

for name in [name for name in os.environ if name.startswith("SOCREATES_")]:
    del os.environ[name]

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in its background so, and every process that a test starts would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True, scope="session")
def no_user_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests and the processes that they start see an empty user folder."""
    os.environ["SOCREATES_CONFIG_DIR"] = str(tmp_path_factory.mktemp("config"))
    # No model that a developer runs answers in a test: nobody listens on this port.
    os.environ["OLLAMA_HOST"] = "127.0.0.1:1"
    os.environ["SOCREATES_STATE_DIR"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An empty workspace."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests that walk what the others saw come last."""
    items.sort(key=lambda item: "walks_every_message" in item.name)
