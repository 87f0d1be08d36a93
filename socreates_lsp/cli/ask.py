"""``socreates-lsp ask``: a question of your own, answered by the model with file and line for every claim."""

from __future__ import annotations

import asyncio
import json
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.cli.exits import COULD_NOT_RUN, INTERRUPTED, complain
from socreates_lsp.cli.printable import printable
from socreates_lsp.cli.review import lines, never_asked, show, span_of
from socreates_lsp.errors import TargetError
from socreates_lsp.review.reviewer import Question, Stop
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.reading import refusal

if TYPE_CHECKING:
    import argparse

    from socreates_lsp.app import App
    from socreates_lsp.review.outcome import Outcome

HELP = """Ask the model something about the code in this folder, or about a file. It reads
and answers in prose; the conversation goes on with the next ask or review."""
EPILOG = """examples:
  socreates-lsp ask "who closes the connection when the handshake fails?"
  socreates-lsp ask "what if this list is empty?" app.py --lines 10-40"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument("text", metavar="QUESTION", help="your question")
    parser.add_argument("path", nargs="?", metavar="PATH", help="the file that it is about")
    parser.add_argument("--lines", type=lines, metavar="A-B", help="the lines that it is about")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting")


def run(options: argparse.Namespace) -> int:
    """Ask and print. Raises SocreatesError where there is no answer."""
    return asyncio.run(_ask(options))


async def _ask(options: argparse.Namespace) -> int:
    from socreates_lsp.app import App
    from socreates_lsp.cli.progress import Progress
    from socreates_lsp.cli.prompter import TerminalPrompter

    question = _question(options)
    app = App.for_command_line(options.set, TerminalPrompter())
    try:
        for problem in app.resolved.problems:
            complain(problem.message)
        with Progress() as progress:
            outcome = await app.ask(question, lambda event: show(progress, app, event))
        _print(options, app, outcome)
    finally:
        await app.close()
    if outcome.closed.stop is Stop.CANCELLED:
        return INTERRUPTED
    return COULD_NOT_RUN if never_asked(outcome) else 0


def _question(options: argparse.Namespace) -> Question:
    if not options.text.strip():
        raise TargetError("the question is empty: write what you want to know.")
    root = str(Path.cwd())
    if options.path is None:
        if options.lines is not None:
            raise TargetError("--lines needs a file.")
        return Question(options.text.strip(), root)
    path = Path(options.path).absolute()
    try:
        folder = stat.S_ISDIR(path.stat().st_mode)
    except (OSError, ValueError) as error:
        raise TargetError(refusal(Path(options.path), error)) from error
    if folder:
        raise TargetError(f"{options.path} is a folder: name a file, or leave it out to ask about all of this folder.")
    span = None if options.lines is None else span_of(options.lines)
    return Question(options.text.strip(), root, uris.from_path(str(path)), span)


def _print(options: argparse.Namespace, app: App, outcome: Outcome) -> None:
    if options.format == "json":
        sys.stdout.write(json.dumps(app.answer_json(outcome), indent=2) + "\n")
        return
    encoding = sys.stdout.encoding or "utf-8"
    for line in outcome.closed.summary.splitlines():
        sys.stdout.write(printable(line, encoding) + "\n")
    for skipped in outcome.skipped:
        complain(skipped.reason)
