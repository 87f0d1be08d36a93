"""``/review`` and ``/dismiss``: what is to be reviewed, as a line of the user's says it, and findings by number."""

from __future__ import annotations

import argparse
import os
import re
import shlex
from typing import TYPE_CHECKING, NoReturn

from socreates_lsp.cli.render import render
from socreates_lsp.cli.review import add_target, asked_for, lines
from socreates_lsp.errors import TargetError
from socreates_lsp.review.reviewer import Scope
from socreates_lsp.review.store import SHOWN

if TYPE_CHECKING:
    from socreates_lsp.cli.chat.talk import Talk
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.reviewer import ReviewRequest

_LINES = re.compile(r"(?P<path>.+):(?P<lines>\d{1,9}(?:-\d{1,9})?)")


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise TargetError(f"{message}.")


async def review(talk: Talk, rest: str) -> None:
    """Review, and print the findings as the command of that name does, with their numbers. Raises TargetError."""
    request = await _request(talk, rest)
    outcome = await talk.turn(talk.app.review(request, talk.hear))
    if outcome is None:
        return
    talk.number(outcome.findings)
    talk.out.gap()
    talk.out.show(lambda: render(outcome, talk.app.text, talk.app.display_path, talk.out.console, numbers=talk.numbers))
    if outcome.findings:
        hint = "" if outcome.model is None else "; or say what you think of it"
        talk.out.aside(f"/dismiss NUMBER if one is not worth asking{hint}.")


async def _request(talk: Talk, rest: str) -> ReviewRequest:
    """What is to be reviewed: the changes if nothing is named and there are some, else all of this folder."""
    parser = _Parser(prog="/review", add_help=False, allow_abbrev=False)
    add_target(parser)
    try:
        words = [word for one in shlex.split(rest) for word in _flags(one)]
    except ValueError as error:
        raise TargetError(f"{rest}: a quotation mark is not closed.") from error
    if not words and await talk.app.default_scope(None, None) is Scope.CHANGES:
        words = ["--changes"]
    request, missing = asked_for(parser.parse_args(words), talk.app.settings.review)
    for sentence in missing:
        talk.out.problem(sentence)
    return request


def _flags(word: str) -> list[str]:
    """``path:10-20`` and ``changes`` as the flags that they stand for, where there is no file of that name."""
    if os.path.lexists(word):
        return [word]
    if word == "changes":
        return ["--changes"]
    match = _LINES.fullmatch(word)
    if match is None:
        return [word]
    try:
        lines(match["lines"])
    except argparse.ArgumentTypeError as error:
        raise TargetError(f"{error}.") from error
    return ["--lines", match["lines"], match["path"]]


async def dismiss(talk: Talk, rest: str) -> None:
    """Dismiss a finding by its number; list them without one. Raises TargetError."""
    number, _, reason = rest.partition(" ")
    if not number:
        _list(talk)
        return
    known = {str(one): finding_id for finding_id, one in talk.numbers.items()}
    finding_id = known.get(number.lstrip("#"))
    if finding_id is None:
        shown = f"the findings shown have the numbers 1 to {len(known)}" if known else "no findings were shown yet"
        raise TargetError(f"there is no finding {number}: {shown}.")
    before = len(talk.app.dismissals.warnings)
    finding = await talk.app.dismissals.dismiss(finding_id, reason)
    for warning in talk.app.dismissals.warnings[before:]:
        talk.out.problem(warning)
    if finding is None:
        raise TargetError(f"finding {number} is gone.")
    talk.out.tell(f"Dismissed, and not asked again: {_told(talk, finding)}")


def _list(talk: Talk) -> None:
    """The findings that stand, each on a line; also the points of answers, which have no number before."""
    talk.number(one for one in talk.app.store if one.status in SHOWN)
    found = [(number, talk.app.store.get(finding_id)) for finding_id, number in talk.numbers.items()]
    standing = [(number, one) for number, one in found if one is not None and one.status in SHOWN]
    if not standing:
        talk.out.tell("No findings stand; /review looks for some.")
    for number, one in sorted(standing, key=lambda pair: pair[0]):
        talk.out.tell(f"  #{number}  {_told(talk, one)}")


def _told(talk: Talk, finding: Finding) -> str:
    return f"{talk.app.display_path(finding.uri)}:{finding.range.start.line + 1}  {finding.message}"
