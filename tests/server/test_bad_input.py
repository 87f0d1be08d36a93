"""What can't be read is refused in one sentence, and the server goes on."""

from __future__ import annotations

import os
import socket

import pytest

from tests.server.servers import scripted

GOOD = "import requests\n\n\ndef fetch(url):\n    return requests.get(url)\n"


@pytest.fixture
async def reviewing(root):
    """Review a file of the workspace, and see that a good one still can be."""
    (root / "good.py").write_text(GOOD)
    async with scripted(rootUri=root.as_uri()) as client:

        async def review(name: str, **more) -> dict:
            return await client.answer_to("socreates/review", {"uri": (root / name).as_uri(), **more}, 60)

        yield review
        assert len((await review("good.py"))["result"]["findings"]) == 1


def sentence(answer: dict) -> str:
    """The one sentence of a refusal."""
    assert answer["error"]["code"] == -32803
    assert set(answer["error"]) == {"code", "message"}
    message = answer["error"]["message"]
    assert "\n" not in message
    assert message.endswith(".")
    return message


async def test_a_file_that_is_missing(reviewing, root) -> None:
    assert "does not exist" in sentence(await reviewing("missing.py"))
    assert "does not exist" in sentence(await reviewing("good.py/inner.py"))
    assert "does not exist" in sentence(await reviewing("missing.py", range=span(0, 0, 3, 0)))


def span(line: int, column: int, end_line: int, end_column: int) -> dict:
    return {"start": {"line": line, "character": column}, "end": {"line": end_line, "character": end_column}}


async def test_a_folder_where_a_file_is_meant(reviewing, root) -> None:
    (root / "folder.py").mkdir()
    assert "is a folder" in sentence(await reviewing("folder.py"))


async def test_a_binary_file(reviewing, root) -> None:
    (root / "data.py").write_bytes(bytes(range(256)) * 40)
    assert "binary" in sentence(await reviewing("data.py"))


async def test_a_file_of_fifty_megabytes(reviewing, root) -> None:
    with (root / "large.py").open("wb") as file:
        file.truncate(50_000_000)
    assert "50.0 MB" in sentence(await reviewing("large.py"))


async def test_a_line_of_two_megabytes(reviewing, root) -> None:
    (root / "long.py").write_text(f"x = '{'a' * 2_000_000}'\n")
    assert "line" in sentence(await reviewing("long.py"))


async def test_a_pipe_a_socket_and_a_link_that_leads_to_itself(reviewing, root, monkeypatch) -> None:
    os.mkfifo(root / "pipe.py")
    (root / "loop.py").symlink_to(root / "loop.py")
    assert "pipe" in sentence(await reviewing("pipe.py"))
    assert "symbolic link" in sentence(await reviewing("loop.py"))
    monkeypatch.chdir(root)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket.py")
        assert "socket" in sentence(await reviewing("socket.py"))


async def test_a_name_that_no_file_can_have(reviewing) -> None:
    assert sentence(await reviewing("x" * 5000))


async def test_a_selection_behind_the_end(reviewing) -> None:
    assert "5 lines" in sentence(await reviewing("good.py", range=span(90, 0, 99, 0), scope="selection"))
    assert "5 lines" in sentence(await reviewing("good.py", range=span(5, 0, 6, 0), scope="selection"))
    result = (await reviewing("good.py", range=span(3, 0, 99, 0)))["result"]
    assert len(result["findings"]) == 1
    assert result["examined"][0]["ranges"] == [span(3, 0, 4, 28)]


async def test_a_selection_in_an_empty_file(reviewing, root) -> None:
    (root / "empty.py").write_text("")
    answer = await reviewing("empty.py", range=span(0, 0, 0, 5))
    assert answer["result"]["findings"] == []
    assert (await reviewing("empty.py"))["result"]["stop"] == "answered"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "latin-1", "utf-8-sig", "utf-32"])
async def test_other_encodings_are_read(reviewing, root, encoding: str) -> None:
    (root / "other.py").write_bytes(GOOD.replace("fetch", "fétch").encode(encoding))
    [finding] = (await reviewing("other.py"))["result"]["findings"]
    assert (finding["range"], finding["quote"]) == (span(4, 4, 4, 28), "return requests.get(url)")


async def test_a_syntax_error_is_named_and_the_rest_is_read(reviewing, root) -> None:
    (root / "broken.py").write_text(f"{GOOD}\n\ndef (:\n")
    result = (await reviewing("broken.py"))["result"]
    assert len(result["findings"]) == 1
    assert "does not parse" in result["skipped"][0]["reason"]


async def test_an_unknown_language_is_said_once_and_nothing_is_asked(reviewing, root) -> None:
    (root / "poem.xyz").write_text("roses are red\n")
    result = (await reviewing("poem.xyz"))["result"]
    assert result["findings"] == []
    assert len(result["skipped"]) == 1
    assert result["stop"] == "answered"


async def test_a_workspace_with_all_of_it_reads_what_it_can(root) -> None:
    (root / "good.py").write_text(GOOD)
    (root / "data.py").write_bytes(bytes(range(256)) * 40)
    (root / "loop.py").symlink_to(root / "loop.py")
    (root / "poem.xyz").write_text("roses\n")
    (root / "verse.xyz").write_text("violets\n")
    (root / "folder.py").mkdir()
    os.mkfifo(root / "pipe.py")
    async with scripted(rootUri=root.as_uri()) as client:
        result = await client.request("socreates/review", {"scope": "workspace"}, 60)
    assert [one["quote"] for one in result["findings"]] == ["return requests.get(url)"]
    assert result["stop"] == "answered"
    reasons = [one["reason"] for one in result["skipped"]]
    assert len(reasons) == len(set(reasons))
    assert sum("no rules for" in reason for reason in reasons) == 1


@pytest.mark.parametrize(
    "uri",
    [
        "file://",
        "file:///",
        "file:",
        "http://example.org/a.py",
        "file:///%00",
        "file:///\ud800.py",
        "a:b",
        "git:/w/a.py?x",
    ],
)
async def test_uris_of_nothing_readable_are_refused(root, uri: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        sentence(await client.answer_to("socreates/review", {"uri": uri}, 60))


async def test_nul_bytes_and_lone_surrogates_in_a_buffer(root) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        for number, text in enumerate([f"\0{GOOD}", f"# \ud800\n{GOOD}", GOOD.replace("\n", "\r"), "\0", "\ud800"]):
            uri = (root / f"f{number}.py").as_uri()
            client.open(uri, text)
            result = await client.request("socreates/review", {"uri": uri}, 60)
            assert result["stop"] == "answered"
            await client.diagnostics(uri)
