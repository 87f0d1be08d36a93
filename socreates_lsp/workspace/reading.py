"""Reading a file on disk as text. Every refusal is one sentence for the reader."""

from __future__ import annotations

import errno
import os
import stat
from typing import TYPE_CHECKING

from socreates_lsp.errors import TargetError
from socreates_lsp.workspace.decoding import NotTextError, decode
from socreates_lsp.workspace.notebook_file import SUFFIX, code_in_place
from socreates_lsp.workspace.text import Text

if TYPE_CHECKING:
    from pathlib import Path

LARGEST_FILE = 5_000_000
"""Bytes up to which a file is read."""

LONGEST_LINE = 200_000
"""Characters up to which a line is taken for something that a person wrote."""

_KINDS = (
    (stat.S_ISDIR, "is a folder: name a file in it, or review it as a whole"),
    (stat.S_ISFIFO, "is a pipe, not a file: reading it could wait for ever"),
    (stat.S_ISSOCK, "is a socket, not a file: there is nothing to read"),
    (stat.S_ISCHR, "is a device, not a file: name a file with text"),
    (stat.S_ISBLK, "is a device, not a file: name a file with text"),
)

_REFUSALS = {
    errno.ENOENT: "does not exist: check the name",
    errno.ENOTDIR: "does not exist, as a part of its path is no folder: check the name",
    errno.EACCES: "may not be read by you: ask for the right to read it",
    errno.EPERM: "may not be read by you: ask for the right to read it",
    errno.ELOOP: "is a symbolic link that leads back to itself: mend the link",
    errno.ENAMETOOLONG: "has too long a name for this system: check the name",
    errno.EISDIR: "is a folder: name a file in it, or review it as a whole",
}


def shown(path: str | os.PathLike[str]) -> str:
    """A path for a sentence: on one line, and without bytes that can't be printed."""
    name = os.fsencode(os.fspath(path)).decode("utf-8", "replace")
    if name.isprintable():
        return name
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in name)


def refusal(path: Path, error: OSError | ValueError) -> str:
    """The sentence that says why the system would not give us a path, and what to do."""
    if isinstance(error, ValueError):
        return f"{shown(path)} is no name that a file can have: check the name."
    if error.errno == errno.ENOENT and os.path.islink(path):  # noqa: PTH114  (never raises)
        return f"{shown(path)} is a symbolic link to what does not exist: mend the link."
    reason = _REFUSALS.get(error.errno or 0, f"can't be read: {error.strerror or error}")
    return f"{shown(path)} {reason}."


def read_text(path: Path, longest: int = LONGEST_LINE) -> Text:
    """The text of a file. Raises TargetError with one sentence that says why it can't be read.

    A line has at most ``longest`` characters. Never blocks: what is no plain file is not opened, and what becomes
    one in between is opened so that a pipe without a writer does not wait.
    """
    return text_of(_read(path), shown(path), longest)


def text_of(data: bytes, name: str, most: int = LONGEST_LINE) -> Text:
    """The text in these bytes, with at most so many characters in a line.

    ``name`` is for the sentence of the TargetError where they are none.
    """
    if len(data) > LARGEST_FILE:
        raise TargetError(_too_large(name, len(data)))
    try:
        text = Text(_as_read(decode(data), name))
    except NotTextError as error:
        raise NotTextError(f"{name} is a binary file, which can't be reviewed: name a file with text.") from error
    longest = max(map(len, text.lines))
    if longest > most:
        raise TargetError(
            f"{name} has a line of {longest:,} characters, so it looks generated or minified: "
            f"review the source it was made from (lines up to {most:,} characters are read)."
        )
    return text


def _as_read(content: str, name: str) -> str:
    """What is read of a file: of a notebook its code."""
    if not name.lower().endswith(SUFFIX):
        return content
    code = code_in_place(content)
    return content if code is None else code


def _read(path: Path) -> bytes:
    name = shown(path)
    try:
        # Looked at before it is opened: opening a device can already do something.
        _refuse(path.stat(), name)
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with open(handle, "rb") as file:  # noqa: PTH123  (a descriptor)
            facts = os.fstat(handle)
            _refuse(facts, name)
            data = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        raise TargetError(refusal(path, error)) from error
    if len(data) > LARGEST_FILE:
        raise TargetError(_too_large(name, max(facts.st_size, len(data))))
    return data


def _refuse(facts: os.stat_result, name: str) -> None:
    for holds, sentence in _KINDS:
        if holds(facts.st_mode):
            raise TargetError(f"{name} {sentence}.")
    if facts.st_size > LARGEST_FILE:
        raise TargetError(_too_large(name, facts.st_size))


def _too_large(name: str, size: int) -> str:
    return (
        f"{name} has {_human(size)}, more than the {_human(LARGEST_FILE)} that are read of one file: "
        "split it, or review the file that it was made from."
    )


def _human(size: int) -> str:
    if size < 1_000_000:
        return f"{size / 1e3:.1f} kB"
    return f"{size / 1e6:.1f} MB" if size < 1_000_000_000 else f"{size / 1e9:.1f} GB"
