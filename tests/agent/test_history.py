"""Compaction: nothing splits a call from its result, what fits is not touched, and it happens in large steps."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.agent.estimate import BYTES_A_TOKEN, Estimator, size_of, size_of_tools
from socreates_lsp.agent.history import KEPT, compacted, shrunk_result, shrunk_turn, size_of_turns
from socreates_lsp.model.types import Message, Role, ToolCall, ToolSchema

texts = st.integers(0, 6000).map(lambda size: "x" * size)


@st.composite
def rounds(draw: st.DrawFn) -> list[Message]:
    """A batch of parallel calls and their results."""
    number = draw(st.integers(0, 10**6))
    contents = draw(st.lists(texts, min_size=1, max_size=4))
    calls = tuple(ToolCall(f"{number}-{n}", "read_file", {}, "{}") for n in range(len(contents)))
    results = [
        Message(Role.TOOL, content, call_id=call.id, tool=call.name)
        for call, content in zip(calls, contents, strict=True)
    ]
    return [Message(Role.ASSISTANT, "", calls), *results]


@st.composite
def turns(draw: st.DrawFn) -> tuple[Message, ...]:
    batches = draw(st.lists(rounds(), max_size=3))
    middle = [message for batch in batches for message in batch]
    return (Message(Role.USER, draw(texts)), *middle, Message(Role.ASSISTANT, draw(texts)))


@given(st.lists(turns(), max_size=8), st.integers(0, 40_000))
def test_a_compacted_history_fits_and_keeps_calls_with_their_results(
    history: list[tuple[Message, ...]], limit: int
) -> None:
    kept = compacted(history, limit)
    assert size_of_turns(kept) <= limit
    for turn in kept:
        called = [call.id for message in turn for call in message.calls]
        answered = [message.call_id for message in turn if message.role is Role.TOOL]
        assert called == answered
        assert turn[0].role is Role.USER
        assert turn[-1].role is Role.ASSISTANT


@given(st.lists(turns(), max_size=8), st.integers(0, 40_000))
def test_what_fits_is_not_touched_and_what_does_not_makes_room(history: list[tuple[Message, ...]], limit: int) -> None:
    kept = compacted(history, limit)
    if size_of_turns(history) <= limit:
        assert kept == tuple(history)
    else:
        assert size_of_turns(kept) <= limit / 4
        assert [turn[0].content[:400] for turn in kept] == [
            turn[0].content[:400] for turn in history[len(history) - len(kept) :]
        ]
    assert compacted(kept, limit) == kept


@given(turns())
def test_only_results_before_the_last_round_of_a_running_turn_are_cut(turn: tuple[Message, ...]) -> None:
    running = turn[:-1]
    cut = shrunk_turn(running)
    last = max((n for n, message in enumerate(running) if message.role is Role.ASSISTANT), default=0)
    assert cut[last:] == running[last:]
    for before, after in zip(running[:last], cut[:last], strict=True):
        if before.role is Role.TOOL:
            assert after.content[:KEPT] == before.content[:KEPT]
            assert len(after.content) <= KEPT + 200
        else:
            assert after == before
    assert shrunk_turn(cut) == cut


def test_a_result_says_how_much_of_it_is_gone() -> None:
    result = Message(Role.TOOL, "a" * 1000, call_id="c", tool="read_file")
    assert "600 more characters" in shrunk_result(result).content
    assert shrunk_result(Message(Role.USER, "a" * 1000)).content == "a" * 1000


def test_the_estimate_learns_bad_news_at_once_and_good_news_slowly() -> None:
    estimator = Estimator()
    assert estimator.tokens(3500) == 1001
    estimator.learn(10_000, 5000)
    assert estimator.bytes_a_token == 2.0
    estimator.learn(10_000, 2500)
    assert 2.0 < estimator.bytes_a_token < 2.5
    for size, tokens in ((100, 90), (10_000, 0), (10_000, 10), (10_000, 10**6)):
        before = estimator.bytes_a_token
        estimator.learn(size, tokens)
        assert estimator.bytes_a_token == before


def test_a_size_counts_bytes_calls_and_tools() -> None:
    plain = size_of([Message(Role.USER, "a")])
    assert size_of([Message(Role.USER, "왜")]) == plain + 2
    call = ToolCall("1", "read_file", {"path": "x"}, '{"path": "x"}')
    assert size_of([Message(Role.ASSISTANT, "a", (call,))]) > plain + len(call.raw)
    tool = ToolSchema("read_file", "Reads.", {"type": "object"})
    assert size_of_tools([tool]) > len("read_fileReads.")
    assert BYTES_A_TOKEN < 4
