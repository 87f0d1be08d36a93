"""No code: what a model says reaches the reader without code of its own, and without Markdown that does something."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from socreates_lsp.review.voice import Voiced, VoicedStream, voiced
from tests.cases import read_cases
from tests.unit.review_comments import CODE, Comment, bare_comment, comment_of
from tests.unit.voice_samples import GOES, STAYS

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

CASES = [*read_cases("voice"), *read_cases("voice-more")]
CART = CASES[0]["files"]


def quotes_of(files: dict[str, str]) -> Callable[[str], bool]:
    packed = ["".join(text.split()) for text in files.values()]

    def quoted(snippet: str) -> bool:
        short = "".join(snippet.split())
        return bool(short) and any(short in text for text in packed)

    return quoted


in_cart = quotes_of(CART)


def nothing(snippet: str) -> bool:
    return False


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, object]) -> None:
    said = voiced(case["answer"], quotes_of(case["files"])).text
    for kept in case["must_keep"]:
        assert kept in said
    for lost in case["must_lose"]:
        assert lost not in said


def test_only_code_leaves_nothing_and_is_counted() -> None:
    said = voiced("```python\nx = 1\n```", nothing)
    assert (said.text, said.withheld, said.is_empty) == ("", 1, True)
    assert voiced("Use `x = foo(y)`", nothing) == voiced("Use `x = foo(y)`", nothing)
    assert voiced("`x = foo(y)`", nothing).is_empty


@pytest.mark.parametrize("line", STAYS)
def test_what_names_something_stays_word_for_word(line: str) -> None:
    assert voiced(line, in_cart).text == line


@pytest.mark.parametrize(("text", "gone"), GOES)
def test_what_is_code_or_dangerous_goes_and_the_prose_around_it_stays(text: str, gone: str) -> None:
    said = voiced(f"Why?\n\n{text}\n\nWell, who knows?", in_cart).text
    assert gone not in said
    assert "Why?" in said
    assert "Well, who knows?" in said


@pytest.mark.parametrize(
    "code", ["```python\n{}```", "> ```\n> {}> ```", "- ```\n  {}  ```", "1. ```py\n{}```", "    {}"]
)
def test_a_quotation_of_a_file_stays_in_a_block_of_any_shape(code: str) -> None:
    lines = "        result += item.price\n    return result\n"
    indent = code.partition("{}")[0].rpartition("\n")[2]
    said = voiced("Here:\n\n" + code.format(lines.replace("\n", f"\n{indent}", 1)) + "\n\nWhy?", in_cart)
    assert "result += item.price" in said.text
    assert "return result" in said.text
    assert said.withheld == 0


def test_a_fence_of_markdown_is_read_as_the_text_that_it_is() -> None:
    said = voiced("```markdown\nWhat if a price is None?\n```py\nx = 1\n```\n", nothing)
    assert said.text == "What if a price is None?"


@pytest.mark.parametrize(
    "frame", ["```\n{}\n```", "~~~\n{}\n~~~", "<pre>\n{}\n</pre>", "<<<<<<< SEARCH\n{}\n>>>>>>> REPLACE"]
)
def test_a_block_goes_on_over_blank_lines(frame: str) -> None:
    said = voiced("Why?\n" + frame.format("one word\n\nplain words\n\nmore words") + "\nWho knows?", nothing)
    assert said.text == "Why?\n\nWho knows?"


def test_the_head_of_a_remark_stays_above_code() -> None:
    said = voiced("[question] src/a.py:4 error-handling\n> result += 1\nWhat if?", nothing)
    assert said.text == "[question] src/a.py:4 error-handling\n\nWhat if?"


def test_what_appears_only_when_something_else_is_gone_goes_too() -> None:
    assert "<img" not in voiced("Why <<b>img src=x> so?", nothing).text
    assert "command:" not in voiced("Why [a](<b>command:a.b) so?", nothing).text


def test_a_text_too_tangled_to_be_read_as_markdown_is_said_without_marks() -> None:
    said = voiced("![a](https://evil.example) `x = foo(y)` " * 200 + "Who knows?", nothing)
    assert "![" not in said.text
    assert "foo(y)" not in said.text
    assert "Who knows?" in said.text


def measured(make: Callable[[int], Comment], number: int) -> tuple[float, float]:
    """The share of comments of which code leaked, and the share of prose that stayed."""
    leaks, kept, whole = 0, 0, 0
    for seed in range(number):
        comment = make(seed)
        said = voiced(comment.text, nothing).text
        leaks += any(mark in said for mark in comment.marks)
        kept += sum(len(one) for one in comment.sentences if one in said)
        whole += sum(map(len, comment.sentences))
    return leaks / number, kept / whole


def test_no_line_of_a_block_leaks_and_the_prose_stays() -> None:
    leaks, kept = measured(comment_of, 500)
    assert leaks == 0
    assert kept >= 0.99


def test_code_that_nothing_marks_hardly_ever_leaks() -> None:
    leaks, kept = measured(bare_comment, 250)
    assert leaks <= 0.02
    assert kept >= 0.99


def test_the_prose_of_our_own_pages_stays() -> None:
    page = (Path(__file__).parents[2] / "ARCHITECTURE.md").read_text("utf-8")
    prose = [line.strip() for line in page.split("```")[0].splitlines() if len(line) > 30]
    said = voiced("\n".join(prose), nothing).text
    assert sum(len(line) for line in prose if line in said) >= 0.95 * sum(map(len, prose))


PIECES = st.sampled_from(
    [
        *(
            "`",
            "``",
            "```",
            "~~~",
            "\n",
            "\n",
            "\n\n",
            "    ",
            "  ",
            "> ",
            "- ",
            "1. ",
            "# ",
            "[",
            "]",
            "(",
            ")",
            "![",
            "](",
        ),
        *(":", "<", "</", "pre>", "<code>", "</code>", "</pre>", "<!--", "-->", "<b>", "<T>", "|", "x = 1", "foo(y)"),
        *(
            "result += item.price",
            "return x",
            "word",
            "The price is what?",
            "python",
            "md",
            "[1]: http://a.b",
            "&#106;",
        ),
        *("javascript:x", "command:a.b", "https://a.example/x", "\u200b", "\r", "\t", "\\", "*", "_", "{", "}", ";"),
        *(
            "@@ -1,2 +1,2 @@",
            "--- a/x.py",
            "+++ b/x.py",
            "-x",
            "+y",
            " ",
            "?",
            "'",
            '"',
            "\x1b[31m",
            "[x](command:a.b)",
        ),
        *("![a](b)", "[^1]: ", "src/cart.py:4 ", "---", "===", "$ ls", "|---|---|", *(code for code in CODE.values())),
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=3), max_size=25).map("".join)


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_what_is_said_is_said_the_same_when_it_is_read_again(text: str) -> None:
    once = voiced(text, in_cart).text
    again = voiced(once, in_cart)
    assert again.text == once
    assert again.withheld == 0


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.randoms(use_true_random=False))
def test_a_stream_says_what_the_whole_says_wherever_it_is_cut(text: str, dice: random.Random) -> None:
    stream, said, at = VoicedStream(in_cart), "", 0
    while at < len(text):
        size = dice.randint(1, 9)
        said += stream.feed(text[at : at + size])
        at += size
    said += stream.end()
    whole = voiced(text, in_cart)
    assert (said, stream.withheld) == (whole.text, whole.withheld)


def test_a_stream_says_a_paragraph_as_soon_as_the_next_begins() -> None:
    stream = VoicedStream(nothing)
    assert stream.feed("What if the price is None?\n") == ""
    assert stream.feed("\nWho") == ""
    assert stream.feed(" knows?\n") == "What if the price is None?"
    assert stream.feed("```\nx = 1\n\nreturn x") == ""
    assert stream.end() == "\n\nWho knows?"


@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_a_client_finds_nothing_to_fetch_run_or_render(text: str) -> None:
    for token in MarkdownIt("commonmark").enable("table").parse(voiced(text, in_cart).text):
        assert token.type != "html_block"
        assert token.type not in {"fence", "code_block"} or in_cart(token.content)
        for inner in token.children or []:
            assert inner.type not in {"image", "html_inline"}
            if inner.type == "link_open":
                assert str(inner.attrs["href"]).startswith("http") or ":" not in str(inner.attrs["href"])


_BLOCKS = {
    "python": ["with open(path) as stream:", "    return stream.read(77)"],
    "try": ["try:", "    result = stream.read(77)", "except OSError as error:", "    raise LoadError(path) from error"],
    "go": ["stream, err := os.Open(path)", "if err != nil {", "\treturn nil, err", "}", "defer stream.Close()"],
    "rust": ["match stream {", "    Some(s) => s,", "    None => return,", "}"],
    "sql": ["SELECT name FROM users", "WHERE id = 7", "ORDER BY name;"],
    "yaml": ["retries: 3", "timeout: 20", "hosts:", "  - alpha"],
    "diff": ["-    return handle.read()", "+    return handle.read(77)"],
    "docker": ["FROM python:3", "RUN pip install x", 'CMD ["python"]'],
    "ruby": ["File.open(path) do |stream|", "  stream.read", "end"],
    "dialog": [">>> load('x')", "'abc'", ">>> load('y')"],
}
_WRAPPINGS: dict[str, Callable[[list[str]], str]] = {
    "bare": "\n".join,
    "quotation": lambda lines: "\n".join(f"> {line}" for line in lines),
    "numbers": lambda lines: "\n".join(f"{at + 12}\t{line}" for at, line in enumerate(lines)),
    "backticks": lambda lines: "\n".join(f"`{line}`" for line in lines),
    "bold": lambda lines: "\n".join(f"**{line.strip()}**" for line in lines),
    "quotation marks": lambda lines: "\n".join(f"“{line.strip()}”" for line in lines),
    "tags": "<br>".join,
}


@pytest.mark.parametrize("wrapping", _WRAPPINGS)
@pytest.mark.parametrize("block", _BLOCKS)
def test_no_line_of_a_block_in_any_wrapping(block: str, wrapping: str) -> None:
    said = voiced(f"Who closes `handle`? Is it:\n{_WRAPPINGS[wrapping](_BLOCKS[block])}\nOr what else?", nothing)
    assert not [line for line in _BLOCKS[block] if len(line.strip()) > 5 and line.strip() in said.text]
    assert said.text.startswith("Who closes `handle`?")
    assert said.text.endswith("Or what else?")
    assert said.withheld


@pytest.mark.parametrize("wrapping", ["numbers", "backticks", "quotation marks"])
def test_a_wrapped_quotation_of_a_file_stays(wrapping: str) -> None:
    text = f"Why?\n\n{_WRAPPINGS[wrapping](['        result += item.price', '    return result'])}"
    assert voiced(text, in_cart) == Voiced(text, 0)


@pytest.mark.parametrize(
    "text",
    [
        "`load`\n`save`\n`total()`",
        "12\tWhat happens to the items if this fails?",
        "“Who closes it?”\n“And when?”",
        "**Who closes it?**\n**And when does it happen?**",
        "- severity: high\n- line: 3",
    ],
)
def test_a_wrapping_of_words_stays(text: str) -> None:
    assert voiced(text, nothing).text == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Why? const f = (x) => { return x + 1; };", "Why? [code withheld]"),
        ("Why? if err != nil { return err }", "Why? [code withheld]"),
        ("Why? SELECT * FROM users WHERE id = 1; DROP TABLE users; --", "Why? [code withheld]"),
        (
            "Would with open(path) as handle: return handle.read() be safer in `load`?",
            "Would [code withheld] be safer in `load`?",
        ),
        ("Why? **return handle.read() or handle.close(77)** hm", "Why? **[code withheld]** hm"),
        ("Is it 'return handle.read() or handle.close(77)' then?", "Is it '[code withheld]' then?"),
        ("Use result = [x for x in data if x is not None] in load.", "Use [code withheld] in load."),
        ("Why? let x = foo()?; match x { Some(y) => y, None => 3 }", "Why? [code withheld]"),
        ("Is it: try { await stream.close(); } finally { done(); } then?", "Is it: [code withheld] then?"),
    ],
)
def test_a_statement_in_a_sentence_is_withheld_whole(text: str, said: str) -> None:
    assert voiced(text, nothing) == Voiced(said, 1)
    assert voiced(text, lambda _: True).text == text


@pytest.mark.parametrize(
    "text",
    [
        "Is Python >= 3.11 needed; or does a = b in the docs do?",
        "What do you do if the body is {a: 1}? And for the empty {}?",
        "For every file: who returns early; for none of them: what?",
        'Does "the caller" see "x = 5", or **nothing at all**?',
        "Does it return total() or raise? Let x = 5 be the price.",
        "When items = [], is `total(items)` zero; if not, why?",
        "Select a user from users where the id is 1; then drop it?",
        "The path a/b.py; the flag --force; the name user_id; all of them?",
    ],
)
def test_prose_with_signs_of_code_stays(text: str) -> None:
    assert voiced(text, nothing) == Voiced(text, 0)
