"""The loop: rounds, tools, limits, and that a turn is a transaction."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.agent.conversation import Conversation, Window
from socreates_lsp.agent.events import Finished, Piece, Progressed, Read, Round, Spent, Warned
from socreates_lsp.agent.gate import Gate
from socreates_lsp.agent.patience import Patient
from socreates_lsp.agent.turn import Limits, Turn, schemas_of
from socreates_lsp.errors import ReviewError, TargetError
from socreates_lsp.memory.egress import Egress
from socreates_lsp.memory.transcript import open_transcript
from socreates_lsp.model.failures import ContextOverflowError, InterruptedStreamError
from socreates_lsp.model.types import Ended, Finish, Loading, Message, ReasoningDelta, Role, TextDelta, Waiting
from socreates_lsp.prompting import Nobody
from socreates_lsp.review.reviewer import Stop
from socreates_lsp.settings import SessionSettings
from socreates_lsp.settings.schema import PolicySettings
from socreates_lsp.tools.leave import Leave
from socreates_lsp.tools.tool import ReadLines, ToolResult
from socreates_lsp.workspace.text import Range
from tests.agent.fake_model import FakeModel

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LINES = ReadLines("file:///w/a.py", Range.of(0, 0, 3, 0))


class FakeTool:
    """Does what its function says."""

    description = "For tests."
    read_only = True
    asks = False
    parameters: Mapping[str, Any] = {"type": "object", "properties": {}}

    def __init__(self, name: str, run: Any = None) -> None:
        self.name = name
        self.limits: list[int] = []
        self._run = run or (lambda _: ToolResult("result", (LINES,)))

    async def run(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        self.limits.append(limit)
        result = self._run(arguments)
        return await result if asyncio.iscoroutine(result) else result


class Talk:
    """A conversation with one model and some tools."""

    def __init__(self, state: Path, model: FakeModel, *tools: FakeTool) -> None:
        settings = SessionSettings(store=False)
        self.conversation = Conversation(
            None, open_transcript(None, settings, state=state), Egress(None, settings, state=state), None
        )
        self.model = model
        self.tools = tools
        self.written: list[Message] = []
        self.sent: list[tuple[int, int]] = []
        self.events: list[Any] = []
        self.user = Patient(Nobody())
        self.gate = Gate(None, Leave(PolicySettings(), self.user, lambda *_: None), self.user, supervise=True)

    async def window(self, history_tokens: int = 16_000) -> Window:
        return Window(
            self.conversation,
            await self.conversation.head(self.model.context),
            schemas_of(self.tools),
            model=self.model.name,
            context_tokens=self.model.context,
            max_output_tokens=None,
            history_tokens=history_tokens,
        )

    async def say(self, text: str, *, steps: int = 10, seconds: float = 60, tokens: int = 10**9) -> Finished:
        turn = Turn(
            self.model,
            self.tools,
            await self.window(),
            Limits(steps, seconds, tokens),
            self.gate,
            write=self.written.append,
            sending=lambda lines, count: self.sent.append((len(lines), count)),
        )
        self.events = [event async for event in turn.run(text)]
        assert isinstance(self.events[-1], Finished)
        return self.events[-1]


def shown(request: Any) -> list[tuple[str, str]]:
    return [(message.role.value, message.content) for message in request.messages[1:]]


async def test_the_answer_of_the_first_round_is_the_answer(tmp_path: Path) -> None:
    talk = Talk(tmp_path, FakeModel("Why is it so?"))
    finished = await talk.say("Review a.py.")
    assert (finished.stop, finished.text, finished.rounds) == (Stop.ANSWERED, "Why is it so?", 1)
    assert "".join(event.text for event in talk.events if isinstance(event, Piece)) == "Why is it so?"
    assert [message.role for message in talk.written] == [Role.USER, Role.ASSISTANT]
    assert len(talk.conversation.turns) == 1


async def test_the_message_of_the_user_is_sent_once_and_every_request_continues_the_last(tmp_path: Path) -> None:
    talk = Talk(tmp_path, FakeModel([("look", {})], [("look", {})], "Done?"), FakeTool("look"))
    await talk.say("Review a.py.")
    first, second, third = talk.model.requests
    assert second.messages[: len(first.messages)] == first.messages
    assert third.messages[: len(second.messages)] == second.messages
    assert first.tools == second.tools == third.tools
    assert [role for role, _ in shown(third)] == ["user", "assistant", "tool", "assistant", "tool"]
    assert [content for role, content in shown(third) if role == "user"] == ["Review a.py."]


async def test_the_next_turn_goes_on_from_what_was_sent(tmp_path: Path) -> None:
    talk = Talk(tmp_path, FakeModel([("look", {})], "One?", "Two?"), FakeTool("look"))
    await talk.say("First.")
    await talk.say("Second.")
    before, after = talk.model.requests[1], talk.model.requests[2]
    assert after.messages[: len(before.messages)] == before.messages
    assert shown(after)[-2:] == [("assistant", "One?"), ("user", "Second.")]


async def test_calls_of_one_round_run_at_once_and_their_results_keep_the_order(tmp_path: Path) -> None:
    running = 0
    most = 0

    async def slow(arguments: Mapping[str, Any]) -> ToolResult:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0.02 if arguments["n"] == 0 else 0)
        running -= 1
        return ToolResult(f"result {arguments['n']}")

    calls = [("look", {"n": n}) for n in range(4)]
    talk = Talk(tmp_path, FakeModel(calls, "Done?"), FakeTool("look", slow))
    await talk.say("Review.")
    assert most == 4
    results = [message for message in talk.written if message.role is Role.TOOL]
    assert [message.content for message in results] == [f"result {n}" for n in range(4)]
    assert [message.call_id for message in results] == [call.id for call in talk.written[1].calls]


async def test_the_model_is_told_one_round_before_the_last_and_then_has_to_answer(tmp_path: Path) -> None:
    talk = Talk(tmp_path, FakeModel([("look", {})], [("look", {})], "Forced?"), FakeTool("look"))
    finished = await talk.say("Review.", steps=3)
    requests = talk.model.requests
    assert [request.must_answer for request in requests] == [False, False, True]
    assert "One more round" in requests[1].messages[-1].content
    assert "Answer now" in requests[2].messages[-1].content
    assert requests[2].tools == requests[0].tools
    assert (finished.stop, finished.text, finished.rounds) == (Stop.STEP_LIMIT, "Forced?", 3)
    assert len(talk.conversation.turns) == 1


async def test_calls_in_the_last_round_are_not_run(tmp_path: Path) -> None:
    tool = FakeTool("look")
    talk = Talk(tmp_path, FakeModel([("look", {})], [("look", {})]), tool)
    finished = await talk.say("Review.", steps=2)
    assert len(tool.limits) == 1
    assert (finished.stop, finished.text) == (Stop.STEP_LIMIT, "")
    assert talk.conversation.turns == ()
    assert all(not message.calls for message in talk.written[3:])


async def test_a_single_round_that_answers_has_answered(tmp_path: Path) -> None:
    assert (await Talk(tmp_path, FakeModel("So?")).say("Review.", steps=1)).stop is Stop.ANSWERED


@pytest.mark.parametrize("error", [InterruptedStreamError("It broke off."), ContextOverflowError("Too long.")])
async def test_after_a_failure_the_history_is_what_it_was(tmp_path: Path, error: Exception) -> None:
    replies = ["One?", [("look", {})], error, error, "Two?"]
    talk = Talk(tmp_path, FakeModel(*replies), FakeTool("look"))
    await talk.say("First.")
    turns = talk.conversation.turns
    with pytest.raises(type(error)):
        await talk.say("Fails.")
    assert talk.conversation.turns == turns
    talk.model.replies = ["Two?"]
    await talk.say("Second.")
    assert shown(talk.model.requests[-1]) == [("user", "First."), ("assistant", "One?"), ("user", "Second.")]


async def test_a_request_that_is_too_long_is_made_shorter_once_and_goes_on(tmp_path: Path) -> None:
    def long(_: Mapping[str, Any]) -> ToolResult:
        return ToolResult("x" * 6000)

    replies = [[("look", {})], [("look", {})], ContextOverflowError("Too long."), "So?"]
    talk = Talk(tmp_path, FakeModel(*replies), FakeTool("look", long))
    finished = await talk.say("Review.")
    assert finished.stop is Stop.ANSWERED
    too_long, shorter = talk.model.requests[-2:]
    assert sum(len(one.content) for one in shorter.messages) < sum(len(one.content) for one in too_long.messages)
    assert len(shorter.messages) == len(too_long.messages)


async def test_what_the_model_did_wrong_is_told_to_it(tmp_path: Path) -> None:
    def refuse(_: Mapping[str, Any]) -> ToolResult:
        raise TargetError("There is no such file.")

    def crash(_: Mapping[str, Any]) -> ToolResult:
        raise ZeroDivisionError

    calls = [("nothing", {}), ("look", None), ("refuse", {}), ("crash", {})]
    tools = FakeTool("look"), FakeTool("refuse", refuse), FakeTool("crash", crash)
    talk = Talk(tmp_path, FakeModel(calls, "So?"), *tools)
    await talk.say("Review.")
    unknown, malformed, refused, crashed = [m.content for m in talk.written if m.role is Role.TOOL]
    assert "look, refuse, crash" in unknown
    assert "no JSON object" in malformed
    assert tools[0].limits == []
    assert refused == "There is no such file."
    assert "crash failed" in crashed


async def test_an_empty_answer_is_asked_for_once_more_and_then_said(tmp_path: Path) -> None:
    talk = Talk(tmp_path, FakeModel("", "Now?"))
    assert (await talk.say("Review.")).text == "Now?"
    talk = Talk(tmp_path, FakeModel("", " \n", "never"))
    with pytest.raises(ReviewError, match="empty answer"):
        await talk.say("Review.")
    assert talk.conversation.turns == ()


async def test_an_answer_that_was_cut_is_told(tmp_path: Path) -> None:
    talk = Talk(tmp_path, FakeModel([TextDelta("Why is th"), Ended(Finish.LENGTH)]))
    finished = await talk.say("Review.")
    assert (finished.stop, finished.text) == (Stop.TRUNCATED, "Why is th")
    assert talk.conversation.turns == ()
    talk = Talk(tmp_path, FakeModel([TextDelta("Wh"), Ended(Finish.FILTERED)]))
    with pytest.raises(ReviewError, match="withheld"):
        await talk.say("Review.")


async def test_time_is_limited_also_while_the_model_is_silent_and_a_tool_runs(tmp_path: Path) -> None:
    talk = Talk(tmp_path, FakeModel([TextDelta("Why "), "hang"]))
    finished = await talk.say("Review.", seconds=0.05)
    assert (finished.stop, finished.text) == (Stop.LIMIT, "Why ")
    assert talk.model.closed == 1

    async def sleep(_: Mapping[str, Any]) -> ToolResult:
        await asyncio.sleep(3600)
        return ToolResult("")

    talk = Talk(tmp_path, FakeModel([("look", {})]), FakeTool("look", sleep))
    assert (await talk.say("Review.", seconds=0.05)).stop is Stop.LIMIT
    assert talk.conversation.turns == ()


async def test_tokens_are_limited_before_they_are_spent(tmp_path: Path) -> None:
    talk = Talk(tmp_path, FakeModel([("look", {})] * 1, usage=lambda _: 3000), FakeTool("look"))
    finished = await talk.say("Review.", tokens=3500)
    assert finished.stop is Stop.LIMIT
    assert len(talk.model.requests) == 1


async def test_a_cancel_closes_the_stream_and_leaves_the_history(tmp_path: Path) -> None:
    talk = Talk(tmp_path, FakeModel([TextDelta("Why "), "hang"]))
    task = asyncio.create_task(talk.say("Review."))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert talk.model.closed == 1
    assert talk.conversation.turns == ()


async def test_what_goes_on_is_told(tmp_path: Path) -> None:
    events = [
        Loading("fake"),
        Waiting("The server is busy.", 2),
        ReasoningDelta("hm"),
        ReasoningDelta("hm"),
        TextDelta("So?"),
        Ended(Finish.STOP, None, "other", "The server cut the prompt."),
    ]
    talk = Talk(tmp_path, FakeModel([("look", {"path": "a.py"}), ("look", {})], events), FakeTool("look"))
    finished = await talk.say("Review.")
    told = [event.message for event in talk.events if isinstance(event, Progressed)]
    assert [event for event in talk.events if isinstance(event, Round)] == [Round(1, 10), Round(2, 10)]
    assert told == [
        "look a.py and 1 more",
        "loading fake (cold)",
        "The server is busy. Trying again in 2 s.",
        "thinking",
    ]
    assert [event.lines for event in talk.events if isinstance(event, Read)] == [LINES, LINES]
    assert [event.message for event in talk.events if isinstance(event, Warned)] == ["The server cut the prompt."]
    assert sum(isinstance(event, Spent) for event in talk.events) == 2
    assert finished.model == "other"
    assert [count for count, _ in talk.sent] == [0, 2]


async def test_many_results_at_once_still_fit(tmp_path: Path) -> None:
    def long(_: Mapping[str, Any]) -> ToolResult:
        return ToolResult("x" * tool.limits[-1])

    tool = FakeTool("look", long)
    model = FakeModel([("look", {"n": n}) for n in range(30)], "So?", context=4096)
    talk = Talk(tmp_path, model, tool)
    assert (await talk.say("Review.")).stop is Stop.ANSWERED
    assert sum(len(one.content) for one in model.requests[-1].messages) < 4096 * 3.5


async def test_what_cannot_fit_is_said_in_one_sentence(tmp_path: Path) -> None:
    talk = Talk(tmp_path, FakeModel("So?", context=2048))
    with pytest.raises(ReviewError, match=r"does not fit .* 2,048 tokens"):
        await talk.say("x" * 20_000)
    assert talk.model.requests == []


async def test_a_call_that_no_request_would_hold_is_left_out_and_told(tmp_path: Path) -> None:
    long = {"path": "a" * 200_000}
    talk = Talk(tmp_path, FakeModel([("look", long), ("look", {"path": "a.py"})], "Done?"), FakeTool("look"))
    talk.model.context = 8192
    finished = await talk.say("Review a.py.")
    assert finished.stop is Stop.ANSWERED
    first, second = [content for role, content in shown(talk.model.requests[1]) if role == "tool"]
    assert "left out" in first
    assert "characters, of which" in first
    assert second.startswith("result")
    assert max(len(call.raw) for message in talk.model.requests[1].messages for call in message.calls) < 2000
