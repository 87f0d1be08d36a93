"""What the lines of a transcript add up to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.memory.encoding import MessageLine, OutcomeLine
from socreates_lsp.memory.turns import replay
from tests.memory.samples import said, user

if TYPE_CHECKING:
    from socreates_lsp.model.types import Message


def line(turn: str, n: int, message: Message) -> MessageLine:
    return MessageLine(turn, "", n, "ask", message)


def test_a_turn_whose_beginning_is_not_there_is_no_turn() -> None:
    later = [line("a", 3, user("The last round.")), line("a", 4, said("?")), OutcomeLine("a", "", "answered")]
    found = replay(later)
    assert (found.answered, found.open, found.broken) == ([], {}, 1)
    whole = [line("a", 0, user("x")), *later]
    assert replay(whole).answered == [(user("x"), user("The last round."), said("?"))]


def test_what_comes_after_an_outcome_does_not_count() -> None:
    turn = [line("a", 0, user("x")), line("a", 1, said("?")), OutcomeLine("a", "", "answered")]
    found = replay([*turn, line("a", 0, user("y")), line("a", 1, said("!")), OutcomeLine("a", "", "answered")])
    assert (found.answered, found.open) == ([(user("x"), said("?"))], {})
    assert replay([OutcomeLine("a", "", "failed"), *turn]).answered == []


def test_a_turn_without_outcome_is_open() -> None:
    found = replay([line("a", 0, user("x")), line("b", 0, user("y")), OutcomeLine("b", "", "failed")])
    assert [turn.messages for turn in found.open.values()] == [[user("x")]]
    assert (found.answered, found.broken) == ([], 0)
