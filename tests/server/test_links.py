"""A file under several names: a symbolic link, a linked folder, a linked root, and spellings of a drive."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.testkit.script import Reply
from tests.server.servers import ask, find, scripted
from tests.server.talking import talking

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.skipif(os.name == "nt", reason="links need a right on Windows")

DISK = "def load(path):\n    return open(path).read()\n"
EDITED = "# not saved\n" + DISK
PUBLISHED = "textDocument/publishDiagnostics"


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOCREATES_STATE_DIR", str(tmp_path / "state"))


@pytest.fixture
def names(root: Path) -> list[str]:
    """One file under its own name, under a link, and in a linked folder."""
    (root / "src").mkdir()
    (root / "src" / "app.py").write_text(DISK)
    (root / "link.py").symlink_to(root / "src" / "app.py")
    (root / "lib").symlink_to(root / "src")
    return [(root / name).as_uri() for name in ("src/app.py", "link.py", "lib/app.py")]


async def asked(client, uri: str, line: int = 1) -> dict[str, Any]:
    return await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, line))})


async def test_a_file_has_one_finding_under_all_its_names_spelled_as_it_was_asked_for(client, names) -> None:
    ids = set()
    for number, uri in enumerate(names):
        client.open(uri, DISK)
        [finding] = (await asked(client, uri))["findings"]
        assert finding["uri"] == uri
        assert len(await client.diagnostics(uri, version=1)) == 1
        if number:
            await client.wait_for(lambda old=names[number - 1]: shown(client).get(old) == [])
        ids.add(finding["id"])
        held = (await client.request("socreates/findings"))["findings"]
        assert [one["uri"] for one in held] == [uri]
    assert len(ids) == 1


def shown(client) -> dict[str, list]:
    """The newest diagnostics of each document."""
    return {one["uri"]: one["diagnostics"] for one in client.seen(PUBLISHED)}


async def test_what_was_dismissed_under_one_name_is_so_under_the_other_after_a_restart(root, names) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        [finding] = (await asked(client, names[1]))["findings"]
        await client.request("socreates/dismiss", {"id": finding["id"]})
    assert '"src/app.py"' in (root / ".socreates" / "dismissed.json").read_text()
    async with scripted(rootUri=root.as_uri()) as client:
        for uri in names:
            result = await asked(client, uri)
            assert (result["findings"], result["dismissed"]) == ([], 1)


async def test_a_file_that_is_opened_under_another_name_shows_what_was_asked(client, names) -> None:
    await asked(client, names[0])
    client.open(names[1], EDITED)
    [one] = await client.diagnostics(names[1], version=1)
    assert one["range"]["start"]["line"] == 2
    assert [one["uri"] for one in (await client.request("socreates/findings"))["findings"]] == [names[1]]


async def test_a_review_of_everything_reads_the_buffer_of_a_file_that_is_open_under_a_link(root, names) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(names[1], "import requests\n\n\ndef fetch(url):\n    return requests.get(url)\n")
        result = await client.request("socreates/review", {"scope": "workspace"}, 60)
        assert [one["uri"] for one in result["findings"]] == [names[1]]


@pytest.mark.parametrize("opened_by_link", [True, False])
async def test_a_linked_root_and_files_under_either_of_its_names(root, tmp_path, opened_by_link: bool) -> None:
    (root / "app.py").write_text(DISK)
    link = tmp_path / "linked root"
    link.symlink_to(root)
    roots, opened = (link, root) if opened_by_link else (root, link)
    async with scripted(rootUri=roots.as_uri()) as client:
        other, own = (opened / "app.py").as_uri(), (roots / "app.py").as_uri()
        client.open(other, EDITED)
        [finding] = (await asked(client, other, 2))["findings"]
        assert finding["uri"] == other
        assert (await client.request("socreates/dismiss", {"id": finding["id"]}))["finding"]["status"] == "dismissed"
        client.notify("textDocument/didClose", {"textDocument": {"uri": other}})
        result = await asked(client, own)
        assert (result["findings"], result["dismissed"]) == ([], 1)


@pytest.mark.parametrize("cited", ["src/app.py", "link.py", "lib/app.py"])
async def test_a_model_reads_and_cites_the_buffer_under_any_name(root, names, cited: str) -> None:
    def look(_) -> Reply:
        return Reply(calls=(("read_file", {"path": cited}),))

    answer = (
        f"[question] {cited}:3 error-handling\n> return open(path).read()\nWho closes what `open` opens in `load`?\n"
    )
    async with talking(root, look, answer) as (client, model):
        client.open(names[1], EDITED)
        result = await client.request("socreates/review", {"uri": names[1]}, 30)
        assert "# not saved" in str(model.chats[-1]["messages"][-1])
        assert [(one["uri"], one["range"]["start"]["line"]) for one in result["findings"]] == [(names[1], 2)]


async def test_what_may_not_be_read_may_not_be_so_under_any_name(root, names) -> None:
    options = {"policy": {"readDeny": ["src/**"]}}

    def look(_) -> Reply:
        return Reply(calls=(("read_file", {"path": "link.py"}), ("read_file", {"path": "lib/app.py"})))

    (root / "ok.py").write_text("x = 1\n")
    async with talking(root, look, "No questions.", options=options) as (client, model):
        client.open(names[1], EDITED)
        for uri in names:
            assert "error" in await client.answer_to("socreates/review", {"uri": uri}, 30)
        await client.request("socreates/review", {"uri": (root / "ok.py").as_uri()}, 30)
        assert "not saved" not in str(model.chats)
        assert "return open" not in str(model.chats)


@pytest.mark.parametrize("roots", ["file:///c%3A/w", "file:///C:/w"])
async def test_spellings_of_a_drive_are_one_file_and_come_back_as_they_were_opened(roots: str) -> None:
    one, other = "file:///c%3A/w/%C3%A4%20b.py", "file:///C:/w/ä b.py"
    for opened, named in ((one, other), (other, one)):
        async with scripted(rootUri=roots) as client:
            client.open(opened, EDITED)
            result = await asked(client, named, 2)
            assert [found["uri"] for found in result["findings"]] == [opened]
            assert len(await client.diagnostics(opened, version=1)) == 1
            assert {one["uri"] for one in client.seen(PUBLISHED)} == {opened}
            held = (await client.request("socreates/findings", {"uri": named}))["findings"]
            assert len(held) == 1
