"""A reply about one finding: a turn of its own beside the conversation, with tools that only read."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING

from socreates_lsp.agent.attachment import Attachment
from socreates_lsp.agent.hearing import Heard
from socreates_lsp.agent.points import Points
from socreates_lsp.agent.prompts import prompt
from socreates_lsp.agent.speaking import Voice
from socreates_lsp.agent.targets import Task
from socreates_lsp.errors import ReviewError
from socreates_lsp.model.types import Message, Role
from socreates_lsp.review.finding import Source, Status
from socreates_lsp.review.reviewer import Closed, Judged, Said, Stop
from socreates_lsp.review.verdict import VerdictStream

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable
    from pathlib import Path

    from socreates_lsp.agent.attaching import Attacher
    from socreates_lsp.agent.talks import Talks
    from socreates_lsp.review.finding import Finding, Reply
    from socreates_lsp.review.reviewer import Discussion, Event
    from socreates_lsp.workspace.workspace import Workspace

_MOST_THREAD = 12_000
"""Characters of the thread that the model reads, the newest."""

_USABLE = frozenset({Stop.ANSWERED, Stop.STEP_LIMIT, Stop.TRUNCATED})
_NAMES = {"user": "The developer", "model": "You", "examiner": "The examiner", "socreates": "The server"}
_OTHER = "Somebody else (not the developer)"


async def replied(
    talks: Talks, attacher: Attacher, workspace: Workspace, discussion: Discussion
) -> AsyncGenerator[Event, None]:
    """The events of a reply; its words stream as they come, without the verdict. Raises TargetError, ReviewError or
    ModelError; there is no answer then."""
    finding = discussion.finding
    points = Points.about(workspace, discussion.root, finding.uri, suppress=True, may_be_read=attacher.may_be_read)
    try:
        talk = await talks.open(discussion.root, points, alone=True, raises=False)
        config = talk.conversation.config
        room = talk.window.attachment_limit
        task = await asyncio.to_thread(_task, attacher, workspace, discussion, room, config)
        heard, voice, stream = Heard(speaks=True), Voice(points), VerdictStream()
        async with aclosing(talks.turn(talk, task, "reply", heard, await talks.limits())) as steps:
            async for told in steps:
                for event in told:
                    if not isinstance(event, Said):
                        yield event
                    elif said := await voice.say(stream.feed(event.text), (lines.uri for lines in heard.read)):
                        yield said
        ending = heard.ending
        if ending.stop not in _USABLE or not ending.text.strip():
            raise ReviewError(ending.reason or "The model gave no answer. Please reply again.")
        if said := await voice.say(stream.end(), (lines.uri for lines in heard.read)):
            yield said
        if said := await voice.end(ending.reason):
            yield said
        yield Judged(stream.verdict)
        yield Closed(ending.stop, voice.said, rounds=ending.rounds, withheld=voice.withheld)
    finally:
        points.close()


def _task(attacher: Attacher, workspace: Workspace, discussion: Discussion, room: int, config: Path | None) -> Task:
    """The message of a turn. Reads the disk. Raises TargetError for a document that is gone or may not be read."""
    finding = discussion.finding
    attacher.text(finding.uri)
    parts = [
        prompt("reply", config),
        _question(finding, workspace),
        _thread(finding.thread),
        f"The developer now says:\n{_quoted(discussion.text)}",
    ]
    if discussion.cited:
        parts.append(f"With that the developer names {', '.join(discussion.cited)}.")
    content = "\n\n".join(filter(None, parts))
    attached = Attachment(max(room - len(content), 0))
    attacher.around(attached, finding)
    for one in finding.related:
        attacher.around_place(attached, one.uri, one.range)
    attached_text = f"{attached.text}{attached.note}"
    return Task(Message(Role.USER, content + attached_text), tuple(attached.read), attached=attached)


def _question(finding: Finding, workspace: Workspace) -> str:
    """The question as it stands, who asked it, and what became of its lines."""
    who = "you" if finding.source is Source.MODEL else f"the embedded examiner, rule {finding.rule}"
    path = workspace.display_path(finding.uri)
    line = finding.range.start.line + 1
    stale = finding.status is Status.STALE
    where = (
        f"It was asked of lines near {path}:{line} that have been changed or deleted since; they read:"
        if stale
        else f"It stands at {path}:{line}, on:"
    )
    related = [f"{workspace.display_path(one.uri)}:{one.range.start.line + 1}" for one in finding.related]
    parts = [
        f"The {finding.kind.value} ({finding.category.value}), asked by {who}:",
        _quoted(finding.words),
        *([f"Why: {finding.why}"] if finding.why else []),
        where,
        _quoted(finding.quote),
        *([f"Related: {', '.join(related)}."] if related else []),
    ]
    return "\n".join(parts)


def _thread(thread: Iterable[Reply]) -> str:
    """What was said so far, the newest where it is long."""
    said = [f"{_NAMES.get(one.author, _OTHER)} said:\n{_quoted(one.text)}" for one in thread]
    kept: list[str] = []
    for one in reversed(said):
        if sum(map(len, kept)) + len(one) > _MOST_THREAD:
            break
        kept.insert(0, one)
    return "The conversation so far:\n\n" + "\n\n".join(kept) if kept else ""


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())
