"""Files of the user's own: readable by nobody else, never by way of a link, written a whole line at a time."""

from __future__ import annotations

import contextlib
import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_EXTRA = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""A link is refused; a named pipe does not hold the server up; no end of line is changed."""


class NotAFileError(OSError):
    """Something that is no regular file stands where a file should: a link, a folder, a pipe."""


class GoneError(OSError):
    """The file that was open has been deleted."""


def opened(path: Path, flags: int) -> int:
    """A descriptor of a regular file, made with mode 0600; a file that others could read is made private.

    Raises OSError, NotAFileError among them.
    """
    # Where the system cannot refuse to follow a link this look is all there is.
    if path.is_symlink():
        raise NotAFileError(f"{path.name} is a link")
    try:
        descriptor = os.open(path, flags | _EXTRA, 0o600)
    except IsADirectoryError as error:
        raise NotAFileError(f"{path.name} is a folder") from error
    mode = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(mode):
        os.close(descriptor)
        raise NotAFileError(f"{path.name} is not a regular file")
    if mode & 0o077 and os.name == "posix":
        with contextlib.suppress(OSError):
            os.chmod(descriptor, 0o600)  # noqa: PTH101  (the very file that is open)
    return descriptor


def content_of(path: Path, most: int) -> bytes:
    """The content of a regular file; of one that is larger the last ``most`` bytes. Raises OSError."""
    descriptor = opened(path, os.O_RDONLY)
    with os.fdopen(descriptor, "rb") as file:
        file.seek(max(os.fstat(descriptor).st_size - most, 0))
        return file.read(most)


def replace(path: Path, pieces: Iterable[bytes]) -> None:
    """Put a new content in the place of a file in one step: a reader sees the old one or the new. Raises OSError.

    Callers hold a lock: two that replace one file at once would share the file in between.
    """
    between = unfinished(path)
    between.unlink(missing_ok=True)
    descriptor = opened(between, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(pieces)
        os.replace(between, path)  # noqa: PTH105  (Path.replace is the same; a test breaks this one)
    except BaseException:
        between.unlink(missing_ok=True)
        raise


def unfinished(path: Path) -> Path:
    """Where a new content is written before it takes the place of a file; a kill may leave it there."""
    return path.with_name(path.name + ".part")


class AppendFile:
    """A file to which whole lines are appended, by several processes at once if need be. Opened when first used."""

    def __init__(self, path: Path) -> None:
        """Name the file; nothing is opened or made yet."""
        self.path = path
        self.create = True
        self._descriptor: int | None = None

    def append(self, line: bytes) -> None:
        """Write a line with one system call: a kill leaves at most this one torn, and then it is the last.

        Raises OSError; what the failed attempt had written is taken back. GoneError if the file was deleted.
        """
        descriptor = self._open()
        if not os.fstat(descriptor).st_nlink:
            self.close()
            raise GoneError(f"{self.path.name} was deleted")
        done = 0
        try:
            while done < len(line):
                done += os.write(descriptor, line[done:])
        except OSError:
            if done:
                with contextlib.suppress(OSError):
                    os.ftruncate(descriptor, os.fstat(descriptor).st_size - done)
            raise

    def moved(self, path: Path) -> None:
        """Go on in the file's new place, without making it should it not be there."""
        self.close()
        self.path, self.create = path, False

    def close(self) -> None:
        """Close the file; the next line opens it again."""
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = None

    def _open(self) -> int:
        if self._descriptor is None:
            create = os.O_CREAT if self.create else 0
            self._descriptor = opened(self.path, os.O_WRONLY | os.O_APPEND | create)
        return self._descriptor
