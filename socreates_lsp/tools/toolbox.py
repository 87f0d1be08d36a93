"""The tools of one root, in the order in which a model is told of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.tools.list_files import ListFiles
from socreates_lsp.tools.read_file import ReadFile
from socreates_lsp.tools.run_command import RunCommand
from socreates_lsp.tools.search import Search
from socreates_lsp.tools.view import View

if TYPE_CHECKING:
    from socreates_lsp.settings.schema import PolicySettings
    from socreates_lsp.tools.leave import Leave
    from socreates_lsp.tools.tool import Tool
    from socreates_lsp.workspace.workspace import Workspace


def toolbox(
    root: str, workspace: Workspace, policy: PolicySettings, leave: Leave, *, trusted: bool
) -> tuple[Tool, ...]:
    """Make the tools of a root (an absolute path), always in the same order; no command in an untrusted workspace.

    ``leave`` is asked before a command runs.
    """
    view = View(root, workspace, policy.read_deny)
    reading: tuple[Tool, ...] = (ListFiles(view), ReadFile(view), Search(view))
    return (*reading, RunCommand(view, policy, leave)) if trusted else reading
