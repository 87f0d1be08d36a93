"""Running a command: who is asked what, where it runs, and that nothing of it is left."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest

from socreates_lsp.settings.choices import Sandbox
from socreates_lsp.tools import throwaway
from socreates_lsp.tools.leave import DENY, NOT_ALLOWED, ONCE, SESSION, Leave
from socreates_lsp.tools.output import Kept
from socreates_lsp.tools.running import Finished
from socreates_lsp.tools.supervisor import LOADING
from socreates_lsp.tools.toolbox import toolbox
from tests.tools.test_search import until
from tests.workspace.conftest import as_nobody

PYTHON = f"'{sys.executable}' -c "


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """Where copies are made, so that it can be seen that they go."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


async def run(site, command, *answers, limit=4000):
    site.user.answers = list(answers or (ONCE,))
    return await site.call("run_command", limit, command=command)


async def test_the_user_is_shown_exactly_what_runs(site) -> None:
    site.write({"a.txt": "hello\n"})
    result = await run(site, "cat   a.txt", ONCE)
    assert result.text == "exit code 0\nhello"
    assert not result.failed
    assert site.user.choices == [("Deny", "Run once", "Allow for this session")]
    assert site.user.questions[0].endswith(".\ncat   a.txt")
    assert "without a shell" in site.user.questions[0]
    assert "not isolated" in site.user.questions[0]
    assert site.told == [("cat   a.txt", "Run once")]


async def test_a_shell_is_told(site) -> None:
    result = await run(site, "echo a\u202e | cat", ONCE)
    assert "a" in result.text
    assert "in a shell (/bin/sh -c)" in site.user.questions[0]
    assert "echo a‹U+202E› | cat" in site.user.questions[0]


@pytest.mark.parametrize("answer", [DENY, None, "Yes", ""])
async def test_anything_but_leave_is_no(site, answer) -> None:
    site.write({"a": ""})
    result = await run(site, "touch b", answer)
    assert result.failed
    assert result.text == "The user did not allow this command: go on without it, and do not ask for it again."
    assert site.told == [("touch b", answer or "no answer")]


async def test_leave_for_the_session_is_for_this_very_command(site) -> None:
    await run(site, "echo 1", SESSION)
    assert (await run(site, "echo 1", DENY)).text == "exit code 0\n1"
    assert (await run(site, "echo 1 ", DENY)).failed
    assert (await run(site, "echo 2", DENY)).failed
    assert len(site.user.questions) == 3
    assert [answer for _, answer in site.told] == [SESSION, "allowed for this session", DENY, DENY]
    site.granted.clear()
    assert (await run(site, "echo 1", DENY)).failed


async def test_leave_once_is_for_once(site) -> None:
    await run(site, "echo 1", ONCE)
    assert (await run(site, "echo 1", DENY)).failed


async def test_what_was_denied_is_not_asked_about_again(site) -> None:
    site.user.answers = [DENY, None, ONCE]
    tool = site.tools()["run_command"]
    said = [await tool.run({"command": one}, 1000) for one in ("echo  1", "echo '1'", "ls; ls", "ls;   ls", "echo 2")]
    assert [one.failed for one in said] == [True, True, True, True, False]
    assert {one.text for one in said[:4]} == {NOT_ALLOWED}
    assert len(site.user.questions) == 3
    assert site.told == [
        ("echo  1", DENY), ("echo '1'", "denied before"), ("ls; ls", "no answer"), ("ls;   ls", "denied before"),
        ("echo 2", ONCE),
    ]  # fmt: skip


async def test_denials_are_kept_where_they_are_to_be_kept_and_silence_for_the_turn(site) -> None:
    denied: set[str] = set()

    async def failed(*answers):
        site.user.answers = list(answers)
        leave = Leave(site.policy, site.user, lambda *_: None, denied=denied)
        tool = toolbox(str(site.root), site.workspace, site.policy, leave, trusted=True)[-1]
        return [(await tool.run({"command": one}, 1000)).failed for one in ("echo 1", "echo 2", "echo 2")]

    assert await failed(DENY, None) == [True, True, True]
    assert len(site.user.questions) == 2
    assert denied == {"echo 1"}
    assert await failed(ONCE, ONCE) == [True, False, False]
    assert len(site.user.questions) == 4


async def test_what_is_asked_about_each_time_is_denied_once(site) -> None:
    site.policy = replace(site.policy, commands_ask=("echo",))
    site.user.answers = [ONCE, DENY, ONCE]
    tool = site.tools()["run_command"]
    assert [(await tool.run({"command": "echo 1"}, 1000)).failed for _ in range(3)] == [False, True, True]
    assert len(site.user.questions) == 2


async def test_no_more_than_five_prompts_a_turn(site) -> None:
    site.policy = replace(site.policy, auto_approve=("echo",))
    site.user.answers = [ONCE, DENY, SESSION, DENY, ONCE, ONCE]
    tool = site.tools()["run_command"]
    said = [await tool.run({"command": f"printf {n}"}, 1000) for n in range(7)]
    assert [one.failed for one in said] == [False, True, False, True, False, True, True]
    assert said[5].text.startswith("Too many commands were asked about")
    assert len(site.user.questions) == 5
    assert site.told[5:] == [("printf 5", "too many to ask"), ("printf 6", "too many to ask")]
    assert not (await tool.run({"command": "printf 2"}, 1000)).failed
    assert not (await tool.run({"command": "echo 1"}, 1000)).failed


async def test_prompts_of_one_round_wait_for_each_other(site) -> None:
    site.user.answers = [SESSION]
    tool = site.tools()["run_command"]
    both = await asyncio.gather(*(tool.run({"command": "echo 1"}, 1000) for _ in range(3)))
    assert [one.text for one in both] == ["exit code 0\n1"] * 3
    assert len(site.user.questions) == 1


async def test_what_the_settings_approve_runs_without_asking(site) -> None:
    site.policy = replace(site.policy, auto_approve=("echo", "pip install"))
    assert (await run(site, "echo 1")).text == "exit code 0\n1"
    assert site.user.questions == []
    assert site.told == [("echo 1", "allowed by policy.autoApprove")]
    assert (await run(site, "echo 1; ls", DENY)).failed
    assert (await run(site, "pip install x", DENY)).failed
    assert len(site.user.questions) == 2


async def test_what_is_asked_about_each_time_is_never_remembered(site) -> None:
    site.policy = replace(site.policy, commands_ask=("echo",))
    await run(site, "echo 1", ONCE)
    assert site.user.choices == [("Deny", "Run once")]
    assert (await run(site, "echo 1", SESSION)).failed
    site.granted.add("echo 1")
    assert (await run(site, "echo 1", DENY)).failed


async def test_what_is_forbidden_is_not_even_asked_about(site) -> None:
    site.granted.add("sudo ls")
    site.policy = replace(site.policy, auto_approve=("sudo",))
    result = await run(site, "sudo ls")
    assert result.failed
    assert "`sudo` is never run" in result.text
    assert site.user.questions == []
    assert site.told == [("sudo ls", "refused by policy.commandsDeny")]


async def test_a_sandbox_that_is_required_and_not_there(site) -> None:
    site.policy = replace(site.policy, sandbox=Sandbox.REQUIRED)
    result = await run(site, "ls")
    assert result.failed
    assert "policy.sandbox is required" in result.text
    assert site.user.questions == []


async def test_the_workspace_by_its_full_path_is_refused(site) -> None:
    site.write({"a": "x"})
    before = site.snapshot()
    result = await run(site, f"rm {site.root}/a")
    assert result.failed
    assert "use relative paths" in result.text
    assert site.snapshot() == before


@pytest.mark.parametrize(
    "command",
    [
        "sh -c 'rm -r -- * .[!.]*'",
        "find . -mindepth 1 -delete",
        "for f in $(find . -type f); do echo broken > $f; done",
        "chmod -R 000 .",
        "ln -s / everything; mkdir -p a/b; chmod 000 a; touch '-rf'",
    ],
)
async def test_a_command_that_deletes_every_file_leaves_the_workspace_as_it_was(site, command) -> None:
    site.write({"a.py": "1", "b/c/d.py": b"\r\n\xff", ".hidden": "x", "b/run.sh": "#!/bin/sh\n", "bin": b"\0\1"})
    (site.root / "b/run.sh").chmod(0o755)
    (site.root / "link").symlink_to("a.py")
    (site.root / "b/up").symlink_to("..")
    before = site.snapshot()
    result = await run(site, command)
    assert result.text.startswith("exit code")
    assert site.snapshot() == before


async def test_the_copy_has_files_and_buffers_and_links_inside(site, tmp_path) -> None:
    (tmp_path / "outside.txt").write_text("SECRET")
    site.write(
        {
            "a.py": "disk", "run.sh": "#!/bin/sh\necho ran", ".env": "SECRET", "secrets/k": "SECRET",
            ".gitignore": "out/\n", "out/x": "1", "d/e.py": "2", "binary": b"\0\xff", "crlf.txt": b"a\r\nb",
        }
    )  # fmt: skip
    (site.root / "run.sh").chmod(0o755)
    for name, goal in {
        "in": "d", "one.py": "a.py", "d/abs": f"{site.root}/a.py", "off": f"{tmp_path}/outside.txt", "gone": "nowhere",
        "env": ".env", "built": "out", "loop": "loop", ".venv": "d",
    }.items():  # fmt: skip
        (site.root / name).symlink_to(goal)
    site.open("a.py", "buffer\r\n🦉")
    site.open("new/n.py", "new")
    result = await run(
        site, "find . | sort; cat a.py new/n.py; ./run.sh; readlink in d/abs; pwd; od -c crlf.txt binary"
    )
    names = re.findall(r"^\./(.*)$", result.text, re.MULTILINE)
    assert names == [
        ".gitignore", "a.py", "binary", "crlf.txt", "d", "d/abs", "d/e.py", "in", "new", "new/n.py", "one.py", "run.sh",
    ]  # fmt: skip
    assert "buffer\n🦉new" in result.text
    assert "ran\nd\n../a.py\n" in result.text
    assert "/tmp/socreates-" in result.text
    assert "/workspace\n" in result.text
    assert r"\r  \n" in result.text
    assert "SECRET" not in result.text
    assert "[2 files left out, by policy.readDeny.]" in result.text


async def test_a_file_that_goes_away_or_can_not_be_read_while_it_is_copied(site, monkeypatch) -> None:
    site.write({"a.py": "1", "b.py": "2", "c.py": "3", "d.py": "4"})
    real = throwaway.shutil.copy2

    def copy(source, target, **more):
        if source.name == "a.py":
            source.unlink()
        if source.name == "b.py":
            raise PermissionError(13, "Permission denied")
        if source.name == "d.py":
            source.unlink()
            source.symlink_to("/etc/passwd")
        return real(source, target, **more)

    monkeypatch.setattr(throwaway.shutil, "copy2", copy)
    assert (await run(site, "ls")).text == "exit code 0\nc.py\n[1 file could not be read, and left out.]"


async def test_a_full_disk_is_told(site, monkeypatch) -> None:
    site.write({"a.py": "1"})

    def copy(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(throwaway.shutil, "copy2", copy)
    result = await run(site, "ls")
    assert result.failed
    assert "could not be copied (No space left on device)" in result.text


async def test_a_workspace_that_is_too_large_is_refused_before_anybody_is_asked(site, monkeypatch) -> None:
    monkeypatch.setattr(throwaway, "LARGEST", 1000)
    site.write({"a.py": "x" * 1001})
    result = await run(site, "ls")
    assert result.failed
    assert "1.0 kB" in result.text
    assert site.user.questions == []


async def test_the_environment_is_bare(site, monkeypatch) -> None:
    monkeypatch.setenv("API_KEY", "SECRET")
    monkeypatch.setenv("PATH", f"{site.root}/bin:.::{os.environ['PATH']}")
    site.write({"bin/ls": "#!/bin/sh\necho TRAP\n", "a": ""})
    (site.root / "bin/ls").chmod(0o755)
    result = await run(site, "env")
    found = dict(line.split("=", 1) for line in result.text.split("\n")[1:])
    assert set(found) == {"PATH", "HOME", "LANG", *throwaway._QUIET}
    assert not any(entry in {"", "."} or entry.startswith(str(site.root)) for entry in found["PATH"].split(":"))
    assert "TRAP" not in (await run(site, "ls")).text
    assert (await run(site, "sh -c 'ls -A \"$HOME\"'")).text == "exit code 0\n[no output]"


async def test_the_parent_of_a_command_has_no_more_in_its_environment_than_the_command(site) -> None:
    result = await run(site, "tr '\\0' '\\n' < /proc/$PPID/environ")
    found = dict(line.split("=", 1) for line in result.text.split("\n")[1:])
    # Ours is elsewhere, whatever else is in our environment.
    assert found["HOME"].startswith(tempfile.gettempdir())
    assert set(found) - set(LOADING) == {"PATH", "HOME", "LANG", *throwaway._QUIET}
    assert str(os.getpid()) not in (await run(site, "echo .$PPID.")).text.split(".")


@pytest.mark.parametrize("language", ["C", "C.UTF-8", "de_DE.ISO-8859-1"])
async def test_what_starts_the_parent_is_not_passed_on_and_bytes_are(site, monkeypatch, language) -> None:
    monkeypatch.setenv("LANG", language)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/nowhere")
    result = await run(site, "env")
    assert {line.partition("=")[0] for line in result.text.split("\n")[1:]} == {
        "PATH", "HOME", "LANG", *throwaway._QUIET,
    }  # fmt: skip
    assert (await run(site, "printf %s é🦉 | od -An -tx1")).text == "exit code 0\n c3 a9 f0 9f a6 89"


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("trap '' TERM INT HUP; kill 0; kill -INT 0; kill -HUP 0; echo alive", "exit code 0\nalive"),
        ("kill -TERM $$; echo alive", "ended by signal 15 (SIGTERM)\n[no output]"),
        ("kill -9 $PPID; sleep 60", "ended by signal 9 (SIGKILL)\n[no output]"),
        ("yes | head -n 1", "exit code 0\ny"),
        ("ls /proc/self/fd | wc -l", "exit code 0\n4"),
        ("sh -c 'exit 255'", "exit code 255\n[no output]"),
    ],
)
async def test_signals_and_open_files_are_those_of_a_command_that_stands_alone(site, command, text) -> None:
    assert (await run(site, command)).text == text


async def test_there_is_no_input_and_no_terminal(site) -> None:
    assert (await run(site, "cat")).text == "exit code 0\n[no output]"
    assert (await run(site, "test -t 0 || test -t 1 || echo none")).text == "exit code 0\nnone"


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("false", "exit code 1\n[no output]"),
        ("sh -c 'echo out; echo err >&2; exit 7'", "exit code 7\nout\nerr"),
        ("sh -c 'kill -9 $$'", "ended by signal 9 (SIGKILL)\n[no output]"),
        ("printf 'a\\033[31mb\\377\\r\\n'", "exit code 0\nab\ufffd"),
    ],
)
async def test_the_outcome_is_data(site, command, text) -> None:
    result = await run(site, command)
    assert result.text == text
    assert not result.failed


async def test_a_long_output_is_cut_in_the_middle(site) -> None:
    result = await run(site, "seq 100000", limit=500)
    assert result.text.startswith("exit code 0\n1\n2\n")
    assert result.text.endswith("\n100000")
    assert "characters left out]" in result.text
    assert len((await run(site, "seq 100000", limit=30)).text) <= 30


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("no-such-program x", "There is no program no-such-program on PATH"),
        ("./none", "There is no program ./none"),
        ("./plain", "may not be executed"),
        ("./empty", "could not be started"),
    ],
)
async def test_a_program_that_can_not_be_started(site, command, words) -> None:
    site.write({"plain": "x", "empty": b"\x7fELF"})
    (site.root / "empty").chmod(0o755)
    result = await run(site, command)
    assert result.failed
    assert words in result.text


async def test_the_time_is_limited_and_what_was_said_is_kept(site) -> None:
    site.policy = replace(site.policy, command_seconds=0.3)
    result = await run(site, "echo begun; sleep 60")
    assert result.failed
    assert result.text == "stopped: it did not end within 0.3 seconds\nbegun"


async def test_a_child_that_holds_the_output_is_not_waited_for_and_ended(site, tmp_path) -> None:
    pid = tmp_path / "pid"
    result = await run(site, f"sleep 300 & echo $! > {pid}; echo done")
    assert result.text == "exit code 0\ndone"
    await until(lambda: not is_alive(int(pid.read_text())))


async def test_a_child_in_a_session_of_its_own_is_not_waited_for(site, tmp_path) -> None:
    pid = tmp_path / "pid"
    script = f"import os, time; open({str(pid)!r}, 'w').write(str(os.getpid())); os.setsid(); time.sleep(300)"
    code = f"import subprocess, sys, time, os; subprocess.Popen([sys.executable, '-c', {script!r}])\n"
    code += f"while not (os.path.exists({str(pid)!r}) and os.path.getsize({str(pid)!r})): time.sleep(0.01)\n"
    code += "time.sleep(0.2); print('done')"
    site.write({"a.py": code})
    try:
        assert (await run(site, f"'{sys.executable}' a.py")).text == "exit code 0\ndone"
    finally:
        os.kill(int(pid.read_text()), 9)


async def test_cancelling_ends_the_command_and_its_children_and_the_copy(site, tmp_path, temporary) -> None:
    pid = tmp_path / "pid"
    site.user.answers = [ONCE]
    command = f"sleep 300 & echo $! > {pid}; sleep 301"
    task = asyncio.ensure_future(site.tools()["run_command"].run({"command": command}, 1000))
    await until(lambda: pid.exists() and pid.read_text().strip())
    assert list(temporary.iterdir())
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await until(lambda: not is_alive(int(pid.read_text())))
    await until(lambda: not list(temporary.iterdir()))


async def test_cancelling_while_the_user_thinks_or_while_it_is_copied(site, monkeypatch, temporary) -> None:
    site.write({f"{n}.py": "" for n in range(50)})
    waiting = asyncio.Event()

    class Thinking:
        async def ask(self, question, choices):
            waiting.set()
            await asyncio.Event().wait()

    site.user = Thinking()
    task = asyncio.ensure_future(site.tools()["run_command"].run({"command": "ls"}, 1000))
    await waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert site.told == []


async def test_no_command_in_a_workspace_that_is_not_trusted(site) -> None:
    assert list(site.tools(trusted=False)) == ["list_files", "read_file", "search"]
    assert list(site.tools()) == ["list_files", "read_file", "search", "run_command"]


@pytest.mark.parametrize("arguments", [{}, {"command": ["ls"]}, {"command": ""}, {"command": "ls", "cwd": "/"}])
async def test_wrong_arguments_are_told(site, arguments) -> None:
    assert (await site.call("run_command", **arguments)).failed
    assert site.user.questions == []


def test_an_unknown_signal_has_a_number() -> None:
    assert Finished(-200, Kept(1)).outcome(1) == "ended by signal 200"


def is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_a_copy_whose_rights_were_taken_away_is_removed_and_nothing_that_it_links_to(open_to_all) -> None:
    tmp_path = open_to_all
    outside = tmp_path / "outside"
    outside.mkdir()
    outside.chmod(0o755)
    place = tmp_path / "place"
    place.mkdir()
    place.chmod(0o777)

    def work():
        base = place / "copy"
        (base / "a" / "b").mkdir(parents=True)
        (base / "a" / "b" / "c").write_text("x")
        (base / "a" / "link").symlink_to(outside)
        (base / "a" / "b").chmod(0)
        (base / "a").chmod(0)
        throwaway._remove(str(base))
        return base.exists()

    assert as_nobody(work) is False
    assert outside.stat().st_mode & 0o777 == 0o755


async def test_names_that_are_no_utf_8(site) -> None:
    site.write({"a": ""})
    with open(os.fsencode(site.root) + b"/\xff.py", "wb") as file:
        file.write(b"parse\n")
    assert "\ufffd.py (6 B)" in (await site.call("list_files")).text
    assert (await site.call("search", pattern="parse")).text == "\ufffd.py:1: parse"
    assert "2" in (await run(site, "sh -c 'ls | wc -l'")).text


async def test_errors_of_the_machine_are_told_in_a_sentence(site, monkeypatch) -> None:
    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(throwaway.tempfile, "mkdtemp", refuse)
    result = await run(site, "ls")
    assert result.failed
    assert "No space left" in result.text
