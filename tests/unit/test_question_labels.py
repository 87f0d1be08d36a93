"""A label that the model uses for a standing question never reaches the reader; its words do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.review.items import Item
from socreates_lsp.review.question_labels import Labels, labelled
from socreates_lsp.review.questions import standing_questions

ASKED = standing_questions([("Is it `safe(x)`?", "**"), ("Who reads this?", "*.md")])
LABELS = Labels(ASKED)
FIRST, SECOND = "Standing question: Is it `safe(x)`?", "Standing question: Who reads this?"


def point(message: str, why: str = "") -> Item:
    return Item(None, None, message, why, None, (), 0, 0)


@pytest.mark.parametrize(
    ("message", "why", "said", "because"),
    [
        ("What if?", "It is bad. [SQ1]", "What if?", f"It is bad.\n\n{FIRST}"),
        ("What if?", "It is bad [SQ1].", "What if?", f"It is bad.\n\n{FIRST}"),
        ("What if?", "It is bad (SQ1, SQ2).", "What if?", f"It is bad.\n\n{FIRST}\n\n{SECOND}"),
        ("What if?", "It is bad. (answers SQ2)", "What if?", f"It is bad.\n\n{SECOND}"),
        ("What if?", "It is bad.\nStanding question: SQ2.", "What if?", f"It is bad.\n\n{SECOND}"),
        ("What if? [SQ1]", "", "What if?", FIRST),
        ("SQ2: What if it fails?", "Bad.", "What if it fails?", f"Bad.\n\n{SECOND}"),
        ("What if?", "**[SQ1]**", "What if?", FIRST),
        ("What if?", "Bad. `SQ1`", "What if?", f"Bad.\n\n{FIRST}"),
        ("What if?", "Bad. [SQ 1] [SQ-2]", "What if?", f"Bad.\n\n{FIRST}\n\n{SECOND}"),
        ("What if?", "It bears on SQ2 here.", "What if?", f"It bears on the standing question here.\n\n{SECOND}"),
        ("What if?", "Bad. [SQ9]", "What if?", "Bad."),
        ("What if?", "Bad. SQ2, [SQ1], [SQ77]", "What if?", f"Bad.\n\n{SECOND}\n\n{FIRST}"),
        ("What if?", "SQ2,\nIt is bad.", "What if?", f"It is bad.\n\n{SECOND}"),
        ("SQ2,\nWhat if?", "Bad, [SQ1], [SQ2].", "What if?", f"Bad.\n\n{SECOND}\n\n{FIRST}"),
        ("What if?", "SQ2,", "What if?", SECOND),
        ("What if?", "Bad.", "What if?", "Bad."),
        ("What is `SQ1_TABLE` in MSQ1?", "Bad.", "What is `SQ1_TABLE` in MSQ1?", "Bad."),
    ],
)
def test_the_words_stand_in_the_place_of_the_label(message: str, why: str, said: str, because: str) -> None:
    item = LABELS.read(point(message, why), "a.md")
    assert (item.message, item.why) == (said, because)


def test_a_label_in_a_tag_counts_and_one_in_a_quotation_does_not() -> None:
    written = "[question] [SQ2] app.py:1\n> x = 'SQ1'\nWhat if?"
    assert LABELS.read(point("What if?"), "a.md", written).why == SECOND


def test_a_question_that_is_not_put_to_the_file_is_not_named() -> None:
    said = point("What if? [SQ2]", "Bad. (SQ1, SQ2)")
    assert LABELS.read(said, "docs/a.py").why == f"Bad.\n\n{FIRST}"
    assert LABELS.read(said, "docs/b.md").why == f"Bad.\n\n{SECOND}\n\n{FIRST}"
    nowhere = LABELS.read(said, "")
    assert (nowhere.message, nowhere.why) == ("What if?", "Bad.")


def test_equal_questions_go_to_a_model_once() -> None:
    questions = standing_questions([("Who pays?", "*.py"), ("Who  pays?", "src/**"), ("Who asks?", "*.py")])
    assert labelled(questions) == ["[SQ1] Who pays?", "[SQ3] Who asks?"]
    assert labelled(questions, with_globs=True) == [
        "[SQ1] Who pays? (for *.py, src/**)",
        "[SQ3] Who asks? (for *.py)",
    ]
    both = Labels(questions)
    for path in ("a.py", "src/a.txt"):
        assert both.read(point("What if?", "Bad. [SQ1] [SQ2]"), path).why == "Bad.\n\nStanding question: Who pays?"


def test_prose_has_the_words_as_well() -> None:
    assert LABELS.spoken("[SQ1]: fine. As to SQ2 (and SQ9), nobody.") == (
        "“Is it `safe(x)`?”: fine. As to “Who reads this?” (and a standing question), nobody."
    )


def test_without_questions_nothing_is_a_label() -> None:
    assert Labels().read(point("What if? [SQ1]"), "a.md").message == "What if? [SQ1]"
    assert Labels().spoken("SQ1") == "SQ1"


def test_what_a_model_is_asked() -> None:
    assert labelled(ASKED) == ["[SQ1] Is it `safe(x)`?", "[SQ2] Who reads this?"]
    assert LABELS.quotes("safe(x)")
    assert not LABELS.quotes("safe(y)")
    assert not LABELS.quotes(" ")


pieces = st.sampled_from(
    ["SQ1", "SQ2", "[SQ1]", "(SQ2, SQ3)", " ", ".", "\n", "Why", "the ", "question: ", "**", "`", "and", "SQ", "1", "x"]
)


@given(st.lists(pieces, max_size=25).map("".join), st.lists(pieces, max_size=25).map("".join))
def test_no_label_leaks(message: str, why: str) -> None:
    item = LABELS.read(point(message, why), "a.md", f"{message}\n{why}")
    for text in (item.message, item.why, LABELS.spoken(message)):
        assert not any(label in text.replace("`", " ").split() for label in ("SQ1", "SQ2", "[SQ1]", "(SQ2,", "SQ1."))


@pytest.mark.parametrize("piece", ["SQ1", "SQ1 and ", "[ ", "the ", "answer: ", ". SQ1,", " ", "*"])
def test_no_text_takes_long(piece: str) -> None:
    long = piece * 20_000
    item = LABELS.read(point(long, long), long)
    assert len(item.message) <= len(long) * 20
