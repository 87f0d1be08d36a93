"""How a reply looks on each wire: the pieces of a body, in order. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socreates_lsp.testkit.script import Reply

CREATED = "2026-01-01T00:00:00Z"


def openai_pieces(reply: Reply, model: str) -> Iterator[bytes]:
    """Server-sent events of ``/chat/completions``, the usage in a last chunk without choices."""
    yield _event(model, {"role": "assistant", "content": ""})
    for piece in _cut(reply.reasoning, reply.piece):
        yield _event(model, {"reasoning_content": piece})
    for piece in _cut(reply.text, reply.piece):
        yield _event(model, {"content": piece})
    for index, (name, arguments) in enumerate(reply.calls):
        function = {"name": name, "arguments": ""}
        call = {"index": index, "id": f"call_{index}_{name}", "type": "function", "function": function}
        yield _event(model, {"tool_calls": [call]})
        for piece in _cut(_text(arguments), reply.piece):
            yield _event(model, {"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    if reply.cut or reply.hang:
        return
    yield _event(model, {}, reply.finish or ("tool_calls" if reply.calls else "stop"))
    if reply.prompt_tokens is not None:
        yield _data({"object": "chat.completion.chunk", "model": model, "choices": [], "usage": openai_usage(reply)})
    yield b"data: [DONE]\n\n"


def openai_whole(reply: Reply, model: str) -> dict[str, Any]:
    """The body for a request that does not stream."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    if reply.calls:
        message["tool_calls"] = [
            {"id": f"call_{at}_{name}", "type": "function", "function": {"name": name, "arguments": _text(arguments)}}
            for at, (name, arguments) in enumerate(reply.calls)
        ]
    finish = reply.finish or ("tool_calls" if reply.calls else "stop")
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return {"object": "chat.completion", "model": model, "choices": [choice], "usage": openai_usage(reply)}


def openai_usage(reply: Reply) -> dict[str, Any]:
    """The ``usage`` object."""
    prompt = reply.prompt_tokens or 0
    return {
        "prompt_tokens": prompt,
        "completion_tokens": reply.completion_tokens,
        "total_tokens": prompt + reply.completion_tokens,
        "prompt_tokens_details": {"cached_tokens": reply.cached_tokens},
    }


def ollama_pieces(reply: Reply, model: str) -> Iterator[bytes]:
    """Lines of ``/api/chat``, the counts in the last."""
    for piece in _cut(reply.reasoning, reply.piece):
        yield _line(model, {"content": "", "thinking": piece})
    for piece in _cut(reply.text, reply.piece):
        yield _line(model, {"content": piece})
    if reply.calls:
        yield _line(model, {"content": "", "tool_calls": _ollama_calls(reply)})
    if not (reply.cut or reply.hang):
        yield _json({**_ollama_base(model, {"content": ""}), **_ollama_end(reply)}) + b"\n"


def ollama_whole(reply: Reply, model: str) -> dict[str, Any]:
    """The body for a request that does not stream."""
    message: dict[str, Any] = {"content": reply.text}
    if reply.reasoning:
        message["thinking"] = reply.reasoning
    if reply.calls:
        message["tool_calls"] = _ollama_calls(reply)
    return {**_ollama_base(model, message), **_ollama_end(reply)}


def _ollama_calls(reply: Reply) -> list[dict[str, Any]]:
    return [{"function": {"name": name, "arguments": arguments}} for name, arguments in reply.calls]


def _ollama_base(model: str, message: dict[str, Any]) -> dict[str, Any]:
    return {"model": model, "created_at": CREATED, "message": {"role": "assistant", **message}, "done": False}


def _ollama_end(reply: Reply) -> dict[str, Any]:
    end: dict[str, Any] = {"done": True, "done_reason": reply.finish or "stop", "total_duration": 1, "load_duration": 1}
    if reply.prompt_tokens is not None:
        end |= {"prompt_eval_count": reply.prompt_tokens, "prompt_eval_duration": 1}
        end |= {"eval_count": reply.completion_tokens, "eval_duration": 1}
    return end


def _line(model: str, message: dict[str, Any]) -> bytes:
    return _json(_ollama_base(model, message)) + b"\n"


def _event(model: str, delta: dict[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return _data({"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": model, "choices": [choice]})


def _data(value: object) -> bytes:
    return b"data: " + _json(value) + b"\n\n"


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def _text(arguments: object) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _cut(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]
