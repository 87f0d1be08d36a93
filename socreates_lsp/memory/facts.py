"""The facts of one root, on disk: ``.socreates/memory.json``. Not for the event loop.

As with dismissals an entry counts only if this user's record has it with every one of its members. Others' entries are
kept, and stay without effect until the user accepts them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from socreates_lsp.memory.encoding import now
from socreates_lsp.memory.fact import SUMMARIES, Fact, fact, fact_of, fields_of
from socreates_lsp.memory.kept import Kept
from socreates_lsp.memory.likeness import read, says_the_same
from socreates_lsp.memory.own import Own, digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FILE = "memory.json"
MOST_FACTS = 400
"""Facts of one root: more would not be looked through by anybody. The summaries of sessions come on top."""

MOST_SUMMARIES = 10
"""Summaries that are kept, the newest."""

_PATIENCE_S = 20.0
"""How long another process may take to write; each takes milliseconds, and there may be many."""


@dataclass(frozen=True, slots=True)
class Known:
    """What a root's memory holds at one moment. ``digests`` are of the ``foreign`` entries, as they stand there."""

    own: tuple[Fact, ...] = ()
    foreign: tuple[Fact, ...] = ()
    digests: frozenset[str] = frozenset()
    warnings: tuple[str, ...] = ()

    def get(self, fact_id: str) -> Fact | None:
        """The fact with an id, of whomever."""
        return next((one for one in (*self.own, *self.foreign) if one.id == fact_id), None)

    def like(self, text: str, category: str) -> Fact | None:
        """The fact of a category that says the same already."""
        return next((one for one in self.own if one.category == category and says_the_same(one.text, text)), None)


@dataclass(frozen=True, slots=True)
class Noted:
    """What came of a fact that was to be noted. ``fact`` None: there are too many. ``merged``: it was known."""

    fact: Fact | None
    merged: bool = False
    warnings: tuple[str, ...] = ()


class Facts:
    """See the module."""

    def __init__(self, root: str, state: Path) -> None:
        """``state`` is the user's state folder. Nothing is read yet."""
        self._kept = Kept(root, state, name=FILE, member="memory", patience=_PATIENCE_S)
        self._own = Own(root, state, name="own-memory.json", patience=_PATIENCE_S)

    @property
    def path(self) -> str:
        """The file, for people."""
        return str(self._kept.path)

    def known(self) -> Known:
        """Read everything; of the user's own facts that say the same the newest."""
        contents = self._kept.read()
        digests = self._own.digests() if contents.entries else frozenset[str]()
        own: list[Fact] = []
        foreign: dict[str, Fact] = {}
        for fields in contents.entries:
            one = fact_of(fields)
            if one is None:
                continue
            digest = digest_of(fields)
            if digest in digests:
                own.append(one)
            else:
                foreign[digest] = one
        return Known(tuple(_once(own)), tuple(foreign.values()), frozenset(foreign), contents.warnings)

    def add(self, new: Fact) -> Noted:
        """Note a fact as the user's own. One that says the same stays, with the fuller words and the new date and
        source."""
        known = self.known()
        like = known.like(new.text, new.category) if new.category != SUMMARIES else None
        if like is not None:
            text = like.text if len(like.text) > len(new.text) else new.text
            merged = replace(new, id=like.id, text=text, source=new.source or like.source)
            return Noted(merged, merged=True, warnings=self._put(merged, known))
        if new.category != SUMMARIES and sum(one.category != SUMMARIES for one in known.own) >= MOST_FACTS:
            return Noted(None)
        return Noted(new, warnings=self._put(new, known, self._old_summaries(known, new)))

    def edit(self, fact_id: str, text: str) -> Noted | None:
        """Give a fact other words, which are the user's; None if there is no such."""
        known = self.known()
        old = known.get(fact_id)
        if old is None:
            return None
        new = replace(fact(old.category, text, old.source, now(), "user", old.mark), id=old.id)
        return Noted(new, warnings=self._put(new, known))

    def forget(self, fact_ids: Iterable[str]) -> tuple[int, tuple[str, ...]]:
        """Take facts out, of whomever: how many there were, and what went wrong."""
        wanted = frozenset(fact_ids)
        entries = [fields for fields in self._kept.read().entries if fields["id"] in wanted]
        warnings = self._kept.change(drop=wanted)
        warning = self._own.change(drop=[digest_of(fields) for fields in entries]) if entries else None
        return len(entries), warnings if warning is None else (*warnings, warning)

    def accept(self, digests: Iterable[str]) -> str | None:
        """From now on these entries count, as they are; a sentence where that cannot be saved."""
        return self._own.change(add=digests)

    def _put(self, new: Fact, known: Known, drop: Iterable[str] = ()) -> tuple[str, ...]:
        fields = fields_of(new)
        # First the record: a kill in between leaves a digest of nothing, and no entry that is nobody's.
        warning = self._own.change(add=[digest_of(fields)])
        warnings = self._kept.change(put=[fields], drop=tuple(drop))
        old = [digest_of(fields_of(one)) for one in known.own if one.id == new.id and one != new]
        if old:
            self._own.change(drop=old)
        return warnings if warning is None else (*warnings, warning)

    @staticmethod
    def _old_summaries(known: Known, new: Fact) -> list[str]:
        """The ids of summaries that leave when another one comes."""
        if new.category != SUMMARIES:
            return []
        others = sorted((one for one in known.own if one.category == SUMMARIES), key=lambda one: one.at, reverse=True)
        return [one.id for one in others[MOST_SUMMARIES - 1 :]]


def _once(facts: Iterable[Fact]) -> list[Fact]:
    """Facts, of those that say the same the newest: two processes may have noted both at once."""
    kept: list[Fact] = []
    groups: dict[tuple[object, ...], list[Fact]] = {}
    for one in sorted(facts, key=lambda one: one.at, reverse=True):
        group = groups.setdefault((one.category, read(one.text).fixed), [])
        if one.category == SUMMARIES or not any(says_the_same(other.text, one.text) for other in group):
            group.append(one)
            kept.append(one)
    return kept
