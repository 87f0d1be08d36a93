"""The tools of one root, in the order in which a model is told of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.tools.list_files import ListFiles
from socreates_lsp.tools.read_file import ReadFile
from socreates_lsp.tools.run_command import RunCommand
from socreates_lsp.tools.search import Search
from socreates_lsp.tools.view import View

if TYPE_CHECKING:
    from collections.abc import Callable

    from socreates_lsp.prompting import Prompter
    from socreates_lsp.settings.schema import PolicySettings
    from socreates_lsp.tools.tool import Tool
    from socreates_lsp.workspace.workspace import Workspace


def toolbox(
    root: str,
    workspace: Workspace,
    policy: PolicySettings,
    prompter: Prompter,
    *,
    trusted: bool,
    on_command: Callable[[str, str], None],
    granted: set[str] | None = None,
    denied: set[str] | None = None,
) -> tuple[Tool, ...]:
    """Make the tools of a root (an absolute path), always in the same order; no command in an untrusted workspace.

    ``on_command`` is told each command that was asked for, and the answer: a title of the prompt, or one of the
    words in ``run_command``. ``granted`` holds the commands that the user allowed for the session, ``denied`` those
    that he did not allow: give the same sets again to a toolbox that takes the place of this one.
    """
    view = View(root, workspace, policy.read_deny)
    reading: tuple[Tool, ...] = (ListFiles(view), ReadFile(view), Search(view))
    if not trusted:
        return reading
    remembered = (set[str]() if one is None else one for one in (granted, denied))
    return (*reading, RunCommand(view, policy, prompter, on_command, *remembered))
