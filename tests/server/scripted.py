"""A server whose reviewer does what the request's ``ask`` says, step by step; run as a program, it serves on stdio.

Everything but the reviewer is the real thing. Without steps in ``ask`` the real examiner answers. This module is
run by itself, so it imports nothing of the tests.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from socreates_lsp.app import App
from socreates_lsp.errors import ReviewError
from socreates_lsp.examiner.reviewer import Examiner
from socreates_lsp.review.finding import Category, Finding, Kind, Ordinals, Related, Source, finding_id
from socreates_lsp.review.reviewer import Closed, Found, Reading, Skipped, Stop, Usage, Withdrawn
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.text import Position, Range

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from socreates_lsp.review.reviewer import Discussion, Event, ReviewRequest
    from socreates_lsp.workspace.workspace import Workspace

Step = dict[str, Any]


class ColdExaminer(Examiner):
    """The examiner, but its worker starts with the first file, so that a test without one starts none."""

    async def warm_up(self) -> None:
        return


class ScriptedReviewer:
    """Carries out steps over the texts as they were when the review began, as a real reviewer does."""

    provider = "examiner"
    model = None

    def __init__(self, workspace: Workspace, examiner: Examiner) -> None:
        self._workspace = workspace
        self._examiner = examiner

    async def review(self, request: ReviewRequest) -> AsyncGenerator[Event, None]:
        if request.ask is None or not request.ask.startswith("["):
            async for event in self._examiner.review(request):
                yield event
            return
        versions = {uri: buffer.version for uri, buffer in self._workspace.buffers}
        texts = {uri: buffer.text for uri, buffer in self._workspace.buffers}
        closed = Closed(Stop.ANSWERED, "No questions: the script read it.")
        for step in json.loads(request.ask):
            match step:
                case {"find": {"uri": spelled, "line": line, **rest}}:
                    uri = uris.canonical(spelled)
                    text = texts.get(uri) or self._workspace.text(uri)
                    yield Found(self._finding(uri, text, line, **rest), versions.get(uri))
                case {"read": {"uri": spelled, "lines": [first, last], **rest}}:
                    span = Range(Position(first, 0), Position(last, 0))
                    uri = uris.canonical(spelled)
                    done, total = rest.get("done", 1), rest.get("total", 1)
                    yield Reading(uri, span, 3, done, total, versions.get(uri))
                case {"withdraw": finding}:
                    yield Withdrawn(finding, "It does not hold.")
                case {"skip": reason}:
                    yield Skipped(reason)
                case {"use": tokens}:
                    yield Usage(input_tokens=tokens)
                case {"wait": gate}:
                    Path(f"{gate}.reached").touch()
                    while not Path(gate).exists():
                        await asyncio.sleep(0.005)
                case {"fail": sentence}:
                    raise ReviewError(sentence)
                case {"crash": text}:
                    raise RuntimeError(text)
                case {"block": gate}:
                    await asyncio.to_thread(_block, gate)
                case {"end": {"stop": stop, "summary": summary}}:
                    closed = Closed(Stop(stop), summary)
                case {"print": text}:
                    print(text, flush=True)
                    os.write(1, f"{text}\n".encode())
                case _:
                    raise ValueError(step)
        yield closed

    def answer(self, question: Any) -> Any:
        return self._examiner.answer(question)

    async def preview(self, request: ReviewRequest) -> Any:
        return await self._examiner.preview(request)

    def reply(self, discussion: Discussion) -> AsyncGenerator[Event, None]:
        return self._examiner.reply(discussion)

    def _finding(self, uri: str, text: Any, line: int, last: int | None = None, **rest: Any) -> Finding:
        span = text.trimmed(line, line if last is None else last)
        quote = text.slice(span)
        path = self._workspace.display_path(uri)
        category = Category(rest.get("category", "correctness"))
        return Finding(
            id=finding_id(path, category, quote, Ordinals(text).of(quote, line)),
            kind=Kind(rest.get("kind", "question")),
            category=category,
            uri=uri,
            range=span,
            message=rest.get("message", "What if it fails?"),
            why=rest.get("why", "It can."),
            quote=quote,
            confidence=rest.get("confidence", 0.5),
            source=Source.EXAMINER,
            rule=rest.get("rule"),
            related=tuple(
                Related(
                    uris.canonical(one["uri"]), Range.of(one["line"], 0, one["line"], one.get("end", 1)), one["message"]
                )
                for one in rest.get("related", ())
            ),
        )


def _block(gate: str) -> None:
    import time

    Path(f"{gate}.reached").touch()
    while not Path(gate).exists():
        time.sleep(0.01)


class ScriptedApp(App):
    """The services, with the scripted reviewer and nobody before it."""

    leads_first = False  # type: ignore[assignment]

    @property
    def examiner(self) -> Examiner:
        if self._examiner is None:
            self._examiner = ColdExaminer(self.workspace, questions=lambda: self.settings.questions)
        return self._examiner

    async def reviewer(self) -> Any:
        return ScriptedReviewer(self.workspace, self.examiner)


def main() -> None:
    """Serve as the command does, with our own services."""
    from socreates_lsp.server.methods import initialize

    initialize.App = ScriptedApp  # type: ignore[misc]
    from socreates_lsp.cli.main import main as command

    sys.exit(command())


if __name__ == "__main__":
    main()
