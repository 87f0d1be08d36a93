"""Tools for models that have none of their own: the schemas in the prompt, calls and results as plain messages."""

from __future__ import annotations

import json
from contextlib import aclosing
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from socreates_lsp.model.around import Around
from socreates_lsp.model.calls import Ids, call_of
from socreates_lsp.model.calls_in_text import CallsInText
from socreates_lsp.model.failures import NoToolsError
from socreates_lsp.model.types import Called, Ended, Finish, Message, Role, TextDelta

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from socreates_lsp.model.types import ChatModel, ChatRequest, ModelEvent, ToolSchema

_ONE_ONLY = "(one call per message; this was not the first)"
"""Stands for the arguments of a further call, and is none: the model is told that the call was not run."""

_without_tools: set[tuple[str, str, str]] = set()
"""The models (provider, endpoint, name) whose servers refused tools, for the life of the process."""


class TextTools(Around):
    """A ``ChatModel`` around a ``ChatModel`` that may take no tools.

    ``always`` None: only once the server has said that the model takes none, which costs one more request.
    True: from the start. False: never; the refusal is a failure.
    """

    def __init__(self, model: ChatModel, *, always: bool | None = None) -> None:
        super().__init__(model)
        self._always = always

    @property
    def as_text(self) -> bool:
        """Whether tools go through text at the moment."""
        return self._key in _without_tools if self._always is None else self._always

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """See ``ChatModel``."""
        if not self.as_text:
            try:
                async with aclosing(self._model.chat(request)) as events:
                    async for event in events:
                        yield event
            except NoToolsError:
                if self._always is not None:
                    raise
                _without_tools.add(self._key)
            else:
                return
        async with aclosing(self._through_text(request)) as events:
            async for event in events:
                yield event

    @property
    def _key(self) -> tuple[str, str, str]:
        return (self.provider, self.endpoint, self.name)

    async def _through_text(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        text, ids = CallsInText({tool.name for tool in request.tools}), Ids(request.messages)
        called = False
        async with aclosing(self._model.chat(in_words(request))) as events:
            async for event in events:
                if not isinstance(event, TextDelta | Ended):
                    yield event
                    continue
                for one in text.feed(event.text) if isinstance(event, TextDelta) else text.end():
                    if isinstance(one, str):
                        yield TextDelta(one)
                    else:
                        yield Called(call_of(one.name, _ONE_ONLY if called else one.raw, ids.take()))
                        called = True
                if isinstance(event, Ended):
                    calls = called and event.finish is Finish.STOP
                    yield replace(event, finish=Finish.CALLS) if calls else event


def forget_refusals() -> None:
    """Let every model be offered tools again."""
    _without_tools.clear()


def in_words(request: ChatRequest) -> ChatRequest:
    """The request without tools: their schemas behind the instructions, calls and results as what was said.

    Two messages of one role in a row become one: many templates of small models refuse them.
    """
    messages: list[Message] = []
    if request.tools:
        messages.append(Message(Role.SYSTEM, _offer(request.tools)))
    for message in request.messages:
        said = _said(message)
        if request.tools and message.role is Role.SYSTEM and messages[0].role is Role.SYSTEM and len(messages) == 1:
            messages[0] = Message(Role.SYSTEM, f"{message.content}\n\n{messages[0].content}")
        elif messages and messages[-1].role is said.role:
            messages[-1] = replace(messages[-1], content=f"{messages[-1].content}\n\n{said.content}")
        else:
            messages.append(said)
    return replace(request, messages=tuple(messages), tools=(), must_answer=False)


def _said(message: Message) -> Message:
    if message.role is Role.TOOL:
        return Message(Role.USER, f"Result of {message.tool or 'the tool'}:\n{message.content}")
    if not message.calls:
        return Message(message.role, message.content)
    calls = [_written(call.name, call.raw if call.arguments is not None else "") for call in message.calls]
    return Message(Role.ASSISTANT, "\n".join(filter(None, [message.content, *calls])))


def _written(name: str, raw: str) -> str:
    return f'{{"name": {json.dumps(name)}, "arguments": {raw.strip() or "{}"}}}'


def _offer(tools: tuple[ToolSchema, ...]) -> str:
    lines = [
        json.dumps(
            {"name": tool.name, "description": tool.description, "parameters": tool.parameters}, ensure_ascii=False
        )
        for tool in tools
    ]
    return "\n".join([_instructions(), *lines])


@cache
def _instructions() -> str:
    return files("socreates_lsp.model").joinpath("text_tools.md").read_text("utf-8").strip()
