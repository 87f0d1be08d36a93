"""Items: the points of an answer, in the form that the prompts ask for and in the forms that models write."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socreates_lsp.review.file_index import FileIndex
from socreates_lsp.review.finding import Category, Kind
from socreates_lsp.review.items import Item, complete_items, items_of, remainder
from socreates_lsp.review.labels import category_called, kind_called

FILES = FileIndex.of({"src/app.py": 120, "src/util.py": 30, "src/agent.py": 99, "Makefile": 14}, "/ws")
QUESTION, WARNING = Kind.QUESTION, Kind.WARNING


def places(item: Item) -> list[str]:
    return [f"{one.path}:{one.start + 1}-{one.end + 1}" for one in item.citations]


def one_of(answer: str, current: str | None = None) -> Item:
    (item,) = items_of(answer, FILES, current)
    return item


ASKED_FOR = """[question] src/agent.py:42-45 error-handling
> history.append(message)
What does the model see on the next turn if `chat` raises at src/agent.py:44?
Why: the message appended here is never taken back.
"""


def test_the_form_that_the_prompts_ask_for() -> None:
    item = one_of(ASKED_FOR)
    assert (item.kind, item.category, item.quote) == (QUESTION, Category.ERROR_HANDLING, "history.append(message)")
    assert item.message == "What does the model see on the next turn if `chat` raises at src/agent.py:44?"
    assert item.why == "the message appended here is never taken back."
    assert places(item) == ["src/agent.py:42-45", "src/agent.py:44-44"]
    assert (item.begin, item.finish) == (0, len(ASKED_FOR) - 1)
    first = item.citations[0]
    assert ASKED_FOR[first.begin : first.finish] == "src/agent.py:42-45"


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("gap", ["\n", "\n\n", "\n\n\n"])
def test_several_points_with_and_without_empty_lines_between(gap: str, ending: str) -> None:
    answer = f"Two things.\n\n{gap.join([ASKED_FOR.strip(), ASKED_FOR.strip().replace('42-45', '7')])}\n\nThat is all."
    answer = answer.replace("\n", ending)
    first, second = items_of(answer, FILES)
    assert (first.message, first.why, first.quote) == (second.message, second.why, second.quote)
    assert (places(first)[0], places(second)[0]) == ("src/agent.py:42-45", "src/agent.py:7-7")
    assert remainder(answer, (first, second)).split() == ["Two", "things.", "That", "is", "all."]


@pytest.mark.parametrize(
    "head",
    [
        "[question] src/app.py:42 security",
        "[Question] `src/app.py:42` security",
        "**[question]** src/app.py:42 — security",
        "**[QUESTION] src/app.py:42 security**",
        "1. [question] src/app.py:42 (security)",
        "- **[question]** **src/app.py:42** **security**",
        "### [question] src/app.py:42 security",
        "[question] [src/app.py:42](src/app.py#L42) security",
        "[question/security] src/app.py:42",
        "[question] [security] src/app.py:42",
        "[question] src/app.py, line 42: security",
        "[question] src/app.py (line 42) [security]",
        "[question] src/app.py:42 category: security",
        "[question] src/app.py:42 | security",
        "Question: src/app.py:42 security",
        "**Question**: src/app.py:42 - Security",
        "【question】 src/app.py:42 security",
        "[question] src/app.py:42 vulnerability",
    ],
)
def test_the_first_line_in_many_shapes(head: str) -> None:
    item = one_of(f"{head}\n> run(query)\nWho may choose the query?\nWhy: anybody.")
    assert (item.kind, item.category, places(item)) == (QUESTION, Category.SECURITY, ["src/app.py:42-42"])
    assert (item.message, item.why, item.quote) == ("Who may choose the query?", "anybody.", "run(query)")


@pytest.mark.parametrize(
    ("quotation", "expected"),
    [
        ("> a = b", "a = b"),
        (">a = b", "a = b"),
        ("> `a = b`", "a = b"),
        ("\n> a = b\n", "a = b"),
        ("> a = b\n>     c", "a = b\n    c"),
        ("> a\n>\n> b", "a\n\nb"),
        ("`a = b`", "a = b"),
        ("`` a = `b` ``", "a = `b`"),
        ("```python\na = b\n```", "a = b"),
        ("\n```\na = b\n    c\n```\n", "a = b\n    c"),
        ("> ```\n> a = b\n> ```", "a = b"),
        ("Quote: `a = b`", "a = b"),
        ("**Code:**\n```\na = b\n```", "a = b"),
        ("> src/util.py:3", "src/util.py:3"),
    ],
)
def test_quotations_in_many_shapes(quotation: str, expected: str) -> None:
    item = one_of(f"[warning] src/app.py:42\n{quotation}\nWhat of c?\nWhy: d.")
    assert (item.quote, item.message, item.why) == (expected, "What of c?", "d.")
    assert places(item) == ["src/app.py:42-42"]


@pytest.mark.parametrize(
    "why",
    [
        *(
            "Why: it leaks.",
            "**Why:** it leaks.",
            "**Why**: it leaks.",
            "*Why*: it leaks.",
            "Why it matters: it leaks.",
        ),
        *("- Why: it leaks.", "\nWhy: it leaks.", "WHY: it leaks.", "Why：it leaks.", "Impact: it leaks."),
        *("Why: it\nleaks.", "Warum: it leaks.", "理由：it leaks."),
    ],
)
def test_the_why_in_many_shapes(why: str) -> None:
    item = one_of(f"[question] src/app.py:42 design\nWho closes it?\n{why}\n\nAll in all fine.")
    assert (item.message, " ".join(item.why.split())) == ("Who closes it?", "it leaks.")


def test_a_why_on_the_line_of_the_question() -> None:
    item = one_of("- src/app.py:42: Who closes it? **Why:** it leaks.")
    assert (item.message, item.why) == ("Who closes it?", "it leaks.")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("src/app.py:42 swallows every exception.", "src/app.py:42 swallows every exception."),
        ("src/app.py:42's lock is never released.", "src/app.py:42's lock is never released."),
        ("- src/app.py:42: why twice?", "why twice?"),
        ("* `src/app.py:42` – Why twice?", "Why twice?"),
        ("2) **src/app.py:42** Why twice?", "Why twice?"),
        ("[question] src/app.py:42 why twice?", "why twice?"),
        ("[question] src/app.py:42 correctness Why twice?", "Why twice?"),
        ("[question] src/app.py:42 Security checks come later?", "Security checks come later?"),
        ("[question] src/app.py:42 odd-category\nWhy twice?", "Why twice?"),
        ("[question] src/app.py:42, src/util.py:7 design\nWhy twice?", "Why twice?"),
        ("### src/app.py:42\nWhy twice?", "Why twice?"),
        ("### 1. A null is not checked (`src/app.py:42`)\n\nWhy not?", "A null is not checked\n\nWhy not?"),
        ("### Performance\n\nIs the loop in src/app.py:42 quadratic?", "Is the loop in src/app.py:42 quadratic?"),
        ("In src/app.py:42 the loop\nis quadratic.", "In src/app.py:42 the loop\nis quadratic."),
        ("[warning] src/app.py:42\nOne.\n```\nx = 1\n```\nTwo.", "One.\n```\nx = 1\n```\nTwo."),
        ("[question] src/app.py:42\nWhy twice:\n  - once\n  - again", "Why twice:\n  - once\n  - again"),
    ],
)
def test_the_message(answer: str, message: str) -> None:
    assert one_of(answer).message == message


def test_a_line_of_prose_in_a_list_is_no_item() -> None:
    answer = "Findings:\n\n- src/app.py:42: Why?\n- Nothing else.\n"
    found = items_of(answer, FILES)
    assert [item.message for item in found] == ["Why?"]
    assert remainder(answer, found) == "Findings:\n\n- Nothing else."


def test_a_heading_gives_its_file_and_its_category_to_the_points_below() -> None:
    answer = (
        "## src/app.py\n\n- Line 3: Why?\n\n## Security\n\n1. src/util.py:4: Who?\n\n## Rest\n\n1. src/util.py:5: What?"
    )
    found = items_of(answer, FILES)
    assert [(places(item)[0], item.category) for item in found] == [
        ("src/app.py:3-3", None),
        ("src/util.py:4-4", Category.SECURITY),
        ("src/util.py:5-5", None),
    ]
    assert remainder(answer, found) == ""


def test_fields_under_each_other() -> None:
    answer = (
        "**File:** `src/app.py`\n**Line:** 42\n**Severity:** High\n**Category:** Naming\n**Question:** Why this?\n"
        "**Why it matters:** unclear.\n\n**File:** src/util.py\n**Lines:** 7-9\n**Question:** And that?"
    )
    first, second = items_of(answer, FILES)
    assert (places(first), first.kind, first.category) == (["src/app.py:42-42"], WARNING, Category.NAMING)
    assert (first.message, first.why) == ("Why this?", "unclear.")
    assert (places(second), second.message) == (["src/util.py:7-9"], "And that?")


def test_rows_of_a_table() -> None:
    answer = (
        "| # | File | Line | Kind | Category | Question | Why |\n|---|---|---|---|---|---|---|\n"
        "| 1 | src/app.py | 42 | question | perf | Why `twice`? | slow |\n"
        "| 2 | `src/util.py:7-9` | | warning | bug | And this? | wrong |\n\nDone."
    )
    found = items_of(answer, FILES)
    assert [(places(item)[0], item.kind, item.category, item.message, item.why) for item in found] == [
        ("src/app.py:42-42", QUESTION, Category.PERFORMANCE, "Why `twice`?", "slow"),
        ("src/util.py:7-9", WARNING, Category.CORRECTNESS, "And this?", "wrong"),
    ]
    assert remainder(answer, found) == "Done."


def test_lines_without_a_path_are_those_of_the_file_under_review() -> None:
    found = items_of("Line 3 divides by 0?\n\nLine 4 too.", FILES, "src/util.py")
    assert [places(item) for item in found] == [["src/util.py:3-3"], ["src/util.py:4-4"]]
    assert items_of("Line 3 divides by 0?", FILES) == ()


def test_every_paragraph_with_a_citation_is_an_item() -> None:
    found = items_of("In src/app.py:3 it loops\n\nIn src/app.py:4 too\n\nAnd so on", FILES)
    assert [item.message for item in found] == ["In src/app.py:3 it loops", "In src/app.py:4 too"]


def test_an_answer_without_citations_is_all_summary() -> None:
    answer = "I read src/app.py.\n\nNothing to ask: the lock is held on every path.\n"
    assert items_of(answer, FILES) == ()
    assert remainder(answer, ()) == answer.strip()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        *[(category.value, category) for category in Category],
        ("Error Handling", Category.ERROR_HANDLING),
        ("error_handling", Category.ERROR_HANDLING),
        ("**Perf**", Category.PERFORMANCE),
        ("bug", Category.CORRECTNESS),
        ("race-condition", Category.CONCURRENCY),
        ("Resource Leak", Category.RESOURCES),
        ("wholly new", None),
        ("", None),
    ],
)
def test_names_of_categories(words: str, expected: Category | None) -> None:
    assert category_called(words) is expected


def test_names_of_kinds() -> None:
    assert (kind_called("[Question]"), kind_called("BUG"), kind_called("nothing")) == (QUESTION, WARNING, None)


PIECES = [
    *(
        "[question] ",
        "[warning] ",
        "src/app.py:42",
        "src/app.py:1",
        "21",
        " security",
        "\n",
        "\n\n",
        "> ",
        "a = b",
        "`",
        "```\n",
    ),
    *(
        "Why: ",
        "- ",
        "  - ",
        "1. ",
        "## ",
        "| ",
        " |",
        "|---|---|\n",
        "**",
        "Line 3",
        "Question: ",
        "src/util.py",
        " text",
        ".",
    ),
    *("\r\n", "File: ", "Makefile", ":", "(", ")", "](u)", "---\n", "é", "Category: perf\n", "12"),
]
ANSWERS = st.lists(st.sampled_from(PIECES), max_size=30).map("".join)


@given(ANSWERS)
@settings(max_examples=300, deadline=None)
def test_an_item_that_another_one_follows_never_changes(answer: str) -> None:
    before: tuple[Item, ...] = ()
    for length in range(len(answer) + 1):
        now = items_of(answer[:length], FILES, "src/agent.py")
        assert now[: max(len(before) - 1, 0)] == before[:-1]
        before = now


@given(ANSWERS)
@settings(max_examples=300, deadline=None)
def test_complete_items_only_ever_grow_and_are_those_of_the_whole(answer: str) -> None:
    whole, before = items_of(answer, FILES, "src/agent.py"), ()
    for length in range(len(answer) + 1):
        now = complete_items(answer[:length], FILES, "src/agent.py")
        assert now[: len(before)] == before
        before = now
    assert whole[: len(before)] == before


def test_a_point_is_complete_when_the_next_one_has_begun() -> None:
    answer = f"{ASKED_FOR}\n{ASKED_FOR}"
    seen = [len(complete_items(answer[:length], FILES)) for length in range(len(answer) + 1)]
    assert seen[len(ASKED_FOR)] == 0
    assert seen[len(ASKED_FOR) + 1 + ASKED_FOR.index("\n") + 1] == 1
    assert seen[-1] == 1


@given(st.one_of(ANSWERS, st.text(max_size=300)))
@settings(max_examples=300, deadline=None)
def test_items_are_parts_of_the_answer_in_order(answer: str) -> None:
    found = items_of(answer, FILES, "src/agent.py")
    end = 0
    for item in found:
        assert end <= item.begin < item.finish <= len(answer)
        assert all(item.begin <= one.begin < one.finish <= item.finish for one in item.citations)
        end = item.finish
    remainder(answer, found)


@pytest.mark.parametrize(
    ("answer", "places", "quote", "message"),
    [
        ("[question] src/agent.py:14342 design\n> x = 1\nWhy x?", [("src/agent.py", 14341)], "x = 1", "Why x?"),
        ("[question] src/agent.py:0\n> x = 1\nWhy x?", [("src/agent.py", 0)], "x = 1", "Why x?"),
        ("- src/agent.py:14342\n> x = 1\nWhy x?", [("src/agent.py", 14341)], "x = 1", "Why x?"),
        ("[warning] Nobody closes it.", [], None, "Nobody closes it."),
    ],
)
def test_a_point_that_is_marked_as_one_may_cite_what_is_not_there(
    answer: str, places: list[tuple[str, int]], quote: str | None, message: str
) -> None:
    (item,) = items_of(answer, FILES)
    assert [(one.path, one.start) for one in item.citations] == places
    assert (item.quote, item.message) == (quote, message)


def test_prose_that_cites_what_is_not_there_stays_prose() -> None:
    assert items_of("src/agent.py:14342 is odd.", FILES) == ()


def test_a_row_of_a_table_without_a_head_is_a_point() -> None:
    (item,) = items_of("| src/agent.py:2 | Who closes it? |", FILES)
    assert (item.message, item.citations[0].start) == ("Who closes it?", 1)


@pytest.mark.parametrize("path", ["(paren).py", "[br].py", "`(paren).py", "**[br].py"])
def test_a_name_that_begins_with_a_bracket_is_no_part_of_the_message(path: str) -> None:
    bare = path.lstrip("`*")
    close = path.removesuffix(bare)
    files = FileIndex.of({bare: 9}, "/ws")
    (item,) = items_of(f"[question] {path}:2{close} correctness\n> x = 1\nWho sets `x`?", files)
    assert (item.message, places(item), item.category) == ("Who sets `x`?", [f"{bare}:2-2"], Category.CORRECTNESS)
