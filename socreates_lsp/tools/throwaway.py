"""A temporary copy of the workspace for a command to work in, and the bare environment that it gets."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.tools.refusal import ToolRefusalError
from socreates_lsp.tools.tree import counted, human
from socreates_lsp.workspace.ignore import NEVER
from socreates_lsp.workspace.leash import go_on

if TYPE_CHECKING:
    from collections.abc import Generator

    from socreates_lsp.tools.view import Files, View

LARGEST = 200_000_000
"""Bytes up to which a workspace is copied."""

_QUIET = {
    "NO_COLOR": "1",
    "TERM": "dumb",
    "PAGER": "cat",
    "MANPAGER": "cat",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_EDITOR": "true",
    "EDITOR": "true",
    "VISUAL": "true",
    "PYTHONDONTWRITEBYTECODE": "1",
}
"""No pager, no editor, no colour, no question; and no bytecode beside a package that is installed from the workspace
itself, which Python would import from there and not from the copy."""


@dataclass(frozen=True, slots=True)
class Copy:
    """``folder`` is the copy of the root, ``home`` an empty folder; ``notes`` say what is not in the copy."""

    folder: str
    home: str
    notes: tuple[str, ...]


def to_copy(view: View) -> Files:
    """The files to copy. Raises ToolRefusalError if they are too large."""
    files = view.files(view.paths.resolve("."))
    opened = view.opened()
    size = 0
    for path in files.paths:
        go_on()
        size += view.size(path, opened)
    if size > LARGEST:
        raise ToolRefusalError(
            f"No command can run: it would work on a copy of the workspace, which has {human(size)}, and at most "
            f"{human(LARGEST)} are copied. Go on by reading."
        )
    return files


@contextlib.contextmanager
def copied(view: View) -> Generator[Copy]:
    """A copy of the files that count and the texts of open buffers, gone afterwards whatever happens.

    Raises ToolRefusalError if the workspace is too large, or can't be copied.
    """
    files = to_copy(view)
    try:
        base = tempfile.mkdtemp(prefix="socreates-")
    except OSError as error:
        raise _not_copied(error) from error
    try:
        home, folder = Path(base, "home"), Path(base, Path(view.paths.root).name or "workspace")
        if folder == home:
            folder = Path(base, "workspace")
        home.mkdir()
        folder.mkdir()
        try:
            notes = _fill(view, files, folder)
        except OSError as error:
            raise _not_copied(error) from error
        yield Copy(os.path.realpath(folder), os.path.realpath(home), tuple(notes))
    finally:
        _remove(base)


def _not_copied(error: OSError) -> ToolRefusalError:
    reason = error.strerror or str(error)
    return ToolRefusalError(f"No command can run: the workspace could not be copied ({reason}). Go on by reading.")


def environment(copy: Copy, root: str) -> dict[str, str]:
    """All that a command gets of the environment. Folders of PATH in the workspace are left out."""
    return {
        "PATH": os.pathsep.join(_search_path(root)),
        "HOME": copy.home,
        "LANG": os.environ.get("LANG") or "C.UTF-8",
        **_QUIET,
    }


def _search_path(root: str) -> list[str]:
    real = Path(root).resolve()
    return [
        folder
        for folder in os.environ.get("PATH", os.defpath).split(os.pathsep)
        if os.path.isabs(folder)  # noqa: PTH117  (Path would make an empty entry the current folder)
        and not Path(os.path.normpath(folder)).is_relative_to(root)
        and not Path(folder).resolve().is_relative_to(real)
    ]


def _fill(view: View, listed: Files, folder: Path) -> list[str]:
    """Copy files, buffers and links; what could not be read is counted."""
    source = Path(view.paths.real_root)
    opened = view.opened()
    made: set[Path] = {folder}
    unread = 0
    for path in listed.paths:
        go_on()
        target = folder / path
        if target.parent not in made:
            target.parent.mkdir(parents=True, exist_ok=True)
            made.add(target.parent)
        if path in opened:
            target.write_bytes(opened[path].text.content.encode("utf-8", "replace"))
            _take_mode(source / path, target)
        else:
            unread += not _copy(source / path, target)
    _link(view, source, folder, sorted(made))
    notes = list(listed.notes)
    if listed.kept:
        notes.append(f"{counted(len(listed.kept), 'file')} left out, by policy.readDeny.")
    if unread:
        notes.append(f"{counted(unread, 'file')} could not be read, and left out.")
    return notes


def _copy(source: Path, target: Path) -> bool:
    """Copy one file with its mode and times; False if it can't be read, or is gone by now."""
    try:
        shutil.copy2(source, target, follow_symlinks=False)
    except FileNotFoundError:
        return True
    except (PermissionError, shutil.SpecialFileError):
        return False
    if target.is_symlink():
        target.unlink()
    return True


def _take_mode(source: Path, target: Path) -> None:
    with contextlib.suppress(OSError):
        target.chmod(source.stat().st_mode & 0o777)


def _link(view: View, source: Path, folder: Path, made: list[Path]) -> None:
    """Make the symbolic links between what was copied; a link to anything else is left out."""
    for parent in made:
        go_on()
        try:
            entries = sorted(os.scandir(source / parent.relative_to(folder)), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            if entry.is_symlink() and entry.name not in NEVER:
                relative = (parent / entry.name).relative_to(folder).as_posix()
                inside = view.paths.relative(os.path.realpath(entry.path))
                if inside is None or view.paths.denies(relative) or (parent / entry.name).exists():
                    continue
                goal = os.path.relpath(folder / inside, parent)
                if (folder / inside).exists() and not view.paths.denies(inside):
                    (parent / entry.name).symlink_to(goal)


def _remove(base: str) -> None:
    """Remove the copy, also where the command took away rights; what a link leads to is not touched."""
    shutil.rmtree(base, ignore_errors=True)
    if os.path.lexists(base):
        for here, folders, _ in os.walk(base):
            for folder in (Path(here, name) for name in folders):
                if not folder.is_symlink():
                    with contextlib.suppress(OSError):
                        folder.chmod(0o700)
        shutil.rmtree(base, ignore_errors=True)
