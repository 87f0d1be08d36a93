"""Where things are kept: ``.socreates`` of a workspace, and the user's state folder. No link is followed out of it."""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from socreates_lsp.memory.files import NotAFileError, opened

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = ".socreates"


class StateFolder(NamedTuple):
    """The folder of what is kept per user, not yet made. ``warning``: a sentence, if it is not the usual one."""

    path: Path
    warning: str | None = None


class Places(NamedTuple):
    """Where the files of a root go: the first folder that can be used. ``warning``: why the usual one cannot."""

    folders: tuple[Path, ...]
    warning: str | None = None


def state_folder(environ: Mapping[str, str] | None = None) -> StateFolder:
    """The user's state folder: ``SOCREATES_STATE_DIR``, else where the system keeps such things. Never raises.

    Where there is none that can be written to, a new temporary folder, with a warning.
    """
    named = (os.environ if environ is None else environ).get("SOCREATES_STATE_DIR", "").strip()
    try:
        folder = Path(os.path.expanduser(named)) if named else _usual_state_folder()  # noqa: PTH111
        if _can_be_used(folder):
            return StateFolder(folder)
    except (OSError, ValueError, RuntimeError):  # no home, a NUL in a name
        folder = None
    import tempfile

    where = f"The state folder {folder}" if folder else "The state folder"
    try:
        made = Path(tempfile.mkdtemp(prefix="socreates-lsp-"))
    except OSError:  # not even that: every later write fails, and says so
        return StateFolder(Path(os.devnull), f"{where} cannot be written to, nor any other: nothing is remembered.")
    return StateFolder(made, f"{where} cannot be written to: {made} is used, which the next start will not look into.")


def places(root: str | None, state: Path) -> Places:
    """The folders for the files of a workspace, in the order in which they are to be tried.

    ``root`` is its path; without one everything goes to the state folder.
    """
    own = state / "roots" / _key(root)
    if root is None:
        return Places((own,))
    folder = Path(root) / NAME
    try:
        if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
            return Places((own,), f"{folder} is not a folder of its own: {own} is used.")
        if not os.access(folder if folder.is_dir() else root, os.W_OK):
            return Places((own,), f"{folder} cannot be written to: {own} is used.")
    except (OSError, ValueError):
        return Places((own,), f"{folder} cannot be used: {own} is used.")
    return Places((folder, own))


def prepare(folder: Path) -> None:
    """Make a folder, mode 0700, where it is not there; ``.socreates`` hides itself from git. Raises OSError."""
    if folder.name != NAME:  # the parent of .socreates is the workspace, which nobody makes
        folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    if folder.is_symlink() or not folder.is_dir():
        raise NotAFileError(f"{folder} is not a folder of its own")
    if folder.name != NAME:  # one that was there may be anybody's: SOCREATES_STATE_DIR names what it likes
        return
    if os.name == "posix" and folder.stat().st_mode & 0o077:
        with contextlib.suppress(OSError):
            folder.chmod(0o700)
    with contextlib.suppress(FileExistsError):
        descriptor = opened(folder / ".gitignore", os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            os.write(descriptor, b"*\n")
        finally:
            os.close(descriptor)


def _usual_state_folder() -> Path:
    from platformdirs import user_state_dir

    return Path(user_state_dir("socreates-lsp", appauthor=False))


def _can_be_used(folder: Path) -> bool:
    """Whether the folder, or the nearest one above it that is there, is one that can be written to."""
    if not folder.is_absolute():
        return False
    for place in (folder, *folder.parents):
        if place.exists() or place.is_symlink():
            return place.is_dir() and os.access(place, os.W_OK | os.X_OK)
    return False


def _key(root: str | None) -> str:
    if root is None:
        return "none"
    try:
        real = os.path.normcase(os.path.realpath(root))
    except (OSError, ValueError):  # a NUL in it
        real = root
    return hashlib.sha256(real.encode("utf-8", "surrogatepass")).hexdigest()[:16]
