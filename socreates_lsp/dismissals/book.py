"""The dismissals of one root, on disk and in memory, and where their files are by now. Not for the event loop."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from socreates_lsp.memory.held import reason
from socreates_lsp.memory.kept import Kept, is_kept
from socreates_lsp.memory.own import Own, digest_of
from socreates_lsp.review.finding import finding_id
from socreates_lsp.review.ledger import Dismissal, Ledger
from socreates_lsp.review.ledger_fields import dismissal_of, fields_of
from socreates_lsp.workspace.moves import Moves

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

FILE = "dismissed.json"


@dataclass(slots=True)
class View:
    """What a root keeps at one moment: the entries that hold, and those that are not this user's (``foreign``).

    ``digests`` are of the foreign ones. ``gone``: ids of entries whose files are not where they were.
    """

    ledger: Ledger = field(default_factory=Ledger)
    foreign: Ledger = field(default_factory=Ledger)
    digests: frozenset[str] = frozenset()
    gone: set[str] = field(default_factory=set[str])
    warnings: tuple[str, ...] = ()
    file: str | None = None
    """The file of the root, for people."""

    def __len__(self) -> int:
        """How many entries there are, of whomever."""
        return len(self.ledger) + len(self.foreign)

    def follow(self, path: str, file: str) -> None:
        """Give a file with this path and content (a digest) the entries of one that is gone and held the same."""
        for ledger in (self.ledger, self.foreign) if self.gone else ():
            for entry in ledger:
                if entry.id in self.gone and entry.file == file:
                    ledger.move(entry.id, path)
                    self.gone.discard(entry.id)

    def known(self, finding_id: str) -> Dismissal | None:
        """The entry with an id, of whomever."""
        return self.ledger.get(finding_id) or self.foreign.get(finding_id)


@dataclass(slots=True)
class Adopted:
    """Entries from another book, by the ids that they had there, and the old ids of those that are on disk now."""

    entries: dict[str, Dismissal] = field(default_factory=dict[str, Dismissal])
    kept: list[str] = field(default_factory=list[str])
    warnings: list[str] = field(default_factory=list[str])


class Book:
    """See above. Without a root all is in memory."""

    def __init__(self, root: str | None, state: Path) -> None:
        """``state`` is the user's state folder. Nothing is read yet."""
        self.root = root
        self._kept = None if root is None else Kept(root, state, name=FILE, member="dismissed")
        self._own = Own(root, state, name="dismissals.json")
        self._moves = None if root is None else Moves(Path(root))
        self._memory: dict[str, Dismissal] = {}
        self._dropped: set[str] = set()

    def view(self, *, accepts: bool, shared: bool, is_there: Callable[[str], bool]) -> View:
        """Read everything; ``locate`` then finds the files that are gone.

        ``accepts``: whose word counts as the user's; ``shared``: whether git is to see the file; ``is_there``: whether
        a path is a file or an open document.
        """
        view = View(file=None if self._kept is None else str(self._kept.path))
        mine = dict(self._memory)
        foreign: list[Dismissal] = []
        if self._kept is not None:
            unshared = self._share(shared=shared)
            contents = self._kept.read()
            view.warnings = (*contents.warnings, *unshared)
            own, notes = self._own.digests(), self._own.notes()
            digests: set[str] = set()
            for fields in contents.entries:
                entry = dismissal_of(fields)
                if entry is None or entry.id in self._dropped or entry.id in mine:
                    continue
                digest = digest_of(fields)
                if accepts or digest in own:
                    mine[entry.id] = _as_noted(entry, notes)
                else:
                    foreign.append(entry)
                    digests.add(digest)
            view.digests = frozenset(digests)
        view.ledger, view.foreign = Ledger(mine.values()), Ledger(foreign)
        paths = {entry.path for ledger in (view.ledger, view.foreign) for entry in ledger}
        gone = {path for path in paths if not is_there(path)}
        view.gone = {entry.id for ledger in (view.ledger, view.foreign) for entry in ledger if entry.path in gone}
        return view

    def locate(self, view: View) -> None:
        """Follow the files that are gone, as far as git knows. May take a while in a long history."""
        entries = [entry for ledger in (view.ledger, view.foreign) for entry in ledger if entry.id in view.gone]
        if self._moves is None or not entries:
            return
        moved = self._moves.of(entry.path for entry in entries)
        for ledger in (view.ledger, view.foreign):
            for entry in ledger:
                if entry.id in view.gone and entry.path in moved:
                    ledger.move(entry.id, moved[entry.path])
        view.gone -= {entry.id for entry in entries if entry.path in moved}

    def put(self, entry: Dismissal, *, shared: bool) -> tuple[str, ...]:
        """Keep an entry as the user's own; sentences about what went wrong."""
        self._dropped.discard(entry.id)
        fields = fields_of(entry)
        # First the record: a kill in between leaves a digest of nothing, and no entry that is nobody's.
        warning = None if self._kept is None else self._own.change(add=[digest_of(fields)])
        warnings = () if self._kept is None else self._kept.change(put=[fields])
        if self._kept is None or not is_kept(warnings):
            self._memory[entry.id] = entry
        unshared = self._share(shared=shared)
        return (*warnings, *unshared) if warning is None else (*warnings, *unshared, warning)

    def drop(self, finding_id: str) -> tuple[str, ...]:
        """Take an entry out; sentences about what went wrong."""
        self._memory.pop(finding_id, None)
        if self._kept is None:
            return ()
        digests = [digest_of(fields) for fields in self._kept.read().entries if fields["id"] == finding_id]
        warnings = self._kept.change(drop=[finding_id])
        if any(fields["id"] == finding_id for fields in self._kept.read().entries):
            self._dropped.add(finding_id)
        self._own.note({finding_id: None})
        warning = self._own.change(drop=digests)
        return warnings if warning is None else (*warnings, warning)

    def accept(self, digests: Iterable[str]) -> tuple[str, ...]:
        """From now on these entries hold, as they are; a sentence where that cannot be saved."""
        warning = self._own.change(add=digests)
        return () if warning is None else (warning,)

    def note(self, places: Mapping[str, tuple[str, str]]) -> None:
        """Note the path and the content (a digest) of files in which entries were seen, by the ids of these."""
        if self._kept is None:
            return
        known = self._own.notes()
        new = {key: {"path": path, "file": file} for key, (path, file) in places.items()}
        changed = {key: value for key, value in new.items() if known.get(key) != value}
        if changed:
            self._own.note(changed)

    def own(self) -> list[Dismissal]:
        """The entries that the user made or agreed to, with their files where they were seen last."""
        found = dict(self._memory)
        if self._kept is not None:
            own, notes = self._own.digests(), self._own.notes()
            for fields in self._kept.read().entries:
                entry = dismissal_of(fields) if digest_of(fields) in own else None
                if entry is not None and entry.id not in self._dropped:
                    found.setdefault(entry.id, _as_noted(entry, notes))
        return list(found.values())

    def adopt(self, entries: Iterable[Dismissal], *, shared: bool) -> Adopted:
        """Keep entries that the book of another root had. One whose id another one has here gets an id of its own."""
        adopted = Adopted()
        for entry in entries:
            new = self._renumbered(entry)
            warnings = self.put(new, shared=shared)
            adopted.entries[entry.id] = new
            adopted.warnings += warnings
            adopted.kept += [entry.id] if self._kept is not None and is_kept(warnings) else []
        return adopted

    def _renumbered(self, entry: Dismissal) -> Dismissal:
        """The entry under an id that no other one has."""
        kept = () if self._kept is None else self._kept.read().entries
        taken: dict[str, Dismissal | None] = {fields["id"]: dismissal_of(fields) for fields in kept}
        taken.update(self._memory)
        free = entry.id
        for number in count():
            known = taken.get(free)
            if free not in taken or (known is not None and known.key == entry.key):
                break
            free = finding_id(f"{self.root}\0{entry.id}", entry.category, entry.quote, number)
        return replace(entry, id=free)

    def rename(self, path: str, to: str) -> None:
        """A file or a folder has another path: its entries hold there."""
        self._memory = {key: replace(entry, path=renamed(entry.path, path, to)) for key, entry in self._memory.items()}
        if self._kept is None:
            return
        notes = self._own.notes()
        known = (dismissal_of(fields) for fields in self._kept.read().entries)
        entries = [_as_noted(entry, notes) for entry in known if entry is not None]
        self.note(
            {
                entry.id: (there, entry.file)
                for entry in entries
                if (there := renamed(entry.path, path, to)) != entry.path
            }
        )

    def _share(self, *, shared: bool) -> tuple[str, ...]:
        """Let git see the file if it is to; a sentence where that cannot be done."""
        try:
            if shared and self._kept is not None:
                self._kept.share()
        except OSError as error:
            return (f"The .gitignore beside {FILE} cannot be changed ({reason(error)}).",)
        return ()


def is_below(path: str, folder: str) -> bool:
    """Whether a path is this file or folder, or in it. ``.`` is the root."""
    return folder in {".", path} or path.startswith(f"{folder}/")


def renamed(path: str, old: str, new: str) -> str:
    """A path after a file or folder was renamed."""
    if not is_below(path, old):
        return path
    rest = path if old == "." else path[len(old) :].lstrip("/")
    return "/".join(part for part in ("" if new == "." else new, rest) if part)


def is_inside(path: str) -> bool:
    """Whether a path of an entry names something below its root."""
    given = Path(path)
    return bool(path) and "\0" not in path and not given.anchor and not given.drive and ".." not in given.parts


def _as_noted(entry: Dismissal, notes: Mapping[str, Any]) -> Dismissal:
    """The entry with its file where this machine saw it last, and as it was then."""
    note = notes.get(entry.id)
    if not isinstance(note, dict):
        return entry
    fields = cast("dict[str, Any]", note)
    path, file = fields.get("path"), fields.get("file")
    return replace(entry, path=path, file=file) if isinstance(path, str) and isinstance(file, str) else entry
