"""``socreates-lsp survey``: a report on the project in a folder, as Markdown or JSON."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.cli.exits import COULD_NOT_RUN, INTERRUPTED, complain
from socreates_lsp.cli.printable import printable
from socreates_lsp.errors import TargetError
from socreates_lsp.review.reviewer import Stop

if TYPE_CHECKING:
    import argparse

    from socreates_lsp.app import App
    from socreates_lsp.review.outcome import Surveyed

HELP = """Report what the project in a folder is: Architecture, Dependencies, Risks and
Commands, in Markdown, each claim with the place that it rests on. Without a
model it says what can be read off the files. Nothing is changed."""
EPILOG = """examples:
  socreates-lsp survey > survey.md
  socreates-lsp survey ../shop --focus billing
  socreates-lsp survey --set model.provider=examiner"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="the project (this folder if none is named)")
    parser.add_argument("--focus", metavar="TEXT", help="what you want to know most")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting")


def run(options: argparse.Namespace) -> int:
    """Survey and print. Raises SocreatesError where there is nothing to survey."""
    return asyncio.run(_survey(options))


async def _survey(options: argparse.Namespace) -> int:
    from socreates_lsp.app import App
    from socreates_lsp.cli.progress import Progress
    from socreates_lsp.cli.prompter import TerminalPrompter
    from socreates_lsp.cli.review import show

    _enter(options.folder)
    app = App.for_command_line(options.set, TerminalPrompter())
    try:
        for problem in app.resolved.problems:
            complain(problem.message)
        focus = (options.focus or "").strip() or None
        with Progress() as progress:
            outcome = await app.survey(str(Path.cwd()), focus, lambda event: show(progress, app, event))
        _print(options, app, outcome)
    finally:
        await app.close()
    if outcome.closed.stop is Stop.CANCELLED:
        return INTERRUPTED
    return COULD_NOT_RUN if outcome.closed.stop is Stop.FAILED else 0


def _enter(folder: str | None) -> None:
    """Go to the folder, so that its settings hold. Raises TargetError if that can't be."""
    if folder is None:
        return
    if not Path(folder).is_dir():
        raise TargetError(f"{folder} is no folder: name the folder of a project.")
    os.chdir(folder)


def _print(options: argparse.Namespace, app: App, outcome: Surveyed) -> None:
    if options.format == "json":
        sys.stdout.write(json.dumps(app.survey_json(outcome), indent=2) + "\n")
        return
    encoding = sys.stdout.encoding or "utf-8"
    for line in outcome.closed.summary.split("\n"):
        sys.stdout.write(printable(line, encoding).rstrip() + "\n")
    for skipped in outcome.skipped:
        complain(skipped.reason)
