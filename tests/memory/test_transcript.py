"""The transcript: whole, in order, private, and never in the way."""

from __future__ import annotations

import json
import os
import shutil
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from socreates_lsp.memory import held
from socreates_lsp.memory.encoding import MessageLine, decoded
from socreates_lsp.memory.files import AppendFile
from socreates_lsp.memory.transcript import Transcript, open_transcript
from socreates_lsp.memory.turns import INTERRUPTED_RESULT, resendable
from socreates_lsp.settings.schema import SessionSettings
from tests.memory.samples import OFF, SETTINGS, TURN, result, said, user, write_turn


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


@pytest.fixture
def session(root: Path) -> Path:
    return root / ".socreates" / "session.json"


def opened(root: Path | None, state: Path, settings: SessionSettings = SETTINGS) -> Transcript:
    return open_transcript(None if root is None else str(root), settings, state=state)


def reopened(
    transcript: Transcript, root: Path | None, state: Path, settings: SessionSettings = SETTINGS
) -> Transcript:
    transcript.close()
    return opened(root, state, settings)


def objects(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# What is kept


def test_nothing_is_made_before_the_first_line(root: Path, state: Path, session: Path) -> None:
    transcript = opened(root, state)
    turn = transcript.begin("ask")
    transcript.end(transcript.begin("ask"), "answered")
    assert list(root.iterdir()) == []
    assert transcript.path is None
    transcript.write(turn, user("x"))
    assert transcript.path == session
    assert mode(session) == 0o600
    assert mode(session.parent) == 0o700
    assert (session.parent / ".gitignore").read_text() == "*\n"
    assert not state.exists()


def test_a_folder_that_others_could_read_is_made_private(root: Path, state: Path, session: Path) -> None:
    session.parent.mkdir(mode=0o755)
    session.touch(0o644)
    write_turn(opened(root, state))
    assert (mode(session.parent), mode(session)) == (0o700, 0o600)
    assert (session.parent / ".gitignore").exists()


def test_every_message_is_one_line_as_it_happens(root: Path, state: Path, session: Path) -> None:
    transcript = opened(root, state)
    turn = transcript.begin("review")
    for count, message in enumerate(TURN, 1):
        transcript.write(turn, message)
        lines = session.read_bytes().splitlines(keepends=True)
        assert len(lines) == count
        last = decoded(lines[-1])
        assert isinstance(last, MessageLine)
        assert (last.message, last.turn, last.n, last.kind) == (message, turn, count - 1, "review")
    transcript.end(turn, "answered")
    assert objects(session)[-1].items() >= {"line": "outcome", "turn": turn, "outcome": "answered"}.items()


def test_the_conversation_goes_on_where_it_was(root: Path, state: Path) -> None:
    first = opened(root, state)
    write_turn(first)
    second = reopened(first, root, state)
    assert second.turns == first.turns == (TURN,)
    write_turn(second, (user("And?"), said("So.")))
    third = reopened(second, root, state)
    assert third.turns == (TURN, (user("And?"), said("So.")))
    assert third.warnings == ()


@pytest.mark.parametrize("outcome", ["failed", "cancelled", "limit", "truncated", "interrupted"])
def test_a_turn_that_did_not_end_well_is_on_disk_and_not_in_the_history(outcome: str, root: Path, state: Path) -> None:
    transcript = opened(root, state)
    write_turn(transcript, outcome=outcome)
    assert transcript.turns == ()
    assert transcript.path is not None
    assert len(objects(transcript.path)) == len(TURN) + 1
    assert reopened(transcript, root, state).turns == ()


def test_turns_that_run_at_once_come_in_the_order_of_their_ends(root: Path, state: Path) -> None:
    transcript = opened(root, state)
    one, two = transcript.begin("ask"), transcript.begin("review")
    for turn, message in [(one, user("1")), (two, user("2")), (one, said("1?")), (two, said("2?"))]:
        transcript.write(turn, message)
    transcript.end(two, "answered")
    transcript.end(one, "answered")
    expected = ((user("2"), said("2?")), (user("1"), said("1?")))
    assert transcript.turns == expected
    assert reopened(transcript, root, state).turns == expected


def test_a_turn_that_does_not_run_is_passed_over(root: Path, state: Path) -> None:
    transcript = opened(root, state)
    transcript.write("nobody", user("x"))
    transcript.end("nobody", "answered")
    assert list(root.iterdir()) == []
    write_turn(transcript)
    assert transcript.path is not None
    before = transcript.path.read_bytes()
    turn = json.loads(before.splitlines()[0])["turn"]
    transcript.end(turn, "answered")
    assert transcript.path.read_bytes() == before


def test_calls_without_result_get_one_when_the_turn_ends(root: Path, state: Path) -> None:
    transcript = opened(root, state)
    write_turn(transcript, (user("x"), said("", "a", "b"), result("a")), "cancelled")
    assert transcript.path is not None
    roles = [(line.get("role"), line.get("callId")) for line in objects(transcript.path)]
    assert roles == [("user", None), ("assistant", None), ("tool", "a"), ("tool", "b"), (None, None)]


def test_with_storing_off_nothing_is_read_or_written(root: Path, state: Path, session: Path) -> None:
    write_turn(opened(root, state))
    before = session.read_bytes()
    transcript = opened(root, state, OFF)
    assert transcript.turns == ()
    write_turn(transcript, (user("secret"), said("?")))
    assert transcript.turns == ((user("secret"), said("?")),)
    assert transcript.reset(purge=False) is None
    assert transcript.turns == ()
    assert session.read_bytes() == before
    assert not state.exists()


def test_after_the_close_the_conversation_is_in_memory_only(root: Path, state: Path, session: Path) -> None:
    transcript = opened(root, state)
    write_turn(transcript)
    transcript.close()
    before = session.read_bytes()
    write_turn(transcript)
    assert transcript.turns == (TURN, TURN)
    assert session.read_bytes() == before


# Damage


def test_at_whatever_byte_the_file_is_cut_every_whole_line_stays(root: Path, state: Path, session: Path) -> None:
    transcript = opened(root, state)
    write_turn(transcript, (user("é\u2028\ud800"), said("", "a"), result("a"), said("?")), kind="")
    write_turn(transcript, (user("2"), said("", "b")), "failed")
    write_turn(transcript, (user("3"), said("3?")))
    transcript.close()
    data = session.read_bytes()
    ends = [place + 1 for place, byte in enumerate(data) if byte == 10]
    for cut in range(len(data) + 1):
        session.write_bytes(data[:cut])
        transcript = opened(root, state)
        whole = max((end for end in (0, *ends) if end <= cut + 1), default=0)
        after = session.read_bytes()
        assert after.startswith(data[:whole])
        torn = cut not in (0, *ends) and cut + 1 not in ends
        assert bool(transcript.warnings) == torn
        assert all(isinstance(one, dict) for one in objects(session))
        assert len(transcript.turns) == (whole >= ends[4]) + (whole >= ends[-1])
        turns = transcript.turns
        if cut % 20 and not {cut, cut + 1, cut - 1} & set(ends):
            transcript.close()
            continue
        write_turn(transcript)
        again = reopened(transcript, root, state)
        assert again.warnings == ()
        assert again.turns == (*turns, TURN)
        again.close()


@pytest.mark.parametrize(
    "tail", [b'{"line":"message","tu', b'{"line":"mes\n', b'{"line":"mes\n\n \r\n', b"\0" * 300, b"\xff\xfe\n"]
)
def test_a_torn_last_line_is_dropped_with_a_warning(tail: bytes, root: Path, state: Path, session: Path) -> None:
    write_turn(opened(root, state))
    before = session.read_bytes()
    session.write_bytes(before + tail)
    transcript = opened(root, state)
    # The first transcript still holds the lock: a second server has nothing to do with its file.
    assert transcript.path is not None
    assert transcript.path.name == "session-2.json"
    assert session.read_bytes() == before + tail


@pytest.mark.parametrize(
    "tail", [b'{"line":"message","tu', b'{"line":"mes\n', b'{"line":"mes\n\n \r\n', b"\0" * 300, b"\xff\xfe\n"]
)
def test_a_torn_last_line_is_cut_off(tail: bytes, root: Path, state: Path, session: Path) -> None:
    transcript = opened(root, state)
    write_turn(transcript)
    before = session.read_bytes()
    session.write_bytes(before + tail)
    transcript = reopened(transcript, root, state)
    assert transcript.warnings == ("session.json: the last line was torn and is dropped.",)
    assert transcript.turns == (TURN,)
    assert session.read_bytes() == before
    transcript = reopened(transcript, root, state)
    assert transcript.warnings == ()


@pytest.mark.parametrize("bad", [b"{torn", b"\xff\xfe\x00", b'{"line":"message","turn":"x"}', b"[]", b"x" * 100_000])
def test_a_bad_line_in_the_middle_is_skipped_with_a_warning(bad: bytes, root: Path, state: Path, session: Path) -> None:
    transcript = opened(root, state)
    write_turn(transcript)
    lines = session.read_bytes().splitlines(keepends=True)
    session.write_bytes(b"".join([*lines[:2], bad + b"\n", b"\n", *lines[2:]]))
    transcript = reopened(transcript, root, state)
    assert transcript.turns == (TURN,)
    assert transcript.warnings == ("session.json: lines that cannot be read are left out: 1, the first at line 3.",)


def test_a_turn_that_lost_its_question_or_its_answers_is_left_out(root: Path, state: Path, session: Path) -> None:
    transcript = opened(root, state)
    write_turn(transcript, (user("1"), said("1?")))
    write_turn(transcript, (user("2"), said("2?")))
    lines = session.read_bytes().splitlines(keepends=True)
    session.write_bytes(b"".join([b"?\n", *lines[1:4], b"?\n", *lines[5:]]))
    transcript = reopened(transcript, root, state)
    assert transcript.turns == ()
    assert "turns that have lost lines are left out: 2." in transcript.warnings[-1]


def test_a_result_that_was_lost_is_replaced_and_one_without_call_goes() -> None:
    assert resendable([user("x"), said("", "a", "b"), result("b"), said("?")]) == (
        user("x"),
        said("", "a", "b"),
        result("b"),
        result("a", INTERRUPTED_RESULT),
        said("?"),
    )
    assert resendable([user("x"), result("a"), said("?")]) == (user("x"), said("?"))
    assert resendable([user("x"), said("", "a"), result("a"), result("a"), said("?")]) == (
        *(user("x"), said("", "a"), result("a"), said("?")),
    )
    assert resendable([user("x")]) is resendable([said("x")]) is resendable([]) is None


def test_a_turn_that_a_kill_interrupted_is_ended_and_left_out(root: Path, state: Path, session: Path) -> None:
    transcript = opened(root, state)
    turn = transcript.begin("ask")
    for message in TURN[:3]:
        transcript.write(turn, message)
    transcript = reopened(transcript, root, state)
    assert transcript.turns == ()
    assert transcript.warnings == ()
    *_, interrupted, outcome = objects(session)
    assert (
        interrupted.items()
        >= {"role": "tool", "callId": "b", "tool": "read_file", "content": INTERRUPTED_RESULT}.items()
    )
    assert interrupted["n"] == 3
    assert outcome.items() >= {"line": "outcome", "turn": turn, "outcome": "interrupted"}.items()
    before = session.read_bytes()
    reopened(transcript, root, state)
    assert session.read_bytes() == before


def test_of_a_very_long_file_the_end_is_read(root: Path, state: Path, session: Path, monkeypatch) -> None:
    transcript = opened(root, state)
    write_turn(transcript, (user("1" * 3000), said("1?")))
    write_turn(transcript)
    before = session.read_bytes()
    monkeypatch.setattr(held, "WINDOW", before.index(b"1?") and len(before) - 3100)
    transcript = reopened(transcript, root, state)
    assert transcript.turns == (TURN,)
    assert session.read_bytes() == before
    monkeypatch.setattr(held, "WINDOW", 10)
    transcript = reopened(transcript, root, state)
    assert transcript.turns == ()
    assert session.read_bytes() == before
    session.write_bytes(before + b"torn, and longer than the window")
    reopened(transcript, root, state)
    assert session.read_bytes().startswith(before)


# Where it cannot be kept


def test_without_a_root_the_state_folder_is_used(state: Path) -> None:
    transcript = opened(None, state)
    write_turn(transcript)
    assert transcript.path is not None
    assert transcript.path.is_relative_to(state)
    assert transcript.warnings == ()
    assert mode(transcript.path.parent) == 0o700
    assert reopened(transcript, None, state).turns == (TURN,)


def test_a_workspace_that_cannot_be_written_to_uses_the_state_folder(root: Path, state: Path, monkeypatch) -> None:
    access = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: access(path, mode) and not Path(path).is_relative_to(root))
    transcript = opened(root, state)
    write_turn(transcript)
    assert list(root.iterdir()) == []
    assert "cannot be written to" in transcript.warnings[0]
    transcript = reopened(transcript, root, state)
    assert transcript.turns == (TURN,)
    assert opened(root.parent, state).turns == (), "another root has a conversation of its own"


def test_a_folder_that_cannot_be_made_uses_the_state_folder(root: Path, state: Path, monkeypatch) -> None:
    transcript = opened(root, state)
    mkdir = Path.mkdir

    def refusing(path: Path, *args, **kwargs) -> None:
        if path.name == ".socreates":
            raise PermissionError(13, "Permission denied")
        mkdir(path, *args, **kwargs)

    monkeypatch.setattr(Path, "mkdir", refusing)
    write_turn(transcript)
    assert transcript.path is not None
    assert transcript.path.is_relative_to(state)
    assert transcript.turns == (TURN,)
    assert "Permission denied" in transcript.warnings[0]


@pytest.mark.parametrize("kind", ["folder", "link", "dangling", "pipe"])
def test_what_is_no_file_in_its_place_is_left_alone(
    kind: str, root: Path, state: Path, session: Path, tmp_path: Path
) -> None:
    session.parent.mkdir()
    target = tmp_path / "target"
    if kind == "folder":
        session.mkdir()
    elif kind == "pipe":
        os.mkfifo(session)
    else:
        session.symlink_to(target)
        if kind == "link":
            target.write_text("mine\n")
    transcript = opened(root, state)
    write_turn(transcript)
    assert transcript.path is not None
    assert transcript.path.is_relative_to(state)
    assert "session.json is" in transcript.warnings[0]
    assert transcript.turns == (TURN,)
    assert not target.exists() or target.read_text() == "mine\n"


@pytest.mark.parametrize("kind", ["link", "file"])
def test_a_folder_that_is_none_of_its_own_is_left_alone(kind: str, root: Path, state: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    if kind == "link":
        (root / ".socreates").symlink_to(elsewhere)
    else:
        (root / ".socreates").write_text("mine")
    transcript = opened(root, state)
    write_turn(transcript)
    assert list(elsewhere.iterdir()) == []
    assert transcript.path is not None
    assert transcript.path.is_relative_to(state)
    assert "not a folder of its own" in transcript.warnings[0]


def test_a_folder_that_becomes_a_link_later_is_left_alone(root: Path, state: Path, tmp_path: Path) -> None:
    transcript = opened(root, state)
    (root / ".socreates").symlink_to(tmp_path / "elsewhere")
    write_turn(transcript)
    assert not (tmp_path / "elsewhere").exists()
    assert transcript.turns == (TURN,)


@pytest.mark.parametrize("place", ["/dev/null", "\0", "/no/such\udc80place\ud800", ""])
def test_no_place_breaks_anything(place: str, tmp_path: Path) -> None:
    transcript = open_transcript(place or None, SETTINGS, state=Path("/dev/null"))
    write_turn(transcript)
    assert transcript.turns == (TURN,)
    assert transcript.warnings
    count = len(transcript.warnings)
    write_turn(transcript)
    assert len(transcript.warnings) == count, "each warning is given once"
    assert transcript.reset(purge=False) is None
    assert transcript.reset(purge=True) is None
    transcript.close()


def test_a_full_disk_is_told_once_and_the_conversation_goes_on_in_memory(
    root: Path, state: Path, session: Path, monkeypatch
) -> None:
    transcript = opened(root, state)
    write_turn(transcript)
    before = session.read_bytes()
    write, room = os.write, [2000]

    def full(descriptor: int, data: bytes) -> int:
        if not room[0]:
            raise OSError(28, "No space left on device")
        done = write(descriptor, data[: room[0]])
        room[0] -= done
        return done

    monkeypatch.setattr(os, "write", full)
    write_turn(transcript, (user("2"), said("", "a"), result("a", "x" * 9000), said("2?")))
    write_turn(transcript, (user("3"), said("3?")))
    assert [len(turn) for turn in transcript.turns] == [5, 4, 2]
    assert len(transcript.warnings) == 1
    assert "No space left" in transcript.warnings[0]
    assert session.read_bytes().startswith(before)
    assert session.read_bytes().endswith(b"\n"), "what the failed write left is taken back"
    monkeypatch.undo()
    write_turn(transcript, (user("4"), said("4?")))
    again = reopened(transcript, root, state)
    assert again.turns == (TURN, (user("4"), said("4?")))
    assert again.warnings == ()


def test_a_disk_that_is_full_at_the_start_does_not_lose_what_was_said(root: Path, state: Path, monkeypatch) -> None:
    transcript = opened(root, state)
    write_turn(transcript)
    transcript.write(transcript.begin("ask"), user("2"))
    transcript.close()

    def full(file: AppendFile, line: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(AppendFile, "append", full)
    transcript = opened(root, state)
    assert transcript.turns == (TURN,)
    assert "No space left" in transcript.warnings[0]


def test_a_folder_that_was_cleaned_is_made_again(root: Path, state: Path, session: Path) -> None:
    transcript = opened(root, state)
    write_turn(transcript)
    one, two = transcript.begin("ask"), transcript.begin("ask")
    transcript.write(one, user("1"))
    transcript.write(two, user("2"))
    shutil.rmtree(session.parent)
    transcript.write(one, said("1?"))
    transcript.write(two, said("2?"))
    transcript.end(two, "answered")
    transcript.end(one, "answered")
    write_turn(transcript)
    assert len(transcript.turns) == 4
    assert transcript.warnings == ()
    other = opened(root, state)
    assert other.path is not None
    assert other.path.name == "session-2.json", "the lock was taken anew"
    other.close()
    again = reopened(transcript, root, state)
    assert again.turns == (TURN,), "turns whose first lines are gone are not whole"


def test_a_turn_of_which_a_line_could_not_be_written_is_not_whole_at_the_next_start(
    root: Path, state: Path, session: Path, monkeypatch
) -> None:
    transcript = opened(root, state)
    turn = transcript.begin("ask")
    transcript.write(turn, user("x"))

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        transcript.write(turn, said("", "a"))
    for message in (result("a"), said("?")):
        transcript.write(turn, message)
    transcript.end(turn, "answered")
    assert transcript.turns == ((user("x"), said("", "a"), result("a"), said("?")),)
    assert reopened(transcript, root, state).turns == ()
    assert objects(session)[-1]["outcome"] == "interrupted"


def test_where_another_server_takes_the_cleaned_folder_nothing_is_mixed(root: Path, state: Path, session: Path) -> None:
    transcript = opened(root, state)
    one, two = transcript.begin("ask"), transcript.begin("ask")
    transcript.write(one, user("1"))
    transcript.write(two, user("2"))
    shutil.rmtree(session.parent)
    left, other = opened(root, state), opened(root, state)
    write_turn(left, (user("theirs"), said("?")))
    write_turn(other, (user("left"), said("?")))
    other.close()
    before = session.read_bytes()
    transcript.write(one, said("1?"))
    transcript.write(two, said("2?"))
    transcript.end(two, "answered")
    transcript.end(one, "answered")
    write_turn(transcript)
    assert session.read_bytes() == before
    assert transcript.path == session.with_name("session-2.json")
    assert b"2?" in transcript.path.read_bytes()
    assert [turn[0].content for turn in transcript.turns] == ["2", "1", "Why?"], "a history does not change in between"


# Several servers


def test_a_second_server_has_a_file_of_its_own(root: Path, state: Path, session: Path) -> None:
    transcripts = [opened(root, state)]
    write_turn(transcripts[0])
    for number in (2, 3):
        transcripts.append(opened(root, state))
        assert transcripts[-1].turns == ()
        write_turn(transcripts[-1], (user(str(number)), said("?")))
    assert [transcript.path and transcript.path.name for transcript in transcripts] == [
        *("session.json", "session-2.json", "session-3.json"),
    ]
    transcripts[0].close()
    assert opened(root, state).turns == (TURN,)


def test_two_that_opened_before_anything_was_there_do_not_clash(root: Path, state: Path) -> None:
    one, two = opened(root, state), opened(root, state)
    write_turn(one)
    write_turn(two)
    assert one.path != two.path
    assert one.turns == two.turns == (TURN,)


def test_one_that_opened_before_and_writes_after_goes_on_with_what_the_other_left(root: Path, state: Path) -> None:
    one, two = opened(root, state), opened(root, state)
    write_turn(one, (user("1"), said("1?")))
    one.close()
    write_turn(two)
    assert two.turns == ((user("1"), said("1?")), TURN)
    assert reopened(two, root, state).turns == ((user("1"), said("1?")), TURN)


def test_more_servers_than_there_are_files_for(root: Path, state: Path, monkeypatch) -> None:
    monkeypatch.setattr(held, "MOST_SERVERS", 1)
    transcripts = [opened(root, state) for _ in range(3)]
    for transcript in transcripts:
        write_turn(transcript)
    assert [bool(transcript.warnings) for transcript in transcripts] == [False, True, True]
    assert transcripts[1].path is not None
    assert transcripts[1].path.is_relative_to(state)
    assert transcripts[2].path is None


# Resets


def test_a_reset_archives_the_file_and_starts_anew(root: Path, state: Path, session: Path) -> None:
    transcript = opened(root, state)
    assert transcript.reset(purge=False) is None
    names: list[str] = []
    for _ in range(3):
        write_turn(transcript)
        before = session.read_bytes()
        name = transcript.reset(purge=False)
        assert name is not None
        names.append(name)
        assert (session.parent / name).read_bytes() == before
        assert mode(session.parent / name) == 0o600
        assert not session.exists()
        assert transcript.turns == ()
    assert len(set(names)) == 3
    write_turn(transcript, (user("x"), said("?")))
    assert reopened(transcript, root, state).turns == ((user("x"), said("?")),)


def test_a_purge_deletes_the_file_and_the_archives(root: Path, state: Path, session: Path) -> None:
    transcript = opened(root, state)
    write_turn(transcript)
    transcript.reset(purge=False)
    write_turn(transcript)
    other = opened(root, state)
    write_turn(other)
    left = session.with_name("session-7.json")
    left.write_text("{}")
    (session.parent / "mine.json").write_text("{}")
    (session.parent / "session.json.part").write_text("{}")
    running = transcript.begin("ask")
    transcript.write(running, user("x"))
    assert transcript.reset(purge=True) is None
    transcript.write(running, said("?"))
    transcript.end(running, "answered")
    assert sorted(path.name for path in session.parent.iterdir() if path.suffix != ".lock") == [
        *(".gitignore", "mine.json", "session-2.json"),
    ]
    assert transcript.turns == ()
    write_turn(transcript)
    assert reopened(transcript, root, state).turns == (TURN,)


def test_a_purge_with_storing_off_deletes_what_was_stored_before(root: Path, state: Path, session: Path) -> None:
    transcript = opened(root, state)
    write_turn(transcript)
    transcript = reopened(transcript, root, state, OFF)
    transcript.reset(purge=True)
    assert not session.exists()


@pytest.mark.parametrize("written", [True, False])
def test_a_turn_that_runs_during_a_reset_is_not_in_the_new_file(
    written: bool, root: Path, state: Path, session: Path
) -> None:
    transcript = opened(root, state)
    write_turn(transcript)
    running = transcript.begin("ask")
    if written:
        transcript.write(running, user("before"))
    name = transcript.reset(purge=False)
    assert name is not None
    write_turn(transcript, (user("new"), said("?")))
    transcript.write(running, said("late"))
    transcript.end(running, "answered")
    assert transcript.turns == ((user("new"), said("?")),)
    assert b"late" not in session.read_bytes()
    assert running not in session.read_text()
    archived = objects(session.parent / name)
    assert (archived[-1].get("outcome"), archived[-2].get("content")) == (
        "answered",
        "late" if written else "Because.\nIs it?",
    )
    assert transcript.warnings == ()


def test_a_reset_that_cannot_rename_says_so(root: Path, state: Path, monkeypatch) -> None:
    transcript = opened(root, state)
    write_turn(transcript)

    def refusing(*args: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refusing)
    assert transcript.reset(purge=False) is None
    assert transcript.turns == ()
    assert "could not be archived (Permission denied)" in transcript.warnings[0]
    assert [path.name for path in (root / ".socreates").iterdir() if "T" in path.name] == []


# What is too old


def aged(path: Path, days: float) -> None:
    """Let every line of a file, and the file itself, be so much older."""
    lines: list[dict[str, object]] = objects(path)
    for line in lines:
        at = datetime.fromisoformat(str(line["at"])) - timedelta(days=days)
        line["at"] = at.isoformat(timespec="milliseconds")
    path.write_bytes(b"".join(json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines))
    stamp = (datetime.now(UTC) - timedelta(days=days)).timestamp()
    os.utime(path, (stamp, stamp))


def test_turns_that_are_too_old_are_removed_at_the_next_start(root: Path, state: Path, session: Path) -> None:
    settings = SessionSettings(keep_days=7)
    transcript = opened(root, state, settings)
    write_turn(transcript, (user("old"), said("?")))
    transcript.close()
    aged(session, 8)
    old = session.read_bytes()
    transcript = reopened(transcript, root, state)
    write_turn(transcript)
    new = session.read_bytes()[len(old) :]
    session.write_bytes(old + b"bad\n" + b'{"turn":"x"}\n' + new)
    transcript = reopened(transcript, root, state, settings)
    assert transcript.turns == (TURN,)
    assert session.read_bytes() == b'{"turn":"x"}\n' + new
    assert mode(session) == 0o600
    transcript.close()
    session.write_bytes(old)
    assert reopened(transcript, root, state, settings).turns == ()
    assert not session.exists()


def test_a_turn_that_is_younger_than_the_limit_stays(root: Path, state: Path, session: Path) -> None:
    transcript = opened(root, state)
    write_turn(transcript)
    transcript.close()
    aged(session, 29)
    before = session.read_bytes()
    assert opened(root, state, SessionSettings(keep_days=30)).turns == (TURN,)
    assert session.read_bytes() == before


def test_archives_and_left_files_that_are_too_old_are_removed(root: Path, state: Path, session: Path) -> None:
    settings = SessionSettings(keep_days=7)
    transcript, running = opened(root, state), opened(root, state)
    write_turn(transcript)
    write_turn(running)
    folder = session.parent
    old, long_ago = (datetime.now(UTC) - timedelta(days=8)).timestamp(), "session-20200131T120000Z-2.json"
    for name in (
        "session-3.json",
        "session-20990131T120000Z.json",
        long_ago,
        "other.json",
        "session-29991399T996099Z.json",
    ):
        (folder / name).write_text("{}\n")
    for name in ("session-2.json", "session-3.json", "session-20990131T120000Z.json", "other.json"):
        os.utime(folder / name, (old, old))
    transcript = reopened(transcript, root, state, settings)
    assert sorted(path.name for path in folder.glob("*.json")) == [
        *("other.json", "session-2.json", "session-29991399T996099Z.json", "session.json"),
    ]
    assert opened(root, state, SessionSettings(keep_days=10**9)).turns == ()
