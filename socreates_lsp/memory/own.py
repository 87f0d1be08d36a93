"""What this user has done or agreed to in a root, by digests: a file in the state folder, out of the workspace's reach.

A workspace comes from anybody, and so may the files under its ``.socreates``. An entry there counts only if it is in
this record with every one of its members, and the record is kept by root.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, cast

from socreates_lsp.memory.encoding import NotJsonError, json_object, now
from socreates_lsp.memory.files import content_of, replace
from socreates_lsp.memory.folders import places, prepare
from socreates_lsp.memory.held import reason
from socreates_lsp.memory.locks import Lock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

_MOST_BYTES = 8 * 1024 * 1024
_WAIT_S = 2.0


def digest_of(entry: Mapping[str, Any]) -> str:
    """A digest of an entry with all that it says; of one that is nested too deep an empty one, which nobody has."""
    try:
        text = json.dumps(entry, sort_keys=True, separators=(",", ":"))
    except RecursionError:
        return ""
    return hashlib.sha256(text.encode("ascii")).hexdigest()


class Own:
    """The record of one root and one kind. Reads and writes the disk; nothing here raises because of a file."""

    def __init__(self, root: str | None, state: Path, *, name: str, patience: float = _WAIT_S) -> None:
        """``name`` of the file; ``state`` is the user's state folder. Nothing is read or made yet.

        ``patience``: how many seconds another process may take to write.
        """
        self._patience = patience
        self._path = places(root, state).folders[-1] / name
        self._unsaved: set[str] = set()
        self._removed: set[str] = set()
        self._unsaved_notes: dict[str, Any] = {}

    def digests(self) -> frozenset[str]:
        """The digests of all entries that are the user's own or were agreed to."""
        return (frozenset(self._read("own")) | self._unsaved) - self._removed - {""}

    def notes(self) -> dict[str, Any]:
        """What was noted about entries on this machine, by id. Nobody else has written it."""
        return {**self._read("notes"), **self._unsaved_notes}

    def change(self, add: Iterable[str] = (), drop: Iterable[str] = ()) -> str | None:
        """Take digests in, or out; a sentence where it cannot be saved, and then it holds in this process."""
        added, dropped = set(add), set(drop)
        self._unsaved = (self._unsaved | added) - dropped
        self._removed = (self._removed | dropped) - added

        def changed(content: dict[str, Any]) -> dict[str, Any]:
            kept = {digest: at for digest, at in _table(content, "own").items() if digest not in self._removed}
            return {**content, "own": {**kept, **dict.fromkeys(sorted(self._unsaved - kept.keys()), now())}}

        warning = self._save(changed)
        if warning is None:
            self._unsaved.clear()
            self._removed.clear()
        return warning

    def note(self, notes: Mapping[str, Any]) -> str | None:
        """Note something about entries, by id; None takes a note away. A sentence where it cannot be saved."""
        self._unsaved_notes.update(notes)

        def changed(content: dict[str, Any]) -> dict[str, Any]:
            merged = {**_table(content, "notes"), **self._unsaved_notes}
            return {**content, "notes": {key: value for key, value in sorted(merged.items()) if value is not None}}

        warning = self._save(changed)
        if warning is None:
            self._unsaved_notes.clear()
        return warning

    def _save(self, changed: Callable[[dict[str, Any]], dict[str, Any]]) -> str | None:
        try:
            prepare(self._path.parent)
            lock = Lock.wait(self._path.with_name(self._path.name + ".lock"), self._patience)
            if lock is None:
                return (
                    f"{self._path} is being written by another process: what is new holds until the editor is closed."
                )
            try:
                content = {"version": 1, **changed(self._content())}
                replace(self._path, [(json.dumps(content, indent=1) + "\n").encode("ascii")])
            finally:
                lock.release()
        except OSError as error:
            return f"{self._path} cannot be written ({reason(error)}): what is new holds until the editor is closed."
        return None

    def _read(self, member: str) -> dict[str, Any]:
        try:
            return _table(self._content(), member)
        except OSError:
            return {}

    def _content(self) -> dict[str, Any]:
        """What the file says; nothing where it is not there or damaged: an entry is then asked about again."""
        try:
            return json_object(content_of(self._path, _MOST_BYTES)) or {}
        except (FileNotFoundError, NotJsonError):
            return {}


def _table(content: Mapping[str, Any], member: str) -> dict[str, Any]:
    found = content.get(member)
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}
