"""Hover: the question, why it is asked and by whom; safe in every client."""

from __future__ import annotations

import pytest

from socreates_lsp.server.markup import escaped
from tests.server.servers import ask, find, scripted, until

MARKDOWN = {"textDocument": {"hover": {"contentFormat": ["markdown", "plaintext"]}}}
TEXT = "a()\n\nb(\n    c,\n)\nd()\n"


@pytest.fixture
def uri(root) -> str:
    return (root / "app.py").as_uri()


async def hover(client, uri: str, line: int, character: int = 0):
    params = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
    return await client.request("textDocument/hover", params)


async def reviewed(client, uri: str, *steps) -> None:
    client.open(uri, TEXT)
    await client.request("socreates/review", {"uri": uri, "ask": ask(*steps)})


async def test_on_every_line_of_a_finding_and_on_no_other(client, uri) -> None:
    await reviewed(client, uri, find(uri, 2, last=4))
    shown = [line for line in range(8) if await hover(client, uri, line)]
    assert shown == [2, 3, 4]
    assert await hover(client, uri, 3, 999)


async def test_plain_text_for_a_client_without_markdown(client, uri) -> None:
    related = [{"uri": uri, "line": 5, "message": "see *here*"}]
    await reviewed(
        client, uri, find(uri, 0, message="Why `a`?", why="It <b>may</b> fail.", rule="py-x", related=related)
    )
    contents = (await hover(client, uri, 0))["contents"]
    assert contents["kind"] == "plaintext"
    assert contents["value"].split("\n") == [
        "Why `a`?",
        "It <b>may</b> fail.",
        "app.py:6: see *here*",
        "Question on correctness, asked by the examiner, rule py-x.",
    ]


async def test_markdown_for_a_client_that_shows_it(root, uri) -> None:
    related = [{"uri": uri, "line": 5, "message": "its twin"}]
    async with scripted(rootUri=root.as_uri(), capabilities=MARKDOWN) as client:
        await reviewed(client, uri, find(uri, 0, message="Why `a`?", why="So.", related=related, category="design"))
        contents = (await hover(client, uri, 0))["contents"]
    assert contents["kind"] == "markdown"
    assert contents["value"].split("\n\n") == [
        "**Why `a`?**",
        "So.",
        f"- [app.py:6]({uri}#L6): its twin",
        "*Question on design, asked by the examiner.*",
    ]


HOSTILE = [
    "![x](https://example.org/x.png)",
    "[run](command:workbench.action.terminal.new)",
    "<img src=x onerror=alert(1)><a href='https://example.org'>x</a>",
    "https://example.org and www.example.org and mailto:a@example.org",
    "<https://example.org>",
    "`a` ``b`` ```<c>``` `<d",
    "# heading\n\n- item\n\n| a | b |\n|--|--|\n\n    code\n\n~~~\ncode\n~~~",
    "[x]: https://example.org\n\n[x]",
    "&lt;b&gt; &#60;b&#62; \\[x\\](y)",
    "**bold** _it_ ***x*** \\",
    "a\n===\nb\n---",
    "a\n- b\n+ c\n> d\n # e\n=== \n`x` - y",
    "a\n:--|--\n| b\n--|--\n__x__ _y_ &copy; $(zap)",
]


@pytest.mark.parametrize("text", HOSTILE)
async def test_nothing_in_a_question_becomes_a_link_an_image_or_html(root, uri, text: str) -> None:
    markdown_it = pytest.importorskip("markdown_it")
    related = [{"uri": uri, "line": 5, "message": text}]
    async with scripted(rootUri=root.as_uri(), capabilities=MARKDOWN) as client:
        await reviewed(client, uri, find(uri, 0, message=text, why=text, related=related))
        value = (await hover(client, uri, 0))["contents"]["value"]
    parser = markdown_it.MarkdownIt("commonmark", {"html": True})
    parser.validateLink = lambda _: True
    tokens = [part for token in parser.parse(value) for part in [token, *(token.children or [])]]
    kinds = {token.type for token in tokens}
    assert not kinds & {"html_block", "html_inline", "image", "fence", "heading_open", "table_open"}
    assert [token.attrGet("href") for token in tokens if token.type == "link_open"] == [f"{uri}#L6"]
    for address in ("https://example.org", "www.example.org", "mailto:a"):
        assert address not in "".join(token.content for token in tokens if token.type == "text"), (
            "it would become a link"
        )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("See https://example.org/a_b?c=*d*&e.", "See `https://example.org/a_b?c=*d*&e`."),
        ("(https://example.org/a_(b)), then", "(`https://example.org/a_(b)`), then"),
        ("[x](https://a.example)", "\\[x\\](`https://a.example`)"),
        ("xhttps://a.example www.b.example, me@c.example!", "`xhttps://a.example` `www.b.example`, `me@c.example`!"),
        ("`https://a.example` as code", "`https://a.example` as code"),
        ("http.server, ftp: @app.route, a://", "http.server, ftp: @app.route, a://"),
    ],
)
def test_an_address_is_code_that_can_be_copied(text: str, shown: str) -> None:
    assert escaped(text) == shown


@pytest.mark.parametrize("text", ["`a`https://b.example", "https://b.example`a`", "`a`me@b.example`c`"])
def test_an_address_beside_code_is_no_link_either(text: str) -> None:
    markdown_it = pytest.importorskip("markdown_it")
    tokens = markdown_it.MarkdownIt("commonmark").parse(escaped(text))[1].children
    assert all("b.example" not in token.content for token in tokens if token.type == "text")


async def test_prose_stays_as_it_is_where_nothing_in_it_means_anything(root, uri) -> None:
    """Neovim shows a backslash before every character that is escaped."""
    why = "The read-only path (see snake_case, C++ & #3) = a > b, at once!"
    async with scripted(rootUri=root.as_uri(), capabilities=MARKDOWN) as client:
        await reviewed(client, uri, find(uri, 0, message="What if it is half-done (or not)?", why=why))
        shown = (await hover(client, uri, 0))["contents"]["value"].split("\n\n")
    assert shown[:2] == ["**What if it is half-done (or not)?**", why]


async def test_several_findings_on_a_line_are_joined_the_surest_first(root, uri) -> None:
    steps = [
        find(uri, 0, message="Less sure?", category="design", confidence=0.2),
        find(uri, 0, message="Sure?", category="naming", confidence=0.9),
    ]
    async with scripted(rootUri=root.as_uri(), capabilities=MARKDOWN) as client:
        await reviewed(client, uri, *steps)
        value = (await hover(client, uri, 0))["contents"]["value"]
    first, second = value.split("\n\n---\n\n")
    assert "Sure?" in first
    assert "Less sure?" in second


async def test_hover_follows_the_text_and_says_when_it_is_stale(client, uri) -> None:
    await reviewed(client, uri, find(uri, 5))
    edit = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": f"x()\n{TEXT}"}]}
    client.notify("textDocument/didChange", edit)
    assert await hover(client, uri, 5) is None
    assert await hover(client, uri, 6)
    span = {"start": {"line": 6, "character": 0}, "end": {"line": 6, "character": 9}}
    gone = {"textDocument": {"uri": uri, "version": 3}, "contentChanges": [{"range": span, "text": "y"}]}
    client.notify("textDocument/didChange", gone)
    assert "The lines changed since it was asked." in (await hover(client, uri, 6))["contents"]["value"]


BESIDE = {
    "textDocument": {
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "publishDiagnostics": {"relatedInformation": True},
    },
    "experimental": {"socreates": {"findings": True, "diagnosticInHover": True}},
}


async def test_a_client_that_shows_diagnostics_in_hovers_is_not_told_twice(root, uri) -> None:
    related = [{"uri": uri, "line": 5, "message": "its twin"}]
    step = find(uri, 3, message="Why `c`?", why="So.", related=related, category="design")
    async with scripted(rootUri=root.as_uri(), capabilities=BESIDE) as client:
        await reviewed(client, uri, step)
        on_it = (await hover(client, uri, 3, 4))["contents"]["value"]
        before_it = (await hover(client, uri, 3, 3))["contents"]["value"]
        settings = {"diagnostics": {"question": "off"}, "review": {"reveal": "ladder"}}
        client.notify("workspace/didChangeConfiguration", {"settings": settings})
        without = (await hover(client, uri, 3, 4))["contents"]["value"]
    origin = "*Question on design, asked by the examiner.*"
    place = f"- [app.py:6]({uri}#L6): its twin"
    assert on_it.split("\n\n") == ["So.", origin]
    assert before_it.split("\n\n") == ["**Why `c`?**", "So.", place, origin]
    assert without.split("\n\n") == ["**Why `c`?**", origin]


async def test_nothing_to_show_is_null(client, root, uri) -> None:
    assert await hover(client, uri, 0) is None
    assert await hover(client, "untitled:nothing", 10**6) is None
    await reviewed(client, uri, find(uri, 0))
    assert await hover(client, uri, 2**31 - 1) is None
    assert await hover(client, (root / "other.py").as_uri(), 0) is None


async def test_a_huge_file_does_not_hold_hover_up(client, uri, gate) -> None:
    wait = gate("a")
    text = "".join(f"value_{n} = {n}\n" for n in range(100_000))
    client.open(uri, text)
    _, answer = client.begin("socreates/review", {"uri": uri, "ask": ask(find(uri, 99_000), find(uri, 5), wait.step)})
    await until(lambda: client.seen("textDocument/publishDiagnostics"))
    for number in range(20):
        edit = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
        changes = [{"range": edit, "text": "x\n"}]
        client.notify(
            "textDocument/didChange", {"textDocument": {"uri": uri, "version": number + 2}, "contentChanges": changes}
        )
        assert await hover(client, uri, 99_001 + number)
    wait.open()
    assert [one["range"]["start"]["line"] for one in (await answer)["result"]["findings"]] == [99_020, 25]
