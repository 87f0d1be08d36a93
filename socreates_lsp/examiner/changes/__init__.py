"""What a change gives reason to ask, in any language: git's difference, read function by function.

The questions are data (rules/), the ways to find their places are code (mechanisms/, one a module). Everything
but reading.py and project.py is pure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from socreates_lsp.examiner.hit import Hit


def examine_changes(
    root: Path, base: str | None = None, within: Sequence[Path] = (), open_texts: Mapping[str, str] | None = None
) -> Iterator[Hit]:
    """Every question about what the working tree changed against ``base`` (HEAD when None).

    ``within`` narrows it to files and folders, ``open_texts`` (by path relative to the root, with forward
    slashes) stand for files that are open with unsaved changes. Lines of a hit are those of the new text. Raises
    TargetError where there is no git repository or no such revision.
    """
    from socreates_lsp.examiner.changes.engine import examine
    from socreates_lsp.examiner.changes.reading import read_changes

    yield from examine(read_changes(root, base, within, open_texts))
