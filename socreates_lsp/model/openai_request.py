"""A request as the OpenAI wire wants it, and what servers of that wire cannot take. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from socreates_lsp.model.types import Role

if TYPE_CHECKING:
    from socreates_lsp.model.place import Place
    from socreates_lsp.model.types import ChatRequest, Message, ToolCall

_USUAL_LIMIT = 4096
"""Tokens of an answer, for a server that asks for ``max_completion_tokens`` where the settings have none."""


@dataclass(frozen=True, slots=True)
class Quirks:
    """How a server differs. Learned from its refusals, for as long as the adapter lives.

    ``new_limit``: ``max_completion_tokens`` instead of ``max_tokens`` (OpenAI's reasoning models).
    ``no_null``: an empty string where there is no content (llama-cpp-python fails with status 500 at null).
    ``echo``: ``reasoning_content`` goes back with every call (DeepSeek and Moonshot refuse a history without it).
    """

    new_limit: bool = False
    no_null: bool = False
    echo: bool = False
    usage: bool = True
    temperature: bool = True
    tool_choice: bool = True


def first_quirks(place: Place) -> Quirks:
    """What is known of a server before it refuses anything.

    DeepSeek's guide "Thinking Mode", section on tool calls: the thoughts of turns with tool calls have to come
    back in all later requests, else status 400; Moonshot's Kimi has the same rule, also behind other hosts.
    """
    name = f"{place.host} {place.model}".lower()
    return Quirks(echo=any(word in name for word in ("deepseek", "moonshot", "kimi")))


def body_of(request: ChatRequest, place: Place, quirks: Quirks) -> dict[str, object]:
    """The body of ``/chat/completions``. What stays the same from request to request comes first."""
    body: dict[str, object] = {"model": place.model, "stream": True}
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
            }
            for tool in request.tools
        ]
        if request.must_answer and quirks.tool_choice:
            body["tool_choice"] = "none"
    body["messages"] = [_message(message, quirks) for message in request.messages]
    if quirks.new_limit:
        body["max_completion_tokens"] = request.max_output_tokens or _USUAL_LIMIT
    elif request.max_output_tokens is not None:
        body["max_tokens"] = request.max_output_tokens
    if request.temperature is not None and quirks.temperature:
        body["temperature"] = request.temperature
    if quirks.usage:
        body["stream_options"] = {"include_usage": True}
    return body


def adapted(quirks: Quirks, status: int, hints: str, request: ChatRequest) -> Quirks | None:
    """The quirks with which a refused request may be taken; None if nothing is left to change.

    ``hints``: all that the server said. Each quirk is learned at most once, so this ends.
    """
    if status not in {400, 422, 500}:
        return None
    hints = hints.lower()
    refused = status != 500
    nulls = any(message.calls and not message.content for message in request.messages)
    if refused and not quirks.new_limit and "max_completion_tokens" in hints:
        return replace(quirks, new_limit=True)
    if refused and quirks.usage and re.search(r"stream_options|include_usage", hints):
        return replace(quirks, usage=False)
    if refused and quirks.temperature and request.temperature is not None and "temperature" in hints:
        return replace(quirks, temperature=False)
    if refused and quirks.tool_choice and request.must_answer and request.tools and "tool_choice" in hints:
        return replace(quirks, tool_choice=False)
    if (
        refused
        and not quirks.echo
        and re.search(r"reasoning_content.*(missing|passed back|required|must)|missing.*reasoning_content", hints)
    ):
        return replace(quirks, echo=True)
    if nulls and not quirks.no_null and (status == 500 or re.search(r"content|null|none\b", hints)):
        return replace(quirks, no_null=True)
    return None


def _message(message: Message, quirks: Quirks) -> dict[str, object]:
    if message.role is Role.TOOL:
        return {"role": "tool", "tool_call_id": message.call_id or "", "content": message.content}
    if message.role is not Role.ASSISTANT:
        return {"role": message.role.value, "content": message.content}
    content = message.content or (None if message.calls and not quirks.no_null else "")
    said: dict[str, object] = {"role": "assistant", "content": content}
    if quirks.echo and (message.calls or message.reasoning):
        said["reasoning_content"] = message.reasoning
    if message.calls:
        said["tool_calls"] = [_call(call) for call in message.calls]
    return said


def _call(call: ToolCall) -> dict[str, object]:
    """A call as it is sent back. Servers parse the arguments, so that those which were no object go back as none."""
    raw = call.raw if call.arguments is not None and call.raw.strip() else "{}"
    return {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": raw}}
