"""Kills and several processes at once, with real processes."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from socreates_lsp.memory.consents import Consents
from socreates_lsp.memory.day import DayUsage
from socreates_lsp.memory.transcript import open_transcript
from tests.memory.samples import SETTINGS, TURN, user, write_turn

CONSENTER = """
import sys
from pathlib import Path
import pytest

from socreates_lsp.memory.consents import Consents
consents = Consents(Path(sys.argv[1]))
for number in range(25):
    consents.add("https", f"{sys.argv[2]}-{number}.example")
assert consents.warnings == ()
"""
SPENDER = """
import sys
from pathlib import Path
from socreates_lsp.memory.day import DayUsage
day = DayUsage(Path(sys.argv[1]))
for _ in range(100):
    day.add(3, 0.5)
"""
SPEAKER = """
import sys
from pathlib import Path
from tests.memory.samples import SETTINGS, said, user
from socreates_lsp.memory.egress import Egress
from socreates_lsp.memory.transcript import open_transcript
transcript = open_transcript(sys.argv[1], SETTINGS, state=Path(sys.argv[2]))
egress = Egress(sys.argv[1], SETTINGS, state=Path(sys.argv[2]))
for number in range(50):
    turn = transcript.begin("ask")
    transcript.write(turn, user(sys.argv[3]))
    transcript.write(turn, said(str(number)))
    transcript.end(turn, "answered")
    egress.sent("http://127.0.0.1:11434", sys.argv[3], [("a.py", 1, 2)] * 40, number)
print("ready", flush=True)
sys.stdin.read()
"""


def started(code: str, *arguments: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", code, *map(str, arguments)]
    pipe, root = subprocess.PIPE, Path(__file__).parents[2]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=root, env=environment)


def write_for_ever(root: Path, state: Path, out: int) -> None:
    """Write turns, and say after each line what it was."""
    transcript = open_transcript(str(root), SETTINGS, state=state)
    for number in range(1_000_000):
        turn = transcript.begin("ask")
        for message in (user(f"{number}" + "x" * 3000), *TURN[1:]):
            transcript.write(turn, message)
            os.write(out, f"{turn} {message.role.value} {message.call_id or ''}\n".encode())
        transcript.end(turn, "answered")
        os.write(out, f"{turn} outcome \n".encode())


def killed_writer(root: Path, state: Path, lines: int) -> list[tuple[str, ...]]:
    """Let a child write, kill it after so many lines or a little later, and give the lines that it surely wrote."""
    reading, writing = os.pipe()
    fcntl = pytest.importorskip("fcntl")
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, 4096)  # the child cannot run far ahead
    child = os.fork()
    if not child:
        try:
            write_for_ever(root, state, writing)
        finally:
            os._exit(1)
    os.close(writing)
    with open(reading, "rb") as pipe:
        said = b"".join(pipe.readline() for _ in range(lines))
        os.kill(child, signal.SIGKILL)
        said += pipe.read()
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL
    assert said.endswith(b"\n")
    return [tuple(line.split(" ")) for line in said.decode().splitlines()]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that can be forked and killed")
def test_a_kill_at_any_moment_loses_no_line_that_was_written(root: Path, tmp_path: Path) -> None:
    """A child writes turns and says after each line that it has; it is killed at 50 random moments."""
    chance = random.Random(2026)
    session, state = root / ".socreates" / "session.json", tmp_path / "state"
    kept = 0
    for moment in range(50):
        written = killed_writer(root, state, chance.randrange(1, 60))
        before = session.read_bytes()
        transcript = open_transcript(str(root), SETTINGS, state=state)
        assert transcript.path == session, "the lock went with its holder"
        data = session.read_bytes()
        assert data.startswith(before[: before.rfind(b"\n") + 1])
        lines = [json.loads(line) for line in data.splitlines()]
        found = iter([(line["turn"], line.get("role", "outcome"), line.get("callId", "")) for line in lines])
        assert all(line in found for line in written), "every line that was written is there, in its order"
        turns = transcript.turns
        assert len(turns) == sum(line.get("outcome") == "answered" for line in lines)
        assert len({line["turn"] for line in lines}) == sum(line["line"] == "outcome" for line in lines)
        assert all(turn[1:] == TURN[1:] for turn in turns)
        assert len(turns) >= kept
        write_turn(transcript)
        assert transcript.turns == (*turns, TURN)
        kept = len(turns) + 1
        if moment % 5 == 4:  # else the file grows, and the test with it
            assert transcript.reset(purge=False) is not None
            kept = 0
        transcript.close()


def test_two_servers_at_once_write_to_files_of_their_own(root: Path, tmp_path: Path) -> None:
    children = [started(SPEAKER, root, tmp_path / "state", name) for name in ("one", "two", "three")]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
    folder, names = root / ".socreates", set()
    for name in ("session.json", "session-2.json", "session-3.json"):
        lines = [json.loads(line) for line in (folder / name).read_bytes().splitlines()]
        assert len(lines) == 150
        said = {line["content"] for line in lines if line.get("role") == "user"}
        assert len(said) == 1
        names |= said
    assert names == {"one", "two", "three"}
    sent = [json.loads(line) for line in (folder / "egress.jsonl").read_bytes().splitlines()]
    for name in names:
        assert [line["tokens"] for line in sent if line["model"] == name] == list(range(50))
    children[0].kill()
    for child in children:
        child.communicate()
    assert len(open_transcript(str(root), SETTINGS, state=tmp_path).turns) == 50, "the locks went with their holders"


def test_two_processes_lose_no_consent(tmp_path: Path) -> None:
    children = [started(CONSENTER, tmp_path / "state", name) for name in ("one", "two")]
    assert [child.communicate() and child.returncode for child in children] == [0, 0]
    consents = Consents(tmp_path / "state")
    assert all(consents.has("https", f"{name}-{number}.example") for name in ("one", "two") for number in range(25))


def test_what_all_processes_used_is_added_up(tmp_path: Path) -> None:
    day = DayUsage(tmp_path / "state")
    day.add(1, 0.25)
    children = [started(SPENDER, tmp_path / "state") for _ in range(2)]
    assert [child.communicate() and child.returncode for child in children] == [0, 0]
    assert day.spent() == (601, 100.25)
