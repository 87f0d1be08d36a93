"""One VS Code for all tests that ask for it: it takes longer to start than what is asked of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.editors.vscode_driver import missing, running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.editors.vscode_driver import VSCode


@pytest.fixture(scope="session")
def vscode(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VSCode]:
    """Real VS Code; skips where it is not installed."""
    lacking = missing()
    if lacking is not None and os.environ.get("CI") != "true":
        pytest.skip(f"{lacking} (.ci/editors does it)")
    assert lacking is None, f"CI has to have VS Code: {lacking}"
    with running(tmp_path_factory.mktemp("vscode")) as started:
        yield started
