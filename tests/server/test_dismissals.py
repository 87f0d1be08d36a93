"""Dismiss and restore from outside: across edits, restarts and moves of files, with other people's dismissals."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.app import App
from tests.bare_client import NEVER, serving
from tests.server.servers import ask, find, inside, read, scripted, settled, until
from tests.server.talking import QUESTION, app_py, said, talking

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bare_client import BareClient

TEXT = "import os\n\n\ndef load(path):\n    return open(path).read()\n\n\ndef save(path):\n    os.remove(path)\n"
LOAD, SAVE = 4, 8


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What one test dismissed is nobody's in the next."""
    monkeypatch.setenv("SOCREATES_STATE_DIR", str(tmp_path / "state"))
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "state"


@pytest.fixture
def uri(root: Path) -> str:
    (root / "app.py").write_text(TEXT)
    return (root / "app.py").as_uri()


async def reviewed(client: BareClient, uri: str, *lines: int, **more: Any) -> dict[str, Any]:
    """A review of a file that finds something on these lines."""
    steps = [read(uri, 0, 8), *(find(uri, line, **more) for line in lines)]
    return await client.request("socreates/review", {"uri": uri, "ask": ask(*steps)})


async def dismissed(client: BareClient, uri: str, *lines: int, **more: Any) -> list[dict[str, Any]]:
    """The findings of a review, all dismissed."""
    found = (await reviewed(client, uri, *lines, **more))["findings"]
    assert len(found) == len(lines)
    answers = [await client.request("socreates/dismiss", {"id": one["id"], "reason": "It is meant."}) for one in found]
    return [answer["finding"] for answer in answers]


def kept(root: Path) -> list[dict[str, Any]]:
    return json.loads((root / ".socreates" / "dismissed.json").read_text("utf-8"))["dismissed"]


async def listed(client: BareClient) -> list[dict[str, Any]]:
    return (await client.request("socreates/findings", {"status": "dismissed"}))["findings"]


def lines_of(result: dict[str, Any]) -> list[int]:
    return sorted(one["range"]["start"]["line"] for one in result["findings"])


# In one session


async def test_a_dismissed_finding_leaves_the_editor_and_stays_in_the_store(root: Path, uri: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(uri, TEXT)
        found = (await reviewed(client, uri, LOAD, SAVE))["findings"]
        assert len(await client.diagnostics(uri)) == 2
        answer = await client.request("socreates/dismiss", {"id": found[0]["id"], "reason": "It is meant."})
        assert answer == {"finding": {**found[0], "status": "dismissed"}}
        await settled(client)
        assert [one["data"]["id"] for one in await client.diagnostics(uri)] == [found[1]["id"]]
        where = {"textDocument": {"uri": uri}, "position": {"line": LOAD, "character": 6}}
        assert await client.request("textDocument/hover", where) is None
        assert await listed(client) == [answer["finding"]]
        (entry,) = kept(root)
        assert entry["id"] == found[0]["id"]
        assert (entry["path"], entry["category"], entry["quote"]) == ("app.py", "correctness", found[0]["quote"])
        assert (entry["message"], entry["reason"], entry["line"]) == ("What if it fails?", "It is meant.", LOAD + 1)
        assert (root / ".socreates" / ".gitignore").read_text() == "*\n"


async def test_a_restored_finding_is_back_and_forgotten_by_the_ledger(root: Path, uri: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(uri, TEXT)
        (finding,) = await dismissed(client, uri, LOAD)
        await settled(client)
        assert await client.diagnostics(uri) == []
        answer = await client.request("socreates/restore", {"id": finding["id"]})
        assert answer == {"finding": {**finding, "status": "open"}}
        await settled(client)
        assert [one["data"]["id"] for one in await client.diagnostics(uri)] == [finding["id"]]
        assert kept(root) == []
        again = await reviewed(client, uri, LOAD)
        assert (len(again["findings"]), again["dismissed"]) == (1, 0)
        assert await client.request("socreates/restore", {"id": finding["id"]}) == answer


async def test_a_second_review_does_not_ask_again_and_counts(root: Path, uri: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(uri, TEXT)
        await dismissed(client, uri, LOAD)
        again = await reviewed(client, uri, LOAD, SAVE)
        assert (lines_of(again), again["dismissed"]) == ([SAVE], 1)
        nothing = await reviewed(client, uri, LOAD)
        assert (nothing["findings"], nothing["dismissed"]) == ([], 1)


@pytest.mark.parametrize("command", ["socreates/dismiss", "socreates/restore"])
@pytest.mark.parametrize(
    ("params", "word"),
    [({"id": "0123456789abcdef"}, "0123456789abcdef"), ({}, "id"), ({"id": 7}, "id"), ({"id": ""}, "id")],
)
async def test_an_unknown_id_is_told_in_one_sentence(client: BareClient, command: str, params: Any, word: str) -> None:
    for method, given in ((command, params), ("workspace/executeCommand", {"command": command, "arguments": [params]})):
        error = (await client.answer_to(method, given))["error"]
        assert error["code"] == -32602
        assert word in error["message"]
        assert "\n" not in error["message"]


async def test_both_are_commands_as_well(root: Path, uri: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        found = (await reviewed(client, uri, LOAD))["findings"]
        for command, status in (("socreates/dismiss", "dismissed"), ("socreates/restore", "open")):
            params = {"command": command, "arguments": [{"id": found[0]["id"]}]}
            answer = await client.request("workspace/executeCommand", params)
            assert answer["finding"]["status"] == status


async def test_in_one_session_it_is_known_even_where_nothing_but_its_place_tells(root: Path) -> None:
    block = "go()\ntry:\n    x()\nexcept E:\n    pass\nend()\n"
    path = root / "app.py"
    path.write_text(block * 3)
    uri = path.as_uri()
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(uri, block * 3)
        found = (await reviewed(client, uri, 3, 9, 15))["findings"]
        await client.request("socreates/dismiss", {"id": found[1]["id"]})
        change = {"range": {"start": {"line": 18, "character": 0}, "end": {"line": 18, "character": 0}}, "text": block}
        document = {"uri": uri, "version": 2}
        client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        steps = [find(uri, line) for line in (3, 9, 15, 21)]
        end = {"end": {"stop": "answered", "summary": "4 questions: all was read."}}
        result = await client.request("socreates/review", {"uri": uri, "ask": ask(*steps, end)})
        assert (lines_of(result), result["dismissed"]) == ([3, 15, 21], 1)
        assert result["summary"] == "3 questions: all was read."


async def test_a_review_that_has_nothing_left_to_ask_tells_how_much_was_dismissed(root: Path, uri: str) -> None:
    async with scripted(rootUri=root.as_uri(), capabilities={"window": {"workDoneProgress": True}}) as client:
        await dismissed(client, uri, LOAD)
        params = {"uri": uri, "ask": ask(read(uri, 0, 8), find(uri, LOAD)), "wait": False}
        await client.request("socreates/review", params)
        (message,) = await client.wait_for(lambda: client.seen("window/showMessage"))
        assert "(1 dismissed before)" in message["message"]
        ends = [one["value"] for one in client.seen("$/progress") if one["value"].get("kind") == "end"]
        assert "(1 dismissed before)" in ends[-1]["message"]


# Across restarts


@pytest.mark.parametrize("opened", [True, False])
async def test_after_a_restart_it_is_still_dismissed_also_where_lines_were_edited_elsewhere(
    root: Path, uri: str, opened: bool
) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        (finding,) = await dismissed(client, uri, LOAD)
    edited = TEXT.replace("import os", "import os\nimport sys\nimport re")
    (root / "app.py").write_text(edited)
    async with scripted(rootUri=root.as_uri()) as client:
        if opened:
            client.open(uri, edited)
        again = await reviewed(client, uri, LOAD + 2, SAVE + 2)
        assert (lines_of(again), again["dismissed"]) == ([SAVE + 2], 1)
        (one,) = await listed(client)
        assert (one["id"], one["range"]["start"]["line"]) == (finding["id"], LOAD + 2)


async def test_after_a_restart_the_list_and_restore_need_no_review(root: Path, uri: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        (finding,) = await dismissed(client, uri, LOAD, message="Who closes it?", why="Nobody.", rule="r")
    async with scripted(rootUri=root.as_uri()) as client:
        assert await listed(client) == [finding]
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(uri, TEXT)
        answer = await client.request("socreates/restore", {"id": finding["id"]})
        assert answer == {"finding": {**finding, "status": "open"}}
        await settled(client)
        assert [one["data"]["id"] for one in await client.diagnostics(uri)] == [finding["id"]]
        assert kept(root) == []
    async with scripted(rootUri=root.as_uri()) as client:
        assert (await reviewed(client, uri, LOAD))["dismissed"] == 0


async def test_the_line_that_was_changed_is_asked_about_again(root: Path, uri: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        await dismissed(client, uri, LOAD)
    (root / "app.py").write_text(TEXT.replace("open(path)", "open(path, 'rb')"))
    async with scripted(rootUri=root.as_uri()) as client:
        again = await reviewed(client, uri, LOAD)
        assert (lines_of(again), again["dismissed"]) == ([LOAD], 0)


async def test_a_twin_is_asked_about_after_a_restart_and_after_the_dismissed_one_was_deleted(root: Path) -> None:
    tried = "    try:\n        go({0})\n    except Exception:\n        return None\n"
    block = "def {0}():\n    {0} = 1\n" + tried + "    return {0}\n"
    first, second = block.format("first"), block.format("second")
    path = root / "app.py"
    path.write_text(first + second)
    uri = path.as_uri()
    async with scripted(rootUri=root.as_uri()) as client:
        found = (await reviewed(client, uri, 4, 11))["findings"]
        await client.request("socreates/dismiss", {"id": found[0]["id"]})
    async with scripted(rootUri=root.as_uri()) as client:
        again = await reviewed(client, uri, 4, 11)
        assert (lines_of(again), again["dismissed"]) == ([11], 1)
    path.write_text(second)
    async with scripted(rootUri=root.as_uri()) as client:
        again = await reviewed(client, uri, 4)
        assert (lines_of(again), again["dismissed"]) == ([4], 0)
        assert again["findings"][0]["status"] == "open"


async def test_what_another_editor_restores_is_open_here_with_the_next_review(root: Path, uri: str) -> None:
    async with scripted(rootUri=root.as_uri()) as one, scripted(rootUri=root.as_uri()) as other:
        one.open(uri, TEXT)
        (finding,) = await dismissed(one, uri, LOAD)
        assert (await reviewed(other, uri, LOAD))["dismissed"] == 1
        await other.request("socreates/restore", {"id": finding["id"]})
        again = await reviewed(one, uri, LOAD)
        assert (lines_of(again), again["dismissed"]) == ([LOAD], 0)


async def test_two_editors_lose_nothing_of_each_other(root: Path, uri: str) -> None:
    async with scripted(rootUri=root.as_uri()) as one, scripted(rootUri=root.as_uri()) as other:
        await asyncio.gather(dismissed(one, uri, LOAD), dismissed(other, uri, SAVE))
        assert len(kept(root)) == 2
    async with scripted(rootUri=root.as_uri()) as client:
        assert (await reviewed(client, uri, LOAD, SAVE))["dismissed"] == 2


# Files that move


def git(root: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


async def test_a_file_that_was_moved_is_known_by_its_content_and_then_by_where_it_was_seen(
    root: Path, uri: str
) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        (finding,) = await dismissed(client, uri, LOAD)
    (root / "sub").mkdir()
    moved = root / "sub" / "loads.py"
    (root / "app.py").rename(moved)
    before = (root / ".socreates" / "dismissed.json").read_bytes()
    async with scripted(rootUri=root.as_uri()) as client:
        again = await reviewed(client, moved.as_uri(), LOAD, SAVE)
        assert (lines_of(again), again["dismissed"]) == ([SAVE], 1)
    moved.write_text(f"# new\n{TEXT}")
    async with scripted(rootUri=root.as_uri()) as client:
        again = await reviewed(client, moved.as_uri(), LOAD + 1, SAVE + 1)
        assert (lines_of(again), again["dismissed"]) == ([SAVE + 1], 1)
    last = root / "last.py"
    moved.rename(last)
    async with scripted(rootUri=root.as_uri()) as client:
        assert [one["id"] for one in await listed(client)] == []
        again = await reviewed(client, last.as_uri(), LOAD + 1)
        assert again["dismissed"] == 1
        assert [one["id"] for one in await listed(client)] == [finding["id"]]
    assert (root / ".socreates" / "dismissed.json").read_bytes() == before


async def test_a_copy_of_a_file_is_asked_about(root: Path, uri: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        await dismissed(client, uri, LOAD)
    copies = [root / "copy.py", root / "other.py"]
    for copy in copies:
        shutil.copy(root / "app.py", copy)
    async with scripted(rootUri=root.as_uri()) as client:
        assert (await reviewed(client, copies[0].as_uri(), LOAD))["dismissed"] == 0
    (root / "app.py").unlink()
    async with scripted(rootUri=root.as_uri()) as client:
        steps = [find(copy.as_uri(), LOAD) for copy in copies]
        both = await client.request("socreates/review", {"scope": "workspace", "ask": ask(*steps)})
        assert (len(both["findings"]), both["dismissed"]) == (1, 1)
        counts = [(await reviewed(client, copy.as_uri(), LOAD))["dismissed"] for copy in copies]
        assert sum(counts) == 1


@pytest.mark.parametrize("commits", [True, False])
async def test_a_file_that_git_renamed_with_an_edit_stays_dismissed(root: Path, uri: str, commits: bool) -> None:
    (root / "app.py").write_text(TEXT + "".join(f"value_{number} = {number}\n" for number in range(20)))
    git(root, "init", "-q")
    git(root, "add", "app.py")
    git(root, "commit", "-q", "-m", "one")
    async with scripted(rootUri=root.as_uri()) as client:
        (finding,) = await dismissed(client, uri, LOAD)
    git(root, "mv", "app.py", "loads.py")
    moved = root / "loads.py"
    moved.write_text(f"# new\n{moved.read_text()}")
    if commits:
        git(root, "commit", "-q", "-a", "-m", "two")
    async with scripted(rootUri=root.as_uri()) as client:
        again = await reviewed(client, moved.as_uri(), LOAD + 1, SAVE + 1)
        assert (lines_of(again), again["dismissed"]) == ([SAVE + 1], 1)
        (one,) = await listed(client)
        assert (one["id"], one["uri"]) == (finding["id"], moved.as_uri())
        restored = await client.request("socreates/restore", {"id": one["id"]})
        assert restored["finding"]["status"] == "open"
        assert kept(root) == []


# Where there is no room for it


async def test_without_a_root_it_holds_in_memory(own_state: Path) -> None:
    async with scripted() as client:
        uri = "untitled:Untitled-1"
        client.open(uri, TEXT)
        (finding,) = await dismissed(client, uri, LOAD)
        again = await reviewed(client, uri, LOAD, SAVE)
        assert (lines_of(again), again["dismissed"]) == ([SAVE], 1)
        assert [one["id"] for one in await listed(client)] == [finding["id"]]
        await client.request("socreates/restore", {"id": finding["id"]})
        assert (await reviewed(client, uri, LOAD))["dismissed"] == 0
    assert not list(own_state.rglob("dismissed.json"))


async def test_an_untitled_buffer_leaves_no_trace_in_the_workspace(root: Path) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open("untitled:Untitled-1", TEXT)
        await dismissed(client, "untitled:Untitled-1", LOAD)
    assert not (root / ".socreates").exists()


async def test_a_damaged_file_is_told_and_set_aside(root: Path, uri: str) -> None:
    folder = root / ".socreates"
    folder.mkdir()
    (folder / "dismissed.json").write_text("<<<<<<< ours")
    async with scripted(rootUri=root.as_uri()) as client:
        result = await reviewed(client, uri, LOAD)
        assert [one["reason"] for one in result["skipped"] if "damaged" in one["reason"]]
        await client.request("socreates/dismiss", {"id": result["findings"][0]["id"]})
        (told,) = [one["message"] for one in client.seen("window/showMessage")]
        assert "dismissed.json.damaged" in told
        assert "\n" not in told
        assert (await reviewed(client, uri, LOAD))["dismissed"] == 1
    assert (folder / "dismissed.json.damaged").read_text() == "<<<<<<< ours"
    assert len(kept(root)) == 1


async def test_a_linked_folder_is_not_followed_and_nothing_is_lost(root: Path, uri: str, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (root / ".socreates").symlink_to(elsewhere)
    async with scripted(rootUri=root.as_uri()) as client:
        await dismissed(client, uri, LOAD)
    assert list(elsewhere.iterdir()) == []
    async with scripted(rootUri=root.as_uri()) as client:
        again = await reviewed(client, uri, LOAD)
        assert again["dismissed"] == 1
        assert ["not a folder of its own" in one["reason"] for one in again["skipped"]] == [True]


async def test_shared_dismissals_are_seen_by_git(root: Path, uri: str) -> None:
    git(root, "init", "-q")
    options = {"review": {"shareDismissals": True}}
    async with scripted(rootUri=root.as_uri(), initializationOptions=options) as client:
        await dismissed(client, uri, LOAD)
    listing = subprocess.run(
        ["git", "status", "--porcelain", "-uall", ".socreates"], cwd=root, check=True, capture_output=True, text=True
    )
    assert listing.stdout == "?? .socreates/.gitignore\n?? .socreates/dismissed.json\n"
    before = (root / ".socreates" / ".gitignore").read_bytes()
    async with scripted(rootUri=root.as_uri()) as client:
        await dismissed(client, uri, SAVE)
    # One of the team who has not set it does not take it back for all.
    assert (root / ".socreates" / ".gitignore").read_bytes() == before


# A repository that brings dismissals


async def foreign(root: Path, uri: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *lines: int) -> None:
    """Dismissals that came with the repository: made here, but by somebody with another state folder."""
    monkeypatch.setenv("SOCREATES_STATE_DIR", str(tmp_path / "theirs"))
    async with scripted(rootUri=root.as_uri()) as client:
        await dismissed(client, uri, *lines)
    monkeypatch.setenv("SOCREATES_STATE_DIR", str(tmp_path / "state"))


def prompts(client: BareClient) -> list[dict[str, Any]]:
    return client.seen("window/showMessageRequest")


async def test_a_repository_cannot_silence_us(
    root: Path, uri: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    await foreign(root, uri, monkeypatch, tmp_path, LOAD, SAVE)
    async with scripted(rootUri=root.as_uri()) as client:
        for _ in range(2):
            result = await reviewed(client, uri, LOAD)
            assert (lines_of(result), result["dismissed"]) == ([LOAD], 0)
            assert result["findings"][0]["status"] == "open"
            (sentence,) = [one["reason"] for one in result["skipped"]]
            assert "not made on this machine" in sentence
            assert ": 2." in sentence
            assert "1 finding" in sentence
            assert "\n" not in sentence
        assert await listed(client) == []
        await client.wait_for(lambda: prompts(client))
        (told,) = (await client.request("socreates/status"))["dismissals"]
        assert (told["held"], told["foreign"]) == (0, 2)
        assert [(one["path"], one["reason"]) for one in told["waiting"]] == [("app.py", "It is meant.")] * 2
        (prompt,) = prompts(client)
        assert "2 dismissals" in prompt["message"]
    async with scripted(rootUri=root.as_uri()) as client:
        assert (await reviewed(client, uri, LOAD))["dismissed"] == 0
        await client.wait_for(lambda: prompts(client))


async def test_a_review_that_would_hide_nothing_asks_nothing(
    root: Path, uri: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    await foreign(root, uri, monkeypatch, tmp_path, LOAD)
    async with scripted(rootUri=root.as_uri()) as client:
        result = await reviewed(client, uri, SAVE)
        assert ["not made on this machine" in one["reason"] for one in result["skipped"]] == [True]
        await settled(client)
        assert prompts(client) == []


async def test_a_yes_hides_them_now_and_later_and_nothing_that_is_changed_afterwards(
    root: Path, uri: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    await foreign(root, uri, monkeypatch, tmp_path, LOAD)
    async with scripted(rootUri=root.as_uri()) as client:
        client.answers["window/showMessageRequest"] = {"title": "Accept them"}
        client.open(uri, TEXT)
        assert lines_of(await reviewed(client, uri, LOAD, SAVE)) == [LOAD, SAVE]
        await client.wait_for(lambda: len(client.seen("textDocument/publishDiagnostics")[-1]["diagnostics"]) == 1)
        again = await reviewed(client, uri, LOAD, SAVE)
        assert (lines_of(again), again["dismissed"]) == ([SAVE], 1)
        (prompt,) = prompts(client)
        assert [action["title"] for action in prompt["actions"]] == ["Not now", "Accept them"]
    file = root / ".socreates" / "dismissed.json"
    entries = json.loads(file.read_text())
    (entry,) = entries["dismissed"]
    forged = {**entry, "id": "f" * 16, "quote": "os.remove(path)"}
    file.write_text(json.dumps({**entries, "dismissed": [entry, forged]}))
    async with scripted(rootUri=root.as_uri()) as client:
        again = await reviewed(client, uri, LOAD, SAVE)
        assert (lines_of(again), again["dismissed"]) == ([SAVE], 1)
    file.write_text(json.dumps({**entries, "dismissed": [{**entry, "quote": "os.remove(path)"}]}))
    async with scripted(rootUri=root.as_uri()) as client:
        assert lines_of(await reviewed(client, uri, LOAD, SAVE)) == [LOAD, SAVE]


async def test_a_prompt_that_is_never_answered_holds_nothing_up(
    root: Path, uri: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    await foreign(root, uri, monkeypatch, tmp_path, LOAD)
    async with scripted(rootUri=root.as_uri()) as client:
        client.answers["window/showMessageRequest"] = NEVER
        for _ in range(2):
            assert lines_of(await reviewed(client, uri, LOAD)) == [LOAD]
        await client.wait_for(lambda: prompts(client))
        assert len(prompts(client)) == 1


async def test_a_record_in_the_workspace_grants_nothing(
    root: Path, uri: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    await foreign(root, uri, monkeypatch, tmp_path, LOAD)
    (record,) = (tmp_path / "theirs").rglob("dismissals.json")
    shutil.copy(record, root / ".socreates" / "dismissals.json")
    (root / "socreates.toml").write_text("[review]\naccept_dismissals = true\n")
    options = {"review": {"acceptDismissals": True}}
    async with scripted(rootUri=root.as_uri(), initializationOptions=options) as client:
        assert lines_of(await reviewed(client, uri, LOAD)) == [LOAD]


async def test_the_users_own_word_accepts_them_without_a_prompt(
    root: Path, uri: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    await foreign(root, uri, monkeypatch, tmp_path, LOAD)
    monkeypatch.setenv("SOCREATES_REVIEW__ACCEPT_DISMISSALS", "true")
    async with scripted(rootUri=root.as_uri()) as client:
        result = await reviewed(client, uri, LOAD)
        assert (result["findings"], result["dismissed"], result["skipped"]) == ([], 1, [])


async def test_paths_out_of_the_workspace_are_not_looked_at(root: Path, uri: str, tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text(TEXT)
    async with scripted(rootUri=root.as_uri()) as client:
        await dismissed(client, uri, LOAD)
    file = root / ".socreates" / "dismissed.json"
    (entry,) = kept(root)
    paths = [str(outside), "../outside.py", "a/../../outside.py", "\0"]
    entries = [{**entry, "id": f"{number:016x}", "path": path} for number, path in enumerate(paths)]
    file.write_text(json.dumps({"version": 1, "dismissed": entries}))
    async with scripted(rootUri=root.as_uri()) as client:
        for one in entries:
            assert "error" in await client.answer_to("socreates/restore", {"id": one["id"]})
        assert await listed(client) == []


# With the examiner and with a model


FAULT = "import requests\n\n\ndef fetch(url):\n    return requests.get(url)\n"


async def test_the_examiner_does_not_ask_again_and_says_so(root: Path) -> None:
    path = root / "feeds.py"
    path.write_text(FAULT)
    async with inside() as client:
        await client.initialize(rootUri=root.as_uri())
        found = (await client.request("socreates/review", {"uri": path.as_uri()}))["findings"]
        for one in found:
            await client.request("socreates/dismiss", {"id": one["id"]})
    async with inside() as client:
        await client.initialize(rootUri=root.as_uri())
        result = await client.request("socreates/review", {"uri": path.as_uri()})
        assert (result["findings"], result["dismissed"]) == ([], len(found))
        assert result["summary"].startswith("No questions: the examiner read 5 lines")
        whole = await client.request("socreates/review", {"scope": "workspace"})
        assert (whole["findings"], whole["dismissed"]) == ([], len(found))


async def test_what_is_dismissed_takes_no_room_from_what_is_not(root: Path) -> None:
    path = root / "feeds.py"
    text = "import requests\n" + "".join(
        f"\n\ndef fetch_{number}(url):\n    return requests.get(url, {number})\n" for number in range(4)
    )
    path.write_text(text)
    uri = path.as_uri()
    options = {"review": {"maxFindings": 2}, "model": {"provider": "examiner"}}
    async with inside() as client:
        await client.initialize(rootUri=root.as_uri(), initializationOptions=options)
        seen: set[str] = set()
        while found := (result := await client.request("socreates/review", {"uri": uri}))["findings"]:
            assert len(found) <= 2
            assert result["dismissed"] == len(seen)
            assert result["summary"].startswith(f"{len(found)} ")
            assert not seen & {one["id"] for one in found}
            seen |= {one["id"] for one in found}
            for one in found:
                await client.request("socreates/dismiss", {"id": one["id"]})
        assert result["capped"] == 0
        assert len(seen) > 2


async def test_room_that_nothing_dismissed_takes_is_not_given_to_others(root: Path, uri: str) -> None:
    options = {"review": {"maxFindings": 1}}
    async with scripted(rootUri=root.as_uri(), initializationOptions=options) as client:
        await dismissed(client, uri, LOAD)
        result = await reviewed(client, uri, 3, SAVE, SAVE)
        assert (lines_of(result), result["capped"], result["dismissed"]) == ([3], 1, 0)


async def test_a_model_is_told_what_was_dismissed_and_why_and_need_not_listen(root: Path) -> None:
    uri = app_py(root)
    again = QUESTION.replace("Who closes what `open` opens in `load` when `read` raises?",
                             "When `read` raises in `load`, what closes the file that `open` opened?")  # fmt: skip
    async with talking(root, QUESTION) as (client, _):
        (finding,) = (await client.request("socreates/review", {"uri": uri}))["findings"]
        reason = "The process ends\nright after."
        await client.request("socreates/dismiss", {"id": finding["id"], "reason": reason})
    async with talking(root, again, "Nothing else.", "Nothing.") as (client, model):
        result = await client.request("socreates/review", {"uri": uri})
        assert (result["findings"], result["dismissed"]) == ([], 1)
        assert result["summary"].startswith("No questions")
        task = said(model.chats[-1])[-1][1]
        assert "has dismissed these" in task
        assert finding["message"] in task
        assert "Dismissed because: The process ends right after." in task
        (root / "other.py").write_text("x = 1\n")
        await client.request("socreates/review", {"uri": (root / "other.py").as_uri()})
        assert "has dismissed these" not in said(model.chats[-1])[-1][1]


async def test_a_model_is_not_told_of_files_that_it_may_not_see_nor_of_other_peoples_dismissals(
    root: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    uri = app_py(root)
    secret = root / "keys.env"
    secret.write_text("KEY = 1\n")
    await foreign(root, uri, monkeypatch, tmp_path, 1)
    async with scripted(rootUri=root.as_uri()) as client:
        await dismissed(client, secret.as_uri(), 0, message="Is KEY meant?")
    async with talking(root, "Nothing.") as (client, model):
        await client.request("socreates/review", {"scope": "workspace"})
        assert "dismissed" not in said(model.chats[-1])[-1][1]


async def test_over_a_real_pipe_a_kill_loses_no_dismissal(root: Path, own_state: Path) -> None:
    path = root / "feeds.py"
    path.write_text(FAULT)
    environment = {"SOCREATES_STATE_DIR": str(own_state), "SOCREATES_MODEL__PROVIDER": "examiner"}
    async with serving(env=environment) as client:
        await client.initialize(rootUri=root.as_uri())
        found = (await client.request("socreates/review", {"uri": path.as_uri()}, seconds=60))["findings"]
        await client.request("socreates/dismiss", {"id": found[0]["id"]})
        client.process.kill()  # type: ignore[attr-defined]
        await until(lambda: client.process.returncode is not None)  # type: ignore[attr-defined]
    async with inside(App) as client:
        await client.initialize(rootUri=root.as_uri(), initializationOptions={"model": {"provider": "examiner"}})
        result = await client.request("socreates/review", {"uri": path.as_uri()}, seconds=60)
        assert result["dismissed"] == 1


async def test_what_moved_twice_in_one_session_is_listed_once(root: Path, uri: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        await dismissed(client, uri, LOAD)
        path = root / "app.py"
        for name in ("web.py", "lib.py", "sub.py"):
            path = path.rename(root / name)
            assert (await reviewed(client, path.as_uri(), LOAD))["dismissed"] == 1
            found = await listed(client)
            assert [one["uri"] for one in found] == [path.as_uri()]
        await client.request("socreates/restore", {"id": found[0]["id"]})
        assert await listed(client) == []
        assert (await reviewed(client, path.as_uri(), LOAD))["dismissed"] == 0
