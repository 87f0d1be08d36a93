"""Which turns become a summary, what of them is sent, and that nothing is lost when turns end side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from socreates_lsp.agent.conversation import Conversation
from socreates_lsp.agent.history import SUMMARISED, compacted, is_summary, size_of_turns
from socreates_lsp.agent.summarising import older, rendered
from socreates_lsp.memory.egress import Egress
from socreates_lsp.memory.transcript import open_transcript
from socreates_lsp.memory.turns import SUMMARY, joined
from socreates_lsp.model.types import Message, Role, ToolCall
from socreates_lsp.settings import SessionSettings

if TYPE_CHECKING:
    from pathlib import Path

Turn = tuple[Message, ...]


def turn(text: str, calls: int = 0, result: str = "r") -> Turn:
    messages = [Message(Role.USER, text)]
    for number in range(calls):
        call = ToolCall(f"{text}{number}", "read_file", {"path": "a.py"}, "{}")
        messages += [Message(Role.ASSISTANT, "", (call,)), Message(Role.TOOL, result, call_id=call.id, tool=call.name)]
    return (*messages, Message(Role.ASSISTANT, f"{text}?"))


SUM: Turn = (Message(Role.USER, SUMMARISED), Message(Role.ASSISTANT, "in short"))


def conversation(state: Path, *turns: Turn) -> Conversation:
    keeps = SessionSettings(store=False)
    made = Conversation(None, open_transcript(None, keeps, state=state), Egress(None, keeps, state=state), None)
    made.turns = turns
    return made


def test_few_messages_that_fit_stay() -> None:
    turns = [turn(str(n)) for n in range(30)]
    assert older(turns, 60, 10**6) == 0
    assert older([*turns, turn("x")], 60, 10**6) > 0
    assert older([*turns, turn("x")], 0, 10) == 0


def test_what_the_cheap_pass_makes_fit_is_not_summarised_for_its_size() -> None:
    turns = [turn(str(n), 1, "long " * 2000) for n in range(3)]
    assert size_of_turns(turns) > 20_000
    assert older(turns, 60, 10_000) == 0
    assert older(turns, 60, 1000) == 2


def test_the_last_turn_always_stays_and_a_summary_alone_is_not_summarised() -> None:
    assert older([turn("x", 40)], 60, 10**6) == 0
    assert older([SUM, turn("x", 40)], 60, 10**6) == 0
    assert older([SUM, turn("y"), turn("x", 40)], 60, 10**6) == 2


@settings(deadline=None)
@given(st.lists(st.integers(0, 6), max_size=20), st.integers(1, 30), st.integers(0, 20_000))
def test_a_recent_tail_stays_within_a_third(calls: list[int], most: int, limit: int) -> None:
    turns = [turn(str(n), count) for n, count in enumerate(calls)]
    count = older(turns, most, limit)
    assert 0 <= count < max(len(turns), 1)
    if count:
        tail = turns[count:]
        assert sum(map(len, turns)) > most or size_of_turns(turns) > limit
        assert len(tail) == 1 or sum(map(len, tail)) <= most // 3


@settings(deadline=None)
@given(st.lists(st.text(max_size=300), min_size=1, max_size=12), st.integers(0, 3000))
def test_what_is_sent_for_a_summary_fits(texts: list[str], limit: int) -> None:
    turns = [turn(text, 1) for text in texts]
    sent = rendered(turns, limit)
    assert len(sent) <= limit
    if limit == 3000 and len(sent) < 2000:
        assert "left out here" not in sent


def test_a_summary_is_dropped_last() -> None:
    turns = [SUM, *[turn(f"{n} " + "much " * 100) for n in range(10)]]
    kept = compacted(turns, 3000)
    assert is_summary(kept[0])
    assert 1 <= len(kept) < len(turns)
    assert compacted(turns, 20) == ()


def test_turns_that_end_side_by_side_are_all_there(tmp_path: Path) -> None:
    one = conversation(tmp_path, turn("a"), turn("b"))
    first, second = one.moment(), one.moment()
    one.commit(first, (turn("a'"), turn("b'")), turn("c"))
    one.commit(second, (turn("b''"),), turn("d"))
    assert [messages[0].content for messages in one.turns] == ["a'", "b'", "c", "d"]


def test_a_turn_that_began_before_a_summary_goes_behind_it(tmp_path: Path) -> None:
    one = conversation(tmp_path, turn("a"), turn("b"), turn("c"))
    began = one.moment()
    assert one.summarise(one.moment(), 2, SUM)
    one.commit(began, one.turns, turn("d"))
    assert [messages[0].content for messages in one.turns] == [SUMMARISED, "c", "d"]
    assert not one.summarise(began, 2, SUM)


def test_a_turn_that_ended_while_a_summary_was_made_stays(tmp_path: Path) -> None:
    one = conversation(tmp_path, turn("a"), turn("b"))
    began = one.moment()
    one.commit(one.moment(), one.turns, turn("c"))
    assert one.summarise(began, 1, SUM)
    assert [messages[0].content for messages in one.turns] == [SUMMARISED, "b", "c"]
    one.forget()
    assert not one.summarise(began, 1, SUM)


def test_a_summary_in_a_transcript_stands_for_all_but_the_last() -> None:
    turns = [turn("a"), turn("b"), turn("c")]
    assert joined(turns, f"{SUMMARY}1", SUM) == [SUM, turns[2]]
    assert joined(turns, f"{SUMMARY}0", SUM) == [SUM]
    assert joined(turns, f"{SUMMARY}9", SUM) == [SUM, *turns]
    assert joined(turns, f"{SUMMARY}x", SUM) == joined(turns, "ask", SUM) == [*turns, SUM]
