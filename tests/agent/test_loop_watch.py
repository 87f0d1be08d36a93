"""The loop watch: when a repeated call is told, when it ends the turn, and what the account says."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.agent.loop_watch import ENDS, ENDS_CHANGING, LONGEST_NOTE, MALFORMED, LoopWatch, Verdict, key_of
from socreates_lsp.model.types import ToolCall
from socreates_lsp.tools.tool import ToolResult


def call(name: str = "read_file", **arguments: Any) -> ToolCall:
    return ToolCall("c", name, arguments, str(arguments))


def rounds(*pairs: tuple[ToolCall, str]) -> list[Verdict]:
    """One verdict a round of one call."""
    watch = LoopWatch()
    return [watch.saw([one], [ToolResult(result)]) for one, result in pairs]


def test_the_same_result_is_told_at_the_second_time_and_ends_at_the_fourth() -> None:
    verdicts = rounds(*[(call(path="a.py"), "x")] * 4)
    assert [bool(one.notes[0]) for one in verdicts] == [False, True, True, True]
    assert "before" in verdicts[1].notes[0]
    assert "third time" in verdicts[2].notes[0]
    assert [one.account is not None for one in verdicts] == [False, False, False, True]
    account = verdicts[3].account
    assert account is not None
    assert str(account) == (
        "It went in circles and was ended: the same call of read_file had the same result 4 times. "
        "Tried: read_file a.py (4 times, always the same result). "
        "Missing: an answer; what was read brought nothing new."
    )


def test_changing_results_end_it_at_the_sixth_and_are_told_before() -> None:
    verdicts = rounds(*[(call("run_command", command="date"), str(n)) for n in range(6)])
    assert [bool(one.notes[0]) for one in verdicts] == [False, False, False, False, True, False]
    assert [one.account is not None for one in verdicts] == [False] * 5 + [True]
    assert "run_command (6 times, 6 different results)" in str(verdicts[5].account)


def test_the_order_of_arguments_is_no_difference() -> None:
    assert key_of(call(path="a", start=1)) == key_of(call(start=1, path="a"))
    assert key_of(call(path="a")) != key_of(call(path="b"))
    assert key_of(call(path="a")) != key_of(call("search", path="a"))


def test_two_calls_by_turns_are_seen() -> None:
    pair = [(call(path="a.py"), "x"), (call(path="b.py"), "y")]
    verdicts = rounds(*pair * 4)
    assert [one.account is not None for one in verdicts] == [False] * 6 + [True, True]
    assert [bool(one.notes[0]) for one in verdicts[:4]] == [False, False, True, True]


def test_calls_of_one_round_are_made_at_once() -> None:
    watch = LoopWatch()
    same = [call(path="a.py")] * 5
    assert watch.saw(same, [ToolResult("x")] * 5) == Verdict(("",) * 5)
    assert watch.saw(same, [ToolResult("x")] * 5).account is None


def test_rounds_without_a_call_that_can_be_carried_out_end_it() -> None:
    watch = LoopWatch()
    bad = ToolResult("no object", failed=True, malformed=True)
    calls = [ToolCall("c", "search", None, "{" * n) for n in range(1, 9)]
    assert [watch.saw([one], [bad]).account is not None for one in calls[: MALFORMED - 1]] == [False] * (MALFORMED - 1)
    assert watch.saw([call(path="x")], [ToolResult("fine")]).account is None
    ends = [watch.saw([one], [bad]).account for one in calls[MALFORMED - 1 : 2 * MALFORMED - 1]]
    assert [one is not None for one in ends] == [False] * (MALFORMED - 1) + [True]
    assert "4 rounds in a row held no call that could be carried out" in str(ends[-1])


def test_the_account_names_what_is_missing_and_shows_no_code() -> None:
    missing = ToolResult("app/x.py does not exist: did you mean src/x.py?", failed=True)
    watch = LoopWatch()
    for _ in range(3):
        watch.saw([call(path="app/x.py")], [missing])
    watch.saw([call("search", pattern="def f(): return 1")], [ToolResult("nothing")])
    watch.saw([call(path="a`rm()`.py")], [ToolResult("x(y) does not exist", failed=True)])
    account = str(watch.saw([call(path="app/x.py")], [missing]).account)
    assert account.endswith("Missing: app/x.py does not exist.")
    assert "Tried: read_file app/x.py (4 times, always the same result); search; read_file." in account
    assert "def f" not in account
    assert "rm()" not in account


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), max_size=40))
def test_a_turn_ends_when_and_only_when_a_call_was_made_too_often(made: list[tuple[str, str]]) -> None:
    watch = LoopWatch()
    for number, (path, result) in enumerate(made, start=1):
        verdict = watch.saw([call(path=path)], [ToolResult(result)])
        before = made[:number]
        often = before.count((path, result)) >= ENDS or [one for one, _ in before].count(path) >= ENDS_CHANGING
        assert (verdict.account is not None) is often
        assert all(len(note) <= LONGEST_NOTE for note in verdict.notes)
        assert bool(verdict.notes[0]) or before.count((path, result)) == 1
        if often:
            return
