"""A file that is kept from the model is no ground for a finding: its text would be the quotation."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from socreates_lsp.agent.citable import Citable, files_of
from socreates_lsp.agent.findings import Grounder
from socreates_lsp.settings.schema import READ_DENY
from socreates_lsp.tools.readable import Readable
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

ANSWERS = {
    "by its number": "[question] {} security\nWho may read this line?\nWhy: it is there.",
    "by its text": "[question] {} security\n> KEY=hunter2\nWho may read this line?\nWhy: it is there.",
    "beside another": "[question] app.py:1, {} security\nWho may read this line?\nWhy: it is there.",
}


@pytest.mark.parametrize("opened", [False, True])
@pytest.mark.parametrize("name", [".env", "config.txt", "secrets/token"])
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS.keys())
def test_a_number_in_a_kept_file_shows_nothing_of_it(root: Path, answer: str, name: str, opened: bool) -> None:
    (root / "secrets").mkdir()
    for kept in (".env", "secrets/token"):
        (root / kept).write_text("KEY=hunter2\n")
    (root / "config.txt").symlink_to(".env")
    (root / "app.py").write_text("start()\n")
    workspace = Workspace([uris.from_path(str(root))])
    uri = uris.from_path(str(root / name))
    if opened:
        workspace.buffers.open(uri, "plaintext", 1, "KEY=hunter2\n")

    def places(may_be_read: Callable[[str], bool]) -> list[str]:
        documents = Citable(workspace, str(root), files_of(str(root)), may_be_read)
        grounder = Grounder(documents, None, suppress=False)
        grounder.has_read([uri])
        grounder.finished(answer.format(f"{name}:1"))
        findings = [found.finding for found in grounder.answered.found]
        assert len(findings) + len(grounder.answered.ungrounded) == 1
        assert not any("hunter2" in one.quote for one in findings) or may_be_read(uri)
        return [one.uri for finding in findings for one in (finding, *finding.related)]

    assert uri in places(lambda _: True)
    assert uri not in places(Readable(workspace, READ_DENY))
