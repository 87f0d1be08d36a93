"""Scope ``changes``: what git says is new, with the open buffers in place of their files."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from tests.server.servers import ask, find, scripted

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")

OLD = "import requests\n\n\ndef old(url):\n    return requests.get(url)\n"
NEW = "\n\ndef new(url):\n    return requests.get(url, params={})\n"


@pytest.fixture(autouse=True)
def no_git_of_the_user(monkeypatch, tmp_path):
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def git(root, *arguments: str) -> None:
    identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def repository(root):
    """A repository with one commit."""
    git(root, "init", "-q", "-b", "main")
    (root / "app.py").write_text(OLD)
    (root / "other.py").write_text(OLD.replace("old", "other"))
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "A step")
    return root


@pytest.fixture
async def client(root):
    async with scripted(rootUri=root.as_uri()) as client:
        yield client


def timeouts(result: dict) -> list[tuple[str, int]]:
    """Where the question about a missing time limit is asked."""
    found = [one for one in result["findings"] if one["rule"] == "python-no-timeout"]
    return [(one["uri"].rpartition("/")[2], one["range"]["start"]["line"]) for one in found]


async def test_by_default_the_changes_if_there_are_any_else_the_workspace(client, repository) -> None:
    result = await client.request("socreates/review", {}, 60)
    assert timeouts(result) == [("app.py", 4), ("other.py", 4)], "nothing changed, so all of it"
    (repository / "app.py").write_text(OLD + NEW)
    result = await client.request("socreates/review", {"workDoneToken": 1}, 60)
    assert timeouts(result) == [("app.py", 8)], "the old lines are not asked about"
    assert client.seen("$/progress")[0]["value"]["title"] == "Socreates reads your changes"
    [examined] = [one for one in result["examined"] if one["uri"].endswith("app.py")]
    assert examined["ranges"] == [{"start": {"line": 5, "character": 0}, "end": {"line": 8, "character": 39}}]
    assert not [one for one in result["examined"] if one["uri"].endswith("other.py")]


async def test_staged_unstaged_and_untracked_all_count(client, repository) -> None:
    (repository / "app.py").write_text(OLD + NEW)
    git(repository, "add", "app.py")
    (repository / "other.py").write_text(OLD + NEW)
    (repository / "third.py").write_text(OLD)
    result = await client.request("socreates/review", {"scope": "changes"}, 60)
    assert set(timeouts(result)) >= {("app.py", 8), ("third.py", 4)}


async def test_a_base_is_a_revision_to_compare_with(client, repository) -> None:
    (repository / "app.py").write_text(OLD + NEW)
    git(repository, "commit", "-q", "-a", "-m", "Another step")
    assert timeouts(await client.request("socreates/review", {"scope": "changes"}, 60)) == []
    assert timeouts(await client.request("socreates/review", {"base": "HEAD~1"}, 60)) == [("app.py", 8)]


async def test_unsaved_changes_count_where_they_stand_in_the_buffer(client, repository) -> None:
    uri = (repository / "app.py").as_uri()
    client.open(uri, "# not saved\n\n" + OLD + NEW, version=4)
    result = await client.request("socreates/review", {"scope": "changes"}, 60)
    assert timeouts(result) == [("app.py", 10)]
    shown = await client.diagnostics(uri, version=4)
    assert 10 in [one["range"]["start"]["line"] for one in shown]


async def test_changes_on_disk_and_more_of_them_in_the_buffer(client, repository) -> None:
    uri = (repository / "app.py").as_uri()
    (repository / "app.py").write_text(OLD + NEW)
    client.open(uri, "# not saved\n\n" + OLD + NEW, version=4)
    result = await client.request("socreates/review", {"scope": "changes"}, 60)
    assert timeouts(result) == [("app.py", 10)]


async def test_what_was_found_outside_of_the_changes_stays(client, repository) -> None:
    uri = (repository / "app.py").as_uri()
    (repository / "app.py").write_text(OLD + NEW)
    client.open(uri, OLD + NEW)
    await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 4), find(uri, 7))})
    await client.request("socreates/review", {"scope": "changes"}, 60)
    left = (await client.request("socreates/findings", {"uri": uri}))["findings"]
    assert {(one["range"]["start"]["line"], one.get("rule")) for one in left} >= {(4, None), (8, "python-no-timeout")}
    assert (7, None) not in {(one["range"]["start"]["line"], one.get("rule")) for one in left}


@pytest.mark.parametrize(
    "params", [{"scope": "changes", "base": "nowhere"}, {"base": "--output=/tmp/x"}, {"base": "a\0b"}]
)
async def test_a_revision_that_is_none_is_one_sentence(client, repository, params) -> None:
    error = (await client.answer_to("socreates/review", params, 60))["error"]
    assert error["code"] == -32803
    assert "\n" not in error["message"]


async def test_no_repository_is_one_sentence(client, root) -> None:
    (root / "app.py").write_text(OLD)
    error = (await client.answer_to("socreates/review", {"scope": "changes"}, 60))["error"]
    assert error["code"] == -32803
    assert "git" in error["message"]
    assert timeouts(await client.request("socreates/review", {}, 60)) == [("app.py", 4)], "by default it is no matter"


async def test_a_repository_without_a_commit(client, root) -> None:
    git(root, "init", "-q")
    result = await client.request("socreates/review", {}, 60)
    assert (result["findings"], result["stop"]) == ([], "answered")
    (root / "app.py").write_text(OLD)
    assert timeouts(await client.request("socreates/review", {"scope": "changes"}, 60)) == [("app.py", 4)]


async def test_no_changes_are_said_to_be_none(client, repository) -> None:
    result = await client.request("socreates/review", {"scope": "changes"}, 60)
    assert (result["findings"], result["examined"], result["stop"]) == ([], [], "answered")
    assert result["summary"].startswith("No questions")


async def test_the_document_only_chooses_the_root(repository, tmp_path) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    folders = [{"uri": root.as_uri(), "name": root.name} for root in (other, repository)]
    (repository / "app.py").write_text(OLD + NEW)
    async with scripted(workspaceFolders=folders) as client:
        params = {"scope": "changes", "uri": (repository / "other.py").as_uri()}
        assert timeouts(await client.request("socreates/review", params, 60)) == [("app.py", 8)]
