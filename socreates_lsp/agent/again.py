"""One short question to the model about a finding whose lines changed: does it still stand? Answered by one word.

It stands beside the conversation, offers no tools, and brings along the lines around the finding and nothing else.
"""

from __future__ import annotations

import asyncio
import re
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from socreates_lsp.agent.attaching import Attacher
from socreates_lsp.agent.hearing import Heard
from socreates_lsp.agent.numbered import NumberedLines
from socreates_lsp.agent.prompts import prompt
from socreates_lsp.agent.targets import Task
from socreates_lsp.errors import SocreatesError
from socreates_lsp.model.types import Message, Role
from socreates_lsp.review.reviewer import Stop, Usage
from socreates_lsp.tools.tool import ReadLines
from socreates_lsp.workspace.text import Position, Range

if TYPE_CHECKING:
    from socreates_lsp.agent.talks import Talks
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.settings import Settings
    from socreates_lsp.workspace.text import Text
    from socreates_lsp.workspace.workspace import Workspace

_AROUND = 8
"""Lines before and after the finding."""

_ROOM, _LONGEST_QUOTE = 4000, 1000
"""Characters of the lines, and of the quotation as it was."""

_SECONDS, _TOKENS, _ANSWER_TOKENS = 60.0, 6000, 600
"""What one question may take; the answer has room for a model that thinks first."""

_WORD = re.compile(r"\b(stands|gone)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SecondThought:
    """``stands`` None: the model did not say, or was not asked."""

    stands: bool | None
    usage: Usage = Usage()  # noqa: RUF009  (frozen)


async def stands_still(
    talks: Talks, workspace: Workspace, settings: Settings, finding: Finding, root: str | None
) -> SecondThought:
    """Ask about one finding. Never raises because of the model or of what may not be read."""
    heard = Heard(speaks=False)
    try:
        text = await asyncio.to_thread(Attacher(workspace, settings.policy).text, finding.uri)
        limits = await talks.limits()
        limits = replace(
            limits,
            steps=1,
            seconds=min(limits.seconds, _SECONDS),
            tokens=min(limits.tokens, _TOKENS),
            max_output_tokens=min(limits.max_output_tokens or _ANSWER_TOKENS, _ANSWER_TOKENS),
        )
        talk = await talks.alone(root, lambda config: prompt("again", config))
        task = _task(finding, text, workspace.display_path(finding.uri))
        async with aclosing(talks.turn(talk, task, "verify", heard, limits)) as steps:
            async for _ in steps:
                pass
    except SocreatesError:
        return SecondThought(None, heard.usage)
    said = _WORD.findall(heard.ending.text) if heard.ending.stop is Stop.ANSWERED else []
    words = {word.lower() for word in said}
    return SecondThought(words == {"stands"} if len(words) == 1 else None, heard.usage)


def _task(finding: Finding, text: Text, path: str) -> Task:
    lines = NumberedLines(text, _ROOM)
    own = finding.range.lines
    lines.add(own)
    lines.add(range(own.start - _AROUND, own.stop + _AROUND))
    asked = f"The question on {finding.category.value}, at line {own.start + 1}: {finding.message}\nWhy: {finding.why}"
    was = f"The lines that it was about, as they were:\n{finding.quote[:_LONGEST_QUOTE]}"
    now = f"The lines of {path} as they are now:\n{lines}"
    read = tuple(ReadLines(finding.uri, Range(Position(a, 0), Position(b, len(text.line(b))))) for a, b in lines.spans)
    return Task(Message(Role.USER, f"{asked}\n\n{was}\n\n{now}\n\nOne word: stands, or gone?"), read)
