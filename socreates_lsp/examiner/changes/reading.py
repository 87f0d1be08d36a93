"""Reads a change from git, the disk and the open buffers. The only module here that does any I/O of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.examiner.changes.engine import changeset
from socreates_lsp.examiner.changes.project import DiskProject
from socreates_lsp.workspace.changes import shown_changes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from socreates_lsp.examiner.changes.changeset import Changeset


def read_changes(
    root: Path, base: str | None, within: Sequence[Path] = (), open_texts: Mapping[str, str] | None = None
) -> Changeset:
    """What the working tree changed against ``base`` (HEAD when None), with what is needed to ask about it.

    See ``shown_changes``. Raises TargetError.
    """
    opened = dict(open_texts or {})
    return changeset(shown_changes(root, base, within, opened), DiskProject(root, opened))
