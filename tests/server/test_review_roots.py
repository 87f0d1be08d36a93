"""Several roots: a review that names no document covers all of them."""

from __future__ import annotations

import subprocess

import pytest

from tests.server.servers import scripted

CALL = "import requests\n\n\ndef {}(url):\n    return requests.get(url)\n"


def git(root, *arguments) -> None:
    flags = ("-c", "user.name=t", "-c", "user.email=t@t.invalid", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *flags, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def two(tmp_path):
    """Two roots with a fault each; neither is a git repository."""
    roots = [tmp_path / "one", tmp_path / "two"]
    for root in roots:
        root.mkdir()
        (root / f"{root.name}.py").write_text(CALL.format(root.name))
    return roots


def repository(root) -> None:
    """All of a root is committed, and then one call comes in anew."""
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-q", "-m", "x")
    with (root / f"{root.name}.py").open("a") as file:
        file.write("\n\ndef more(url):\n    return requests.post(url)\n")


async def review(roots, **params):
    folders = [{"uri": root.as_uri(), "name": root.name} for root in roots]
    options = {"model": {"provider": "examiner"}}
    async with scripted(workspaceFolders=folders, initializationOptions=options) as client:
        answer = await client.answer_to("socreates/review", {"workDoneToken": "t", **params}, 60)
        done = [one["value"].get("percentage") for one in client.seen("$/progress")]
        steps = [one for one in done if one is not None]
        assert steps == sorted(steps)
        return answer


def names(result) -> list[str]:
    return [one["uri"].rpartition("/")[2] for one in result["findings"]]


@pytest.mark.parametrize("params", [{}, {"scope": "workspace"}])
async def test_the_workspace_is_all_of_its_roots(two, params) -> None:
    result = (await review(two, **params))["result"]
    assert names(result) == ["one.py", "two.py"]
    assert [one["uri"].rpartition("/")[2] for one in result["examined"]] == ["one.py", "two.py"]
    assert "one: 1 question" in result["summary"]
    assert "two: 1 question" in result["summary"]


@pytest.mark.parametrize("params", [{}, {"scope": "changes"}])
@pytest.mark.parametrize("changed", [0, 1])
async def test_changes_are_those_of_every_root_and_one_without_git_is_passed_over_with_a_sentence(
    two, params, changed
) -> None:
    repository(two[changed])
    result = (await review(two, **params))["result"]
    assert names(result) == [f"{two[changed].name}.py"]
    assert [one["range"]["start"]["line"] for one in result["findings"]] == [8]
    assert f"{two[1 - changed].name} was passed over." in str(result["skipped"])


async def test_changes_of_both_roots(two) -> None:
    for root in two:
        repository(root)
    result = (await review(two, scope="changes"))["result"]
    assert names(result) == ["one.py", "two.py"]
    assert result["skipped"] == []


async def test_no_root_with_git_is_one_sentence_for_each(two) -> None:
    error = (await review(two, scope="changes"))["error"]
    assert error["code"] == -32803
    assert error["message"].count("was passed over.") == 2


async def test_a_document_that_is_named_is_reviewed_alone(two) -> None:
    result = (await review(two, uri=(two[1] / "two.py").as_uri()))["result"]
    assert names(result) == ["two.py"]


@pytest.mark.parametrize("scope", ["workspace", "changes"])
async def test_a_root_within_another_one_is_read_once_and_keeps_its_own(tmp_path, scope: str) -> None:
    outer, inner = tmp_path / "outer", tmp_path / "outer" / "inner"
    inner.mkdir(parents=True)
    for root in (outer, inner):
        (root / "same.py").write_text("x = 1\n")
    git(outer, "init", "-q")
    git(outer, "add", ".")
    git(outer, "commit", "-q", "-m", "x")
    for root in (outer, inner):
        (root / "same.py").write_text(CALL.format("same"))
    for roots in ([outer, inner], [inner, outer]):
        result = (await review(roots, scope=scope))["result"]
        assert sorted(one["uri"] for one in result["findings"]) == sorted((root / "same.py").as_uri() for root in roots)
        assert sorted(one["uri"] for one in result["examined"]) == sorted((root / "same.py").as_uri() for root in roots)
