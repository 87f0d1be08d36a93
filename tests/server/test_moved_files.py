"""Files that are renamed, deleted or changed behind our back: what is asked about them goes along, or goes away."""

from __future__ import annotations

import pytest

from tests.server.servers import ask, find, scripted, settled, until

TEXT = "def a():\n    one()\n    two()\n"
PUBLISHED = "textDocument/publishDiagnostics"
CREATED, CHANGED, DELETED = 1, 2, 3


@pytest.fixture
def uri(root) -> str:
    (root / "app.py").write_text(TEXT)
    return (root / "app.py").as_uri()


async def asked(client, uri: str, line: int = 2, **rest) -> str:
    result = await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, line, **rest))})
    return result["findings"][0]["id"]


async def held(client, **params) -> list[tuple]:
    found = (await client.request("socreates/findings", params))["findings"]
    return [(one["id"], one["uri"], one["status"]) for one in found]


def renamed(client, old: str, new: str) -> None:
    client.notify("workspace/didRenameFiles", {"files": [{"oldUri": old, "newUri": new}]})


def watched(client, uri: str, kind: int) -> None:
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": kind}]})


async def test_the_server_wants_to_know_of_renamed_and_deleted_files(client) -> None:
    wanted = client.initialized["capabilities"]["workspace"]["fileOperations"]
    everything = {"filters": [{"pattern": {"glob": "**/*"}, "scheme": "file"}]}
    assert wanted == {"didRename": everything, "didDelete": everything}


async def test_all_files_are_watched_by_a_client_that_can(root) -> None:
    capabilities = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    async with scripted(rootUri=root.as_uri(), capabilities=capabilities) as client:
        await until(lambda: client.seen("client/registerCapability"))
        [one] = client.seen("client/registerCapability")[0]["registrations"]
        assert one["registerOptions"]["watchers"] == [{"globPattern": "**/*"}]


async def test_a_closed_file_that_is_renamed_takes_its_questions_along(client, root, uri) -> None:
    key = await asked(client, uri)
    (root / "app.py").rename(root / "ünü b.py")
    new = (root / "ünü b.py").as_uri()
    renamed(client, uri, new)
    assert [one["data"]["id"] for one in await client.diagnostics(new)] == [key]
    await settled(client)
    assert await client.diagnostics(uri) == []
    assert await held(client) == [(key, new, "open")]
    assert await asked(client, new) == key, "a second review finds it again under its id"


async def test_an_open_file_that_is_renamed(client, root, uri) -> None:
    """As Visual Studio Code says it: closed, opened under the new name, then renamed."""
    client.open(uri, TEXT)
    key = await asked(client, uri)
    (root / "app.py").rename(root / "new.py")
    new = (root / "new.py").as_uri()
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.open(new, f"\n{TEXT}")
    renamed(client, uri, new)
    [shown] = await client.diagnostics(new, version=1)
    assert (shown["data"]["id"], shown["range"]["start"]["line"]) == (key, 3)


async def test_a_folder_that_is_renamed_takes_its_files_and_no_others(client, root, uri) -> None:
    for name in ("pkg", "pkg2"):
        (root / name).mkdir()
        (root / name / "a.py").write_text(TEXT)
    inside, beside = ((root / name / "a.py").as_uri() for name in ("pkg", "pkg2"))
    related = [{"uri": inside, "line": 1, "message": "here"}]
    ids = [await asked(client, one) for one in (inside, beside)]
    await asked(client, uri, related=related)
    (root / "pkg").rename(root / "lib")
    renamed(client, (root / "pkg").as_uri(), (root / "lib").as_uri())
    await settled(client)
    lib = (root / "lib" / "a.py").as_uri()
    assert {(ids[0], lib, "open"), (ids[1], beside, "open")} <= set(await held(client))
    [other] = (await client.request("socreates/findings", {"uri": uri}))["findings"]
    assert other["related"][0]["uri"] == lib


@pytest.mark.parametrize("folder", [False, True])
async def test_what_was_dismissed_stays_so_in_a_renamed_file(client, root, folder: bool) -> None:
    (root / "pkg").mkdir()
    (root / "pkg" / "app.py").write_text(TEXT)
    uri = (root / "pkg" / "app.py").as_uri()
    key = await asked(client, uri)
    await client.request("socreates/dismiss", {"id": key})
    (root / "lib").mkdir()
    (root / "pkg" / "app.py").rename(root / "lib" / "app.py")
    new = (root / "lib" / "app.py").as_uri()
    (root / "lib" / "app.py").write_text(f"# changed as well\n{TEXT}")
    renamed(client, *([(root / "pkg").as_uri(), (root / "lib").as_uri()] if folder else [uri, new]))
    await settled(client)
    assert await held(client) == [(key, new, "dismissed")]
    async with scripted(rootUri=root.as_uri()) as later:
        result = await later.request("socreates/review", {"uri": new, "ask": ask(find(new, 3))})
        assert (result["findings"], result["dismissed"]) == ([], 1)


@pytest.mark.parametrize("how", ["didDeleteFiles", "watched", "folder"])
async def test_a_deleted_file_resolves_its_questions_and_its_return_brings_them_back(client, root, uri, how) -> None:
    key = await asked(client, uri)
    await client.diagnostics(uri)
    (root / "app.py").unlink()
    if how == "didDeleteFiles":
        client.notify("workspace/didDeleteFiles", {"files": [{"uri": uri}]})
    else:
        watched(client, uri if how == "watched" else root.as_uri(), DELETED)
    await until(lambda: client.seen(PUBLISHED)[-1]["diagnostics"] == [])
    assert await held(client) == [(key, uri, "resolved")]
    (root / "app.py").write_text(f"\n{TEXT}")
    watched(client, uri, CREATED)
    await until(lambda: client.seen(PUBLISHED)[-1]["diagnostics"])
    assert client.seen(PUBLISHED)[-1]["diagnostics"][0]["range"]["start"]["line"] == 3
    assert await held(client) == [(key, uri, "open")]


async def test_a_file_that_another_program_changed_is_searched(client, root, uri) -> None:
    await asked(client, uri)
    await client.diagnostics(uri)
    (root / "app.py").write_text(f"import x\nimport y\n\n\n{TEXT}")
    watched(client, uri, CHANGED)
    await until(lambda: client.seen(PUBLISHED)[-1]["diagnostics"][0]["range"]["start"]["line"] == 6)


async def test_what_happens_on_disk_does_not_touch_an_open_buffer(client, root, uri) -> None:
    client.open(uri, TEXT)
    key = await asked(client, uri)
    (root / "app.py").unlink()
    watched(client, uri, DELETED)
    client.notify("workspace/didDeleteFiles", {"files": [{"uri": uri}]})
    await settled(client)
    assert await held(client) == [(key, uri, "open")]


@pytest.mark.parametrize("open_first", [True, False])
async def test_a_document_that_is_saved_under_a_name_takes_its_questions_along(client, root, open_first: bool) -> None:
    unsaved = "untitled:Untitled-1"
    client.open(unsaved, TEXT)
    key = await asked(client, unsaved)
    await client.diagnostics(unsaved)
    (root / "saved.py").write_text(TEXT)
    saved = (root / "saved.py").as_uri()
    if open_first:
        client.open(saved, TEXT)
    client.notify("textDocument/didClose", {"textDocument": {"uri": unsaved}})
    if not open_first:
        client.open(saved, TEXT)
    assert [one["data"]["id"] for one in await client.diagnostics(saved, version=1)] == [key]
    await settled(client)
    assert await client.diagnostics(unsaved) == []
    assert await held(client) == [(key, saved, "open")]


async def test_another_file_that_is_opened_next_has_nothing_of_an_unsaved_document(client, root, uri) -> None:
    unsaved = "untitled:Untitled-1"
    client.open(unsaved, f"# other\n{TEXT}")
    await asked(client, unsaved)
    client.notify("textDocument/didClose", {"textDocument": {"uri": unsaved}})
    client.open(uri, TEXT)
    assert await held(client) == []


async def test_a_file_opened_under_a_symbolic_link_and_names_in_both_normal_forms(client, root, uri, tmp_path) -> None:
    link = tmp_path / "link"
    link.symlink_to(root)
    for name in ("caf\u00e9.py", "cafe\u0301.py"):
        (root / name).write_text(TEXT)
    opened = (link / "app.py").as_uri()
    client.open(opened, TEXT)
    uris = [opened, *((root / name).as_uri() for name in ("caf\u00e9.py", "cafe\u0301.py"))]
    ids = [await asked(client, one) for one in uris]
    assert sorted(await held(client)) == sorted((key, one, "open") for key, one in zip(ids, uris, strict=True))
