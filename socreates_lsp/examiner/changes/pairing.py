"""A function before and after a change, also if it was renamed or moved to another file. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from socreates_lsp.examiner.changes.blocks import Block, within
from socreates_lsp.examiner.changes.code import Code, squeezed
from socreates_lsp.examiner.changes.functions import Function
from socreates_lsp.examiner.changes.returns import Return, returns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from socreates_lsp.examiner.changes.file_change import FileChange
    from socreates_lsp.workspace.text import Text

_ALIKE = 0.6
"""The share of common lines from which two functions of different names are one that was renamed."""


@dataclass(frozen=True)
class Pair:
    """A function before and after; the two may stand in different files if it was moved."""

    before: FileChange
    old: Function
    after: FileChange
    new: Function

    @property
    def moved(self) -> bool:
        """Whether it stands in another file now."""
        return self.before is not self.after

    def owns_old(self, line: int) -> bool:
        """Whether a line of the old text is in this function and in none within it."""
        around = self.before.old_owners[line]
        return around is self.old or (around is None and not self.old.name)

    def owns_new(self, line: int) -> bool:
        """Whether a line of the new text is in this function and in none within it."""
        around = self.after.new_owners[line]
        return around is self.new or (around is None and not self.new.name)

    @cached_property
    def old_returns(self) -> tuple[Return, ...]:
        """What the old function returned."""
        return returns(self.before.old_code, self.old, self.owns_old)

    @cached_property
    def new_returns(self) -> tuple[Return, ...]:
        """What the new function returns."""
        return returns(self.after.new_code, self.new, self.owns_new)

    @cached_property
    def removed(self) -> list[int]:
        """The lines of the old function that are gone and hold code."""
        code = self.before.old_code
        own = range(self.old.begin, self.old.last + 1)
        return [line for line in own if line in self.before.removed and code.lines[line].strip()]

    @cached_property
    def added(self) -> list[int]:
        """The lines of the new function that are new and hold code."""
        code = self.after.new_code
        own = range(self.new.begin, self.new.last + 1)
        return [line for line in own if line in self.after.added and code.lines[line].strip()]

    @property
    def old_blocks(self) -> list[Block]:
        """The protected blocks of the old function."""
        return within(self.before.old_blocks, self.old.begin, self.old.last)

    @property
    def new_blocks(self) -> list[Block]:
        """The protected blocks of the new function."""
        return within(self.after.new_blocks, self.new.begin, self.new.last)

    def place(self, old_line: int) -> int:
        """A line of the new function where a removed line stood."""
        if self.moved:
            return self.new.first
        return self.after.near(old_line, self.new)


def whole(text: Text) -> Function:
    """The whole text as a function without a name."""
    return Function("", "", 0, 0, 0, text.last_line, None, "")


def paired(files: Sequence[FileChange]) -> list[Pair]:
    """The functions of these files that are there before and after, wherever they stand."""
    pairs: list[Pair] = []
    for file in files:
        if not file.created and not file.deleted:
            pairs += _pairs_in(file)
    taken = {(id(pair.before), pair.old) for pair in pairs}
    used = {(id(pair.after), pair.new) for pair in pairs}
    free = [
        _Candidate(file, new, _lines(file.new_code, new))
        for file in files
        for new in file.new_functions
        if (id(file), new) not in used
    ]
    for file in files:
        for old in file.old_functions:
            if (id(file), old) not in taken:
                found = _best(file, old, free)
                if found is not None:
                    free.remove(found)
                    pairs.append(Pair(file, old, found.file, found.function))
    return pairs


def _pairs_in(file: FileChange) -> Iterator[Pair]:
    olds, news = _by_key(file.old_functions), _by_key(file.new_functions)
    for key, before in olds.items():
        after = list(news.get(key, ()))
        left: list[Function] = []
        for old in before:
            same = next((new for new in after if new.signature == old.signature), None)
            if same is not None:
                after.remove(same)
                yield Pair(file, old, file, same)
            else:
                left.append(old)
        if len(left) == len(after):
            for old, new in zip(left, after, strict=True):
                yield Pair(file, old, file, new)


def _by_key(found: list[Function]) -> dict[tuple[str, str], list[Function]]:
    keyed: dict[tuple[str, str], list[Function]] = {}
    for function in found:
        keyed.setdefault((function.owner, function.name), []).append(function)
    return keyed


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A new function that may be an old one under another name or in another place."""

    file: FileChange
    function: Function
    lines: Counter[str]


def _best(file: FileChange, old: Function, free: list[_Candidate]) -> _Candidate | None:
    """The new function that has most lines of the old one, if it has enough; the same name speaks for it."""
    own = _lines(file.old_code, old)
    best, best_score = None, _ALIKE
    for candidate in free:
        if candidate.file.language == file.language:
            score = _likeness(own, candidate.lines) + (0.3 if candidate.function.name == old.name else 0.0)
            if score > best_score:
                best, best_score = candidate, score
    return best


def _lines(code: Code, function: Function) -> Counter[str]:
    lines = (squeezed(code.raw(line)) for line in range(function.first, function.last + 1))
    return Counter(line for line in lines if len(line) > 1)


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    longest = max(one.total(), other.total())
    return (one & other).total() / longest if longest else 0.0
