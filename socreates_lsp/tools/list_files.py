"""The tool ``list_files``: the tree of the files that count, with sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.tools.arguments import checked
from socreates_lsp.tools.bounded import clipped, fitting
from socreates_lsp.tools.refusal import ToolRefusalError, answered
from socreates_lsp.tools.tool import ToolResult
from socreates_lsp.tools.tree import Folder, counted, human, lines_of, tree_of
from socreates_lsp.workspace.leash import go_on, off_loop

if TYPE_CHECKING:
    from collections.abc import Mapping

    from socreates_lsp.tools.view import Files, View

_NOTE = 160
"""Characters kept free for the note on a cut."""

_DEEPEST = 64


class ListFiles:
    """See the module."""

    name = "list_files"
    description = (
        "Show the tree of files below a folder, with sizes. Ignored files are left out; folders beyond depth are "
        "summed up."
    )
    parameters: Mapping[str, Any] = {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "Folder, relative to the workspace root. Default: the root."},
            "depth": {"type": "integer", "description": "Levels to show, from 1. Default: as many as fit."},
        },
    }

    read_only = True
    asks = False

    def __init__(self, view: View) -> None:
        """List what this view shows."""
        self._view = view

    async def run(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        """See ``Tool``."""
        return await answered(off_loop(self._listed, arguments, limit), limit)

    def _listed(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        given = checked(self.name, arguments, self.parameters)
        path, depth = given.get("path", "."), given.get("depth")
        if depth is not None and depth < 1:
            raise ToolRefusalError(f"depth of {self.name} must be at least 1, not {depth}.")
        start = self._view.paths.resolve(path)
        files = self._view.files(start)
        if files.paths == (start.relative,):
            size = self._view.size(start.relative, self._view.opened())
            return ToolResult(clipped(f"{start.name} is a file of {human(size)}: read it with read_file.", limit))
        top = self._tree(files, start.relative)
        head = f"{start.name.removesuffix('/')}/ ({counted(top.count, 'file')}, {human(top.size)})"
        notes = _notes(files)
        room = limit - len(head) - 1 - sum(len(note) + 1 for note in notes)
        if room < limit // 2:
            notes, room = [], limit - len(head) - 1
        lines = _chosen(top, depth, room)
        if (shown := fitting(lines, room)) < len(lines):
            shown = fitting(lines, room - _NOTE)
            rest = len(lines) - shown
            lines = [*lines[:shown], f"[{counted(rest, 'more line')}. List a folder by its path to see them.]"]
        return ToolResult(clipped("\n".join([head, *lines, *notes]), limit))

    def _tree(self, files: Files, start: str) -> Folder:
        opened = self._view.opened()
        sizes: list[tuple[str, int]] = []
        for path in files.paths:
            go_on()
            sizes.append((path[len(start) :].lstrip("/"), self._view.size(path, opened)))
        return tree_of(sizes)


def _chosen(top: Folder, depth: int | None, room: int) -> list[str]:
    """The lines at a depth; without one, the deepest that fit, and the first level if none does."""
    if depth is not None:
        return list(lines_of(top, depth))
    lines = list(lines_of(top, 1))
    for level in range(2, min(top.height, _DEEPEST) + 1):
        deeper = list(lines_of(top, level))
        if fitting(deeper, room) < len(deeper):
            break
        lines = deeper
    return lines


def _notes(files: Files) -> list[str]:
    notes = [f"[{note}]" for note in files.notes]
    if not files.paths:
        notes.insert(0, "[No files, or only ignored ones.]")
    if files.kept:
        notes.append(f"[{counted(len(files.kept), 'file')} left out: policy.readDeny keeps them from you.]")
    return notes
