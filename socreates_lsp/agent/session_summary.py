"""What is remembered of a session: at most five lines, made from its turns. Pure but for ``by_model``.

Without a model they say what is known: what was reviewed and asked, what was settled. A model may say it better, in one
short call, which nobody waits for.
"""

from __future__ import annotations

import hashlib
import re
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from socreates_lsp.agent.hearing import Heard
from socreates_lsp.agent.prompts import prompt
from socreates_lsp.agent.raise_question import NOTED, RaiseQuestion
from socreates_lsp.agent.targets import Task
from socreates_lsp.agent.task import ASKED, REVIEWED, SURVEYED
from socreates_lsp.errors import SocreatesError
from socreates_lsp.memory.encoding import now
from socreates_lsp.memory.fact import SUMMARIES, SUMMARY_LINES, fact, one_line, several_lines
from socreates_lsp.memory.secrets import looks_secret
from socreates_lsp.model.types import Message, Role
from socreates_lsp.review.reviewer import Stop
from socreates_lsp.review.voice import voiced

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from socreates_lsp.agent.talks import Talks
    from socreates_lsp.memory.fact import Fact
    from socreates_lsp.memory.facts import Known

    Turn = tuple[Message, ...]

_WORTH_A_CALL = 3
"""Turns from which on a model is asked: of fewer the lines without one say as much."""

_SECONDS, _TOKENS, _ANSWER_TOKENS = 60.0, 8000, 500
"""What the call may take."""

_LONGEST_SAID, _MOST_NOTES = 700, 8000
"""Characters of an answer in the notes, and of all notes."""

_MOST_NAMED, _LONGEST_ASKED = 6, 90
_CITED = re.compile(r"^\[(?:question|warning)\] ([^\s:]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Session:
    """A session that has ended, or is gone on with: its turns since the last summary, and what is kept of it."""

    turns: tuple[Turn, ...]
    summary: Fact

    @property
    def is_worth_a_call(self) -> bool:
        """Whether a model is asked to say it better."""
        return len(self.turns) >= _WORTH_A_CALL


def session_of(turns: Sequence[Turn], known: Known, settled: Sequence[str], own: Collection[str]) -> Session | None:
    """The session that these turns end, without those that an earlier summary has; None if there is nothing new.

    ``settled``: a phrase for each finding that was settled since. ``own``: the marks of the turns that were said on
    this machine; a transcript may have come with the workspace, and nothing of it becomes a memory of ours.
    """
    seen = {one.mark for one in known.own if one.category == SUMMARIES}
    fresh = list(turns)
    for number, turn in enumerate(turns, 1):
        if mark(turn) in seen:
            fresh = list(turns[number:])
    fresh = [turn for turn in fresh if mark(turn) in own]
    if not fresh:
        return None
    text = "\n".join(_lines(fresh, settled))
    return Session(tuple(fresh), fact(SUMMARIES, text, "the session", now(), "socreates", mark(fresh[-1])))


def mark(turn: Turn) -> str:
    """A digest of what was said in a turn."""
    digest = hashlib.sha256()
    for message in turn:
        digest.update(f"{message.role.value}\0{message.content}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]


def _lines(turns: Iterable[Turn], settled: Sequence[str]) -> list[str]:
    """The lines without a model."""
    reviewed: dict[str, None] = {}
    asked: list[str] = []
    points: dict[str, int] = {}
    surveyed = ""
    for turn in turns:
        first = turn[0].content.split("\n", 1)[0]
        if first.startswith(REVIEWED):
            reviewed[first.removeprefix(REVIEWED).partition(" (")[0].rstrip(".")] = None
        elif first == SURVEYED:
            surveyed = "Surveyed the project."
        elif first.startswith(ASKED):
            asked.append(one_line(first.removeprefix(ASKED), _LONGEST_ASKED))
        for path in _points(turn):
            points[path] = points.get(path, 0) + 1
    lines = [
        surveyed,
        _line("Reviewed: ", list(reviewed), ", "),
        _line("The developer asked: ", [f'"{one}"' for one in asked], "; "),
        _line("Points noted: ", [f"{count} in {path}" for path, count in points.items()], ", "),
        _line("Settled: ", settled, "; "),
    ]
    kept = [line for line in lines if line and not looks_secret(line)]
    return kept or [f"{len(list(turns))} turns, of which nothing can be told."]


def _points(turn: Turn) -> list[str]:
    """The paths of the points that a model noted in a turn."""
    found = [path for message in turn if message.role is Role.ASSISTANT for path in _CITED.findall(message.content)]
    for message in turn:
        if message.tool == RaiseQuestion.name and message.content.startswith(NOTED):
            path = message.content.removeprefix(NOTED).rpartition(":")[0]
            found.append(one_line(path, _LONGEST_ASKED))
    return found


def _line(head: str, parts: Sequence[str], between: str) -> str:
    if not parts:
        return ""
    more = f"{between}and {len(parts) - _MOST_NAMED} more" if len(parts) > _MOST_NAMED else ""
    return f"{head}{between.join(parts[-_MOST_NAMED:])}{more}."


async def by_model(talks: Talks, root: str, session: Session) -> Fact | None:
    """The summary in a model's words; None where it gives none. Never raises because of the model."""
    heard = Heard(speaks=False)
    try:
        limits = await talks.limits()
        limits = replace(
            limits,
            steps=1,
            seconds=min(limits.seconds, _SECONDS),
            tokens=min(limits.tokens, _TOKENS),
            max_output_tokens=min(limits.max_output_tokens or _ANSWER_TOKENS, _ANSWER_TOKENS),
        )
        talk = await talks.alone(root, lambda config: prompt("session", config))
        task = Task(Message(Role.USER, _notes(session)), ())
        async with aclosing(talks.turn(talk, task, "session", heard, limits)) as steps:
            async for _ in steps:
                pass
    except SocreatesError:
        return None
    if heard.ending.stop is not Stop.ANSWERED:
        return None
    said = voiced(heard.ending.text, lambda _: False)
    lines = [line.lstrip("-*• ") for line in said.text.splitlines() if line.strip() and not looks_secret(line)]
    text = several_lines("\n".join(lines[:SUMMARY_LINES]))
    return replace(session.summary, text=text, at=now(), by="model") if text and not said.is_empty else None


def _notes(session: Session) -> str:
    """What the model sums up: what it said itself and was asked, without the files."""
    notes = [f"What is known without you:\n{session.summary.text}"]
    for turn in reversed(session.turns):
        asked = one_line(turn[0].content.split("\n", 1)[0], _LONGEST_SAID)
        answer = one_line(turn[-1].content, _LONGEST_SAID)
        note = f"Task: {asked}\nAnswer: {answer}"
        if sum(map(len, notes)) + len(note) > _MOST_NOTES:
            break
        notes.insert(1, note)
    return "\n\n".join(notes)
