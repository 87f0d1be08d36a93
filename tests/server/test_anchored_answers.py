"""Answers that cite code, from outside: they hold while it stands, and their questions open when it changes."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from tests.server.servers import ask, find, read, scripted, settled
from tests.server.talking import QUESTION, app_py, talking

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bare_client import BareClient

APP = "import db\n\n\ndef save(row):\n    db.rows.append(row)\n    return row\n"
DB = "import threading\n\nLOCK = threading.Lock()\n\n\ndef locked(work):\n    with LOCK:\n        return work()\n"
SAVE, WITH = 4, 6
CLAIM = "The lock at db.py:7 protects this."
AGAIN = f"You said: “{CLAIM}” Is it still so?"


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SOCREATES_STATE_DIR", str(tmp_path / "state"))
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "state"


@pytest.fixture
def app(root: Path) -> str:
    (root / "app.py").write_text(APP)
    return (root / "app.py").as_uri()


@pytest.fixture
def db(root: Path) -> str:
    (root / "db.py").write_text(DB)
    return (root / "db.py").as_uri()


async def asked(client: BareClient, uri: str) -> dict[str, Any]:
    """A finding of a review by the (scripted) examiner."""
    params = {"uri": uri, "ask": ask(read(uri, 0, 5), find(uri, SAVE))}
    (finding,) = (await client.request("socreates/review", params))["findings"]
    return finding


async def say(client: BareClient, finding: dict[str, Any], text: str = CLAIM) -> dict[str, Any]:
    return await client.request("socreates/reply", {"id": finding["id"], "text": text})


async def now(client: BareClient, finding: dict[str, Any]) -> dict[str, Any]:
    listed = (await client.request("socreates/findings"))["findings"]
    return next(one for one in listed if one["id"] == finding["id"])


def edit(client: BareClient, uri: str, version: int, line: int, text: str, *, lines: int = 0) -> None:
    """Put a text in the place of so many lines."""
    span = {"start": {"line": line, "character": 0}, "end": {"line": line + lines, "character": 0}}
    document = {"uri": uri, "version": version}
    change = {"textDocument": document, "contentChanges": [{"range": span, "text": text}]}
    client.notify("textDocument/didChange", change)


async def test_a_claim_that_cites_code_answers_the_question(root: Path, app: str, db: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(app, APP)
        answer = await say(client, await asked(client, app))
        assert (answer["verdict"], answer["finding"]["status"]) == ("stands", "answered")
        await settled(client)
        assert await client.diagnostics(app) == []
        (entry,) = json.loads((root / ".socreates" / "threads.json").read_text())["threads"]
        (anchor,) = entry["anchors"]
        assert (anchor["path"], anchor["line"], anchor["quote"]) == ("db.py", 7, "with LOCK:")


async def test_a_question_or_a_claim_without_code_leaves_it_open(root: Path, app: str, db: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        finding = await asked(client, app)
        for text in ("Does the lock at db.py:7 not protect this?", "It is protected.", "See db.py:99.", "See db.py:2."):
            assert (await say(client, finding, text))["finding"]["status"] == "open"


async def test_it_opens_when_its_line_changes_and_closes_by_undo(root: Path, app: str, db: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(app, APP)
        client.open(db, DB)
        finding = await asked(client, app)
        thread = (await say(client, finding))["finding"]["thread"]
        edit(client, db, 2, 0, "\n\n# A line above.\n")
        assert (await now(client, finding))["status"] == "answered"
        edit(client, db, 3, WITH + 3, "    with NOTHING:\n", lines=1)
        reopened = await now(client, finding)
        assert reopened["status"] == "open"
        assert reopened["message"] == f"{finding['message']}\n{AGAIN}"
        assert reopened["thread"][:-1] == thread
        assert (reopened["thread"][-1]["author"], reopened["thread"][-1]["text"]) == ("socreates", AGAIN)
        (place,) = reopened["related"]
        assert (place["uri"], place["range"]["start"]["line"]) == (db, WITH + 3)
        await settled(client)
        (shown,) = await client.diagnostics(app)
        assert shown["message"] == f"{finding['message']}\n{AGAIN}"
        assert shown["range"] == finding["range"]
        edit(client, db, 4, WITH + 3, "    with LOCK:\n", lines=1)
        again = await now(client, finding)
        assert (again["status"], again["message"]) == ("answered", finding["message"])
        assert (again["thread"], again["related"]) == (thread, [])
        await settled(client)
        assert await client.diagnostics(app) == []


async def test_a_line_that_holds_more_is_another_line(root: Path, app: str, db: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(db, DB)
        finding = await asked(client, app)
        await say(client, finding)
        edit(client, db, 2, WITH, "    with LOCK: pass\n", lines=1)
        assert (await now(client, finding))["status"] == "open"


async def test_it_opens_when_another_program_changes_the_file(root: Path, app: str, db: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(app, APP)
        finding = await asked(client, app)
        await say(client, finding)
        await settled(client)
        (root / "db.py").write_text(DB.replace("with LOCK:", "if True:"))
        changes = [{"uri": db, "type": 2}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        await settled(client)
        assert [AGAIN in one["message"] for one in await client.diagnostics(app)] == [True]
        (root / "db.py").write_text("# Moved.\n" + DB)
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        await settled(client)
        assert await client.diagnostics(app) == []
        (root / "db.py").unlink()
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": db, "type": 3}]})
        await settled(client)
        assert len(await client.diagnostics(app)) == 1


async def test_it_opens_by_git_checkout_and_in_the_next_session(root: Path, app: str, db: str) -> None:
    def git(*args: str) -> None:
        who = ("-c", "user.name=a", "-c", "user.email=a@b.invalid", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *who, *args], cwd=root, check=True, capture_output=True)

    git("init", "-q")
    git("add", "app.py", "db.py")
    git("commit", "-qm", "with a lock")
    git("checkout", "-qb", "free")
    (root / "db.py").write_text(DB.replace("with LOCK:", "if True:"))
    git("commit", "-qam", "without")
    git("checkout", "-q", "-")
    async with scripted(rootUri=root.as_uri()) as client:
        finding = await asked(client, app)
        await say(client, finding)
        git("checkout", "-q", "free")
        reopened = await now(client, finding)
        assert (reopened["status"], AGAIN in reopened["message"]) == ("open", True)
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(app, APP)
        await settled(client)
        (shown,) = await client.diagnostics(app)
        assert AGAIN in shown["message"]
        again = await client.request("socreates/review", {"uri": app, "ask": ask(read(app, 0, 5), find(app, SAVE))})
        assert [one["status"] for one in again["findings"]] == ["open"]
        git("checkout", "-q", "-")
        assert (await now(client, finding))["status"] == "answered"


async def test_it_opens_in_the_next_session_by_an_edit_there_and_not_by_one_above(
    root: Path, app: str, db: str
) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        finding = await asked(client, app)
        await say(client, finding)
    (root / "db.py").write_text("# A line above.\n" + DB)
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(app, APP)
        client.open(db, "# A line above.\n" + DB)
        await settled(client)
        assert (await now(client, finding))["status"] == "answered"
        edit(client, db, 2, WITH + 1, "", lines=1)
        await settled(client)
        (shown,) = await client.diagnostics(app)
        assert AGAIN in shown["message"]


async def test_both_places_are_linked_in_the_diagnostic_and_named_in_the_hover(root: Path, app: str, db: str) -> None:
    capabilities = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}
    async with scripted(rootUri=root.as_uri(), capabilities=capabilities) as client:
        client.open(app, APP)
        client.open(db, DB)
        finding = await asked(client, app)
        await say(client, finding)
        edit(client, db, 2, WITH, "    if True:\n", lines=1)
        await settled(client)
        (shown,) = await client.diagnostics(app)
        (place,) = shown["relatedInformation"]
        assert (place["location"]["uri"], place["location"]["range"]["start"]["line"]) == (db, WITH)
        where = {"textDocument": {"uri": app}, "position": {"line": SAVE, "character": 6}}
        hover = (await client.request("textDocument/hover", where))["contents"]["value"]
        assert hover.count(AGAIN) == 1
        assert "db.py:7" in hover


async def test_a_reopened_question_whose_own_lines_changed_is_stale(root: Path, app: str, db: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(app, APP)
        client.open(db, DB)
        finding = await asked(client, app)
        await say(client, finding)
        edit(client, app, 2, SAVE, "    db.put(row)\n", lines=1)
        edit(client, db, 2, WITH, "    if True:\n", lines=1)
        assert (await now(client, finding))["status"] == "stale"
        edit(client, app, 3, SAVE, "    db.rows.append(row)\n", lines=1)
        assert (await now(client, finding))["status"] == "open"


async def test_a_new_answer_takes_the_place_of_the_one_that_lost_its_ground(root: Path, app: str, db: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(db, DB)
        finding = await asked(client, app)
        await say(client, finding)
        edit(client, db, 2, WITH, "    with LOCK, OTHER:\n", lines=1)
        assert (await now(client, finding))["status"] == "open"
        await say(client, finding, "Still open, I look into it.")
        assert (await now(client, finding))["status"] == "open"
        answer = await say(client, finding, "Now db.py:7 takes both.")
        assert (answer["finding"]["status"], answer["finding"]["related"]) == ("answered", [])
        edit(client, db, 3, WITH, "    with LOCK:\n", lines=1)
        assert "Now db.py:7 takes both." in (await now(client, finding))["message"]


async def test_whatever_the_verdict_of_a_model_was_it_opens(root: Path, db: str) -> None:
    uri = app_py(root)
    withdrawn = "Then nothing is lost.\n\nVerdict: withdrawn"
    async with talking(root, QUESTION, withdrawn) as (client, model):
        client.open(uri, (root / "app.py").read_text())
        client.open(db, DB)
        (finding,) = (await client.request("socreates/review", {"uri": uri}))["findings"]
        assert (await say(client, finding))["finding"]["status"] == "withdrawn"
        assert "names db.py:7" in model.chats[-1]["messages"][1]["content"]
        edit(client, db, 2, WITH, "    if True:\n", lines=1)
        await settled(client)
        (shown,) = await client.diagnostics(uri)
        assert AGAIN in shown["message"]
        edit(client, db, 3, WITH, "    with LOCK:\n", lines=1)
        assert (await now(client, finding))["status"] == "withdrawn"


async def test_what_was_dismissed_does_not_open(root: Path, app: str, db: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(db, DB)
        finding = await asked(client, app)
        await say(client, finding)
        await client.request("socreates/dismiss", {"id": finding["id"]})
        edit(client, db, 2, WITH, "    if True:\n", lines=1)
        assert (await now(client, finding))["status"] == "dismissed"


async def test_anchors_of_others_open_and_hide_nothing(root: Path, app: str, db: str, own_state: Path) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        await say(client, await asked(client, app))
    for file in own_state.rglob("own-threads.json"):
        file.unlink()
    async with scripted(rootUri=root.as_uri()) as client:
        assert (await asked(client, app))["status"] == "open"


async def test_what_a_model_may_not_read_is_no_ground(root: Path, app: str) -> None:
    (root / ".env").write_text("KEY=very-secret\n")
    async with scripted(rootUri=root.as_uri()) as client:
        assert (await say(client, await asked(client, app), "The key in .env:1 is set."))["finding"]["status"] == "open"
        assert "very-secret" not in (root / ".socreates" / "threads.json").read_text()


async def test_lines_that_a_question_names_are_no_ground(root: Path, app: str, db: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(db, DB)
        finding = await asked(client, app)
        await say(client, finding)
        await say(client, finding, "Is db.py:1 of use here?")
        edit(client, db, 2, 0, "import thread\n", lines=1)
        assert (await now(client, finding))["status"] == "answered"


async def test_a_review_sees_what_changed_on_disk_though_nobody_told(root: Path, app: str, db: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        finding = await asked(client, app)
        await say(client, finding)
        (root / "db.py").write_text(DB.replace("with LOCK:", "if True:"))
        again = await asked(client, app)
        assert (again["id"], again["status"]) == (finding["id"], "open")
        assert AGAIN in again["message"]


async def test_what_is_settled_is_not_counted_among_the_questions(root: Path, app: str, db: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        await say(client, await asked(client, app))
        end = {"end": {"stop": "answered", "summary": "2 questions: all was read."}}
        params = {"uri": app, "ask": ask(read(app, 0, 5), find(app, SAVE), find(app, 0), end)}
        result = await client.request("socreates/review", params)
        assert [one["range"]["start"]["line"] for one in result["findings"]] == [0]
        assert result["summary"] == "1 question: all was read."


def rename(client: BareClient, old: Path, new: Path, *, first: bool) -> None:
    """On disk, and told before or behind it."""
    new.parent.mkdir(exist_ok=True)
    files = [{"oldUri": old.as_uri(), "newUri": new.as_uri()}]
    steps = [lambda: client.notify("workspace/didRenameFiles", {"files": files}), lambda: old.rename(new)]
    for step in steps if first else reversed(steps):
        step()


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("is_open", [True, False])
@pytest.mark.parametrize("to", ["store.py", "sub/db.py"])
async def test_it_goes_along_when_the_cited_file_is_renamed(
    root: Path, app: str, db: str, to: str, is_open: bool, first: bool
) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(app, APP)
        if is_open:
            client.open(db, DB)
        finding = (await say(client, await asked(client, app)))["finding"]
        if is_open:
            client.notify("textDocument/didClose", {"textDocument": {"uri": db}})
        rename(client, root / "db.py", root / to, first=first)
        if is_open:
            client.open((root / to).as_uri(), DB)
        await settled(client)
        assert (await now(client, finding))["status"] == "answered"
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(app, APP)
        assert (await now(client, finding))["status"] == "answered"
        (root / to).write_text(DB.replace("with LOCK", "if LOCK"))
        assert (await now(client, finding))["status"] == "open"


async def test_it_goes_along_when_its_own_file_is_renamed_and_cites_itself(root: Path, app: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        finding = (await say(client, await asked(client, app), "The import at app.py:1 settles it."))["finding"]
        assert finding["status"] == "answered"
        rename(client, root / "app.py", root / "other.py", first=False)
        await settled(client)
        assert (await now(client, finding))["status"] == "answered"
    async with scripted(rootUri=root.as_uri()) as client:
        client.open((root / "other.py").as_uri(), APP)
        there = await now(client, finding)
        assert (there["status"], there["uri"]) == ("answered", (root / "other.py").as_uri())


async def test_what_is_intended_stays_so_when_its_file_is_renamed(root: Path, app: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        finding = (await say(client, await asked(client, app), "It is intended."))["finding"]
        assert finding["status"] == "answered"
        rename(client, root / "app.py", root / "other.py", first=False)
        await settled(client)
    async with scripted(rootUri=root.as_uri()) as client:
        params = {
            "uri": (root / "other.py").as_uri(),
            "ask": ask(read((root / "other.py").as_uri(), 0, 5), find((root / "other.py").as_uri(), SAVE)),
        }
        assert (await client.request("socreates/review", params))["findings"] == []


async def test_it_is_shown_when_the_file_that_it_cites_is_deleted(root: Path, app: str, db: str) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(app, APP)
        await say(client, await asked(client, app))
        (root / "db.py").unlink()
        client.notify("workspace/didDeleteFiles", {"files": [{"uri": db}]})
        shown = lambda: client.seen("textDocument/publishDiagnostics")[-1]["diagnostics"]  # noqa: E731
        assert AGAIN in (await client.wait_for(shown))[0]["message"]


async def test_a_question_that_is_back_is_back_when_it_was_dismissed_and_restored(
    root: Path, app: str, db: str
) -> None:
    async with scripted(rootUri=root.as_uri()) as client:
        client.open(app, APP)
        client.open(db, DB)
        finding = await asked(client, app)
        await say(client, finding)
        edit(client, db, 2, WITH, "    if LOCK:\n", lines=1)
        await settled(client)
        assert (await now(client, finding))["status"] == "open"
        await client.request("socreates/dismiss", {"id": finding["id"]})
        restored = (await client.request("socreates/restore", {"id": finding["id"]}))["finding"]
        assert (restored["status"], AGAIN in restored["message"]) == ("open", True)
        edit(client, db, 3, WITH, "    with LOCK:\n", lines=1)
        await settled(client)
        assert (await now(client, finding))["status"] == "answered"
