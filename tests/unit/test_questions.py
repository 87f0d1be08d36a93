"""Standing questions as a reader sees them: whatever a repository writes into them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.review.finding import Category
from socreates_lsp.review.questions import LONGEST, MOST, left_out, path_of, standing_questions
from socreates_lsp.review.voice import voiced


def words(question: str) -> str:
    (one,) = standing_questions([(question, "**")])
    return one.words


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Does every `handler(request)` check the tenant?", "Does every `handler(request)` check the tenant?"),
        ("Which claims\n  lack a source?\n", "Which claims lack a source?"),
        ("Seen ![it](https://evil.example/x.png)?", "Seen [image withheld]?"),
        ("Have you [looked](command:evil.run)?", "Have you looked?"),
        ("Is it <img src=x onerror=alert(1)> safe?", "Is it safe?"),
        ("\u202eIs it \x1b[31mred\x07?", "Is it red?"),
    ],
)
def test_a_question_is_said_on_one_line_and_fetches_nothing(written: str, said: str) -> None:
    assert words(written) == said


def test_a_long_question_is_cut_on_its_line_and_whole_in_its_why() -> None:
    long = f"Is it fit for {'this and ' * 60}that?"
    (one,) = standing_questions([(long, "docs/**")])
    assert len(one.words) <= LONGEST
    assert one.words.endswith((" this…", " and…"))
    assert one.why == f"{long}\n\nA standing question of this project, for `docs/**`."
    (short,) = standing_questions([("Is it?", "docs/`x`" + "y" * 200)])
    assert short.why == f"A standing question of this project, for `docs/'x'{'y' * 72}…`."


def test_each_is_asked_once_by_its_number_and_no_more_than_can_be_borne() -> None:
    asked = standing_questions([("Is it?", "**"), ("```", "**"), ("Is it?", "**"), ("Is it?", "*.py"), ("Who?", "**")])
    assert [(one.number, one.words, one.glob) for one in asked] == [
        (1, "Is it?", "**"), (4, "Is it?", "*.py"), (5, "Who?", "**"),
    ]  # fmt: skip
    assert left_out([None] * (MOST + 2)) == f"Only the first {MOST} standing questions are put: 2 more are left out."
    assert left_out([None] * MOST) is None
    assert len(standing_questions((f"Is it {number} or so?", "**") for number in range(1000))) == MOST


@pytest.mark.parametrize(
    ("question", "category"),
    [
        ("Which claims in this page lack a source?", Category.DOCUMENTATION),
        ("Does every handler check the tenant?", Category.SECURITY),
        ("Is it tested?", Category.TESTING),
        ("What happens if it fails?", Category.ERROR_HANDLING),
        ("Is it thread-safe?", Category.CONCURRENCY),
        ("Does this belong here?", Category.DESIGN),
        ("Is the latest contestant attested?", Category.DESIGN),
    ],
)
def test_the_category_is_what_it_sounds_like(question: str, category: Category) -> None:
    assert standing_questions([(question, "**")])[0].category is category


def test_a_cell_is_matched_by_its_notebook() -> None:
    assert path_of("a/book.ipynb#cell 2") == "a/book.ipynb"
    assert path_of("a/b#c.py") == "a/b#c.py"


@given(st.lists(st.tuples(st.text(max_size=400), st.text(max_size=120)), max_size=5))
def test_nothing_that_is_said_says_more_when_it_is_read_again(given: list[tuple[str, str]]) -> None:
    for one in standing_questions(given):
        assert len(one.words) <= LONGEST
        assert "\n" not in one.words
        assert " ".join(voiced(one.whole, lambda _: True).text.split()) == one.whole
