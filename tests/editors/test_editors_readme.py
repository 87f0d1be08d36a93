"""The page about editors and ``doctor --editor`` say the same."""

from __future__ import annotations

import pytest

from socreates_lsp.cli.snippets import SNIPPETS
from tests.editors.neovim import REPOSITORY

PAGE = (REPOSITORY / "editors" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(set(SNIPPETS) - {"vscode"}))
def test_the_page_shows_what_doctor_prints(name: str) -> None:
    assert SNIPPETS[name] in PAGE
