"""A change as the mechanisms see it: files before and after, their functions in pairs, what was only moved. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from socreates_lsp.examiner.changes.blocks import Block, blocks, within
from socreates_lsp.examiner.changes.code import Code, squeezed
from socreates_lsp.examiner.changes.functions import Function, by_line, functions
from socreates_lsp.examiner.changes.project import is_generated, is_side, is_test
from socreates_lsp.examiner.changes.returns import Return, returns
from socreates_lsp.workspace.difference import Hunk, hunks_between
from socreates_lsp.workspace.languages import language_of
from socreates_lsp.workspace.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socreates_lsp.examiner.changes.callers import Callers
    from socreates_lsp.examiner.changes.project import Project

_ALIKE = 0.6
"""The share of common lines from which two functions of different names are one that was renamed."""

_EMPTY = Text("")


class FileChange:
    """A file before and after. ``path`` is its path now (where it was, for a deleted one); a text may be None."""

    def __init__(self, path: str, old: Text | None, new: Text | None, *, old_path: str | None = None) -> None:
        """Take the two texts."""
        self.path = path
        self.old_path = old_path or path
        self.old = old or _EMPTY
        self.new = new or _EMPTY
        self.deleted = new is None
        self.created = old is None
        shown = self.new if new is not None else self.old
        self.language = language_of(path, shown.line(0))

    @cached_property
    def hunks(self) -> tuple[Hunk, ...]:
        """The hunks that change more than white space and quotes."""
        return tuple(hunk for hunk in hunks_between(self.old, self.new) if not _is_cosmetic(hunk))

    @cached_property
    def removed(self) -> frozenset[int]:
        """The lines of the old text that are gone (blank ones too)."""
        return frozenset(h.old_start + index for h in self.hunks for index in range(len(h.removed)))

    @cached_property
    def added(self) -> frozenset[int]:
        """The lines of the new text that are new."""
        return frozenset(h.new_start + index for h in self.hunks for index in range(len(h.added)))

    @cached_property
    def old_code(self) -> Code:
        """The code of the old text."""
        return Code(self.old, self.language)

    @cached_property
    def new_code(self) -> Code:
        """The code of the new text."""
        return Code(self.new, self.language)

    @cached_property
    def old_functions(self) -> list[Function]:
        """The functions of the old text."""
        return functions(self.old_code, self.old_path)

    @cached_property
    def new_functions(self) -> list[Function]:
        """The functions of the new text."""
        return functions(self.new_code, self.path)

    @cached_property
    def old_owners(self) -> list[Function | None]:
        """The smallest function around each line of the old text."""
        return by_line(self.old_functions, len(self.old))

    @cached_property
    def new_owners(self) -> list[Function | None]:
        """The smallest function around each line of the new text."""
        return by_line(self.new_functions, len(self.new))

    @cached_property
    def old_blocks(self) -> list[Block]:
        """The protected blocks of the old text."""
        return blocks(self.old_code)

    @cached_property
    def new_blocks(self) -> list[Block]:
        """The protected blocks of the new text."""
        return blocks(self.new_code)

    @property
    def is_test(self) -> bool:
        """Whether it is a test."""
        return is_test(self.path)

    def hunk_of_old(self, line: int) -> Hunk | None:
        """The hunk that took a line of the old text away."""
        return next((h for h in self.hunks if h.old_start <= line < h.old_start + len(h.removed)), None)

    def hunk_of_new(self, line: int) -> Hunk | None:
        """The hunk that brought a line of the new text."""
        return next((h for h in self.hunks if h.new_start <= line < h.new_start + len(h.added)), None)

    def near(self, old_line: int, within: Function | None = None) -> int:
        """A line of the new text where a removed line stood: one with code on it, in the function if it can be."""
        hunk = self.hunk_of_old(old_line)
        if hunk is None:
            start = _shifted(self.hunks, old_line)
        else:
            start = hunk.new_start + min(old_line - hunk.old_start, max(len(hunk.added) - 1, 0))
        first, last = (within.begin, within.last) if within is not None else (0, self.new.last_line)
        candidates = [line for line in range(first, last + 1) if self.new.line(line).strip()]
        after = [line for line in candidates if line >= start and not _only_closes(self.new_code.lines[line])]
        if after and after[0] - start <= 3:
            return after[0]
        return min(candidates, key=lambda line: abs(line - start), default=0)


def _only_closes(line: str) -> bool:
    return not line.strip(" \t)]};,") or line.strip() in {"end", "fi", "done", "else:", "else"}


def _shifted(hunks: tuple[Hunk, ...], old_line: int) -> int:
    """Where a line of the old text that stayed stands now."""
    before = [hunk for hunk in hunks if hunk.old_start + len(hunk.removed) <= old_line]
    return old_line + sum(len(hunk.added) - len(hunk.removed) for hunk in before)


def _is_cosmetic(hunk: Hunk) -> bool:
    return squeezed("".join(hunk.removed)) == squeezed("".join(hunk.added))


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


class Changeset:
    """All files of a change, and the project they belong to."""

    def __init__(self, files: tuple[FileChange, ...], project: Project, unread: tuple[str, ...] = ()) -> None:
        """``unread`` has a sentence for each file that could not be read."""
        self.files = files
        self.project = project
        self.unread = unread
        self._by_path = {file.path: file for file in files}
        self._code: dict[str, Code | None] = {file.path: file.new_code for file in files if not file.deleted}
        self._functions: dict[str, list[Function]] = {}
        self._owners: dict[str, list[Function | None]] = {}

    @cached_property
    def programs(self) -> tuple[FileChange, ...]:
        """The files of code that somebody maintains here."""
        from socreates_lsp.examiner.changes.code import LANGUAGES

        return tuple(
            file
            for file in self.files
            if file.language in LANGUAGES and not is_side(file.path) and not is_generated(file.new)
        )

    @cached_property
    def sources(self) -> tuple[FileChange, ...]:
        """The programs that are no tests."""
        return tuple(file for file in self.programs if not file.is_test)

    def file(self, path: str) -> FileChange | None:
        """The change of a file."""
        return self._by_path.get(path)

    def code(self, path: str) -> Code | None:
        """The code of any file of the project, as it is now."""
        if path not in self._code:
            text = self.project.text(path)
            self._code[path] = None if text is None else Code(text, language_of(path, text.line(0)))
        return self._code[path]

    def functions(self, path: str) -> list[Function]:
        """The functions of any file of the project, as they are now."""
        change = self.file(path)
        if change is not None:
            return change.new_functions
        if path not in self._functions:
            code = self.code(path)
            self._functions[path] = functions(code, path) if code is not None else []
        return self._functions[path]

    @cached_property
    def added_lines(self) -> Counter[str]:
        """How often each line was added anywhere, squeezed."""
        return Counter(squeezed(line) for file in self.files for hunk in file.hunks for line in hunk.added)

    @cached_property
    def removed_lines(self) -> Counter[str]:
        """How often each line was removed anywhere, squeezed."""
        return Counter(squeezed(line) for file in self.files for hunk in file.hunks for line in hunk.removed)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The functions of the sources that a change touched; neither the new ones nor those that are gone."""
        return tuple(self._touched(self._paired))

    @cached_property
    def stretches(self) -> tuple[Pair, ...]:
        """The touched functions, and what stands outside of all functions."""
        outside = (
            Pair(file, _whole(file.old), file, _whole(file.new))
            for file in self.sources
            if not file.created and not file.deleted and file.hunks
        )
        return (*self.pairs, *outside)

    @cached_property
    def callers(self) -> Callers:
        """Who calls what changed."""
        from socreates_lsp.examiner.changes.callers import callers_of

        return callers_of(self)

    def is_added(self, path: str, line: int) -> bool:
        """Whether a line of a file, as it is now, is new."""
        change = self.file(path)
        return change is not None and line in change.added

    @cached_property
    def gone(self) -> tuple[tuple[FileChange, Function], ...]:
        """The functions that are nowhere any more."""
        kept = {(id(pair.before), pair.old) for pair in self._paired}
        return tuple(
            (file, function)
            for file in self.sources
            for function in file.old_functions
            if (id(file), function) not in kept
        )

    @cached_property
    def _paired(self) -> list[Pair]:
        pairs: list[Pair] = []
        for file in self.sources:
            if not file.created and not file.deleted:
                pairs += _pairs_in(file)
        taken = {(id(pair.before), pair.old) for pair in pairs}
        used = {(id(pair.after), pair.new) for pair in pairs}
        free = [
            _Candidate(file, new, _lines(file.new_code, new))
            for file in self.sources
            for new in file.new_functions
            if (id(file), new) not in used
        ]
        for file in self.sources:
            for old in file.old_functions:
                if (id(file), old) not in taken:
                    found = _best(file, old, free)
                    if found is not None:
                        free.remove(found)
                        pairs.append(Pair(file, old, found.file, found.function))
        return pairs

    def _touched(self, pairs: list[Pair]) -> Iterator[Pair]:
        for pair in pairs:
            old, new = pair.old, pair.new
            if not pair.before.removed.isdisjoint(range(old.begin, old.last + 1)) or not pair.after.added.isdisjoint(
                range(new.begin, new.last + 1)
            ):
                yield pair

    def function_at(self, path: str, line: int) -> Function | None:
        """The smallest function around a line of a file as it is now."""
        if path not in self._owners:
            code = self.code(path)
            self._owners[path] = by_line(self.functions(path), len(code.lines) if code is not None else 0)
        owners = self._owners[path]
        return owners[line] if line < len(owners) else None


def _whole(text: Text) -> Function:
    """The whole text as a function without a name."""
    return Function("", "", 0, 0, 0, text.last_line, None, "")


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
