"""A sample of a plugin: how many lines the files of a folder have. Copy it, rename it, and make it yours.

The file has the plugin's name, and one class with that ``name``. ``execute`` is called in a thread, with the arguments
of the call, checked against ``parameters``, and with the workspace to read: ``files(folder)`` and ``read(path)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from socreates_lsp.tools.plugin import Reader

_MOST = 30
"""Files that are listed, the longest."""


class CountLines:
    """See the module."""

    name = "count_lines"
    description = "Count the lines of the files in a folder; the longest come first."
    parameters = {  # noqa: RUF012  (a plugin's author need not know of ClassVar)
        "type": "object",
        "properties": {
            "folder": {"type": "string", "description": "Folder, relative to the workspace root. Default: the root."},
            "ending": {"type": "string", "description": "Only files whose names end so, such as .py."},
        },
    }
    read_only = True

    def execute(self, arguments: dict[str, Any], workspace: Reader) -> str:
        """Count them."""
        ending = arguments.get("ending", "")
        counts: dict[str, int] = {}
        for path in workspace.files(arguments.get("folder", "")):
            if path.endswith(ending):
                text = workspace.read(path)
                counts[path] = text.count("\n") + (not text.endswith("\n") and text != "")
        longest = sorted(counts, key=lambda path: (-counts[path], path))
        lines = [f"{counts[path]:>7}  {path}" for path in longest[:_MOST]]
        left = len(longest) - len(lines)
        more = [f"and {left} files that are shorter"] if left else []
        return "\n".join([f"{sum(counts.values())} lines in {len(counts)} files", *lines, *more])
