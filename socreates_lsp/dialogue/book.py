"""The talks of one root, on disk and in memory. Not for the event loop.

As with the ledger an entry counts only if this user's record has it with every one of its members. Of others' entries
the words are shown, and nothing else of them does anything.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.dialogue.forgetting import forgotten, refreshed
from socreates_lsp.dismissals.book import renamed
from socreates_lsp.memory.kept import Kept, is_kept
from socreates_lsp.memory.own import Own, digest_of
from socreates_lsp.review.ledger import Ledger
from socreates_lsp.review.talks import fields_of_talk, talk_of
from socreates_lsp.workspace.moves import Moves

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from datetime import datetime

    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.talks import Talk
    from socreates_lsp.workspace.text import Text

FILE = "threads.json"


@dataclass(slots=True)
class View:
    """The talks of a root at one moment, by the ids of their findings: the user's own, and those of others."""

    own: dict[str, Talk] = field(default_factory=dict[str, "Talk"])
    foreign: dict[str, Talk] = field(default_factory=dict[str, "Talk"])

    def covering(self, finding: Finding, path: str, text: Text | None) -> tuple[Talk, bool] | None:
        """The talk about a finding, which stands in this text of its file, and whether it is the user's own."""
        for talks, is_own in ((self.own, True), (self.foreign, False)):
            about = Ledger(talk.about for talk in talks.values() if talk.about.path == path)
            entry = about.covering(finding, path, text)
            if entry is not None:
                return talks[entry.id], is_own
        return None


class Book:
    """See above. Without a root all is in memory."""

    def __init__(self, root: str | None, state: Path) -> None:
        """``state`` is the user's state folder. Nothing is read yet."""
        self._kept = None if root is None else Kept(root, state, name=FILE, member="threads")
        self._own = Own(root, state, name="own-threads.json")
        self._moves = None if root is None else Moves(Path(root))
        self._memory: dict[str, Talk] = {}
        self.warnings: tuple[str, ...] = ()

    def view(self, is_there: Callable[[str], bool]) -> View:
        """Read everything; ``is_there``: whether a path is a file or an open document. Files that git moved are
        followed."""
        view = View()
        if self._kept is not None:
            contents = self._kept.read()
            self.warnings = contents.warnings
            own = self._own.digests() if contents.entries else frozenset[str]()
            for fields in contents.entries:
                talk = talk_of(fields)
                if talk is not None:
                    (view.own if digest_of(fields) in own else view.foreign)[talk.id] = talk
        view.own.update(self._memory)
        self._follow(view, is_there)
        return view

    def put(self, talk: Talk) -> tuple[str, ...]:
        """Keep a talk as the user's own; sentences about what went wrong."""
        if self._kept is None:
            self._memory[talk.id] = talk
            return ()
        warnings = self._change(self._kept, [talk])
        if is_kept(warnings):
            self._memory.pop(talk.id, None)
        else:
            self._memory[talk.id] = talk
        return warnings

    def rename(self, path: str, to: str) -> tuple[str, ...]:
        """A file or a folder has another path: talks about it, and what cites it, hold there, of the user's own.
        Sentences about what went wrong."""
        self._memory = {key: _renamed(talk, path, to) for key, talk in self._memory.items()}
        talks = [] if self._kept is None else self._owned(self._kept)
        changed = [there for talk in talks if (there := _renamed(talk, path, to)) != talk]
        return self._change(self._kept, changed) if self._kept is not None and changed else ()

    def _owned(self, kept: Kept) -> list[Talk]:
        """The user's own talks on disk."""
        own = self._own.digests()
        given = (talk_of(fields) for fields in kept.read().entries if digest_of(fields) in own)
        return [talk for talk in given if talk is not None]

    def tidy(self, met: Collection[str], opened: Collection[str], keep_days: int, at: datetime) -> tuple[str, ...]:
        """After a review that met the talks with some ids: these are young, and what is old is forgotten, of the
        user's own. ``opened``: ids of open findings. Sentences about what went wrong."""
        if self._kept is None:
            return ()
        talks = {talk.id: talk for talk in self._owned(self._kept)}
        young = refreshed(talks.values(), at, keep_days, met)
        talks.update((talk.id, talk) for talk in young)
        old = forgotten(talks.values(), at, keep_days, opened)
        young = [talk for talk in young if talk.id not in old]
        return self._change(self._kept, young, old) if young or old else ()

    def _change(self, kept: Kept, put: Sequence[Talk], drop: Collection[str] = ()) -> tuple[str, ...]:
        """Put the user's own talks in, and take others out; sentences about what went wrong."""
        fields = [fields_of_talk(talk) for talk in put]
        new = {digest_of(one) for one in fields}
        going = {*drop, *(talk.id for talk in put)}
        old = {digest_of(one) for one in kept.read().entries if one["id"] in going}
        # First the record: a kill in between leaves a digest of nothing, and no entry that is nobody's.
        warning = self._own.change(add=new) if new else None
        warnings = kept.change(put=fields, drop=drop)
        if is_kept(warnings):
            self._own.change(drop=old - new)
        return warnings if warning is None else (*warnings, warning)

    def _follow(self, view: View, is_there: Callable[[str], bool]) -> None:
        """Give talks, and what they cite, the paths that their files have by now."""
        talks = view.own.values()
        paths = {talk.about.path for talk in talks} | {one.path for talk in talks for one in talk.anchors}
        gone = [path for path in paths if not is_there(path)]
        moved = self._moves.of(gone) if self._moves is not None and gone else {}
        if moved:
            view.own = {key: _moved(talk, moved) for key, talk in view.own.items()}


def _moved(talk: Talk, moved: dict[str, str]) -> Talk:
    return _with_paths(talk, lambda path: moved.get(path, path))


def _renamed(talk: Talk, old: str, new: str) -> Talk:
    return _with_paths(talk, lambda path: renamed(path, old, new))


def _with_paths(talk: Talk, path: Callable[[str], str]) -> Talk:
    about = replace(talk.about, path=path(talk.about.path))
    return replace(talk, about=about, anchors=tuple(replace(one, path=path(one.path)) for one in talk.anchors))


def told(warnings: Iterable[str]) -> str:
    """Several sentences as one text."""
    return " ".join(dict.fromkeys(warnings))
