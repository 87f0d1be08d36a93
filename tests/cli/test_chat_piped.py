"""``socreates-lsp chat`` through a pipe: a line is a question or a command; answers on standard output, no marks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from socreates_lsp.testkit.script import Reply
from socreates_lsp.testkit.server import ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

APP = "def load(path):\n    return open(path).read()\n"


def environment(model: ScriptedServer | None) -> dict[str, str]:
    env = {**os.environ, "SOCREATES_MODEL__PROVIDER": "examiner", "SOCREATES_REVIEW__LEADS": "false"}
    if model is not None:
        env |= {"SOCREATES_MODEL__PROVIDER": "openai", "SOCREATES_MODEL__BASE_URL": model.openai_url}
    return env | {"SOCREATES_REVIEW__VERIFY": "false", "SOCREATES_MODEL__RETRIES": "0", "FORCE_COLOR": ""}


COMMAND = [sys.executable, "-P", "-m", "socreates_lsp", "chat"]


def talked(
    folder: Path, text: str, *arguments: str, model: ScriptedServer | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], cwd=folder, input=text, capture_output=True, text=True, timeout=120, check=False,
        env=environment(model),
    )  # fmt: skip


def wait_for(condition: Callable[[], object]) -> None:
    until = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def said(text: str) -> Reply:
    return Reply(text=text, prompt_tokens=3000)


def test_a_question_through_a_pipe(root: Path) -> None:
    (root / "app.py").write_text(APP)
    with ScriptedServer([said("Who closes **it** at app.py:2?\n\n- you?")]) as model:
        done = talked(root, "review my error handling\n", model=model)
        assert (done.stdout, done.stderr, done.returncode) == ("Who closes **it** at app.py:2?\n\n- you?\n", "", 0)
        assert "review my error handling" in model.chats[0]["messages"][-1]["content"]


def test_several_lines_are_one_conversation(root: Path) -> None:
    with ScriptedServer([said("One?"), said("Two?")]) as model:
        done = talked(root, "first\n\nsecond \\\nof two lines\nexit\nnever asked\n", model=model)
        assert done.stdout == "One?\n\nTwo?\n"
        assert len(model.chats) == 2
        roles = [(one["role"], one["content"]) for one in model.chats[1]["messages"][1:]]
        assert roles[1] == ("assistant", "One?")
        assert "second \nof two lines" in roles[2][1]
        again = talked(root, "third", model=ScriptedServerOf(model, said("Three?")))
        assert again.stdout == "Three?\n"
        assert len(model.chats[2]["messages"]) == 6, "it goes on after a restart"


def ScriptedServerOf(model: ScriptedServer, reply: Reply) -> ScriptedServer:
    """The same server, which answers once more."""
    model._next = lambda _: reply
    return model


def test_a_model_that_fails_is_a_sentence_on_standard_error(root: Path) -> None:
    with ScriptedServer([Reply(status=401, error="no"), said("Yes?")]) as model:
        done = talked(root, "one\ntwo\n", model=model)
    assert (done.stdout.strip(), done.returncode) == ("Yes?", 2)
    assert "key" in done.stderr
    assert done.stderr.count("\n") == 1


def test_without_a_model_it_says_what_to_do_and_reviews(root: Path) -> None:
    (root / "app.py").write_text("import requests\n\n\ndef f(url):\n    return requests.get(url).json()\n")
    (root / "pyproject.toml").write_text('[project]\nname = "thing"\ndependencies = ["requests"]\n')
    done = talked(root, "what?\n/survey\n/review app.py\n/dismiss 1 we know\n/dismiss\n/review app.py:4-5\n")
    assert done.returncode == 0, done.stderr
    assert "model.provider" in done.stdout.splitlines()[0]
    assert "## Dependencies" in done.stdout
    assert "python-no-timeout  #1" in done.stdout
    assert "Dismissed, and not asked again: app.py:5" in done.stdout
    assert "1 more dismissed before" in done.stdout
    assert "\x1b" not in done.stdout


CANNOT = {
    "/reveiw app.py": "did you mean /review?",
    "/xyzzy": "/help lists them.",
    "/review nowhere.py": "nowhere.py: there is no such file or folder.",
    "/review app.py:9-2": "is no range of lines",
    "/review 'app.py": "a quotation mark is not closed",
    "/review --format json": "unrecognized arguments",
    "/dismiss 4": "there is no finding 4: no findings were shown yet.",
    "/plan maybe": "maybe is neither on nor off.",
    "/memory forget 12": "there is no fact with the id 12",
    "/memory burn": "write /memory",
    "/state xml": "write /state",
    "/model nonsense": "No Ollama answers",
}


def test_what_cannot_be_done_is_one_sentence(root: Path) -> None:
    (root / "app.py").write_text(APP)
    done = talked(root, "\n".join(CANNOT), "--set", "model.provider=auto")
    assert (done.stdout.strip(), done.returncode) == ("", 2)
    told = done.stderr.splitlines()
    assert len(told) == len(CANNOT)
    for line, sentence in zip(told, CANNOT.values(), strict=True):
        assert line.startswith("socreates-lsp: ")
        assert sentence in line


def test_a_path_at_the_start_is_a_question(root: Path) -> None:
    with ScriptedServer([said("It is.")]) as model:
        assert talked(root, "/etc/hosts: is it read?\n", model=model).stdout == "It is.\n"


def test_switches_hold_for_the_session(root: Path) -> None:
    with ScriptedServer([]) as model:
        done = talked(root, "/plan on\n/supervise off\n/plan\nwhat?\n", model=model)
        assert "Plan mode is on (for this session)" in done.stdout
        assert "Supervision is off (for this session): " in done.stdout
        assert "commands ask all the same" in done.stdout
        assert "nobody is here who could approve a plan" in done.stdout + done.stderr
        assert model.chats == []


def test_supervision_off_frees_no_command(root: Path) -> None:
    with ScriptedServer([Reply(calls=(("run_command", {"command": "touch here"}),)), said("No?")]) as model:
        done = talked(root, "/supervise off\nrun it\n", model=model)
        assert done.stdout.endswith("No?\n")
        assert [one["function"]["name"] for one in model.chats[0]["tools"]].count("run_command") == 0
        assert "There is no tool run_command" in model.chats[1]["messages"][-1]["content"]


def test_what_the_commands_tell(root: Path) -> None:
    with ScriptedServer([said("What is it?")], models={"m": {}, "other": {}}) as model:
        lines = "what?\n/state\n/state json\n/memory\n/tools\n/model m\n/status\n/reset\n/help\n"
        done = talked(root, lines, "--set", "model.name=other", model=model)
    assert (done.stderr, done.returncode) == ("", 0)
    out = done.stdout
    state = json.loads(out[out.index("{") : out.index("\n}\n") + 3])
    assert state["request"] == "what?"
    for part in (
        "read_file        reads",
        "m answers, at http://127.0.0.1:",
        "Answers   openai with m",
        "Session   1 turns",
        'Setting   model.name = "m"  (flag --set)',
        "The conversation begins anew. The old one is kept as ",
        "/review [PATH[:10-20] | changes]",
    ):
        assert part in out


def test_nothing_on_standard_input_is_nothing_to_do(root: Path) -> None:
    done = talked(root, "")
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_escape_sequences_of_a_model_are_spelled(root: Path) -> None:
    with ScriptedServer([said("Is it \x1b[2J so?")]) as model:
        assert "\x1b" not in talked(root, "so?\n", model=model).stdout


def test_a_reader_that_has_enough(root: Path) -> None:
    with ScriptedServer([said("One?"), said("Two?")]) as model:
        process = subprocess.Popen(
            COMMAND, cwd=root, env=environment(model), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write("one\n")
        process.stdin.flush()
        assert process.stdout.readline() == "One?\n"
        process.stdout.close()
        process.stdin.write("two\n")
        process.stdin.close()
        assert process.wait(60) == 0
        assert process.stderr.read() == ""
        process.stderr.close()


def test_an_interrupt_ends_a_pipe(root: Path) -> None:
    with ScriptedServer([Reply(text="So", hang=True)]) as model:
        process = subprocess.Popen(
            COMMAND, cwd=root, env=environment(model), stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert process.stdin
        assert process.stderr
        process.stdin.write("one\ntwo\n")
        process.stdin.flush()
        wait_for(lambda: model.chats)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert len(model.chats) == 1
        process.stdin.close()
        process.stderr.close()


def test_no_other_command_imports_what_the_chat_needs() -> None:
    modules = ", ".join(f"socreates_lsp.cli.{name}" for name in ("main", "review", "ask", "memory", "doctor"))
    code = f"import sys, {modules}; sys.exit('prompt_toolkit' in sys.modules)"
    assert subprocess.run([sys.executable, "-P", "-c", code], check=False, timeout=120).returncode == 0
