"""For all tests: no settings of the developer's own reach one; no message of a server holds an edit."""

from __future__ import annotations

import os
import signal
import stat
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from tests import record

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

for name in [name for name in os.environ if name.startswith("SOCREATES_")]:
    del os.environ[name]

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts what runs in its background so, and every process that a test starts would inherit it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


# A busy machine is no fault of what is tested.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")


@pytest.fixture(autouse=True, scope="session")
def no_user_settings(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests and the processes that they start see an empty user folder."""
    os.environ["SOCREATES_CONFIG_DIR"] = str(tmp_path_factory.mktemp("config"))
    # No model that a developer runs answers in a test: nobody listens on this port.
    os.environ["OLLAMA_HOST"] = "127.0.0.1:1"
    os.environ["SOCREATES_STATE_DIR"] = str(tmp_path_factory.mktemp("state"))


LONGEST_S, AGAIN_S = 400, 60
"""Seconds after which a test hangs, and after which its end does."""


def _hangs(*_: object) -> None:
    raise TimeoutError("the test hangs")


@pytest.fixture(autouse=True)
def no_hang(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that hangs fails, and the others go on. What drives VS Code has limits of its own."""
    if not hasattr(signal, "SIGALRM") or "vscode" in request.node.nodeid:
        yield
        return
    before = signal.signal(signal.SIGALRM, _hangs)
    signal.setitimer(signal.ITIMER_REAL, LONGEST_S, AGAIN_S)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """An empty workspace."""
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def open_to_all(tmp_path: Path) -> Path:
    """A folder that other users can reach (pytest makes its folders private)."""
    for folder in (tmp_path, *tmp_path.parents):
        mode = folder.stat().st_mode
        if mode & 0o005 != 0o005:
            folder.chmod(stat.S_IMODE(mode) | 0o055)
    return tmp_path


@pytest.fixture(autouse=True)
def no_edit_ever() -> Iterator[None]:
    """Law 1: no message that a server has sent in the test holds an edit."""
    before = len(record.SENT)
    yield
    assert [(found, message) for message in record.SENT[before:] if (found := record.breaches(message))] == []


def encodable(value: Any) -> Any:
    """The same value with lone surrogates written out in every text of it."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {name: encodable(one) for name, one in value.items()}
    return type(value)(map(encodable, value)) if isinstance(value, list | tuple) else value


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Generator[None, Any, Any]:
    """A worker of pytest-xdist ends where a report quotes text that no encoding has."""
    return encodable((yield))
