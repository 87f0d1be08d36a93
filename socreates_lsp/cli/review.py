"""``socreates-lsp review``: the questions about files, folders, lines or changes, as text or JSON."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.cli.exits import COULD_NOT_RUN, INTERRUPTED, complain
from socreates_lsp.errors import TargetError
from socreates_lsp.review.finding import Kind
from socreates_lsp.review.reviewer import ReviewRequest, Scope, Skipped, Stop
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.text import Position, Range

if TYPE_CHECKING:
    from socreates_lsp.app import App
    from socreates_lsp.cli.progress import Progress
    from socreates_lsp.review.outcome import Outcome
    from socreates_lsp.review.reviewer import Event
    from socreates_lsp.settings import ReviewSettings

HELP = """Review files and folders (this folder if none is named) and print the
questions. Nothing is changed."""
EPILOG = """examples:
  socreates-lsp review src/ --max-findings 0
  socreates-lsp review app.py --lines 10-40
  socreates-lsp review --changes main --fail-on question

exit code: 0, 1 (by --fail-on; a question includes warnings), 2 (could not run)"""

_FAIL_ON = ("never", "warning", "question")
_LAST_COLUMN = 2**31 - 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    add_target(parser)
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--fail-on", choices=_FAIL_ON, default="never", help="exit 1 if there is one (default: never)")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting")


def add_target(parser: argparse.ArgumentParser) -> None:
    """Declare the flags that say what is to be reviewed, and how much of it shown."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="a file or a folder")
    parser.add_argument(
        "--changes",
        nargs="?",
        const="",
        metavar="BASE",
        help="only what changed against a git revision (default: HEAD); a path that is no revision counts as PATH",
    )
    parser.add_argument("--lines", type=lines, metavar="A-B", help="only these lines, of one file")
    parser.add_argument("--ask", metavar="TEXT", help="your own question (it needs a model)")
    parser.add_argument("--max-findings", type=_count, metavar="N", help="how many to show, 0 for all")
    parser.add_argument("--no-suppress", action="store_true", help="show what comments in the code hide")


def run(options: argparse.Namespace) -> int:
    """Review and print. Returns 0, or 1 if ``--fail-on`` says so. Raises TargetError if nothing can be read."""
    return asyncio.run(_review(options))


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What the user named: what is there, what is not (a sentence each), and the revision to compare with."""

    paths: tuple[str, ...]
    missing: tuple[str, ...]
    base: str | None
    changes: bool


async def _review(options: argparse.Namespace) -> int:
    from socreates_lsp.app import App
    from socreates_lsp.cli.progress import Progress
    from socreates_lsp.cli.prompter import TerminalPrompter

    wanted = _wanted(options)
    for sentence in wanted.missing:
        complain(sentence)
    app = App.for_command_line(options.set, TerminalPrompter())
    try:
        for problem in app.resolved.problems:
            complain(problem.message)
        request = _request(options, wanted, app.settings.review)
        with Progress() as progress:
            outcome = await app.review(request, lambda event: show(progress, app, event))
        _print(options, app, outcome, wanted.missing)
    finally:
        await app.close()
    return _exit_code(outcome, options.fail_on, missing=bool(wanted.missing))


def asked_for(options: argparse.Namespace, settings: ReviewSettings) -> tuple[ReviewRequest, tuple[str, ...]]:
    """What the flags of ``add_target`` ask for, and a sentence on each path that is not there. Raises TargetError."""
    wanted = _wanted(options)
    return _request(options, wanted, settings), wanted.missing


def _wanted(options: argparse.Namespace) -> _Wanted:
    """Tell what is there from what is not. What follows ``--changes`` is a path if it is there and no revision."""
    from socreates_lsp.workspace.git import is_revision

    base: str | None = options.changes or None
    paths: list[str] = list(options.paths)
    if base is not None and os.path.lexists(base) and not is_revision(Path.cwd(), base):
        paths, base = [base, *paths], None
    refused = {path: _refusal(path) for path in paths}
    there = [path for path, sentence in refused.items() if sentence is None]
    missing = [sentence for sentence in refused.values() if sentence is not None]
    if paths and not there:
        raise TargetError(" ".join(missing))
    changes = options.changes is not None
    return _Wanted(tuple(map(os.path.abspath, there)), tuple(missing), base, changes)


def _refusal(path: str) -> str | None:
    """Why a path that was named can't be reviewed, as a sentence: it is not there, leads nowhere, may not be seen."""
    from socreates_lsp.workspace.reading import refusal

    try:
        Path(path).stat()
    except FileNotFoundError as error:
        missing = f"{path}: there is no such file or folder."
        return refusal(Path(path), error) if os.path.lexists(path) else missing
    except (OSError, ValueError) as error:
        return refusal(Path(path), error)
    return None


def _root_of(paths: tuple[str, ...]) -> str:
    """The folder that the review belongs to: this one if it holds all that was named, else the one that does."""
    here = str(Path.cwd())
    if all(Path(path).is_relative_to(here) for path in paths):
        return here
    try:
        common = os.path.commonpath(paths)
    except ValueError:
        return here
    return common if Path(common).is_dir() else str(Path(common).parent)


def _request(options: argparse.Namespace, wanted: _Wanted, settings: ReviewSettings) -> ReviewRequest:
    request = ReviewRequest(
        scope=Scope.WORKSPACE,
        root=_root_of(wanted.paths),
        paths=wanted.paths,
        ask=options.ask,
        max_findings=settings.max_findings if options.max_findings is None else options.max_findings,
        min_confidence=settings.min_confidence,
        suppress=not options.no_suppress,
    )
    if wanted.changes:
        if options.lines is not None:
            raise TargetError("--lines and --changes do not go together: name one of them.")
        return replace(request, scope=Scope.CHANGES, base=wanted.base)
    if options.lines is not None:
        if len(wanted.paths) != 1 or Path(wanted.paths[0]).is_dir():
            raise TargetError("--lines needs exactly one file.")
        span = span_of(options.lines)
        return replace(request, scope=Scope.SELECTION, uri=uris.from_path(wanted.paths[0]), range=span)
    if len(wanted.paths) == 1 and not Path(wanted.paths[0]).is_dir():
        return replace(request, scope=Scope.FILE, uri=uris.from_path(wanted.paths[0]))
    return request


def span_of(wanted: tuple[int, int]) -> Range:
    """Whole lines, counted from 1, as a range."""
    return Range(Position(wanted[0] - 1, 0), Position(wanted[1] - 1, _LAST_COLUMN))


def show(progress: Progress, app: App, event: Event) -> None:
    """Tell the progress what an event is about."""
    from socreates_lsp.review.reviewer import Doing, Reading

    match event:
        case Reading(uri, _, _, done, total):
            progress.update(done, total, f"reading {app.display_path(uri)}")
        case Doing(message):
            progress.update(0, 0, message)
        case _:
            pass


def _print(options: argparse.Namespace, app: App, outcome: Outcome, missing: tuple[str, ...]) -> None:
    """Print the outcome. What is missing was said on standard error already; whoever reads JSON finds it there too."""
    if options.format == "json":
        outcome = replace(outcome, skipped=(*map(Skipped, missing), *outcome.skipped))
        sys.stdout.write(json.dumps(app.outcome_json(outcome), indent=2) + "\n")
        return
    from socreates_lsp.cli.render import render
    from socreates_lsp.cli.terminal import Terminal

    render(outcome, app.text, app.display_path, Terminal())


def _exit_code(outcome: Outcome, fail_on: str, *, missing: bool) -> int:
    if outcome.closed.stop is Stop.CANCELLED:
        return INTERRUPTED
    nothing_read = not outcome.examined and (missing or bool(outcome.skipped))
    if nothing_read or never_asked(outcome):
        return COULD_NOT_RUN
    return int(_fails(fail_on, outcome))


def never_asked(outcome: Outcome) -> bool:
    """Whether it failed, or a limit was used up before the first request."""
    closed = outcome.closed
    return closed.stop is Stop.FAILED or (closed.stop is Stop.LIMIT and closed.rounds == 0)


def _fails(fail_on: str, outcome: Outcome) -> bool:
    kinds = {finding.kind for finding in outcome.findings}
    return bool(kinds) if fail_on == "question" else fail_on == "warning" and Kind.WARNING in kinds


def lines(text: str) -> tuple[int, int]:
    """``10-40`` or ``10``, as a flag has it; counts from 1."""
    match = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", text)
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
    if not 1 <= first <= last:
        raise argparse.ArgumentTypeError(f"{text!r} is no range of lines, such as 10-40 (from 1)")
    return first, last


def _count(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of 0 or more")
    return int(text)
