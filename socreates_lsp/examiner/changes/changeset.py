"""A change as the mechanisms see it: the files, their functions in pairs, what was only moved, who calls. Pure."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING

from socreates_lsp.examiner.changes.code import LANGUAGES, Code, squeezed
from socreates_lsp.examiner.changes.functions import Function, by_line, functions
from socreates_lsp.examiner.changes.pairing import Pair, paired, whole
from socreates_lsp.examiner.changes.project import is_generated, is_side
from socreates_lsp.workspace.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socreates_lsp.examiner.changes.callers import Callers
    from socreates_lsp.examiner.changes.file_change import FileChange
    from socreates_lsp.examiner.changes.project import Project


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
            Pair(file, whole(file.old), file, whole(file.new))
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
        return paired(self.sources)

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
