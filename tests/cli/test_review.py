"""``socreates-lsp review`` for real: what a reader gets for good input and for bad."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from socreates_lsp.app import App
from socreates_lsp.review.reviewer import ReviewRequest, Scope
from socreates_lsp.workspace import uris

COMMAND = [sys.executable, "-m", "socreates_lsp"]
FEEDS = """\
import requests


def titles(urls):
    found = []
    for url in urls:
        try:
            found.append(requests.get(url).json()["title"])
        except Exception:
            pass
    return found
"""


def ran(folder: Path, *arguments: str | Path, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
        **options,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "feeds.py").write_text(FEEDS)
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def test_a_folder(folder: Path) -> None:
    done = ran(folder, "review")
    assert (done.returncode, done.stderr) == (0, "")
    assert "feeds.py:8:13  question · resources · python-no-timeout\n" in done.stdout
    assert '  8 │             found.append(requests.get(url).json()["title"])\n' in done.stdout
    assert "\x1b" not in done.stdout


def test_json_has_path_and_lines_from_one(folder: Path) -> None:
    done = ran(folder, "review", "feeds.py", "--format", "json", "--fail-on", "question")
    answer = json.loads(done.stdout)
    by_rule = {one["rule"]: one for one in answer["findings"]}
    assert (done.returncode, done.stderr) == (1, "")
    assert (by_rule["python-swallowed"]["path"], by_rule["python-swallowed"]["line"]) == ("feeds.py", 9)
    assert by_rule["python-swallowed"]["endLine"] == 10
    assert answer["stop"] == "answered"
    assert [one["ranges"][0]["start"]["line"] for one in answer["examined"]] == [0]


def test_only_these_lines(folder: Path) -> None:
    done = ran(folder, "review", "feeds.py", "--lines", "9-10")
    assert done.returncode == 0
    assert "python-swallowed" in done.stdout
    assert "python-no-timeout" not in done.stdout


def test_a_selection_past_the_end(folder: Path) -> None:
    done = ran(folder, "review", "feeds.py", "--lines", "50-60")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("socreates-lsp: feeds.py has 1")
    assert done.stderr.count("\n") == 1


def test_the_cap_and_what_comments_hide_are_counted_and_can_be_seen(folder: Path) -> None:
    source = FEEDS.replace("except Exception:", "except Exception:  # socreates: ignore[error-handling] known")
    (folder / "feeds.py").write_text(source)
    capped = ran(folder, "review", "--max-findings", "1").stdout
    assert "1 question:" in capped
    assert "more left out as too many (--max-findings 0 shows these) or too general.\n" in capped
    assert "1 more hidden by comments in the code; --no-suppress shows them.\n" in capped
    assert "python-swallowed" not in ran(folder, "review", "--max-findings", "0").stdout
    everything = ran(folder, "review", "--max-findings", "0", "--no-suppress").stdout
    assert "python-swallowed" in everything
    assert "hidden" not in everything


def test_changes(folder: Path) -> None:
    git(folder, "init", "-q", "-b", "main")
    (folder / "old.py").write_text(FEEDS)
    git(folder, "add", "old.py")
    git(folder, "commit", "-q", "-m", "first")
    done = ran(folder, "review", "--changes")
    assert done.returncode == 0
    assert "feeds.py:8:13" in done.stdout
    assert "old.py" not in done.stdout
    assert "old.py" not in ran(folder, "review", "--changes", "old.py").stdout
    unknown = ran(folder, "review", "--changes", "nowhere")
    assert unknown.returncode == 2
    assert "`nowhere` is no revision" in unknown.stderr


def test_changes_without_a_repository_and_in_an_empty_one(folder: Path) -> None:
    outside = ran(folder, "review", "--changes")
    assert (outside.returncode, outside.stdout) == (2, "")
    assert "not in a git repository" in outside.stderr
    assert outside.stderr.count("\n") == 1
    git(folder, "init", "-q")
    empty = ran(folder, "review", "--changes")
    assert (empty.returncode, empty.stderr) == (0, "")
    assert "feeds.py:8:13" in empty.stdout


def test_changes_without_git(folder: Path) -> None:
    git(folder, "init", "-q")
    done = ran(folder, "review", "--changes", env={**os.environ, "PATH": str(folder)})
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "git was not found" in done.stderr


@pytest.fixture
def bad(folder: Path) -> Path:
    """A folder with everything that can be wrong with a file."""
    (folder / "a.bin").write_bytes(b"\0\1\2\x7fELF" * 100)
    (folder / "nul.py").write_text(f"x = '\0'\n{FEEDS}")
    (folder / "strange.xyz").write_text("hello\n")
    (folder / "utf16.py").write_bytes(FEEDS.encode("utf-16"))
    (folder / "latin1.py").write_bytes(f"# é\n{FEEDS}".encode("latin-1"))
    (folder / "surrogate.py").write_bytes(b"x = '\xed\xa0\x80'\n" + FEEDS.encode())
    (folder / "syntax.py").write_text(f"def (:\n{FEEDS}")
    (folder / "wide.py").write_text(f"x = '{'a' * 2_000_000}'\n{FEEDS}")
    with (folder / "big.py").open("w") as file:
        file.truncate(50_000_000)
    os.mkfifo(folder / "fifo.py")
    with socket.socket(socket.AF_UNIX) as made:
        here = Path.cwd()
        os.chdir(folder)  # the path of a socket must be short
        try:
            made.bind("socket.py")
        finally:
            os.chdir(here)
    (folder / "loop.py").symlink_to("loop.py")
    (folder / "around").symlink_to(".")
    (folder / "dangling.py").symlink_to("nowhere.py")
    closed = folder / "closed"
    closed.mkdir()
    (closed / "hidden.py").write_text(FEEDS)
    closed.chmod(0)
    yield folder
    closed.chmod(0o700)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("missing.py", "there is no such file or folder"),
        ("a.bin", "binary"),
        ("nul.py", "binary"),
        ("wide.py", "a line of 2,000,"),
        ("big.py", "50.0 MB"),
        ("fifo.py", "pipe"),
        ("socket.py", "socket"),
        ("loop.py", "leads back to itself"),
        ("dangling.py", "does not exist"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence(bad: Path, name: str, says: str) -> None:
    done = ran(bad, "review", name)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
    assert done.stderr.startswith("socreates-lsp: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["utf16.py", "latin1.py", "surrogate.py", "syntax.py"])
def test_a_file_that_is_merely_odd_is_reviewed(bad: Path, name: str) -> None:
    done = ran(bad, "review", name, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{name}:" in done.stdout
    assert "python-no-timeout" in done.stdout


def test_a_folder_of_bad_files_loses_nothing_and_ends(bad: Path) -> None:
    done = ran(bad, "review", "--max-findings", "0")
    assert (done.returncode, done.stderr) == (0, "")
    for name in ["feeds.py", "utf16.py", "latin1.py", "surrogate.py", "syntax.py"]:
        assert f"\n{name}:" in f"\n{done.stdout}"
    assert "around" not in done.stdout
    assert "no rules for" in done.stdout
    assert "Traceback" not in done.stdout


def test_the_rest_is_reviewed_where_some_is_bad(bad: Path) -> None:
    done = ran(bad, "review", "feeds.py", "a.bin", "missing.py", "strange.xyz", "fifo.py")
    assert done.returncode == 0
    assert done.stderr == "socreates-lsp: missing.py: there is no such file or folder.\n"
    assert "feeds.py:8:13" in done.stdout
    unwrapped = " ".join(done.stdout.split())
    assert "a.bin is a binary file" in unwrapped
    assert "fifo.py is a pipe" in unwrapped


def test_an_empty_folder_is_no_error(tmp_path: Path) -> None:
    done = ran(tmp_path, "review")
    assert (done.returncode, done.stdout, done.stderr) == (0, "No questions: nothing was examined.\n", "")


def test_a_wrong_setting_is_told_and_the_rest_holds(folder: Path) -> None:
    done = ran(folder, "review", "--set", "review.maxFnidings=1", "--set", "review.maxFindings=1")
    assert done.returncode == 0
    assert "review.maxFnidings" in done.stderr
    assert "1 question:" in done.stdout


def test_a_reader_that_has_enough_is_no_error(folder: Path) -> None:
    shell = f"'{sys.executable}' -m socreates_lsp review --max-findings 0; echo $? >&2"
    with subprocess.Popen(
        ["sh", "-c", shell], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == "0\n"


def test_ctrl_c_ends_at_once_and_leaves_nothing(folder: Path) -> None:
    for number in range(400):
        (folder / f"copy{number}.py").write_text(FEEDS * 60)
    with subprocess.Popen(
        [*COMMAND, "review"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        time.sleep(2)
        os.killpg(process.pid, signal.SIGINT)
        output, complaints = process.communicate(timeout=20)
        assert process.returncode == 130, output
        assert "Traceback" not in complaints
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)


def test_a_misspelt_name_in_a_comment_is_told_and_hides_nothing(folder: Path) -> None:
    source = "import requests\n\n\ndef f(url):\n    return requests.get(url)  # socreates: ignore[{}]\n"
    (folder / "a.py").write_text(source.format("no-timeot"))
    told = ran(folder, "review", "a.py").stdout
    assert "python-no-timeout" in told
    assert "a.py:5: a comment is to hide no-timeot, which is neither a rule nor a category" in told
    for name in ("no-timeout", "resources", "changes-untested"):
        (folder / "a.py").write_text(source.format(name))
        assert "neither a rule" not in ran(folder, "review", "a.py").stdout


def test_a_question_about_a_change_is_asked_and_a_comment_hides_it(folder: Path) -> None:
    git(folder, "init", "-q", "-b", "main")
    guarded = "def load(path):\n    try:\n        return read(path)\n    except OSError:\n        return None\n"
    (folder / "a.py").write_text(guarded)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "x")
    (folder / "a.py").write_text("def load(path):\n    return read(path)\n")
    asked = ran(folder, "review", "--changes").stdout
    assert "changes-handler-removed" in asked
    assert "`read` used to stand under `except OSError`" in asked
    (folder / "a.py").write_text("def load(path):\n    return read(path)  # socreates: ignore[error-handling]\n")
    hidden = ran(folder, "review", "--changes").stdout
    assert "changes-handler-removed" not in hidden
    assert "1 more hidden by comments in the code" in hidden
    assert "changes-handler-removed" in ran(folder, "review", "--changes", "--no-suppress").stdout


def test_what_was_dismissed_in_an_editor_is_not_asked_here(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOCREATES_STATE_DIR", str(folder.parent / "state"))
    found = json.loads(ran(folder, "review", "--format", "json").stdout)["findings"]

    async def dismiss() -> None:
        app = App([uris.from_path(str(folder))])
        try:
            request = ReviewRequest(Scope.WORKSPACE, str(folder))
            kept = {one.id for one in (await app.review(request)).findings}
            assert kept == {one["id"] for one in found}
            for finding_id in sorted(kept)[1:]:
                assert await app.dismissals.dismiss(finding_id, "") is not None
        finally:
            await app.close()

    asyncio.run(dismiss())
    done = ran(folder, "review", "--fail-on", "question")
    assert done.returncode == 1
    assert done.stdout.count("  question · ") == 1
    assert f"{len(found) - 1} more dismissed before." in done.stdout
    assert "1 question: the examiner read 11 lines" in done.stdout
    monkeypatch.setenv("SOCREATES_STATE_DIR", str(folder.parent / "another"))
    elsewhere = ran(folder, "review", "feeds.py")
    assert elsewhere.stdout.count("  question · ") == len(found)
    assert "not made on this machine" in elsewhere.stdout
    accepted = json.loads(ran(folder, "review", "--format", "json", "--set", "review.acceptDismissals=true").stdout)
    assert (len(accepted["findings"]), accepted["dismissed"]) == (1, len(found) - 1)
