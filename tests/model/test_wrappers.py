"""Models around models: retries, the next model, tools through text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.model import failures
from socreates_lsp.model.fallback import Fallback
from socreates_lsp.model.retrying import BASE_S, MOST_S, Retrying
from socreates_lsp.model.text_tools import TextTools, forget_refusals, in_words
from socreates_lsp.model.types import (
    Called,
    ChatRequest,
    Ended,
    Finish,
    Loading,
    Message,
    ReasoningDelta,
    Role,
    TextDelta,
    ToolCall,
    Waiting,
)
from socreates_lsp.testkit import Reply, ScriptedServer
from tests.model.talk import TOOLS, ask, ollama_at, openai_at, talk

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable

    from socreates_lsp.model.types import ModelEvent

END = Ended(Finish.STOP, None, "m")
DOWN = failures.ServerFailedError("It is down.")


class Scripted:
    """A ``ChatModel`` that says what it is told to say: events, and failures to raise."""

    provider, endpoint = "scripted", "http://127.0.0.1:1"

    def __init__(self, *answers: Iterable[ModelEvent | failures.ModelError], name: str = "m") -> None:
        self.name, self.answers = name, list(answers)
        self.requests: list[ChatRequest] = []
        self.closed = 0
        self.left = 0

    async def context_tokens(self) -> int:
        return len(self.name)

    async def chat(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        self.requests.append(request)
        try:
            for one in self.answers.pop(0):
                if isinstance(one, failures.ModelError):
                    raise one
                yield one
        finally:
            self.left += 1

    async def close(self) -> None:
        self.closed += 1


def retrying(model: Scripted, retries: int = 3, chance: float = 1.0) -> tuple[Retrying, list[float]]:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    return Retrying(model, retries, sleep=sleep, chance=lambda: chance), slept


@pytest.fixture(autouse=True)
def no_memory() -> None:
    forget_refusals()


async def test_what_may_pass_is_tried_again_and_told() -> None:
    model, slept = retrying(Scripted([DOWN], [DOWN], [TextDelta("x"), END]))
    answered = await talk(model)
    assert answered.events == [Waiting("It is down.", BASE_S), Waiting("It is down.", BASE_S * 2), TextDelta("x"), END]
    assert slept == [BASE_S, BASE_S * 2]


async def test_retries_are_counted_and_the_last_failure_is_raised() -> None:
    model, slept = retrying(Scripted(*[[DOWN]] * 9), retries=2)
    answered = await talk(model)
    assert answered.error is DOWN
    assert len(slept) == 2
    none, slept = retrying(Scripted([DOWN]), retries=0)
    assert (await talk(none)).error is DOWN
    assert slept == []


@pytest.mark.parametrize(
    "failure",
    [
        failures.WrongKeyError("k"),
        failures.NoSuchModelError("m"),
        failures.ContextOverflowError("c"),
        failures.RefusedRequestError("r"),
        failures.TimedOutError("t"),
        failures.NotAllowedError("n"),
    ],
)
async def test_what_cannot_pass_is_not_tried_again(failure: failures.ModelError) -> None:
    model, slept = retrying(Scripted([failure]))
    assert (await talk(model)).error is failure
    assert slept == []


@pytest.mark.parametrize("event", [TextDelta("Wh"), ReasoningDelta("hm"), Called(ToolCall("a", "x", {}, ""))])
async def test_an_answer_that_has_begun_is_never_begun_again(event: ModelEvent) -> None:
    broken = failures.InterruptedStreamError("b")
    model, slept = retrying(Scripted([event, broken]))
    answered = await talk(model)
    assert (answered.events, answered.error, slept) == ([event], broken, [])


async def test_loading_is_no_part_of_an_answer_and_is_told_once() -> None:
    model, slept = retrying(Scripted([Loading("m"), DOWN], [Loading("m"), END]))
    assert (await talk(model)).kinds() == ["Loading", "Waiting", "Ended"]
    assert len(slept) == 1


async def test_a_wait_that_the_server_names_is_kept_and_others_are_at_random_and_bounded() -> None:
    told = failures.RateLimitedError("r", 7.5)
    untold = failures.RateLimitedError("r")
    model, slept = retrying(Scripted([told], [untold], [DOWN], [END]), chance=0.25)
    await talk(model)
    assert slept == [7.5, BASE_S * 2 * 0.25, BASE_S * 4 * 0.25]
    model, slept = retrying(Scripted(*[[DOWN]] * 12, [END]), retries=12)
    await talk(model)
    assert max(slept) == MOST_S


async def test_a_failed_server_is_asked_again_over_the_real_wire() -> None:
    with ScriptedServer([Reply(status=503), Reply(status=429, headers={"retry-after": "0"}), Reply("x")]) as server:
        answered = await talk(Retrying(openai_at(server), 3, chance=lambda: 0.0))
        assert len(server.chats) == 3
    assert answered.kinds() == ["Waiting", "Waiting", "TextDelta", "Ended"]


async def test_wrappers_close_what_they_wrap_when_they_are_closed() -> None:
    model = Scripted([TextDelta("x"), END])
    chat = TextTools(Retrying(model, 1)).chat(ask())
    assert await anext(chat) == TextDelta("x")
    await chat.aclose()
    assert model.left == 1


async def test_wrappers_speak_for_what_they_wrap() -> None:
    model = Scripted(name="four")
    for wrapper in (Retrying(model, 1), TextTools(model), Fallback(model, [])):
        assert (wrapper.provider, wrapper.name, wrapper.endpoint) == ("scripted", "four", "http://127.0.0.1:1")
        assert await wrapper.context_tokens() == 4
        await wrapper.close()
    assert model.closed == 3


# The next model


def falling(first: Scripted, *others: Scripted | failures.ModelError) -> tuple[Fallback, list[str]]:
    made: list[str] = []

    def maker(other: Scripted | failures.ModelError) -> Any:
        async def make() -> Scripted:
            made.append(str(other) if isinstance(other, failures.ModelError) else other.name)
            if isinstance(other, failures.ModelError):
                raise other
            return other

        return make

    return Fallback(first, [maker(other) for other in others]), made


async def test_the_next_model_answers_and_goes_on_answering() -> None:
    first = Scripted([Waiting("w", 1), DOWN], [END])
    second = Scripted([TextDelta("x"), END], [END], [DOWN], name="second")
    model, made = falling(first, failures.NotAllowedError("no"), second, Scripted(name="third"))
    answered = await talk(model)
    assert answered.kinds() == ["Waiting", "TextDelta", "Ended"]
    assert "second answered instead" in str(answered.end.warning)
    assert "It is down." in str(answered.end.warning)
    assert made == ["no", "second"]
    assert model.name == "second"
    assert await model.context_tokens() == 6
    assert (await talk(model)).events == [END]
    assert len(first.requests) == 1
    # When that one fails too, the first has another go.
    assert "m answered instead" in str((await talk(model)).end.warning)
    await model.close()
    assert (first.closed, second.closed) == (1, 1)


async def test_after_its_first_byte_an_answer_is_nobody_elses() -> None:
    model, made = falling(Scripted([TextDelta("Wh"), DOWN]), Scripted([END]))
    answered = await talk(model)
    assert answered.error is DOWN
    assert made == []


async def test_a_prompt_that_is_too_long_is_no_reason_to_change() -> None:
    overflow = failures.ContextOverflowError("c")
    model, made = falling(Scripted([overflow]), Scripted([END]))
    assert (await talk(model)).error is overflow
    assert made == []


async def test_if_all_fail_the_first_failure_is_told() -> None:
    model, made = falling(Scripted([DOWN]), Scripted([failures.WrongKeyError("k")], name="second"))
    assert (await talk(model)).error is DOWN
    assert made == ["second"]


# Tools through text

CALLS = (ToolCall("a", "read_file", {"path": "x"}, '{"path": "x"}'), ToolCall("b", "list_files", None, "{bro"))
CONVERSATION = ChatRequest(
    (
        Message(Role.SYSTEM, "Ask."),
        Message(Role.USER, "Why?"),
        Message(Role.ASSISTANT, "Let me see.", CALLS, reasoning="hm"),
        Message(Role.TOOL, "1 x", call_id="a", tool="read_file"),
        Message(Role.TOOL, "no", call_id="b", tool="list_files"),
        Message(Role.USER, "Answer now."),
    ),
    TOOLS,
    must_answer=True,
)


def test_a_conversation_in_words() -> None:
    said = in_words(CONVERSATION)
    assert (said.tools, said.must_answer) == ((), False)
    system, user, assistant, results = said.messages
    assert system.content.startswith("Ask.\n\n")
    assert all(f'"name": "{tool.name}"' in system.content for tool in TOOLS)
    assert user == Message(Role.USER, "Why?")
    assert assistant == Message(
        Role.ASSISTANT,
        'Let me see.\n{"name": "read_file", "arguments": {"path": "x"}}\n{"name": "list_files", "arguments": {}}',
    )
    assert results == Message(Role.USER, "Result of read_file:\n1 x\n\nResult of list_files:\nno\n\nAnswer now.")


def test_a_conversation_without_tools_or_instructions() -> None:
    assert in_words(ask(tools=())) == ask(tools=())
    offered = in_words(ask()).messages
    assert [message.role for message in offered] == [Role.SYSTEM, Role.USER]


@pytest.mark.parametrize("wire", ["openai", "ollama"])
async def test_a_refusal_of_tools_is_learned_once_for_the_process(wire: str) -> None:
    refusal = Reply(status=400, error="registry.ollama.ai/library/m does not support tools")
    call = Reply('```json\n{"name": "read_file", "arguments": {"path": "x.py"}}\n```', piece=5)
    with ScriptedServer([refusal, call, Reply("Why?"), refusal], loaded=["m"]) as server:
        make = openai_at if wire == "openai" else ollama_at
        first, second = await talk(TextTools(make(server))), await talk(TextTools(make(server)))
        assert ["tools" in body for body in server.chats] == [True, False, False]
        strict = await talk(TextTools(make(server), always=False))
    assert first.events[-1:] == [first.end]
    assert first.end.finish is Finish.CALLS
    assert [(one.name, one.arguments) for one in first.calls] == [("read_file", {"path": "x.py"})]
    assert first.text == ""
    assert second.text == "Why?"
    assert type(strict.error) is failures.NoToolsError


async def test_text_from_the_start_by_setting() -> None:
    with ScriptedServer([Reply('{"name": "nope", "arguments": {}}', reasoning="hm", finish="length")]) as server:
        answered = await talk(TextTools(openai_at(server), always=True))
        assert "tools" not in server.chats[0]
    assert answered.text == '{"name": "nope", "arguments": {}}'
    assert answered.reasoning == "hm"
    assert answered.end.finish is Finish.LENGTH
