"""Which findings of the examiner a reader sees, and what a question that matches hundreds of files leaves of them."""

from __future__ import annotations

from socreates_lsp.examiner.chosen import chosen
from socreates_lsp.review.finding import STANDING_QUESTION, Category, Finding, Kind, Source
from socreates_lsp.workspace.text import Range


def finding(name: str, message: str, confidence: float = 0.5, line: int = 0, rule: str = "python-x") -> Finding:
    return Finding(
        f"{name}{message}{line}", Kind.QUESTION, Category.DESIGN, f"file:///{name}", Range.of(line, 0, line, 5),
        message, "", "value", confidence, Source.EXAMINER, rule,
    )  # fmt: skip


def standing(name: str, message: str) -> Finding:
    return finding(name, message, 1.0, rule=STANDING_QUESTION)


def names(shown: tuple[Finding, ...]) -> list[str]:
    return [f"{one.uri[8:]} {one.message}" for one in shown]


OWN = [finding("a.py", f"own {number}", 0.9 - number / 100, number) for number in range(20)]


def test_the_projects_own_questions_go_first() -> None:
    choice = chosen([*OWN, standing("a.py", "one"), standing("a.py", "two")], 5, 0.3, None)
    assert names(choice.shown) == ["a.py one", "a.py two", "a.py own 0", "a.py own 1", "a.py own 2"]
    assert (choice.capped, choice.note) == (17, "")


def test_many_questions_on_one_file_are_all_shown_as_far_as_there_is_room() -> None:
    choice = chosen([*OWN, *(standing("a.py", f"{number}") for number in range(10))], 12, 0.0, None)
    assert names(choice.shown) == [*(f"a.py {number}" for number in range(10)), "a.py own 0", "a.py own 1"]
    assert choice.note == ""


def test_a_question_that_matches_hundreds_of_files_leaves_half_of_the_room() -> None:
    many = [standing(f"{number:03}.md", "source?") for number in range(500)]
    rare = [standing(f"{number:03}.md", "rare?") for number in (300, 400)]
    choice = chosen([*OWN, *many, *rare], 12, 0.0, None)
    assert names(choice.shown)[:7] == [
        "000.md source?", "300.md rare?", "001.md source?", "400.md rare?", "002.md source?", "003.md source?",
        "a.py own 0",
    ]  # fmt: skip
    assert (len(choice.shown), choice.capped) == (12, 510)
    assert choice.note == "Standing questions are about 500 files and show in 6: review a file to see its own."


def test_what_the_rules_leave_is_filled_and_without_a_cap_all_are_shown() -> None:
    many = [standing(f"{number:03}.md", "source?") for number in range(500)]
    assert len(chosen([*OWN[:2], *many], 12, 0.0, None).shown) == 12
    assert names(chosen([*OWN[:2], *many], 12, 0.0, None).shown)[10:] == ["a.py own 0", "a.py own 1"]
    everything = chosen([*OWN, *many], 0, 0.0, None)
    assert (len(everything.shown), everything.capped, everything.note) == (520, 0, "")


def test_others_are_ranked_by_confidence_and_by_the_cursor() -> None:
    assert names(chosen(OWN, 2, 0.0, None).shown) == ["a.py own 0", "a.py own 1"]
    far = [finding("a.py", "far", 0.6, 200), finding("a.py", "near", 0.5, 1)]
    assert names(chosen(far, 1, 0.0, 0).shown) == ["a.py near"]
    assert names(chosen(far, 0, 0.55, None).shown) == ["a.py far"]
