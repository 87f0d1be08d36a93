"""What a reader at a terminal sees, by content; and that nothing in a file can command the terminal."""

import io
import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from socreates_lsp.cli.printable import printable, prose
from socreates_lsp.cli.quotation import Shown, outdented, shown
from socreates_lsp.cli.render import render
from socreates_lsp.review.finding import Category, Finding, Kind, Related, Source
from socreates_lsp.review.outcome import Outcome
from socreates_lsp.review.reviewer import Closed, Skipped, Stop
from socreates_lsp.workspace.text import Range, Text


def finding(text, span, **other):
    made = {
        "id": "0" * 16, "kind": Kind.QUESTION, "category": Category.ERROR_HANDLING, "uri": "file:///src/app.py",
        "range": span, "message": "What happens here?", "why": "It may not.", "quote": text.slice(span),
        "confidence": 0.8, "source": Source.EXAMINER, "rule": "python-swallowed",
    }  # fmt: skip
    return Finding(**{**made, **other})


def outcome(*findings, stop=Stop.ANSWERED, summary="1 question: read.", skipped=(), dismissed=0, **counts):
    closed = Closed(stop, summary, **counts)
    return Outcome(tuple(findings), closed, "examiner", None, (), skipped=skipped, dismissed=dismissed)


def printed(what, text, *, width=80, encoding="utf-8", terminal=False, path=None, **options):
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding, newline="\n")
    console = Console(file=file, width=width, highlight=False, force_terminal=terminal, **options)
    render(what, lambda _: text, lambda uri: path or uri.removeprefix("file:///"), console)
    file.flush()
    return raw.getvalue().decode(encoding)


def only(source, span, **options):
    text = Text(source)
    return printed(outcome(finding(text, span)), text, **options).split("\n")


def under_the_pointer(lines):
    """What stands above the ``^`` signs, by cells of the terminal."""
    number = next(index for index, line in enumerate(lines) if "^" in line)
    above, pointer = lines[number - 1], lines[number]
    first, last = pointer.index("^"), pointer.rindex("^") + 1
    cells = "".join(ch + "\0" * (cell_len(ch) - 1) for ch in above if cell_len(ch))
    return cells[first:last].replace("\0", "")


def test_a_finding_of_one_line():
    lines = only("import a\n    f(x)\n", Range.of(1, 4, 1, 8))
    assert lines == [
        "src/app.py:2:5  question · error-handling · python-swallowed",
        "  What happens here?",
        "  2 │     f(x)",
        "    │     ^^^^",
        "  It may not.",
        "",
        "1 question: read.",
        "",
    ]


def test_a_finding_over_several_lines_has_a_bar_and_aligned_numbers():
    lines = only("\n" * 8 + "try:\n\n    f()\n", Range.of(8, 0, 10, 7))
    assert lines[2:5] == ["   9 │ try:", "  10 │", "  11 │     f()"]
    assert not any("^" in line for line in lines)


def test_a_long_finding_is_cut_and_the_rest_counted():
    lines = only("".join(f"line {n}\n" for n in range(1300)), Range.of(0, 0, 1299, 5))
    assert lines[2:9] == [*(f"  {n + 1} │ line {n}" for n in range(6)), "    │ … 1,294 more lines"]


@pytest.mark.parametrize(
    ("line", "first", "last", "expected"),
    [
        ("\t\tf(x)", 2, 6, "f(x)"),
        ("a\tb\tf(x)", 4, 8, "f(x)"),
        ('p("中文", f(x))', 8, 12, "f(x)"),
        ('p("👍🏽 ❤️", f(x))', 11, 15, "f(x)"),
        ("p('\x1b[31m', f(x))", 11, 15, "f(x)"),
        ("é = f(x)", 4, 8, "f(x)"),
        ("中文", 0, 2, "中文"),
    ],
)
def test_the_pointer_stands_under_the_place(line, first, last, expected):
    lines = only(line, Range.of(0, first, 0, last))
    number = next(index for index, one in enumerate(lines) if "^" in one)
    before, pointer = lines[number - 1].partition(expected)[0], lines[number]
    assert pointer.index("^") == cell_len(before)
    assert pointer.count("^") == cell_len(expected)


def test_a_finding_without_a_reason_has_no_line_for_it():
    text = Text("f(x)\n")
    lines = printed(outcome(finding(text, Range.of(0, 0, 0, 4), why="")), text).split("\n")
    assert lines[3:6] == ["    │ ^^^^", "", "1 question: read."]


def test_an_empty_place_has_a_pointer_too():
    assert only("abc\n", Range.of(0, 3, 0, 3))[3] == "    │    ^"


@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_a_long_line_is_cut_around_the_place(width):
    source = "a" * 1_000_000 + "PLACE" + "b" * 1_000_000
    lines = only(source, Range.of(0, 1_000_000, 0, 1_000_005), width=width)
    assert "PLACE" in lines[2]
    assert lines[2].endswith("…")
    assert "│ …a" in lines[2]
    assert under_the_pointer(lines) == "PLACE"
    assert all(cell_len(line) <= width for line in lines[1:])


@pytest.mark.parametrize("width", [40, 80, 200])
def test_every_line_fits_whatever_the_width(width):
    text = Text("x = " + "wörter " * 40 + "\n")
    span = Range.of(0, 0, 0, 200)
    one = finding(
        text,
        span,
        message="Why " * 60 + "?",
        why="because " * 60,
        related=(Related("file:///b.py", span, "note " * 60),),
    )
    lines = printed(
        outcome(one, summary="word " * 60, skipped=(Skipped("skipped " * 40),), capped=1), text, width=width
    ).split("\n")
    heads = [line for line in lines if "question ·" in line]
    assert len(heads) == 1
    assert all(cell_len(line) <= width for line in lines if line not in heads)
    assert all(line == line.rstrip() for line in lines)


def test_deep_indentation_makes_room_in_a_narrow_terminal():
    lines = only(" " * 60 + "f(\n" + " " * 64 + "x)\n", Range.of(0, 60, 1, 66), width=40)
    assert lines[2:4] == ["  1 │ f(", "  2 │     x)"]


def test_files_in_order_and_findings_by_line():
    text = Text("a\nb\nc\n")
    found = [
        finding(text, Range.of(2, 0, 2, 1)),
        finding(text, Range.of(0, 0, 0, 1), uri="file:///other.py"),
        finding(text, Range.of(1, 0, 1, 1)),
    ]
    heads = re.findall(r"^(\S+):(\d+):1  ", printed(outcome(*found), text), re.MULTILINE)
    assert heads == [("src/app.py", "2"), ("src/app.py", "3"), ("other.py", "1")]


def test_other_places_are_told_with_their_notes():
    text = Text("a\n")
    related = tuple(Related("file:///b.py", Range.of(n, 2, n, 3), f"note {n}") for n in range(7))
    output = printed(outcome(finding(text, Range.of(0, 0, 0, 1), related=related)), text)
    assert "  b.py:5:3  note 4\n  and 2 more places\n" in output
    assert "note 5" not in output


def test_what_is_hidden_is_counted_with_the_way_to_see_it():
    hidden = {"suppressed": 3, "capped": 1200, "ungrounded": 4, "withheld": 5, "refuted": 6}
    output = printed(outcome(summary="Nothing.", dismissed=2, skipped=(Skipped("b.bin is binary."),), **hidden), None)
    assert output.split("\n") == [
        "Nothing.",
        "1,200 more left out as too many (--max-findings 0 shows these) or too general.",
        "3 more hidden by comments in the code; --no-suppress shows them.",
        "2 more dismissed before.",
        "4 more left out, as they stand on no line that was read.",
        "5 more kept back, as they held code.",
        "6 more refuted or left out by the second look.",
        "b.bin is binary.",
        "",
    ]


def test_a_text_that_is_gone_shows_the_quotation():
    one = finding(Text("\n" * 9), Range.of(6, 4, 7, 3), quote="if x:\r\n  y\f")
    lines = printed(outcome(one), None).split("\n")
    assert lines[2:4] == ["  7 │ if x:", "  8 │   y\\x0c"]


def test_a_range_behind_the_end_of_the_text_does_no_harm():
    lines = printed(outcome(finding(Text(""), Range.of(9, 5, 9, 9))), Text("a\n")).split("\n")
    assert lines[2:4] == ["  10 │", "     │ ^"]


def test_markup_in_texts_is_text():
    text = Text("[red]x[/red] :smile:\n")
    one = finding(text, Range.of(0, 0, 0, 20), message="Is [bold]this[/bold] [/] :tada: fine?", why="[link=x]y[/link]")
    output = printed(outcome(one, summary="[blink]"), text, path="a[1].py")
    for part in [
        "[red]x[/red] :smile:",
        "Is [bold]this[/bold] [/] :tada: fine?",
        "[link=x]y[/link]",
        "a[1].py:1",
        "[blink]",
    ]:
        assert part in output


HOSTILE = "\x1b]0;title\x07\x1b[2J\x9b31m\u202egnp.exe\u2066\u200b\ud800\x00\r\u2028\U000e0041"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1", "ascii", "cp1252", "shift_jis"])
def test_a_hostile_file_cannot_write_to_the_terminal(encoding):
    text = Text(f"x = '{HOSTILE}' # é中’\n")
    span = Range.of(0, 0, 0, len(text.line(0)))
    one = finding(
        text, span, message=f"{HOSTILE}?", why=HOSTILE, rule=HOSTILE, related=(Related("file:///b.py", span, HOSTILE),)
    )
    output = printed(outcome(one, summary=HOSTILE, skipped=(Skipped(HOSTILE),)), text, encoding=encoding, path=HOSTILE)
    assert {ch for ch in output if unicodedata.category(ch) in {"Cc", "Cf", "Cs", "Zl", "Zp"}} <= {"\n", "\ufeff"}
    assert "\\x1b]0;title\\x07" in output


def test_colours_on_a_terminal_only_and_not_with_no_color(monkeypatch):
    text = Text("f(x)\n")
    what = outcome(finding(text, Range.of(0, 0, 0, 4), kind=Kind.WARNING))
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" not in printed(what, text)
    coloured = printed(what, text, terminal=True, color_system="standard")
    assert "\x1b[33mwarning" in coloured
    monkeypatch.setenv("NO_COLOR", "1")
    assert not re.search(r"\x1b\[[\d;]*3\d", printed(what, text, terminal=True, color_system="standard"))


def test_plain_signs_where_the_terminal_has_no_others():
    text = Text("x = 'é' " + "y" * 100 + "\n")
    output = printed(
        outcome(finding(text, Range.of(0, 0, 0, 5), message="It’s “so” — why…?")), text, encoding="ascii", width=40
    )
    assert "src/app.py:1:1  question - error-handling" in output
    assert '  It\'s "so" - why...?' in output
    assert "  1 | x = '\\xe9' yyy" in output
    assert output.split("\n")[2].endswith("...")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "plain"),
        ("a\tb", "a\\x09b"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("ad\u200dmin", "ad\\u200dmin"),
        ("é\u200dx", "é\\u200dx"),
        ("x\u200dé", "x\\u200dé"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("\ufeff", "\\ufeff"),
        ("❤️", "❤️"),
    ],
)
def test_what_is_printable(text, expected):
    assert printable(text) == expected


def test_prose_is_one_line():
    assert prose(" a\n\tb  c\r\n") == "a b c"


@given(st.text(max_size=40), st.sampled_from(["utf-8", "ascii", "latin-1", "no-such-encoding"]))
def test_printable_text_is_harmless_and_can_be_written(text, encoding):
    output = printable(text, encoding)
    assert all(ch in "\u200c\u200d" or ch == " " or unicodedata.category(ch) not in {"Cc", "Cf", "Cs"} for ch in output)
    output.encode("ascii" if encoding == "no-such-encoding" else encoding)


@pytest.mark.parametrize(
    ("line", "first", "last", "room", "expected"),
    [
        ("a\tb\t\tc", 0, 1, 40, Shown("a   b       c", 0, 1)),
        ("ab\tc", 2, 4, 40, Shown("ab  c", 2, 3)),
        ("abcdef\tx", 6, 8, 40, Shown("abcdef  x", 6, 3)),
        ("中" * 100, 0, 100, 40, Shown("中" * 19 + "…", 0, 39)),
        ("a" * 30 + "PLACEPLACE" + "zz", 30, 40, 40, Shown("…" + "a" * 9 + "PLACEPLACEzz", 10, 10)),
        ("a" * 30 + "PLACEPLACE", 30, 40, 40, Shown("a" * 30 + "PLACEPLACE", 30, 10)),
        ("e\u0301" * 200, 0, 2, 40, Shown("e\u0301" * 21 + "…", 0, 1)),
    ],
)
def test_what_is_shown_of_a_line(line, first, last, room, expected):
    assert shown(line, first, last, room, "…") == expected


def test_a_line_of_megabytes_costs_no_more_than_what_is_shown():
    line = "x" * 5_000_000
    for first in range(0, 5_000_000, 100_000):
        shown(line, first, first + 10, 80, "…")


def test_only_much_indentation_is_taken_away():
    assert outdented(["        a", "", "          b"], 20) == ["        a", "", "          b"]
    assert outdented(["           a", "", "             b"], 20) == ["a", "", "  b"]
    assert outdented(["\t\t\ta", "\t\t b"], 15) == ["\ta", " b"]
    assert outdented([], 20) == []


LINES = st.text(st.sampled_from("ab \t中é👍\x1b\u202e"), max_size=120)


@settings(max_examples=300)
@given(LINES, st.integers(0, 130), st.integers(0, 130), st.integers(20, 90))
def test_a_shown_line_fits_and_holds_its_place(line, first, last, room):
    part = shown(line, first, last, room, "…")
    assert cell_len(part.text) <= room
    assert 0 <= part.indent <= room
    assert part.length >= 1
    assert part.indent + part.length <= max(room, part.indent + 1)
    place = printable(line[first : max(first, last)].replace("\t", ""))[:3]
    if place.strip() and "\t" not in line and first < len(line):
        at = 0
        while cell_len(part.text[:at]) < part.indent:
            at += 1
        assert part.text[at:].startswith(place[:1])


@given(st.lists(LINES, max_size=5), st.integers(20, 60))
def test_outdenting_keeps_the_shape(lines, room):
    after = outdented(lines, room)
    cuts = {len(line) - len(short) for line, short in zip(lines, after, strict=True) if line.strip()}
    assert len(cuts) <= 1
    assert all(line.endswith(short) for line, short in zip(lines, after, strict=True))
