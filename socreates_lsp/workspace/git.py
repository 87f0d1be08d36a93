"""What changed in a working tree, by git. Reads only; how git is run is in git_process.py."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.errors import TargetError
from socreates_lsp.workspace.changed_file import ChangedFile, Status, renamed, with_text
from socreates_lsp.workspace.decoding import NotTextError
from socreates_lsp.workspace.difference import Hunk, hunks_between
from socreates_lsp.workspace.files import repository_around
from socreates_lsp.workspace.git_process import Git
from socreates_lsp.workspace.reading import LARGEST_FILE, read_text, shown, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from socreates_lsp.workspace.text import Text

__all__ = [
    "ChangedFile", "Hunk", "Status", "Tree", "changes", "hunks_between", "is_revision", "old_text", "renamed",
    "repository_of", "with_text",
]  # fmt: skip

_BATCH_BYTES = 64_000_000
LINK = "120000"
SUBMODULE = "160000"
"""Modes that git gives to what is no file."""


def repository_of(path: Path) -> Path | None:
    """The top of the working tree that a path belongs to; None outside of every git repository."""
    return repository_around(path.absolute())


def is_revision(root: Path, name: str) -> bool:
    """Whether git knows a commit by this name in the repository around ``root``; False where there is none."""
    try:
        Tree(root).revision(name)
    except TargetError:
        return False
    return True


def changes(root: Path, base: str | None = None, within: Sequence[Path] = ()) -> tuple[ChangedFile, ...]:
    """What the working tree below ``root`` changed against ``base`` (HEAD when None), sorted by path.

    Staged and unstaged changes are one, and untracked files are new ones; submodules and symbolic links are
    left out, and so is a file that was only touched or got other line endings. ``within`` narrows it to these
    files and folders (relative to the root if they are relative). Raises TargetError, in one sentence, if there is
    no repository, no git or no such revision.
    """
    tree = Tree(root)
    entries = [entry for entry in tree.entries(base) if counts(entry.path, tree.prefix, root, within)]
    found = [replace(change, path=change.path.removeprefix(tree.prefix)) for change in tree.read(entries)]
    return tuple(sorted(renamed(found), key=lambda change: change.path))


def old_text(root: Path, base: str | None, old_path: str) -> Text | None:
    """The text of a file in ``base``; None if it was not there. ``old_path`` is relative to the root.

    Raises TargetError if there is no repository or revision, or if the file can't be read as text.
    """
    tree = Tree(root)
    revision = tree.revision(base)
    code, output, _ = tree.git.attempt("cat-file", "blob", f"{revision}:{tree.prefix}{old_path}")
    return text_of(output, shown(old_path)) if code == 0 else None


@dataclass(frozen=True, slots=True)
class Entry:
    """A changed path, relative to the top: the blob it had (empty: none), and whether git tracks it now."""

    path: str
    blob: str
    deleted: bool
    tracked: bool


class Tree:
    """One working tree and the part of it that is asked for."""

    def __init__(self, root: Path, workspace: Path | None = None) -> None:
        """No git inside the ``workspace`` (else the root) is run. Raises TargetError."""
        whole = Path(os.path.realpath(root))
        top = repository_of(whole)
        if top is None:
            raise TargetError(
                f"{shown(root)} is not in a git repository, so there are no changes to review: "
                "name the files, or run `git init` first."
            )
        self.git = Git(top, workspace or whole)
        self.workspace = workspace or whole
        self.top = top
        self.prefix = "" if whole == top else whole.relative_to(top).as_posix() + "/"

    def revision(self, base: str | None) -> str:
        """The id of the commit to compare with; the empty tree where nothing was committed yet."""
        name = "HEAD" if base is None else base
        if not name or name.startswith("-") or "\0" in name:
            raise TargetError(f"`{shown(name)}` is no git revision: name a commit, a branch or a tag.")
        code, output, complaints = self.git.attempt(
            "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"
        )
        if code == 0:
            return output.decode().strip()
        if "fatal" in complaints:
            self.git.output("rev-parse", "--git-dir")
        if base is None:
            return self.git.output("hash-object", "-t", "tree", "--stdin").decode().strip()
        raise TargetError(
            f"`{shown(name)}` is no revision in {shown(self.top)}: name a commit, a branch or a tag that is there."
        )

    def entries(self, base: str | None) -> list[Entry]:
        """The paths below the root that differ, each once."""
        found = {entry.path: entry for entry in _raw_entries(self.raw(base, submodules="all"))}
        listed = self.git.output("ls-files", "-o", "--exclude-standard", "-z", *self.where)
        for name in listed.split(b"\0"):
            path = os.fsdecode(name)
            if not name or name.endswith(b"/"):
                continue
            known = found.get(path)
            # Taken out of the index but still on disk: it is there, and has an old text.
            found[path] = Entry(path, known.blob if known else "", deleted=False, tracked=known is not None)
        return list(found.values())

    @property
    def where(self) -> tuple[str, str]:
        """What limits a git command to the root."""
        return "--", self.prefix.rstrip("/") or "."

    def raw(self, base: str | None, *, submodules: str) -> bytes:
        """What differs from ``base``, as ``git diff --raw -z`` has it; ``submodules`` says which are passed over."""
        return self.git.output(
            "diff", "--raw", "-z", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-relative",
            f"--ignore-submodules={submodules}", self.revision(base), *self.where,
        )  # fmt: skip

    def read(self, entries: list[Entry]) -> Iterator[ChangedFile]:
        """The changes with their texts."""
        blobs = self.blobs({entry.blob for entry in entries if entry.blob})
        for entry in entries:
            change = self.changed(entry, blobs)
            if change is not None:
                yield change

    def changed(self, entry: Entry, blobs: dict[str, bytes | int]) -> ChangedFile | None:
        """The change of one path; None where no line differs."""
        file = self.top / entry.path
        present = not entry.deleted and os.path.lexists(file)
        if present and file.is_symlink():
            return None
        if not present and not entry.blob:
            return None
        status = _status(entry, present=present)
        try:
            old = self._old(entry, blobs)
            new = read_text(file) if present else None
        except TargetError as error:
            binary = isinstance(error, NotTextError)
            if binary and present and file.read_bytes() == blobs.get(entry.blob):
                return None
            reason = str(error).replace(shown(file), shown(entry.path.removeprefix(self.prefix)), 1)
            return ChangedFile(entry.path, None, status, binary=binary, reason=reason)
        hunks = hunks_between(old, new)
        if status is Status.MODIFIED and not hunks:
            return None  # only touched, or with other line endings
        return ChangedFile(entry.path, None, status, hunks=hunks, old=old, new=new)

    def _old(self, entry: Entry, blobs: dict[str, bytes | int]) -> Text | None:
        if not entry.blob:
            return None
        name = shown(entry.path.removeprefix(self.prefix))
        data = blobs.get(entry.blob)
        if data is None:
            raise TargetError(f"{name} is not in this copy of the repository: fetch its history first.")
        if isinstance(data, int):
            raise TargetError(f"{name} had {data:,} bytes before, more than are read of one file.")
        return text_of(data, name)

    def blobs(self, ids: set[str]) -> dict[str, bytes | int]:
        """The contents of blobs by id; only the size of one that is too large, nothing for one that is missing."""
        listed = sorted(ids)
        sizes: dict[str, int] = {}
        if listed:
            answer = self.git.output("cat-file", "--batch-check", given="\n".join(listed).encode() + b"\n")
            for line in answer.decode().splitlines():
                name, _, rest = line.partition(" ")
                if rest.startswith("blob "):
                    sizes[name] = int(rest.split()[1])
        found: dict[str, bytes | int] = {name: size for name, size in sizes.items() if size > LARGEST_FILE}
        batch: list[str] = []
        room = _BATCH_BYTES
        for name in (name for name in listed if sizes.get(name, LARGEST_FILE + 1) <= LARGEST_FILE):
            if room < sizes[name]:
                found.update(self._batch(batch))
                batch, room = [], _BATCH_BYTES
            batch.append(name)
            room -= sizes[name]
        found.update(self._batch(batch))
        return found

    def _batch(self, ids: list[str]) -> Iterator[tuple[str, bytes]]:
        if not ids:
            return
        answer = self.git.output("cat-file", "--batch", given="\n".join(ids).encode() + b"\n")
        at = 0
        while at < len(answer):
            end = answer.index(b"\n", at)
            name, _, size = answer[at:end].decode().split(" ")
            yield name, answer[end + 1 : end + 1 + int(size)]
            at = end + 1 + int(size) + 1


def _raw_entries(raw: bytes) -> Iterator[Entry]:
    """Read ``git diff --raw -z``: ``:old-mode new-mode old-id new-id status``, NUL, path, NUL."""
    fields = iter(raw.split(b"\0"))
    for head in fields:
        if not head.startswith(b":"):
            continue
        path = os.fsdecode(next(fields))
        old_mode, new_mode, blob, _, letter = head[1:].decode().split(" ")
        if {old_mode, new_mode} & {SUBMODULE, LINK}:
            continue
        absent = not blob.strip("0")
        yield Entry(path, "" if absent else blob, deleted=letter == "D", tracked=True)


def _status(entry: Entry, *, present: bool) -> Status:
    if not present:
        return Status.DELETED
    if entry.blob:
        return Status.MODIFIED
    return Status.ADDED if entry.tracked else Status.UNTRACKED


def counts(path: str, prefix: str, root: Path, within: Sequence[Path]) -> bool:
    """Whether a path, relative to the top, is below the root and at or below what was named."""
    if not path.startswith(prefix):
        return False
    if not within:
        return True
    real = Path(os.path.realpath(root))
    whole = real / path.removeprefix(prefix)
    return any(whole.is_relative_to(os.path.normpath(real / _relative(one, root))) for one in within)


def _relative(path: Path, root: Path) -> Path:
    if not path.is_absolute():
        return path
    return path.relative_to(root) if path.is_relative_to(root) else Path(os.path.realpath(path))
