"""Files on disk: listing a folder, and (from reading.py) reading a file. What can't be entered is told."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.errors import TargetError
from socreates_lsp.workspace.git_process import git_command, git_environment
from socreates_lsp.workspace.ignore import BUILT, MANIFESTS, NEVER, Ignore, ignored
from socreates_lsp.workspace.leash import go_on
from socreates_lsp.workspace.reading import LARGEST_FILE, LONGEST_LINE, read_text, refusal, shown
from socreates_lsp.workspace.tools import find_tool, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["LARGEST_FILE", "LONGEST_LINE", "Listing", "find_tool", "list_files", "read_text", "repository_around"]

_SECONDS = 60.0
_MOST_BYTES = 512_000_000
_MOST_NOTES = 20

_RG_COMPLAINT = re.compile(r"^(?:rg: )?(?P<path>.*?): (?P<reason>[^:]+?) \(os error \d+\)$", re.MULTILINE)
_GIT_COMPLAINT = re.compile(r"^warning: could not open directory '(?P<path>.*)': (?P<reason>.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a folder, absolute and sorted, and a sentence about each folder that could not be entered."""

    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()


def list_files(root: Path, within: Sequence[Path] = ()) -> Listing:
    """The files worth reading below ``root``, or below and at the paths ``within``.

    ``.gitignore`` is honoured, hidden files are taken, dependencies and caches are not; symbolic links are not
    followed. A file named in ``within`` is always taken, and a named folder is listed even if it is ignored.
    Raises TargetError if the root or a named path does not exist.
    """
    files: set[Path] = set()
    notes: list[str] = []
    whole = Path(os.path.normpath(root.absolute()))
    for path in within or (root.absolute(),):
        start = Path(os.path.normpath(whole / path))
        if _is_folder(start, path):
            found, said = _Folder(start, whole).listing()
            files.update(found)
            notes.extend(said)
        else:
            files.add(start)
    notes = list(dict.fromkeys(notes))
    if len(notes) > _MOST_NOTES:
        notes[_MOST_NOTES:] = [f"{len(notes) - _MOST_NOTES} more folders could not be entered."]
    return Listing(tuple(sorted(files)), tuple(notes))


def repository_around(path: Path) -> Path | None:
    """The nearest folder at or above ``path`` that holds a ``.git`` (a folder, or a file that points to one)."""
    return next((folder for folder in (path, *path.parents) if os.path.lexists(folder / ".git")), None)


def _is_folder(path: Path, given: Path) -> bool:
    try:
        return stat.S_ISDIR(path.stat().st_mode)
    except (OSError, ValueError) as error:
        raise TargetError(refusal(given, error)) from error


class _Folder:
    """One folder to list, by the best means there is: rg, git, or a walk of our own."""

    def __init__(self, folder: Path, root: Path) -> None:
        self._folder = folder
        self._root = root
        self._workspace = root if folder.is_relative_to(root) else folder
        self._top = repository_around(folder)
        self._manifests: dict[Path, bool] = {}

    def listing(self) -> tuple[Iterable[Path], list[str]]:
        chain = _chain_above(self._folder, self._top)
        if self._top is not None and self._is_ignored(self._top, chain):
            return self._walk([])
        found = self._by_rg() or self._by_git()
        if found is None:
            return self._walk(chain)
        names, notes = found
        return list(self._plain_files(names, notes)), notes

    def _is_ignored(self, top: Path, chain: _Chain) -> bool:
        """Whether the folder, or one around it, is ignored: then it was named, and all of it counts."""
        path = self._folder.relative_to(top).parts
        return any(ignored(chain, "/".join(path[:end]), folder=True) for end in range(1, len(path) + 1))

    def _by_rg(self) -> tuple[list[bytes], list[str]] | None:
        program = find_tool("rg", self._workspace)
        if program is None:
            return None
        options = [
            "--files",
            "--hidden",
            "--null",
            "--no-config",
            "--no-ignore-dot",
            "--no-require-git",
            "--glob=!.git",
        ]
        if self._top is None:
            # A .gitignore above the folder belongs to something else, such as a home folder.
            options.append("--no-ignore-parent")
        return self._listed([program, *options], {**os.environ, "LC_ALL": "C"}, _RG_COMPLAINT)

    def _by_git(self) -> tuple[list[bytes], list[str]] | None:
        program = find_tool("git", self._workspace)
        if program is None or self._top is None:
            return None
        command = [*git_command(program, self._top), "ls-files", "-co", "--exclude-standard", "-z", "--", "."]
        return self._listed(command, git_environment(), _GIT_COMPLAINT)

    def _listed(
        self, command: list[str], environment: dict[str, str], complaint: re.Pattern[str]
    ) -> tuple[list[bytes], list[str]] | None:
        """The names that a program lists and what it complains of; None if it can't do it."""
        try:
            ran = run(command, self._folder, environment=environment, seconds=_SECONDS, most=_MOST_BYTES)
        except OSError:  # a time-out is one too
            return None
        notes = [self._note(found["path"], found["reason"]) for found in complaint.finditer(ran.complaints)]
        # rg ends with 1 where there is no file, and with 2 where a part of the folder could not be read.
        if ran.cut or (ran.code not in {0, 1} and not notes):
            return None
        return [name for name in ran.output.split(b"\0") if name], notes

    def _note(self, path: str, reason: str) -> str:
        return f"{shown(self._named(self._folder / path))} could not be entered: {reason.lower()}."

    def _named(self, path: Path) -> Path:
        whole = Path(os.path.normpath(path))
        return whole.relative_to(self._root) if whole.is_relative_to(self._root) and whole != self._root else whole

    def _plain_files(self, names: Iterable[bytes], notes: list[str]) -> Iterator[Path]:
        """The plain files among the names; a name that is a folder is a repository of its own (a submodule)."""
        for name in names:
            path = self._folder / os.fsdecode(name)
            if not self._passed_over(path.relative_to(self._folder)):
                kind = _kind(path)
                if stat.S_ISREG(kind):
                    yield path
                elif stat.S_ISDIR(kind):
                    found, said = _Folder(path, self._root).listing()
                    notes.extend(said)
                    yield from found

    def _passed_over(self, path: Path) -> bool:
        if not NEVER.isdisjoint(path.parts[:-1]):
            return True
        if self._top is not None or BUILT.isdisjoint(path.parts[:-1]):
            return False
        return any(
            part in BUILT and self._has_manifest(self._folder.joinpath(*path.parts[:index]))
            for index, part in enumerate(path.parts[:-1])
        )

    def _has_manifest(self, folder: Path) -> bool:
        if folder not in self._manifests:
            self._manifests[folder] = any((folder / name).exists() for name in MANIFESTS)
        return self._manifests[folder]

    def _walk(self, chain: _Chain) -> tuple[Iterable[Path], list[str]]:
        notes: list[str] = []
        files: list[Path] = []
        base = self._top or self._folder

        def refused(error: OSError) -> None:
            notes.append(self._note(error.filename, error.strerror or str(error)))

        chains = {self._folder: chain}
        for here, folders, names in os.walk(self._folder, onerror=refused):
            go_on()
            folder = Path(here)
            prefix = "" if folder == base else folder.relative_to(base).as_posix() + "/"
            own = _with_own(chains.pop(folder, []), folder, prefix)
            folders[:] = [
                name
                for name in folders
                if not self._passed_over((folder / name / "x").relative_to(self._folder))
                and not ignored(own, prefix + name, folder=True)
            ]
            chains.update({folder / name: own for name in folders})
            files += [
                folder / name
                for name in names
                if not ignored(own, prefix + name, folder=False) and stat.S_ISREG(_kind(folder / name))
            ]
        return files, notes


_Chain = list[tuple[str, Ignore]]


def _chain_above(folder: Path, top: Path | None) -> _Chain:
    """The ``.gitignore`` files from the repository's top down to the folder above this one, with its excludes."""
    if top is None:
        return []
    chain: _Chain = []
    excludes = top / ".git" / "info" / "exclude"
    if excludes.is_file():
        chain.append(("", Ignore(_content(excludes))))
    above = [parent for parent in reversed(folder.parents) if parent.is_relative_to(top)]
    for parent in above:
        prefix = "" if parent == top else parent.relative_to(top).as_posix() + "/"
        chain = _with_own(chain, parent, prefix)
    return chain


def _with_own(chain: _Chain, folder: Path, prefix: str) -> _Chain:
    file = folder / ".gitignore"
    return [*chain, (prefix, Ignore(_content(file)))] if stat.S_ISREG(_kind(file)) else chain


def _content(file: Path) -> str:
    try:
        return read_text(file).content
    except TargetError:
        return ""


def _kind(path: Path) -> int:
    """The mode of a path, links not followed; 0 if there is none."""
    try:
        return path.lstat().st_mode
    except (OSError, ValueError):
        return 0
