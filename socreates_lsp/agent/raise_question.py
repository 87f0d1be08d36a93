"""The tool ``raise_question``: a point of the model's, pinned to a line; the model is told where it really stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.review.citations import Citation, find_citations
from socreates_lsp.review.finding import Category, Kind
from socreates_lsp.review.grounding import Grounded, How
from socreates_lsp.review.items import Item
from socreates_lsp.review.labels import category_called, kind_called
from socreates_lsp.tools.arguments import checked
from socreates_lsp.tools.bounded import clipped
from socreates_lsp.tools.refusal import ToolRefusalError, answered
from socreates_lsp.tools.tool import ToolResult
from socreates_lsp.workspace.leash import off_loop

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from socreates_lsp.agent.findings import Grounder
    from socreates_lsp.review.grounding import Ungrounded

NOTED = "Noted at "
"""How the result begins of a point that was taken; its place follows."""


class RaiseQuestion:
    """See the module."""

    name = "raise_question"
    description = (
        "Show the developer one point beside its line, at once. Or write your points in the answer; not both. "
        "The result says if the quotation stands elsewhere."
    )
    parameters: Mapping[str, Any] = {
        "type": "object",
        "properties": {
            "path": {"type": "string", "description": "File, relative to the workspace root."},
            "line": {"type": "integer", "description": "Line, from 1."},
            "quote": {"type": "string", "description": "That whole line, copied exactly."},
            "kind": {"type": "string", "description": "question, or warning if surely wrong."},
            "category": {"type": "string", "description": ", ".join(Category)},
            "question": {"type": "string", "description": "One to three sentences; no code."},
            "why": {"type": "string", "description": "One sentence: what goes wrong then."},
        },
        "required": ["path", "line", "quote", "question"],
    }

    read_only = True
    asks = False

    def __init__(self, grounder: Callable[[], Awaitable[Grounder]]) -> None:
        """``grounder`` takes the points of this turn."""
        self._grounder = grounder

    async def run(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        """See ``Tool``."""
        return await answered(self._run(arguments, limit), limit)

    async def _run(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        given = checked(self.name, arguments, self.parameters)
        grounder = await self._grounder()
        return await off_loop(_raised, grounder, given, limit)


def _raised(grounder: Grounder, given: Mapping[str, Any], limit: int) -> ToolResult:
    path = grounder.documents.files.resolve(given["path"])
    if path is None:
        raise ToolRefusalError(f"There is no file {given['path']}: name it as list_files does.")
    if not given["question"].strip():
        raise ToolRefusalError("The question is empty: ask something, or leave the point out.")
    line = max(given["line"] - 1, 0)
    said = f"{given['question']}\n\n{given.get('why', '')}"
    place = grounder.raised(
        Item(
            kind=kind_called(given.get("kind", "")) or _kind_of(given["question"]),
            category=category_called(given.get("category", "")),
            message=given["question"].strip(),
            why=given.get("why", "").strip(),
            quote=given["quote"],
            citations=(Citation(path, line, line, 0, 0), *find_citations(said, grounder.documents.files)),
            begin=0,
            finish=0,
        )
    )
    if place is None:
        raise ToolRefusalError("Nothing but code was left of the question, so it was not shown: ask it in words.")
    if isinstance(place, Grounded):
        where = f"{place.path}:{place.start + 1}"
        return ToolResult(f"{NOTED}{where}." if place.how is How.EXACT else f"{NOTED}{where}, where the line stands.")
    return ToolResult(clipped(_nowhere(path, place), limit), failed=True)


def _kind_of(question: str) -> Kind | None:
    return Kind.QUESTION if question.rstrip().endswith(("?", "？", "؟")) else None


def _nowhere(path: str, place: Ungrounded) -> str:
    """What the model is told of a quotation that is not there."""
    told = f"The quotation does not stand in {path}, so the point was not shown."
    if not place.nearest:
        return f"{told} Read the file, and send the point again with a line as it stands, or leave it out."
    lines = "\n".join(f"{number + 1}\t{line}" for number, line in place.nearest)
    return f"{told} The lines that come nearest:\n{lines}\nSend it again with the right one, or leave it out."
