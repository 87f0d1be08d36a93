"""Many roots, none, odd schemes and spellings: the right file is meant, and URIs come back as they were written."""

from __future__ import annotations

import os

import pytest

from tests.server.servers import ask, find, scripted, until

TEXT = "import requests\n\n\ndef fetch(url):\n    return requests.get(url)\n"
PUBLISHED = "textDocument/publishDiagnostics"


def folder(path) -> dict:
    return {"uri": path.as_uri(), "name": path.name}


@pytest.fixture
def two(tmp_path):
    """Two roots with a file of the same name and text."""
    made = []
    for name in ("one", "two"):
        root = tmp_path / name
        root.mkdir()
        (root / "app.py").write_text(TEXT)
        made.append(root)
    return made


async def test_two_roots_with_the_same_file_have_findings_of_their_own(two) -> None:
    async with scripted(workspaceFolders=[folder(root) for root in two]) as client:
        results = [await client.request("socreates/review", {"uri": (root / "app.py").as_uri()}, 60) for root in two]
        ids = {result["findings"][0]["id"] for result in results}
        assert len(ids) == 2
        listed = (await client.request("socreates/findings"))["findings"]
        assert [one["uri"] for one in listed] == [(root / "app.py").as_uri() for root in two]
        assert {one["id"] for one in listed} == ids
        assert (await client.request("socreates/status"))["roots"] == [str(root) for root in two]


async def test_a_root_that_leaves_takes_its_findings_and_one_that_comes_counts(two, tmp_path) -> None:
    third = tmp_path / "three"
    third.mkdir()
    async with scripted(workspaceFolders=[folder(root) for root in two]) as client:
        for root in two:
            await client.request("socreates/review", {"uri": (root / "app.py").as_uri()}, 60)
            await client.diagnostics((root / "app.py").as_uri())
        event = {"removed": [folder(two[0])], "added": [folder(third)]}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        await until(lambda: client.seen(PUBLISHED)[-1] == {"uri": (two[0] / "app.py").as_uri(), "diagnostics": []})
        listed = (await client.request("socreates/findings"))["findings"]
        assert [one["uri"] for one in listed] == [(two[1] / "app.py").as_uri()]
        assert (await client.request("socreates/status"))["roots"] == [str(two[1]), str(third)]


@pytest.mark.parametrize("params", [{"rootUri": None}, {"rootUri": None, "workspaceFolders": []}, {}])
async def test_without_a_root_a_file_can_be_reviewed_by_its_uri(root, params) -> None:
    (root / "app.py").write_text(TEXT)
    async with scripted(**params) as client:
        result = await client.request("socreates/review", {"uri": (root / "app.py").as_uri()}, 60)
        assert len(result["findings"]) == 1
        assert (await client.request("socreates/status"))["roots"] == []


async def test_without_a_root_and_without_a_uri_the_open_documents_are_reviewed() -> None:
    async with scripted() as client:
        error = (await client.answer_to("socreates/review", {}))["error"]
        assert (error["code"], error["message"][-1]) == (-32803, ".")
        client.open("untitled:Untitled-1", TEXT)
        result = await client.request("socreates/review", {}, 60)
        assert [one["uri"] for one in result["examined"]] == ["untitled:Untitled-1"]
        error = (await client.answer_to("socreates/review", {"scope": "changes"}))["error"]
        assert (error["code"], error["message"]) == (-32803, "There are no changes to review: no folder is open.")


async def test_the_old_root_path_counts_where_there_is_nothing_newer(root) -> None:
    (root / "app.py").write_text(TEXT)
    async with scripted(rootUri=None, rootPath=str(root)) as client:
        assert len((await client.request("socreates/review", {}, 60))["findings"]) == 1


async def test_a_document_that_was_never_saved_is_reviewed(root) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open("untitled:Untitled-1", TEXT, language="python")
        result = await client.request("socreates/review", {"uri": "untitled:Untitled-1"}, 60)
        assert result["findings"][0]["uri"] == "untitled:Untitled-1"
        assert len(await client.diagnostics("untitled:Untitled-1", version=1)) == 1
        error = (await client.answer_to("socreates/review", {"uri": "untitled:Untitled-2"}))["error"]
        assert error["code"] == -32803
        assert "Untitled-2" in error["message"]


async def test_the_language_of_an_unsaved_document_is_what_the_client_says(root) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open("untitled:Untitled-1", TEXT, language="plaintext")
        assert (await client.request("socreates/review", {"uri": "untitled:Untitled-1"}, 60))["findings"] == []


@pytest.mark.skipif(os.name == "nt", reason="a Windows path on POSIX")
async def test_uris_come_back_in_the_clients_own_spelling() -> None:
    uri = "file:///c%3A/Work/My%20App/%61pp.py"
    async with scripted(rootUri="file:///c%3A/Work") as client:
        client.open(uri, TEXT)
        other = "file:///C:/Work/My App/app.py"
        result = await client.request("socreates/review", {"uri": other}, 60)
        assert [one["uri"] for one in result["findings"] + result["examined"]] == [uri, uri]
        assert len(await client.diagnostics(uri, version=1)) == 1
        assert len((await client.request("socreates/findings", {"uri": other}))["findings"]) == 1
        params = {"textDocument": {"uri": other}, "position": {"line": 4, "character": 0}}
        assert await client.request("textDocument/hover", params)


async def test_a_file_that_is_not_open_is_spelled_like_its_root(root) -> None:
    (root / "app.py").write_text(TEXT)
    spelled = root.as_uri().replace("workspace", "work%73pace")
    async with scripted(rootUri=spelled) as client:
        result = await client.request("socreates/review", {}, 60)
        assert result["findings"][0]["uri"] == f"{spelled}/app.py"
        await client.diagnostics(f"{spelled}/app.py")


async def test_names_with_odd_characters_are_found(root) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        for name in ("a b.py", "ü#1.py", "50%.py", "q?.py", "😀.py", "[x].py"):
            (root / name).write_text(TEXT)
            uri = (root / name).as_uri()
            result = await client.request("socreates/review", {"uri": uri}, 60)
            assert len(result["findings"]) == 1, name
            await client.diagnostics(uri)


async def test_a_name_that_is_no_utf8_is_reviewed_with_the_rest(root) -> None:
    try:
        (root / os.fsdecode(b"caf\xe9.py")).write_text(TEXT)
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    async with scripted(rootUri=root.as_uri()) as client:
        result = await client.request("socreates/review", {}, 60)
        assert result["findings"][0]["uri"] == f"{root.as_uri()}/caf%E9.py"


async def test_a_root_behind_a_symbolic_link_is_that_root(tmp_path, root) -> None:
    (root / "app.py").write_text(TEXT)
    link = tmp_path / "link"
    link.symlink_to(root)
    async with scripted(rootUri=link.as_uri()) as client:
        result = await client.request("socreates/review", {}, 60)
        assert [one["uri"] for one in result["findings"]] == [(link / "app.py").as_uri()]


async def test_the_nearest_of_nested_roots_is_the_one(root) -> None:
    inner = root / "inner"
    inner.mkdir()
    (inner / "app.py").write_text(TEXT)
    async with scripted(workspaceFolders=[folder(root), folder(inner)]) as client:
        uri = (inner / "app.py").as_uri()
        await client.request("socreates/review", {"uri": uri, "workDoneToken": 1, "ask": ask(find(uri, 4))})
        assert client.seen("$/progress")[0]["value"]["title"] == "Socreates reads app.py"
