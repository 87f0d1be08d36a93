"""Files that go from one root of a workspace to another: what was dismissed in them goes along, from book to book."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.servers import ask, find, read, scripted, settled, until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bare_client import BareClient

TEXT = "import os\n\n\ndef load(path):\n    return open(path).read()\n"
LOAD = 4


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOCREATES_STATE_DIR", str(tmp_path / "state"))
    return tmp_path / "state"


@pytest.fixture
def roots(tmp_path: Path) -> tuple[Path, Path]:
    found = tmp_path / "a", tmp_path / "b"
    for root in found:
        (root / "src").mkdir(parents=True)
    return found


def folders(roots: tuple[Path, Path]) -> dict[str, Any]:
    return {"workspaceFolders": [{"uri": root.as_uri(), "name": root.name} for root in roots]}


def written(root: Path, name: str = "app.py", text: str = TEXT) -> str:
    (root / "src" / name).write_text(text)
    return (root / "src" / name).as_uri()


async def reviewed(client: BareClient, uri: str, line: int = LOAD) -> dict[str, Any]:
    return await client.request("socreates/review", {"uri": uri, "ask": ask(read(uri, 0, 4), find(uri, line))})


async def dismissed(client: BareClient, uri: str) -> str:
    (finding,) = (await reviewed(client, uri))["findings"]
    await client.request("socreates/dismiss", {"id": finding["id"], "reason": "It is meant."})
    return finding["id"]


def kept(root: Path) -> list[tuple[str, str]]:
    """The ids and paths in a root's file."""
    file = root / ".socreates" / "dismissed.json"
    return [(one["id"], one["path"]) for one in json.loads(file.read_text())["dismissed"]] if file.exists() else []


async def hides(client: BareClient, uri: str) -> bool:
    result = await reviewed(client, uri)
    return (result["findings"], result["dismissed"]) == ([], 1)


def renamed(client: BareClient, old: str, new: str) -> None:
    client.notify("workspace/didRenameFiles", {"files": [{"oldUri": old, "newUri": new}]})


@pytest.mark.parametrize("folder", [False, True])
async def test_a_renamed_file_takes_its_dismissal_into_the_book_of_its_new_root(roots, folder: bool) -> None:
    one, other = roots
    async with scripted(**folders(roots)) as client:
        old = written(one)
        key = await dismissed(client, old)
        (one / "src" / "app.py").rename(other / "src" / "new.py")
        if folder:
            (other / "src" / "new.py").rename(other / "src" / "app.py")
            renamed(client, (one / "src").as_uri(), (other / "src").as_uri())
        else:
            renamed(client, old, (other / "src" / "new.py").as_uri())
        await until(lambda: kept(one) == [])
        name = "app.py" if folder else "new.py"
        assert kept(other) == [(key, f"src/{name}")]
        new = (other / "src" / name).as_uri()
        assert await hides(client, new)
        await reviewed(client, written(one, "rest.py", "\n\n\n\nx = 1\n"))
        held = (await client.request("socreates/findings", {"uri": new}))["findings"]
        assert [(one["id"], one["status"]) for one in held] == [(key, "dismissed")], "and a review of the old root"
    async with scripted(**folders(roots)) as client:
        assert await hides(client, new)
        restored = (await client.request("socreates/restore", {"id": key}))["finding"]
        assert restored["status"] == "open"
        assert kept(other) == []


async def test_a_file_that_went_to_another_root_behind_our_back_is_known_by_its_content(roots) -> None:
    one, other = roots
    async with scripted(**folders(roots)) as client:
        key = await dismissed(client, written(one))
    (one / "src" / "app.py").rename(other / "src" / "new.py")
    async with scripted(**folders(roots)) as client:
        assert await hides(client, (other / "src" / "new.py").as_uri())
        assert (kept(one), kept(other)) == ([], [(key, "src/new.py")])
    async with scripted(**folders(roots)) as client:
        assert await hides(client, (other / "src" / "new.py").as_uri())


async def test_a_copy_in_another_root_is_asked_about(roots) -> None:
    one, other = roots
    async with scripted(**folders(roots)) as client:
        key = await dismissed(client, written(one))
        result = await reviewed(client, written(other, "new.py"))
        assert (len(result["findings"]), result["dismissed"]) == (1, 0)
        assert (kept(one), kept(other)) == ([(key, "src/app.py")], [])


async def test_what_has_the_same_id_in_the_other_root_is_not_overwritten(roots) -> None:
    """Two files of one name in two roots have one id for a question, if no session saw both."""
    one, other = roots
    ids = []
    for root in roots:
        async with scripted(rootUri=root.as_uri()) as client:
            ids.append(await dismissed(client, written(root)))
    assert ids[0] == ids[1]
    async with scripted(**folders(roots)) as client:
        (one / "src" / "app.py").rename(other / "src" / "new.py")
        renamed(client, (one / "src" / "app.py").as_uri(), (other / "src" / "new.py").as_uri())
        await until(lambda: kept(one) == [])
        assert sorted(path for _, path in kept(other)) == ["src/app.py", "src/new.py"]
        for name in ("app.py", "new.py"):
            assert await hides(client, (other / "src" / name).as_uri())


async def test_what_others_dismissed_stays_in_their_file(roots, own_state: Path) -> None:
    one, other = roots
    async with scripted(**folders(roots)) as client:
        key = await dismissed(client, written(one))
    for file in own_state.rglob("dismissals.json"):
        file.unlink()
    (one / "src" / "app.py").rename(other / "src" / "app.py")
    async with scripted(**folders(roots)) as client:
        renamed(client, (one / "src" / "app.py").as_uri(), (other / "src" / "app.py").as_uri())
        await settled(client)
        result = await reviewed(client, (other / "src" / "app.py").as_uri())
        assert (len(result["findings"]), result["dismissed"]) == (1, 0)
        assert (kept(one), kept(other)) == ([(key, "src/app.py")], [])
