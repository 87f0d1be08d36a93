"""Grounding: the quotation decides where a finding stands, the number helps."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socreates_lsp.review.anchor import place_of
from socreates_lsp.review.citations import Citation
from socreates_lsp.review.grounding import (
    CONFIDENCE,
    Grounded,
    How,
    Ungrounded,
    ground,
    nearest_lines,
    quotation_within,
    range_of,
)
from socreates_lsp.workspace.text import Range, Text

APP = Text(
    "import os\n"  # 0
    "\n"
    "\n"
    "def load(path):\n"  # 3
    "    name = 'a b'\n"
    "    with open(path) as file:\n"
    "        return file.read()\n"
    "\n"
    "def save(path):\n"  # 8
    "    with open(path) as file:\n"
    '        print("saved it", file)\n'
    "    i += 1\n"
    "    return None\n"  # 12
)
UTIL = Text("class Util:\n    pass\n\nunique_line(here, 1)\n")
OTHER = Text("def load(path):\n    return None\n")
READ = {"app.py": APP, "util.py": UTIL}


def at(path: str, start: int, end: int | None = None) -> Citation:
    return Citation(path, start, start if end is None else end, 0, 1)


def grounded(quote: str | None, cited: Citation | None, read: dict[str, Text] = READ) -> Grounded:
    found = ground(quote, cited, read, read.get)
    assert isinstance(found, Grounded)
    return found


def test_a_quotation_on_its_line_is_exact() -> None:
    assert grounded("name = 'a b'", at("app.py", 4)) == Grounded("app.py", 4, 4, How.EXACT, "name = 'a b'")


@pytest.mark.parametrize(
    "quote",
    [
        *(
            "    name = 'a b'",
            "name='a b'",
            "name  =\t'a b' ",
            "name = ’a b’",
            "name = “a b”",
            'name = "a b"',
            "`name = 'a b'`",
        ),
        *("5 | name = 'a b'", "5:     name = 'a b'", "5\tname = 'a b'", "  5→    name = 'a b'", "L5: name = 'a b'"),
        *(
            "+    name = 'a b'",
            "-    name = 'a b'",
            "name = 'a b'…",
            "name = 'a ...",
            "... = 'a b'",
            "name = 'a\u00a0b'",
        ),
        *("name = &#39;a b&#39;", "name =\u200b 'a b'", "5 |     name = 'a ...", "'a b'"),
    ],
)
def test_what_a_model_copies_loosely_is_found_on_its_line(quote: str) -> None:
    assert grounded(quote, at("app.py", 4)) == Grounded("app.py", 4, 4, How.EXACT, "name = 'a b'")


@pytest.mark.parametrize(
    "quote",
    [
        "def load(path):\n    name = 'a b'\n    with open(path) as file:",
        "def load(path):\r\nname = 'a b'\r\nwith open(path) as file:",
        "4 | def load(path):\n5 |     name = 'a b'\n6 |     with open(path) as file:",
        "def load(path): name = 'a b' with open(path) as file:",
        "+def load(path):\n+    name = 'a b'\n+    with open(path) as file:",
        "def load(path):\n    name = 'a b'\n    with open(path) as ...",
    ],
)
def test_a_quotation_of_several_lines(quote: str) -> None:
    found = grounded(quote, at("app.py", 3))
    assert (found.start, found.end, found.how) == (3, 5, How.EXACT)
    assert found.quote == "def load(path):\n    name = 'a b'\n    with open(path) as file:"


def test_what_is_left_out_in_the_middle_ends_the_quotation() -> None:
    found = grounded("def load(path):\n    ...\n    return file.read()", at("app.py", 3))
    assert (found.start, found.end, found.how) == (3, 3, How.EXACT)


def test_a_cited_range_holds_the_line_that_is_quoted() -> None:
    found = grounded("return file.read()", at("app.py", 3, 7))
    assert (found.start, found.end, found.how) == (6, 6, How.EXACT)


@pytest.mark.parametrize("line", [0, 5, 11, 14341])
def test_a_wrong_number_moves_to_the_only_place(line: int) -> None:
    found = grounded("return file.read()", at("app.py", line))
    assert (found.path, found.start, found.how) == ("app.py", 6, How.MOVED)


def test_of_several_places_the_nearest_counts_if_the_number_is_close() -> None:
    assert grounded("with open(path) as file:", at("app.py", 10)).start == 9
    assert grounded("with open(path) as file:", at("app.py", 4)).start == 5
    assert ground("with open(path) as file:", at("app.py", 400), READ, READ.get) == Ungrounded(
        nearest_lines("with open(path) as file:", APP, 400)
    )


def test_the_whole_line_goes_before_a_part_of_another() -> None:
    text = Text("x = compute(1)\nif x:\n    y = compute(1)\n    # or x = compute(1)\n")
    found = grounded("y = compute(1)", at("a.py", 0), {"a.py": text})
    assert (found.start, found.how) == (2, How.MOVED)
    assert grounded("x = compute(1)", at("a.py", 2), {"a.py": text}).start == 0


def test_a_wrong_file_becomes_the_one_that_was_read() -> None:
    assert grounded("unique_line(here, 1)", at("app.py", 3)) == Grounded(
        "util.py", 3, 3, How.REFILED, "unique_line(here, 1)"
    )
    assert grounded("unique_line(here, 1)", None).how is How.REFILED
    assert grounded("unique_line(here, 1)", at("gone.py", 3)).how is How.REFILED


def test_two_other_files_that_say_the_same_ground_nothing() -> None:
    read = {"util.py": UTIL, "app.py": APP, "other.py": OTHER}
    assert ground("def load(path):", at("util.py", 0), read, read.get) == Ungrounded()


def test_several_places_in_the_cited_file_do_not_make_a_place_in_another() -> None:
    text = Text("call_it(here)\n" + "\n" * 60 + "call_it(here)\n")
    read = {"a.py": text, "b.py": Text("call_it(here)\n")}
    assert isinstance(ground("call_it(here)", at("a.py", 30), read, read.get), Ungrounded)
    assert isinstance(ground("call_it(here)", at("a.py", 30), {"b.py": read["b.py"]}, read.get), Ungrounded)


def test_in_a_cited_range_the_whole_line_goes_before_a_part() -> None:
    text = Text("a = call(x)\ncall(x)\n")
    assert grounded("call(x)", at("a.py", 0, 1), {"a.py": text}).start == 1


def test_words_are_neither_cut_nor_joined() -> None:
    assert isinstance(ground("defload(path):", at("app.py", 3), READ, READ.get), Ungrounded)
    assert isinstance(ground("na me = 'a b'", at("app.py", 4), READ, READ.get), Ungrounded)


def test_a_file_that_was_not_read_is_not_searched() -> None:
    everything = {**READ, "other.py": Text("only_here(1, 2, 3)\n")}
    assert isinstance(ground("only_here(1, 2, 3)", at("app.py", 3), READ, everything.get), Ungrounded)
    assert isinstance(ground("only_here(1, 2, 3)", at("other.py", 0), READ, everything.get), Grounded)


@pytest.mark.parametrize(
    "quote", ["invented(1)", "def loa", "oad(path)", "deffload(path):", "def\nload path", "nam = 'a b'", "x"]
)
def test_what_stands_nowhere_is_grounded_nowhere(quote: str) -> None:
    assert isinstance(ground(quote, at("app.py", 3), READ, READ.get), Ungrounded)


def test_a_short_piece_counts_on_its_line_only() -> None:
    assert grounded("i +=", at("app.py", 11)).how is How.EXACT
    assert isinstance(ground("i +=", at("app.py", 3), READ, READ.get), Ungrounded)
    assert isinstance(ground("pass", at("app.py", 3), READ, READ.get), Ungrounded)


def test_the_model_is_told_the_nearest_true_lines() -> None:
    found = ground("def loads(path):", at("app.py", 6), READ, READ.get)
    assert found == Ungrounded(((3, "def load(path):"), (8, "def save(path):")))
    assert ground("@@@@ ####", at("app.py", 6), READ, READ.get) == Ungrounded()


def test_without_a_quotation_the_line_is_the_ground_with_less_confidence() -> None:
    found = grounded(None, at("app.py", 4))
    assert found == Grounded("app.py", 4, 4, How.BY_LINE, "name = 'a b'")
    assert grounded("  ", at("app.py", 4)) == found
    assert min(CONFIDENCE, key=lambda how: CONFIDENCE[how]) is How.BY_LINE
    assert set(CONFIDENCE) == set(How)


def test_a_blank_line_is_no_ground() -> None:
    assert ground(None, at("app.py", 1), READ, READ.get) == Ungrounded()
    assert ground(None, at("app.py", 1, 2), READ, READ.get) == Ungrounded()
    assert ground(None, at("app.py", 99), READ, READ.get) == Ungrounded()
    assert ground(None, at("gone.py", 0), READ, READ.get) == Ungrounded()
    assert ground(None, None, READ, READ.get) == Ungrounded()


def test_a_cited_range_without_a_quotation_loses_its_blank_ends() -> None:
    found = grounded(None, at("app.py", 1, 7))
    assert (found.start, found.end) == (3, 6)
    assert grounded(None, at("app.py", 3, 12)).end == 3


def test_of_a_line_without_end_only_the_part_that_was_quoted_is_kept() -> None:
    text = Text("var a=1;" * 2000 + "danger( x );" + "var b=2;" * 2000)
    found = grounded("danger(x);", at("a.js", 0), {"a.js": text})
    assert (found.how, found.quote) == (How.EXACT, "danger( x );")


def test_a_range_goes_from_the_first_character_to_the_end_of_the_last_line() -> None:
    assert range_of(APP, 4, 5) == Range.of(4, 4, 5, 28)
    assert range_of(Text("  é = '𝄞' \r\nx"), 0, 0) == Range.of(0, 2, 0, 9)


LINES = [
    "def f(x):",
    "    return x",
    "",
    "  ",
    "x = 'a b'",
    "}",
    "if x:",
    "é = “q”",
    "\tprint( x )",
    "# x = 'a b'",
    "x",
]
TEXTS = st.tuples(st.lists(st.sampled_from(LINES), min_size=1, max_size=12), st.sampled_from(["\n", "\r\n", "\r"])).map(
    lambda made: Text(made[1].join(made[0]))
)
QUOTES = st.one_of(
    st.none(),
    st.sampled_from(
        [*LINES, "return", "1 | x = 'a b'", "x='a b' ...", "def f(x):\n    return x", "return x\n\n}", "`"]
    ),
    st.text(max_size=20),
)


@given(TEXTS, TEXTS, QUOTES, st.integers(0, 15), st.integers(0, 3))
@settings(max_examples=1000, deadline=None)
def test_whatever_is_grounded_stands_on_its_lines(
    app: Text, util: Text, quote: str | None, line: int, more: int
) -> None:
    read = {"app.py": app, "util.py": util}
    found = ground(quote, at("app.py", line, line + more), read, read.get)
    if isinstance(found, Ungrounded):
        assert all(read["app.py"].line(number).strip() == text for number, text in found.nearest)
        return
    text = read[found.path]
    span = range_of(text, found.start, found.end)
    assert text.slice(span) == found.quote
    assert found.quote.strip()
    assert place_of(found.quote, text, found.start) == span
    assert (found.how is How.REFILED) == (found.path == "util.py")
    if found.how is How.EXACT:
        assert found.start <= line + more
        assert found.end >= line


@given(TEXTS, st.integers(0, 11), st.integers(-8, 8))
@settings(max_examples=500, deadline=None)
def test_a_line_that_stands_once_is_found_from_any_number(text: Text, line: int, off: int) -> None:
    quote = text.line(line)
    if not quote.strip() or sum(quote.strip() in text.line(number) for number in range(len(text))) != 1:
        return
    found = grounded(quote, at("a.py", max(line + off, 0)), {"a.py": text})
    assert (found.start, found.end) == (line, line)
    assert found.how is (How.EXACT if max(line + off, 0) == line else How.MOVED)


@pytest.mark.parametrize("quote", ["value_99999 = compute(99998)", "value = compute()", "}", "a" * 5000, "x " * 3000])
def test_a_hundred_thousand_lines_take_no_time_to_speak_of(quote: str) -> None:
    text = Text("".join(f"value_{number} = compute({number})\n}}\n" for number in range(50_000)) + "a" * 100_000)
    ground(quote, at("a.py", 70_000), {"a.py": text}, {"a.py": text}.get)


def test_a_line_that_a_change_took_away_is_not_grounded_where_its_like_stands() -> None:
    text = Text("def a():\n    return None\n" + "\n" * 60 + "def b():\n    return 1\n")
    found = ground("-    return None", Citation("a.py", 63, 63, 0, 1), {}, {"a.py": text}.get)
    assert isinstance(found, Ungrounded)
    both = ground("-    return None\n+    return 1", Citation("a.py", 63, 63, 0, 1), {}, {"a.py": text}.get)
    assert isinstance(both, Grounded)
    assert (both.start, both.end) == (63, 63)
    text = Text("- return None\n")
    assert isinstance(ground("- return None", Citation("a.md", 40, 40, 0, 1), {}, {"a.md": text}.get), Grounded)


@pytest.mark.parametrize(
    ("said", "line", "quote"),
    [
        ("In `return file.read()`: who closes it?", 10, "return file.read()"),
        ("Is ``return  file.read()`` right?", 0, "return  file.read()"),
        ("In `return file.read()`: who closes it?", 6, None),
        ("In `file.read()`: who closes it?", 10, None),
        ("Does `i += 1` do, after `return file.read()`?", 11, None),
        ("What does `file` hold, and `nothing_here(1)`?", 0, None),
        ("Who closes it?", 0, None),
    ],
)
def test_a_quotation_in_the_words_of_a_point(said: str, line: int, quote: str | None) -> None:
    assert quotation_within(said, at("app.py", line), APP) == quote
