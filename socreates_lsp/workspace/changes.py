"""What the working tree changed, as the editor shows it: git and the disk, open buffers in the place of their files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.errors import TargetError
from socreates_lsp.workspace.changed_file import ChangedFile, Status, with_text
from socreates_lsp.workspace.difference import hunks_between
from socreates_lsp.workspace.git import changes, old_text
from socreates_lsp.workspace.reading import read_text
from socreates_lsp.workspace.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path


def shown_changes(
    root: Path, base: str | None, within: Sequence[Path] = (), open_texts: Mapping[str, str] | None = None
) -> list[ChangedFile]:
    """The files that differ from ``base`` (HEAD when None), by path, open buffers in the place of their files.

    ``open_texts`` are by path relative to the root with forward slashes. Raises TargetError where there is no
    git repository or no such revision.
    """
    found = {change.path: change for change in changes(root, base, within)}
    for path, content in (open_texts or {}).items():
        change = found.get(path)
        if change is not None:
            found[path] = with_text(change, Text(content))
        elif _is_within(root, path, within):
            found.update((one.path, one) for one in _unsaved(root, base, path, Text(content)))
    return [found[path] for path in sorted(found)]


def _unsaved(root: Path, base: str | None, path: str, text: Text) -> Iterator[ChangedFile]:
    """The change of a buffer whose file did not change; none if it holds what the file holds."""
    try:
        if read_text(root / path).content == text.content:
            return
    except TargetError:
        pass  # a buffer without a file is a change too
    try:
        old = old_text(root, base, path)
    except TargetError as error:
        yield ChangedFile(path, None, Status.MODIFIED, reason=str(error))
        return
    hunks = hunks_between(old, text)
    if hunks:
        status = Status.UNTRACKED if old is None else Status.MODIFIED
        yield ChangedFile(path, None, status, hunks=hunks, old=old, new=text)


def _is_within(root: Path, path: str, within: Sequence[Path]) -> bool:
    whole = root.absolute() / path
    return not within or any(whole.is_relative_to(root.absolute() / one) for one in within)
