"""A change through all questions about changes, and what of it was not read. Runs in the worker."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.errors import TargetError
from socreates_lsp.examiner.examination import Changed, Report, joined, suppressions_of, to_findings, visible
from socreates_lsp.review.suppression import Suppressions
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.files import read_text
from socreates_lsp.workspace.languages import language_of
from socreates_lsp.workspace.text import Range, Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from socreates_lsp.examiner.changes.changeset import Changeset
    from socreates_lsp.examiner.changes.file_change import FileChange
    from socreates_lsp.examiner.hit import Hit
    from socreates_lsp.workspace.difference import Hunk
    from socreates_lsp.workspace.left_out import LeftOut


@dataclass(frozen=True, slots=True)
class ChangesJob:
    """Ask what the changes against ``base`` give reason to ask. ``open_documents`` are by root-relative path."""

    root: str
    base: str | None
    within: tuple[str, ...]
    open_documents: Mapping[str, str]
    suppress: bool

    def __call__(self) -> Report:
        """Do it."""
        from socreates_lsp.examiner.changes.engine import examine
        from socreates_lsp.examiner.changes.reading import read_changes
        from socreates_lsp.workspace.left_out import left_out

        root = Path(self.root)

        @cache
        def document(path: str) -> tuple[str, Text] | None:
            content = self.open_documents.get(path)
            try:
                text = Text(content) if content is not None else read_text(root / path)
            except TargetError:
                return None
            return uris.from_path(str(root / path)), text

        try:
            change = read_changes(root, self.base, tuple(map(Path, self.within)), self.open_documents)
        except TargetError as error:
            return Report(refused=str(error))
        known = {path for file in change.files for path in (file.path, file.old_path)}
        rest = left_out(root, self.base, tuple(map(Path, self.within)), known)
        hits = list(examine(change))
        kept: list[Hit] = []
        suppressed = 0
        for path in dict.fromkeys(hit.path for hit in hits):
            found = document(path)
            own = [hit for hit in hits if hit.path == path]
            if found is not None:
                language = language_of(path, found[1].line(0))
                shown, hidden = visible(own, suppressions_of(found[1], language) if self.suppress else Suppressions())
                kept += shown
                suppressed += hidden
        return Report(
            findings=tuple(to_findings(joined(kept), document)),
            suppressed=suppressed,
            changed=tuple(Changed(file.path, _added(file.hunks)) for file in change.files if _added(file.hunks)),
            unread=change.unread,
            without_lines=_without_lines(change, rest),
            submodules=rest.submodules,
        )


def _added(hunks: Iterable[Hunk]) -> tuple[Range, ...]:
    """The lines that hunks added, as ranges of the new text."""
    return tuple(
        Range.of(hunk.new_start, 0, hunk.new_start + len(hunk.added) - 1, len(hunk.added[-1]))
        for hunk in hunks
        if hunk.added
    )


def _without_lines(change: Changeset, rest: LeftOut) -> dict[str, int]:
    """The changed files that added no lines, counted by what became of them."""
    counts = Counter(_became(file) for file in change.files if not _added(file.hunks))
    counts["with other line ends or encoding"] = len(rest.respelled)
    counts["linked elsewhere"] = len(rest.links)
    counts["unreadable"] = len(change.unread)
    return {kind: count for kind, count in counts.items() if count}


def _became(file: FileChange) -> str:
    if file.deleted:
        return "deleted"
    if file.old_path != file.path:
        return "renamed"
    if not file.new.content:
        return "empty"
    return "with removed lines only" if file.hunks else "with other white space"
