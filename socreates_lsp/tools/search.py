"""The tool ``search``: the lines that match a regular expression, in files and open buffers."""

from __future__ import annotations

import os
import re
from collections import Counter
from functools import cached_property
from typing import TYPE_CHECKING, Any

from socreates_lsp.tools.arguments import checked
from socreates_lsp.tools.bounded import clipped, fitting, part, window
from socreates_lsp.tools.finding_lines import Hit, Hits, InvalidPatternError, Job, search
from socreates_lsp.tools.paths import named
from socreates_lsp.tools.refusal import ToolRefusalError, answered
from socreates_lsp.tools.tool import ReadLines, ToolResult
from socreates_lsp.tools.tree import counted, human
from socreates_lsp.workspace.globs import Globs, alternatives
from socreates_lsp.workspace.leash import off_loop
from socreates_lsp.workspace.reading import LARGEST_FILE
from socreates_lsp.workspace.text import Range

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from socreates_lsp.tools.paths import Place
    from socreates_lsp.tools.view import Document, Files, View
    from socreates_lsp.workspace.text import Text

_MOST = 30
"""Matches that are shown."""

_WIDEST = 240
"""Characters of a line that are shown, around the match."""

_SECONDS = 10.0
_NOTE = 120
_ROOM_FOR_NAMES, _LONG_NOTE = 1500, 400
"""Characters from which on a result names the files with more matches, and what the note then takes."""

_FILES_NAMED, _LONGEST_NAME = 3, 70
_PLAIN_NAME = re.compile(r"[\w.*?-]*[\w.?-][\w.*?-]*")


class Search:
    """See the module."""

    name = "search"
    description = (
        "Find the lines that match a regular expression, in all files or below path. Case counts unless the pattern "
        "starts with (?i). Shows 30 matches and counts the rest."
    )
    parameters: Mapping[str, Any] = {
        "type": "object",
        "properties": {
            "pattern": {"type": "string", "description": "Regular expression, matched within one line."},
            "path": {"type": "string", "description": "File or folder, relative to the workspace root."},
            "glob": {"type": "string", "description": "Only files such as *.py or src/**/*.ts."},
        },
        "required": ["pattern"],
    }

    read_only = True
    asks = False

    def __init__(self, view: View, seconds: float = _SECONDS) -> None:
        """Search what this view shows, for so many seconds at most."""
        self._view = view
        self._seconds = seconds

    async def run(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        """See ``Tool``."""
        return await answered(off_loop(self._found, arguments, limit), limit)

    def _found(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        given = checked(self.name, arguments, self.parameters)
        pattern = given["pattern"]
        _check(pattern)
        start = self._view.paths.resolve(given.get("path", "."))
        # Through links, so that a file and its open buffer have the same name.
        start = self._view.paths.located(self._view.paths.relative(start.real) or "")
        scope = _Scope(self._view, start, given.get("glob"))
        try:
            hits = search(scope.job(pattern, self._seconds))
        except InvalidPatternError as error:
            raise ToolRefusalError(
                f"{_quoted(pattern)} is no regular expression that can be searched ({error}). "
                f"To find this very text, search for {_quoted(_literal(pattern))}."
            ) from error
        return _Shown(self._view, hits, scope).result(pattern, limit)


class _Scope:
    """Which files a search is about."""

    def __init__(self, view: View, start: Place, glob: str | None) -> None:
        self.view = view
        self.start = start
        self._glob = (glob or "").replace("\\", "/").strip()
        self._globs = _globs(self._glob)

    @cached_property
    def files(self) -> dict[str, str]:
        """The files of the scope with their real paths."""
        base = self.view.paths.real_root.rstrip(os.sep)
        return {path: f"{base}{os.sep}{path.replace('/', os.sep)}" for path in self._all.paths if self.holds(path)}

    @cached_property
    def _all(self) -> Files:
        return self.view.files(self.start)

    def left_out(self, unread: int) -> Iterator[str]:
        """A sentence for each reason for which files were not searched; ``unread`` could not be read."""
        kept = sum(map(self.holds, self._all.kept))
        if kept:
            yield f"{counted(kept, 'file')} not searched: policy.readDeny keeps them from you."
        opened = self.view.opened()
        large = sum(self.view.size(path, opened) > LARGEST_FILE for path in self.files if path not in opened)
        if large:
            yield f"{counted(large, 'file')} not searched: more than {human(LARGEST_FILE)}."
        if unread:
            yield f"{counted(unread, 'file')} not searched: the text can't be read."

    def holds(self, path: str) -> bool:
        """Whether the glob matches a path, relative to the root or to where the search starts."""
        if self._globs is None:
            return True
        inside = path[len(self.start.relative) :].lstrip("/")
        matches = self._globs.match(path) or self._globs.match(inside)
        return matches != self._glob.startswith("!")

    def job(self, pattern: str, seconds: float) -> Job:
        """Raises ToolRefusalError if there is nothing where the search starts."""
        texts = {
            path: opened.text
            for path, opened in self.view.opened().items()
            if (not self.start.relative or f"{path}/".startswith(f"{self.start.relative}/")) and self.holds(path)
        }
        if not os.path.isdir(self.start.real) and not os.path.isfile(self.start.real) and not texts:  # noqa: PTH112, PTH113
            if os.path.lexists(self.start.real):
                raise ToolRefusalError(f"{self.start.name} is neither a file nor a folder: there is nothing to search.")
            raise ToolRefusalError(self.view.missing(self.start.relative))
        return Job(
            root=self.view.paths.real_root,
            start=self.start.real,
            pattern=pattern,
            files=lambda: self.files,
            named=lambda path: self.view.under(self.start, path),
            texts=texts,
            decoded=self._decoded,
            type_globs=_names(self._glob),
            seconds=seconds,
        )

    def _decoded(self, path: str) -> Text | None:
        document = self.view.text(path)
        return None if document is None else document.text


class _Shown:
    """The first hits, as text."""

    def __init__(self, view: View, hits: Hits, scope: _Scope) -> None:
        self._view = view
        self._hits = sorted(hit for hit in set(hits.found) if scope.holds(hit.path))
        self._cut = hits.cut
        self._scope = scope
        self._documents: dict[str, Document | None] = {}

    def result(self, pattern: str, limit: int) -> ToolResult:
        """The hits as far as they fit, and how many there are."""
        found: dict[Hit, tuple[str, ReadLines]] = {}
        total = len(self._hits)
        for hit in in_turns(self._hits):
            if len(found) == _MOST:
                break
            shown = self._line(hit)
            if shown is None:
                total -= 1
            else:
                found[hit] = shown
        if not found:
            unread = sum(document is None for document in self._documents.values())
            notes = [f"[{note}]" for note in self._scope.left_out(unread)]
            return ToolResult(clipped("\n".join([f"No line matches {_quoted(pattern)}.", *notes]), limit))
        shown_hits = sorted(found)
        lines = [found[hit][0] for hit in shown_hits]
        read = [found[hit][1] for hit in shown_hits]
        fit = fitting(lines, limit)
        names = limit >= _ROOM_FOR_NAMES
        if fit < total:
            fit = min(fit, fitting(lines, limit - (_LONG_NOTE if names else _NOTE)))
        note = [self._rest(set(shown_hits[:fit]), total, names=names)] if fit < total else []
        return ToolResult(clipped("\n".join([*lines[:fit], *note]), limit), tuple(read[:fit]))

    def _rest(self, shown: set[Hit], total: int, *, names: bool) -> str:
        """How many lines are not shown and, with ``names``, which files have the most of them."""
        more = "more than " if self._cut else ""
        left = Counter(hit.path for hit in self._hits if hit not in shown).most_common(_FILES_NAMED)
        files = ", ".join(f"{count:,} more in {clipped(named(path), _LONGEST_NAME)}" for path, count in left)
        where = f" {files}." if names else ""
        return f"[{len(shown)} of {more}{total:,} matching lines.{where} Narrow the search with path or glob.]"

    def _line(self, hit: Hit) -> tuple[str, ReadLines] | None:
        """One hit as it is shown; None if the file is no text, or is not what it was."""
        if hit.path not in self._documents:
            self._documents[hit.path] = self._view.text(hit.path)
        document = self._documents[hit.path]
        if document is None or hit.line > document.text.last_line:
            return None
        line = document.text.line(hit.line)
        column = len(line.encode("utf-8", "replace")[: hit.column].decode("utf-8", "ignore"))
        start, end = window(line, column, _WIDEST)
        shown = f"{named(hit.path)}:{hit.line + 1}{part(start, end, line)}: {line[start:end]}"
        return shown, ReadLines(document.uri, Range.of(hit.line, start, hit.line, end))


def in_turns(hits: Sequence[Hit]) -> list[Hit]:
    """The hits so that every file has its turn: the first one of each, then the second ones, and so on."""
    seen: Counter[str] = Counter()
    turns: list[tuple[int, Hit]] = []
    for hit in hits:
        turns.append((seen[hit.path], hit))
        seen[hit.path] += 1
    return [hit for _, hit in sorted(turns)]


def _check(pattern: str) -> None:
    if not pattern:
        raise ToolRefusalError("pattern is empty: give a regular expression, such as def \\w+.")
    if "\n" in pattern or "\0" in pattern:
        raise ToolRefusalError(
            "pattern holds a line break or NUL, and a match is within one line: search for one line."
        )


def _globs(glob: str) -> Globs | None:
    """What a glob of the model's means: a folder means all in it."""
    plain = glob.removeprefix("!").removeprefix("./")
    if not plain:
        return None
    return Globs([f"{plain}**" if plain.endswith("/") else plain])


def _names(glob: str) -> tuple[str, ...]:
    """The patterns of names in a glob, if they are plain enough for rg to choose files by; else none."""
    found = [one.rpartition("/")[2] for one in alternatives(glob)]
    plain = all(_PLAIN_NAME.fullmatch(name) for name in found)
    return tuple(found) if plain and not glob.startswith("!") else ()


def _literal(text: str) -> str:
    return re.sub(r"[\\.^$*+?()\[\]{}|]", r"\\\g<0>", text)


def _quoted(pattern: str) -> str:
    shown = "".join(character if character.isprintable() else " " for character in pattern)
    return f"`{shown}`" if len(shown) <= 200 else f"`{shown[:200]}…`"
