"""A real llama.cpp server through the OpenAI adapter. Shapes are asserted, not contents: the model is tiny."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from socreates_lsp.model.failures import ContextOverflowError
from socreates_lsp.model.openai import OpenAIModel
from socreates_lsp.model.place import Place
from socreates_lsp.model.retrying import Retrying
from socreates_lsp.model.types import ChatRequest, Finish, Message, Role, TextDelta, ToolSchema
from tests.model.talk import ask, talk

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.model.conftest import LlamaCpp

READ = ToolSchema(
    "read_file",
    "Read a file.",
    {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
)


@pytest.fixture
async def model(llamacpp: LlamaCpp) -> AsyncIterator[Retrying]:
    """As it is used: a request is sent again where the server closes a connection that it was idle on."""
    one = Retrying(OpenAIModel(Place("openai", llamacpp.url, llamacpp.model), {}), 3)
    yield one
    await one.close()


async def test_a_chat_streams_and_is_counted(model: Retrying, llamacpp: LlamaCpp) -> None:
    answered = await talk(model, ask("Hi", tools=(), max_output_tokens=5, temperature=0))
    assert answered.error is None
    assert sum(isinstance(event, TextDelta) for event in answered.events) >= 2
    assert answered.end.finish is Finish.LENGTH
    assert answered.end.model == llamacpp.model
    assert answered.end.usage is not None
    assert answered.end.usage.completion == 5
    assert answered.end.usage.prompt > 3
    assert await model.context_tokens() == llamacpp.context


async def test_the_prefix_is_cached_and_told(model: Retrying) -> None:
    request = ask("Count to three, and say why.", tools=(), max_output_tokens=1)
    await talk(model, request)
    usage = (await talk(model, request)).end.usage
    assert usage is not None
    assert 0 < usage.cached <= usage.prompt


async def test_a_call_and_its_result(model: Retrying) -> None:
    question = Message(Role.USER, "Read the file src/a.py.")
    answered = await talk(model, ChatRequest((question,), (READ,), max_output_tokens=60, temperature=0))
    assert answered.error is None
    assert answered.end.finish is Finish.CALLS, answered
    assert {call.name for call in answered.calls} == {"read_file"}
    assert all(call.id and call.arguments is not None for call in answered.calls)
    results = [Message(Role.TOOL, "1 x = 1", call_id=call.id, tool=call.name) for call in answered.calls]
    history = (question, Message(Role.ASSISTANT, answered.text, tuple(answered.calls)), *results)
    last = await talk(model, ChatRequest(history, (READ,), must_answer=True, max_output_tokens=4))
    assert last.error is None
    assert last.end.usage is not None


async def test_an_overlong_prompt_is_an_overflow(model: Retrying) -> None:
    answered = await talk(model, ask("why " * 5000, tools=()))
    assert type(answered.error) is ContextOverflowError
    assert answered.events == []


async def test_a_cancel_frees_the_only_slot(model: Retrying) -> None:
    task = asyncio.create_task(talk(model, ask("Tell a long story.", tools=(), max_output_tokens=1500)))
    await asyncio.sleep(0.3)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    # The one slot would be taken for minutes if the server had not seen the connection close.
    answered = await asyncio.wait_for(talk(model, ask("Hi", tools=(), max_output_tokens=1)), 60)
    assert answered.error is None
    assert answered.end.usage is not None
