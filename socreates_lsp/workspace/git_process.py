"""How git is run: with nothing of a repository's own configuration able to start a program or reach the network.

A repository comes from anybody, and its ``.git/config`` can name programs (file system monitors, hooks, diff
drivers, text converters, content filters). All are turned off here; only reading commands are ever run.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from socreates_lsp.errors import TargetError
from socreates_lsp.workspace.reading import shown
from socreates_lsp.workspace.tools import find_tool, run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_SECONDS = 30.0
_MOST_BYTES = 1_000_000_000

_SETTINGS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=false",
    "core.pager=cat",
    "core.askPass=",
    "credential.helper=",
    "diff.external=",
    # Even without locks, git would write the index as it refreshes it.
    "diff.autoRefreshIndex=false",
    "diff.ignoreSubmodules=all",
    "submodule.recurse=false",
    "status.submoduleSummary=false",
)

_OURS = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    # A partial clone would fetch what it lacks: no protocol at all is allowed.
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ASKPASS": "",
    "LC_ALL": "C",
}

_KEPT = frozenset({"GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CEILING_DIRECTORIES"})


class Git:
    """Git on one working tree. ``top`` is the folder that holds ``.git``."""

    def __init__(self, top: Path, workspace: Path) -> None:
        """Find git. Raises TargetError if there is none outside the workspace, or if the repository can't be used."""
        program = find_tool("git", workspace)
        if program is None:
            raise TargetError("git was not found on PATH: install it to review changes.")
        self.top = top
        self._command = git_command(program, top)
        self._filters: tuple[str, ...] = ()
        self._filters = self._no_filters()

    def output(self, *arguments: str, given: bytes = b"", harmless: Sequence[int] = (0,)) -> bytes:
        """What a git command prints. Raises TargetError with one sentence if it fails or takes too long."""
        code, output, complaints = self.attempt(*arguments, given=given)
        if code not in harmless:
            raise TargetError(_sentence(self.top, complaints))
        return output

    def attempt(self, *arguments: str, given: bytes = b"") -> tuple[int, bytes, str]:
        """The exit code, output and complaints of a git command. Raises TargetError if it takes too long."""
        try:
            ran = run(
                [*self._command, *self._filters, *arguments],
                self.top,
                environment=git_environment(),
                given=given,
                seconds=_SECONDS,
                most=_MOST_BYTES,
            )
        except TimeoutError as error:
            raise TargetError(f"git did not answer within {_SECONDS:g} seconds in {shown(self.top)}.") from error
        except OSError as error:
            raise TargetError(f"git could not be started in {shown(self.top)}: {error.strerror or error}.") from error
        if ran.cut:
            raise TargetError(f"git printed more than {_MOST_BYTES // 10**6:,} MB in {shown(self.top)}.")
        return ran.code, ran.output, ran.complaints

    def _no_filters(self) -> tuple[str, ...]:
        """Options that turn off every content filter (a diff against the working tree would run them)."""
        keys = self.output(
            "config", "-z", "--name-only", "--get-regexp", r"^filter\..*\.(clean|smudge|process)$", harmless=(0, 1)
        )
        names = {key.rpartition(".")[0] for key in keys.decode("utf-8", "surrogateescape").split("\0") if key}
        if any("=" in name or "\n" in name for name in names):
            raise TargetError(
                f"The git configuration of {shown(self.top)} has a content filter whose name holds '=' or a line "
                "break, which can't be turned off safely: rename it."
            )
        parts = (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
        return tuple(
            option for name in sorted(names) for part, value in parts for option in ("-c", f"{name}.{part}={value}")
        )


def git_command(program: str, top: Path) -> list[str]:
    """The start of every git command. The working tree is given, as a configuration could point elsewhere."""
    settings = [option for setting in _SETTINGS for option in ("-c", setting)]
    options = ["--no-pager", "--literal-pathspecs", "--no-optional-locks", f"--work-tree={top}"]
    return [program, *settings, *options]


def git_environment() -> dict[str, str]:
    """The environment for git: ours, without what would point it to another repository or program."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT}
    return {**kept, **_OURS}


def _sentence(top: Path, complaints: str) -> str:
    if "dubious ownership" in complaints or "unsafe repository" in complaints:
        return (
            f"git does not trust {shown(top)}, as it belongs to somebody else: if you trust it, run "
            f"`git config --global --add safe.directory {shown(top)}`."
        )
    lines = [line for line in complaints.splitlines() if line.strip()]
    first = next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[0] if lines else "")
    reason = re.sub(r"^(fatal|error):\s*", "", first).rstrip(".") or "it gave no reason"
    return f"git failed in {shown(top)}: {shown(reason)}."
