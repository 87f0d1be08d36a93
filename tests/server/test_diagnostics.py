"""Diagnostics stand on the right characters of the right version, in every encoding and every odd file."""

from __future__ import annotations

import pytest

from tests.server.servers import ask, find, scripted, settled, until

ENCODINGS = ["utf-8", "utf-16", "utf-32"]
PUBLISH = {"textDocument": {"publishDiagnostics": {"relatedInformation": True, "versionSupport": True}}}
PUBLISHED = "textDocument/publishDiagnostics"


def cut(text: str, where: dict, encoding: str) -> str:
    """What a client shows in a range: the LSP specification spelled out, on bytes of the encoding."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    codec, size = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}[encoding]

    def offset(place: dict) -> int:
        before = "".join(f"{line}\n" for line in lines[: place["line"]])
        line = lines[place["line"]].encode(codec, "surrogatepass")
        assert place["character"] * size <= len(line), "past the end of its line"
        return len(before) + len(line[: place["character"] * size].decode(codec, "surrogatepass"))

    return "\n".join(lines)[offset(where["start"]) : offset(where["end"])]


@pytest.fixture
def uri(root) -> str:
    return (root / "app.py").as_uri()


def speaking(root, encoding: str, **more):
    return scripted(
        rootUri=root.as_uri(), capabilities={"general": {"positionEncodings": [encoding]}, **PUBLISH, **more}
    )


ODD = {
    "emoji": "import requests\n\n\ndef f(u):\n    '😀é'; return requests.get(u + '𝒳😀')\n",
    "form feed": "import requests\n\f\n\f\ndef f(u):\n    '\f'; return requests.get(u)\n",
    "separators": "import requests\n'\u2028\u2029\x85'\n\ndef f(u):\n    '\u2028'; return requests.get(u)\n",
    "CRLF": "import requests\r\n\r\n\r\ndef f(u):\r\n    'é'; return requests.get(u)\r\n",
    "CR": "import requests\r\r\rdef f(u):\r    '😀'; return requests.get(u)\r",
    "mixed": "import requests\r\n\n\rdef f(u):\r\n    '😀'; return requests.get(u)",
    "vertical tab": "import requests\n'\v\x1c\x1d'\n\ndef f(u):\n    '\v'; return requests.get(u)\n",
    "byte order mark": "\ufeffimport requests\n\n\ndef f(u):\n    '\ufeff'; return requests.get(u)\n",
    "no end": "import requests\n\n\ndef f(u):\n    '😀'; return requests.get(u)",
}


@pytest.mark.parametrize("encoding", ENCODINGS)
async def test_the_columns_are_right_in_every_odd_file(root, encoding: str) -> None:
    async with speaking(root, encoding) as client:
        for name, text in ODD.items():
            uri = (root / f"{name}.py").as_uri()
            client.open(uri, text, version=5)
            result = await client.request("socreates/review", {"uri": uri}, 60)
            quotes = [one["quote"] for one in result["findings"]]
            shown = await client.diagnostics(uri, version=5)
            assert quotes, name
            assert [cut(text, one["range"], encoding) for one in shown] == quotes, name
            assert [cut(text, one["range"], encoding) for one in result["findings"]] == quotes, name
            assert all("requests.get(u" in quote for quote in quotes)


@pytest.mark.parametrize("encoding", ENCODINGS)
async def test_a_selection_is_read_in_the_clients_columns(root, uri, encoding: str) -> None:
    text = "import requests\ndef f(u):\n    '😀é𝒳'; return requests.get(u)\n"
    ends = {"utf-8": 39, "utf-16": 33, "utf-32": 31}
    start, end = {"line": 2, "character": 4}, {"line": 2, "character": ends[encoding]}
    async with speaking(root, encoding) as client:
        client.open(uri, text)
        result = await client.request("socreates/review", {"uri": uri, "range": {"start": start, "end": end}}, 60)
        assert result["examined"][0]["ranges"] == [{"start": start, "end": end}]
        assert len(result["findings"]) == 1


async def test_lone_surrogates_in_a_buffer_hurt_nobody(root, uri) -> None:
    text = "import requests\ndef f(u):\n    '\ud83d \ude00'; return requests.get(u)\n"
    async with speaking(root, "utf-16") as client:
        client.open(uri, text)
        result = await client.request("socreates/review", {"uri": uri}, 60)
        assert [cut(text, one["range"], "utf-16") for one in result["findings"]] == [
            one["quote"] for one in result["findings"]
        ]
        assert result["stop"] == "answered"


async def test_what_a_diagnostic_says(root, uri) -> None:
    other = (root / "other.py").as_uri()
    related = [{"uri": other, "line": 1, "message": "its twin"}, {"uri": uri, "line": 0, "message": "here"}]
    question = find(uri, 1, message="What if?", category="design", related=related)
    async with speaking(root, "utf-16") as client:
        client.open(uri, "a()\nb()\nc()\n", version=9)
        client.open(other, "x\ny\n")
        params = {"uri": uri, "ask": ask(question, find(uri, 2, kind="warning", message="Stop."))}
        result = await client.request("socreates/review", params)
        first, second = await client.diagnostics(uri, version=9)
    assert first == {
        "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 3}},
        "severity": 3,
        "code": "design",
        "source": "socreates",
        "message": "What if?",
        "data": {"id": result["findings"][0]["id"]},
        "relatedInformation": [
            {
                "location": {
                    "uri": other,
                    "range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 1}},
                },
                "message": "its twin",
            },
            {
                "location": {
                    "uri": uri,
                    "range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}},
                },
                "message": "here",
            },
        ],
    }
    assert (second["severity"], second["message"]) == (2, "Stop.")


async def test_related_places_go_only_to_a_client_that_takes_them_and_lie_within_their_file(client, root, uri) -> None:
    related = [{"uri": uri, "line": 99, "message": "gone"}]
    client.open(uri, "a()\nb()\n")
    params = {"uri": uri, "ask": ask(find(uri, 1, related=related))}
    result = await client.request("socreates/review", params)
    assert result["findings"][0]["related"][0]["range"]["start"] == {"line": 2, "character": 0}
    assert "relatedInformation" not in (await client.diagnostics(uri))[0]


@pytest.mark.parametrize(
    ("settings", "severities"),
    [
        ({"question": "hint", "warning": "information"}, [4, 3]),
        ({"question": "warning", "warning": "off"}, [2]),
        ({"question": "off", "warning": "off"}, []),
    ],
)
async def test_the_user_says_how_questions_and_warnings_show(root, uri, settings, severities) -> None:
    async with scripted(rootUri=root.as_uri(), initializationOptions={"diagnostics": settings}) as client:
        client.open(uri, "a()\nb()\n")
        steps = ask(find(uri, 0), find(uri, 1, kind="warning", message="No."))
        assert len((await client.request("socreates/review", {"uri": uri, "ask": steps}))["findings"]) == 2
        assert [one["severity"] for one in await client.diagnostics(uri)] == severities


async def test_a_change_of_that_setting_shows_at_once(client, uri) -> None:
    client.open(uri, "a()\n")
    await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 0))})
    client.notify(
        "workspace/didChangeConfiguration", {"settings": {"socreates": {"diagnostics": {"question": "hint"}}}}
    )
    await until(lambda: client.seen(PUBLISHED)[-1]["diagnostics"][0]["severity"] == 4)


# Versions


async def test_every_publication_carries_exactly_the_version_that_it_was_placed_in(client, uri) -> None:
    client.open(uri, "a()\nb()\n", version=3)
    await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 1))})
    for version in range(4, 8):
        change = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "x\n"}
        params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]}
        client.notify("textDocument/didChange", params)
    assert (await client.diagnostics(uri, version=7))[0]["range"]["start"]["line"] == 5
    lines = {one["version"]: one["diagnostics"][0]["range"]["start"]["line"] for one in client.seen(PUBLISHED)}
    assert all(line == version - 2 for version, line in lines.items())


async def test_a_burst_of_edits_is_published_once(client, uri) -> None:
    client.open(uri, "a()\n")
    await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 0))})
    for version in range(2, 40):
        change = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": "\n"}
        params = {"textDocument": {"uri": uri, "version": version}, "contentChanges": [change]}
        client.notify("textDocument/didChange", params)
    await client.diagnostics(uri, version=39)
    assert len(client.seen(PUBLISHED)) == 2


async def test_editing_a_file_without_findings_publishes_nothing(client, uri) -> None:
    client.open(uri, "a()\n")
    client.notify(
        "textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": ""}]}
    )
    await settled(client)
    assert client.seen(PUBLISHED) == []


# A client that pulls


async def test_a_client_that_pulls_is_pushed_nothing_and_told_when_to_pull(root, uri) -> None:
    capabilities = {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}}
    async with scripted(rootUri=root.as_uri(), capabilities=capabilities) as client:
        client.open(uri, "a()\nb()\n")
        pull = {"textDocument": {"uri": uri}}
        assert await client.request("textDocument/diagnostic", pull) == {"kind": "full", "items": []}
        await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 1))})
        await client.wait_for(lambda: "workspace/diagnostic/refresh" in [one.get("method") for one in client.messages])
        [item] = (await client.request("textDocument/diagnostic", pull))["items"]
        assert (item["range"]["start"]["line"], item["source"]) == (1, "socreates")
        change = {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [{"text": "x()\na()\nb()\n"}]}
        client.notify("textDocument/didChange", change)
        [item] = (await client.request("textDocument/diagnostic", pull))["items"]
        assert item["range"]["start"]["line"] == 2
        assert client.seen(PUBLISHED) == []


async def test_a_client_that_pulls_without_refresh_is_not_asked_to(root, uri) -> None:
    async with scripted(rootUri=root.as_uri(), capabilities={"textDocument": {"diagnostic": {}}}) as client:
        client.open(uri, "a()\n")
        await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 0))})
        await settled(client)
        assert [one for one in client.messages if "id" in one and "method" in one] == []
        assert client.seen(PUBLISHED) == []


async def test_pulling_for_a_missing_file_gives_nothing(root) -> None:
    async with scripted(rootUri=root.as_uri(), capabilities={"textDocument": {"diagnostic": {}}}) as client:
        pull = {"textDocument": {"uri": (root / "missing.py").as_uri()}, "previousResultId": "x", "identifier": "y"}
        assert (await client.request("textDocument/diagnostic", pull))["items"] == []
