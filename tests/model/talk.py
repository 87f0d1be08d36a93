"""How the tests of this folder talk to a model."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING, Any, NamedTuple

from socreates_lsp.model.failures import ModelError
from socreates_lsp.model.ollama import OllamaModel
from socreates_lsp.model.openai import OpenAIModel
from socreates_lsp.model.place import Place
from socreates_lsp.model.types import (
    Called,
    ChatRequest,
    Ended,
    Message,
    ReasoningDelta,
    Role,
    TextDelta,
    ToolCall,
    ToolSchema,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from socreates_lsp.model.types import ChatModel, ModelEvent
    from socreates_lsp.testkit import ScriptedServer

TOOLS = tuple(
    ToolSchema(name, f"The tool {name}.", {"type": "object", "properties": {"path": {"type": "string"}}})
    for name in ("read_file", "list_files", "run_command")
)


class Answered(NamedTuple):
    """What came of one chat."""

    events: list[ModelEvent]
    error: ModelError | None

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, TextDelta))

    @property
    def reasoning(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, ReasoningDelta))

    @property
    def calls(self) -> list[ToolCall]:
        return [event.call for event in self.events if isinstance(event, Called)]

    @property
    def end(self) -> Ended:
        ends = [event for event in self.events if isinstance(event, Ended)]
        assert ends == self.events[-1:], self
        return ends[0]

    def kinds(self) -> list[str]:
        return [type(event).__name__ for event in self.events]


def ask(content: str = "Why?", *, tools: Sequence[ToolSchema] = TOOLS, **more: Any) -> ChatRequest:
    """A request of one message."""
    return ChatRequest((Message(Role.USER, content),), tuple(tools), **more)


async def talk(model: ChatModel, request: ChatRequest | None = None) -> Answered:
    """The events of one chat, and how it failed."""
    events: list[ModelEvent] = []
    async with aclosing(model.chat(request or ask())) as answer:
        try:
            async for event in answer:
                events.append(event)  # noqa: PERF401 - what came before the failure counts
        except ModelError as error:
            return Answered(events, error)
    return Answered(events, None)


def openai_at(server: ScriptedServer, model: str = "m", **place: Any) -> OpenAIModel:
    return OpenAIModel(Place("openai", server.openai_url, model, **place), {})


def ollama_at(server: ScriptedServer, model: str = "m", **place: Any) -> OllamaModel:
    return OllamaModel(Place("ollama", server.url, model, **place), {})
