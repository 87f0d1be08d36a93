"""The ids of findings by the file that they are in: a reviewer names what it reads as the editor does.

An id is made of a path and of the number of a quotation among its equals (``finding_id``). For a cell both are those of
the notebook, so that no id depends on the number of a cell; for a file under a symbolic link the path is the one to
which that leads, so that a file has one id for a question, under whichever name it is open.
"""

from __future__ import annotations

import asyncio
import contextlib
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING

from socreates_lsp.errors import SocreatesError
from socreates_lsp.review.anchor import carried
from socreates_lsp.review.finding import Ordinals, finding_id
from socreates_lsp.review.reviewer import Found, Withdrawn

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.reviewer import Event
    from socreates_lsp.workspace.workspace import Workspace


async def named(events: AsyncGenerator[Event, None], workspace: Workspace) -> AsyncGenerator[Event, None]:
    """The events of a reviewer, with the ids that its findings are kept under."""
    ids: dict[str, str] = {}
    async with aclosing(events):
        async for event in events:
            match event:
                case Found(finding, version):
                    ids[finding.id] = await _id(finding, version, workspace)
                    yield Found(replace(finding, id=ids[finding.id]), version)
                case Withdrawn(given, reason):
                    yield Withdrawn(ids.get(given, given), reason)
                case _:
                    yield event


async def _id(finding: Finding, version: int | None, workspace: Workspace) -> str:
    cell = workspace.notebooks.place(finding.uri)
    _, path = workspace.home(finding.uri)
    if path == workspace.display_path(finding.uri):
        return finding.id
    buffer = workspace.buffers.get(finding.uri)
    if buffer is not None and version is not None:
        finding = carried(finding, finding.uri, buffer.shifts_since(version) or ())
    line, text = finding.range.start.line, None if buffer is None else buffer.text
    if cell is not None:
        whole = workspace.whole(cell[0])
        text, line = whole.text, line + whole.first_line(finding.uri)
    elif text is None:
        with contextlib.suppress(SocreatesError):
            text = await asyncio.to_thread(workspace.text, finding.uri)
    quote = f"{finding.quote}\0{finding.subject}" if finding.subject else finding.quote
    return finding_id(path, finding.category, quote, 0 if text is None else Ordinals(text).of(finding.quote, line))
