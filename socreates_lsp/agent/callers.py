"""Where the functions of a selection are named in other files of the workspace. Bounded in time; not for the loop."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.agent.definitions import defines, module_of, strangeness
from socreates_lsp.agent.telling import rank
from socreates_lsp.errors import SocreatesError
from socreates_lsp.tools.bounded import part, window
from socreates_lsp.tools.paths import named
from socreates_lsp.tools.tool import ReadLines
from socreates_lsp.tools.view import View
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.languages import language_of
from socreates_lsp.workspace.leash import go_on, within
from socreates_lsp.workspace.search import occurrences_of, whole_words
from socreates_lsp.workspace.text import Range

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from socreates_lsp.tools.view import Document
    from socreates_lsp.workspace.workspace import Workspace

SECONDS = 1.0
"""How long it may take; what takes longer is left out."""

_MOST = 12
_MOST_HITS = 400
"""Lines that name a function beyond which its name is too common to tell anything."""
_WIDEST = 200
_MOST_STRANGE = 3
"""Lines after which none of another language comes: mostly they call something else of that name."""
_IN_ONE_FILE = 3
"""Lines of one file before another file has its turn."""

_TAKEN_IN = re.compile(r"\s*(?:import|from|use|using|export|require|include|#\s*include|package|@import|pub use)\b")
_REQUIRES = re.compile(r"\b(?:require|import|load|source)\w*\s*\(|\s*\.\s")
_MOST_IMPORTS = 2_000
"""Lines that name the module of the document, of which those are looked for that take it in."""


@dataclass(frozen=True, slots=True)
class CallSites:
    """What is shown of them, and the lines in it."""

    text: str = ""
    read: tuple[ReadLines, ...] = ()


@dataclass(frozen=True, slots=True)
class _Site:
    path: str
    line: int
    calls: bool


class Callers:
    """The search in one root."""

    def __init__(
        self, root: str, workspace: Workspace, read_deny: Sequence[str], may_be_read: Callable[[str], bool]
    ) -> None:
        """``root`` is absolute; what ``read_deny`` names, or may not be read, is never shown."""
        self._root = root
        self._view = View(root, workspace, read_deny)
        self._may_be_read = may_be_read

    def of(self, names: Sequence[str], uri: str, room: int) -> CallSites:
        """The lines outside of the document that name one of the functions, in at most ``room`` characters."""
        try:
            return within(SECONDS, self._found, names, uri, room)
        except (TimeoutError, SocreatesError):
            return CallSites()

    def _found(self, names: Sequence[str], uri: str, room: int) -> CallSites:
        sites, common = self._sites(names)
        notes = [f"{name} stands on more than {_MOST_HITS} lines: search for how it is called." for name in common]
        lines: list[str] = []
        read: list[ReadLines] = []
        wanted = [name for name in names if name not in common]
        own = self._relative(uri)
        known: dict[str, Document | None] = {own: None} if own else {}
        level = rank(own or uri, None)
        sites = [site for site in sites if site.path != own and rank(site.path, None) <= level]
        if own and any(strangeness(site.path, own) == 0 for site in sites):
            sites = [site for site in sites if strangeness(site.path, own) < 2]
        left = room - len(_head(wanted, _MOST_HITS, _MOST_HITS)) - sum(len(note) + 3 for note in notes)
        whole = whole_words(wanted) if wanted else None
        gone = 0
        for site in self._by_nearness(sites, own):
            if len(lines) == _MOST or whole is None:
                break
            go_on()
            if len(lines) >= _MOST_STRANGE and strangeness(site.path, own or uri) == 2:
                continue
            shown = self._shown(site, whole, uri, known)
            if shown is None:
                gone += 1
            elif len(shown[0]) + 1 > left:
                break
            else:
                left -= len(shown[0]) + 1
                lines.append(shown[0])
                read.append(shown[1])
        text = "\n\n" + "\n".join([_head(wanted, len(lines), len(sites) - gone), *lines]) if lines else ""
        for note in notes:
            more = f"\n\n{note}" if not text else f"\n{note}"
            text += more if len(text) + len(more) <= room else ""
        return CallSites(text, tuple(read))

    def _relative(self, uri: str) -> str:
        """The path of the document in the root, through links; empty for one that is not in it."""
        for relative, opened in self._view.opened().items():
            if opened.uri == uri:
                return relative
        path = uris.to_path(uri)
        return "" if path is None else self._view.paths.relative(str(Path(path).resolve())) or ""

    def _sites(self, names: Sequence[str]) -> tuple[list[_Site], list[str]]:
        """The lines that name one of them, and the names that stand on too many."""
        opened = self._view.opened()
        limit = _MOST_HITS * len(names) + 1
        found = [
            (hit.path, hit.line, hit.text)
            for hit in occurrences_of(Path(self._root), tuple(names), limit)
            if hit.path not in opened
        ]
        cut = len(found) >= limit - 1
        whole = whole_words(names)
        for path, buffer in opened.items():
            go_on()
            if whole.search(buffer.text.content):
                found += [(path, n, line) for n, line in enumerate(buffer.text.lines) if whole.search(line)]
        counts: Counter[str] = Counter()
        sites: list[_Site] = []
        for path, line, text in found:
            said = set(whole.findall(text))
            counts.update(said)
            sites += _site(path, line, text, said)
        common = [name for name in names if counts[name] >= _MOST_HITS]
        if cut and not common:
            common = list(names)
        if common:
            rest = whole_words([name for name in names if name not in common] or ["\0"])
            texts = {(path, line): text for path, line, text in found}
            sites = [site for site in sites if rest.search(texts[site.path, site.line])]
        return sites, common

    def _by_nearness(self, sites: Sequence[_Site], own: str) -> list[_Site]:
        """Calls before mentions, in the document's language before others, in files that take the document in before
        others, near files before far ones, and no file with too many in a row."""
        taking = self._taking_in(own, {site.path for site in sites})

        def kind(site: _Site) -> tuple[bool, int]:
            return not site.calls, strangeness(site.path, own)

        ordered = sorted(
            sites,
            key=lambda site: (*kind(site), site.path not in taking, _distance(site.path, own), site.path, site.line),
        )
        turns: Counter[tuple[str, bool]] = Counter()
        keyed: list[tuple[tuple[bool, int], int, int]] = []
        for index, site in enumerate(ordered):
            turn = turns[site.path, site.calls] // _IN_ONE_FILE
            turns[site.path, site.calls] += 1
            keyed.append((kind(site), turn, index))
        return [ordered[index] for _, _, index in sorted(keyed)]

    def _taking_in(self, own: str, paths: set[str]) -> set[str]:
        """Those of some files that import the document, or something that is called like it."""
        module = module_of(own)
        if not module or len(paths) < 2:
            return set()
        opened = self._view.opened()
        hits = occurrences_of(Path(self._root), (module,), _MOST_IMPORTS)
        found = {hit.path for hit in hits if hit.path not in opened and _takes_in(hit.text)}
        whole = whole_words([module])
        for path, buffer in opened.items():
            if path in paths and any(_takes_in(line) and whole.search(line) for line in buffer.text.lines):
                found.add(path)
        return found & paths

    def _shown(
        self, site: _Site, whole: re.Pattern[str], uri: str, known: dict[str, Document | None]
    ) -> tuple[str, ReadLines] | None:
        """A line as it is now; None if it may not be shown, or names nothing any more."""
        if site.path not in known:
            allowed = not self._view.paths.denies(site.path)
            document = self._view.text(site.path) if allowed else None
            known[site.path] = document if document is not None and self._may_be_read(document.uri) else None
        document = known[site.path]
        if document is None or document.uri == uri:
            return None
        line = document.text.line(site.line)
        found = whole.search(line)
        if found is None:
            return None
        start, end = window(line, found.start(), _WIDEST)
        shown = f"{named(site.path)}:{site.line + 1}{part(start, end, line)}: {line[start:end]}"
        return shown, ReadLines(document.uri, Range.of(site.line, start, site.line, end))


def _site(path: str, line: int, text: str, said: set[str]) -> Iterator[_Site]:
    """The line as a site, unless it only takes the name in from elsewhere or defines another function of that name."""
    language = language_of(path)
    if _TAKEN_IN.match(text) or all(defines(text, name, language) for name in said):
        return
    calls = any(re.search(rf"(?<!\w){re.escape(name)}\s*(?:<[^<>]*>|::<[^<>]*>)?\(", text) for name in said)
    yield _Site(path, line, calls)


def _takes_in(text: str) -> bool:
    return _TAKEN_IN.match(text) is not None or _REQUIRES.search(text) is not None


def _distance(path: str, own: str) -> int:
    """How many folders are between two files."""
    one, other = path.split("/")[:-1], own.split("/")[:-1]
    common = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    common = min(len(one), len(other)) if common is None else common
    return len(one) + len(other) - 2 * common


def _head(names: Sequence[str], shown: int, total: int) -> str:
    what = ", ".join(names)
    many = f"{shown} of {total} lines" if shown < total else f"{total} {'line' if total == 1 else 'lines'}"
    return f"Where {what} {'is' if len(names) == 1 else 'are'} called or named elsewhere ({many}):"
