"""A file before and after a change: its hunks, its code, its functions on both sides. Pure."""

from __future__ import annotations

from functools import cached_property

from socreates_lsp.examiner.changes.blocks import Block, blocks
from socreates_lsp.examiner.changes.code import Code, squeezed
from socreates_lsp.examiner.changes.functions import Function, by_line, functions
from socreates_lsp.examiner.changes.project import is_test
from socreates_lsp.workspace.difference import Hunk, hunks_between
from socreates_lsp.workspace.languages import language_of
from socreates_lsp.workspace.text import Text

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
