"""What is removed from a folder of sessions: what is older than ``session.keepDays``, and what a purge takes.

Files: ``session.json`` and, for a second server and those after it, ``session-2.json``.., each with a lock
(``session.lock``, ``session-2.lock``..); archives have the time of their making in their name.
"""

from __future__ import annotations

import contextlib
import os
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from socreates_lsp.memory.encoding import NotJsonError, json_object, time_of
from socreates_lsp.memory.files import opened, replace, unfinished
from socreates_lsp.memory.locks import Lock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_SLOT = re.compile(r"session(-[2-9]|-[1-9][0-9])?\.json")
_ARCHIVE = re.compile(r"session-([0-9]{8}T[0-9]{6}Z)(-[0-9]+)?\.json")
_HEAD = re.compile(rb'\{"line":"[a-z]+","turn":"([^"\\]+)","at":"([^"\\]+)"')
"""How every line begins that ``encoding.encoded`` made."""
_NEVER_OLD = datetime.max.replace(tzinfo=UTC)


class _DatedLine(NamedTuple):
    """A line of a turn as it stands in a file; one without a time is never old."""

    content: bytes
    turn: str
    at: datetime


def slot_file(folder: Path, slot: int) -> Path:
    """The transcript of the server that holds a lock, counted from 1."""
    return folder / ("session.json" if slot == 1 else f"session-{slot}.json")


def lock_file(transcript: Path) -> Path:
    """The file whose lock a server holds that writes to a transcript."""
    return transcript.with_suffix(".lock")


def archive(transcript: Path) -> Path:
    """Rename a transcript after the time, and give its new path, which no other file had. Raises OSError."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    for number in range(1, 10_000):
        path = transcript.with_name(f"session-{stamp}{'' if number == 1 else f'-{number}'}.json")
        with contextlib.suppress(FileExistsError):
            os.close(opened(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL))  # the name is ours now
            try:
                transcript.replace(path)
            except OSError:
                path.unlink(missing_ok=True)
                raise
            return path
    raise FileExistsError(f"{transcript.name} cannot be archived: every name is taken")


def purge(folder: Path, own: Path | None) -> None:
    """Delete the archives, the transcripts that no server holds, and the caller's ``own``. Raises OSError."""
    for path in _sessions(folder):
        if path == own or _ARCHIVE.fullmatch(path.name):
            _delete(path)
        else:
            _delete_unheld(path)


def remove_old_files(folder: Path, limit: datetime, own: Path) -> None:
    """Delete archives, and transcripts that no server holds, that are older than a moment. Raises OSError."""
    for path in _sessions(folder):
        match = _ARCHIVE.fullmatch(path.name)
        if path == own or not _file_is_old(path, match and match[1], limit):
            continue
        if match:
            _delete(path)
        else:
            _delete_unheld(path)


def remove_old_turns(transcript: Path, limit: datetime) -> None:
    """Take the turns out of a transcript whose last line is older than a moment. Raises OSError.

    If any goes, what is no line of a turn goes as well. The caller holds the lock, and has not opened the file.
    """
    unfinished(transcript).unlink(missing_ok=True)
    first = next(_dated_lines(transcript), None)
    if first is None or first.at >= limit:
        return  # the usual case, which must not cost the reading of a large file
    last: dict[str, datetime] = {}
    for line in _dated_lines(transcript):
        last[line.turn] = max(line.at, last.get(line.turn, line.at))
    kept = {turn for turn, at in last.items() if at >= limit}
    if not kept:
        transcript.unlink()
    elif len(kept) < len(last):
        replace(transcript, (line.content for line in _dated_lines(transcript) if line.turn in kept))


def _sessions(folder: Path) -> Iterator[Path]:
    if folder.is_symlink() or not folder.is_dir():
        return
    for path in list(folder.iterdir()):
        if _SLOT.fullmatch(path.name) or _ARCHIVE.fullmatch(path.name):
            yield path


def _delete_unheld(path: Path) -> None:
    lock = Lock.take(lock_file(path))
    if lock is not None:
        try:
            _delete(path)
        finally:
            lock.release()


def _delete(path: Path) -> None:
    for file in (path, unfinished(path)):
        file.unlink(missing_ok=True)


def _file_is_old(path: Path, stamp: str | None, limit: datetime) -> bool:
    with contextlib.suppress(ValueError):
        if stamp is not None and datetime.strptime(stamp, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC) < limit:
            return True
    return datetime.fromtimestamp(path.lstat().st_mtime, UTC) < limit


def _dated_lines(transcript: Path) -> Iterator[_DatedLine]:
    """The lines that belong to a turn, one after the other; the file is closed after the last."""
    with os.fdopen(opened(transcript, os.O_RDONLY), "rb") as file:
        for content in file:
            match = _HEAD.match(content)
            if match is not None:
                turn: object = match[1].decode("utf-8", "replace")
                at: object = match[2].decode("utf-8", "replace")
            else:
                try:
                    fields = json_object(content) or {}
                except NotJsonError:
                    continue
                turn, at = fields.get("turn"), fields.get("at")
            if isinstance(turn, str):
                yield _DatedLine(content, turn, time_of(at) or _NEVER_OLD)
