"""What a task brings along, within its room: documents, selections with what belongs to them, changes. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from socreates_lsp.agent.hunks import GONE, Row, rows, spans, title
from socreates_lsp.agent.numbered import NumberedLines, len_of
from socreates_lsp.agent.telling import rank
from socreates_lsp.tools.bounded import clipped
from socreates_lsp.tools.paths import named
from socreates_lsp.tools.tool import ReadLines
from socreates_lsp.workspace.text import Position, Range

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from socreates_lsp.agent.callers import CallSites
    from socreates_lsp.review.surroundings import Stretch, Surroundings
    from socreates_lsp.workspace.changed_file import ChangedFile
    from socreates_lsp.workspace.text import Text

_WHOLE = 500
"""Lines up to which a document comes along whole with a selection in it."""

_NOTE = 90
"""Characters that a note about what was cut may take."""

_LEAST = 400
"""Characters of a changed file below which a part of it tells nothing."""

_SITES = 2500
"""Characters that the lines of other files may take."""
_MOST_OWN_SITES = 6


@dataclass(slots=True)
class Attachment:
    """What a task brings along, in at most ``most`` characters; ``read`` are the lines that went in."""

    most: int
    text: str = ""
    read: list[ReadLines] = field(default_factory=list[ReadLines])
    left_out: list[str] = field(default_factory=list[str])
    """What did not fit, a phrase each."""

    @property
    def left(self) -> int:
        """Characters that there is still room for."""
        return self.most - len(self.text)

    @property
    def note(self) -> str:
        """A sentence about what did not fit, where there is room for it."""
        if not self.left_out:
            return ""
        names = ", ".join(map(named, self.left_out))
        whole = f"\n\n[Not attached, as there is no room: {names}.]"
        if len(whole) > max(self.left, _NOTE):
            whole = f"\n\n[Not attached, as there is no room: {clipped(names, max(self.left, _NOTE) - 42)}.]"
        return whole if len(whole) <= self.left else ""

    def document(self, path: str, uri: str, text: Text, first: int, last: int) -> None:
        """Attach lines ``first`` to ``last`` (from 0, both included), as many as fit."""
        head = f"\n\n{path} ({len_of(text)} lines):\n"
        lines = NumberedLines(text, self.left - len(head))
        if not lines.add(range(first, last + 1)):
            lines = NumberedLines(text, self.left - len(head) - _NOTE)
            lines.add(range(first, last + 1))
        if not lines.spans:
            self.left_out.append(path)
            return
        ((_, shown),) = lines.spans
        self.text += f"{head}{lines}"
        self._took(uri, text, lines.spans)
        if shown < last:
            self.text += f"\n[{last - shown} more lines. Read them with start={shown + 2}.]"

    def selection(
        self,
        path: str,
        uri: str,
        text: Text,
        selected: Stretch,
        around: Surroundings,
        own_sites: Sequence[int],
        sites_within: Callable[[int], CallSites],
    ) -> None:
        """Attach the selected lines, then what is around them, the imports, and where it is called from.

        ``own_sites`` are lines of the document that name what is selected; ``sites_within`` gives those of others in
        so many characters.
        """
        head = f"\n\n{path} ({len_of(text)} lines):\n"
        first, last = selected
        room = self.left - len(head)
        lines = NumberedLines(text, room)
        if not lines.add(range(first, last + 1)):
            self.document(path, uri, text, first, last)
            return
        for stretch in around.bodies:
            lines.add(_outwards(stretch, selected))
        for stretch in (*around.heads, *around.imports):
            lines.add(range(stretch[0], stretch[1] + 1))
        lines.add([number for number in own_sites if number not in lines][:_MOST_OWN_SITES])
        sites = sites_within(min(room - lines.size, _SITES))
        lines.room -= len(sites.text)
        for stretch in around.members:
            lines.add(range(stretch[0], stretch[1] + 1))
        whole = [(0, text.last_line)] if text.last_line < _WHOLE else []
        for stretch in (*around.rest, *whole):
            lines.add(_outwards(stretch, selected))
        self.text += f"{head}{lines}{sites.text}"
        self._took(uri, text, lines.spans)
        self.read += sites.read

    def changes(self, changed: Iterable[tuple[ChangedFile, str]]) -> None:
        """Attach changed files with their URIs, those that tell most first, each as far as it fits."""
        files = sorted(
            (rank(change.path, change.new), change.path, change, uri, _rows(change)) for change, uri in changed
        )
        if any(hunk.removed for _, _, change, _, shown in files for hunk in change.hunks if shown):
            self._say(f"\n\n{GONE}")
        # Room for the names of what will not fit.
        reserve = _NOTE if sum(_size(change, shown) for _, _, change, _, shown in files) > self.left else 0
        for level in range(3):
            of_level = [(change, uri, shown) for one, _, change, uri, shown in files if one == level]
            shares = _shares([_size(change, shown) for change, _, shown in of_level], self.left - reserve)
            for (change, uri, shown), share in zip(of_level, shares, strict=True):
                self._change(change, uri, shown, min(share, self.left))

    def _change(self, change: ChangedFile, uri: str, shown: Sequence[Row], room: int) -> None:
        if change.new is None or not shown:
            what = f"\n\n{named(change.path)}: {change.reason or _what(change)}"
            if len(what) > room or not self._say(what):
                self.left_out.append(change.path)
            return
        head = f"\n\n{title(change)}"
        size = len(head)
        total = _size(change, shown)
        count = 0
        for row in shown:
            size += len(row.text) + 1
            if size > (room if total <= room else room - _NOTE):
                break
            count += 1
        part = shown[:count]
        if not any(row.line is not None for row in part) and count < len(shown):
            self.left_out.append(change.path)
            return
        self.text += "\n".join([head, *(row.text for row in part)])
        if count < len(shown):
            self.text += f"\n[{len(shown) - count} more lines of its changes have no room here: read them.]"
        self._took(uri, change.new, spans(part))

    def _say(self, text: str) -> bool:
        if len(text) > self.left:
            return False
        self.text += text
        return True

    def _took(self, uri: str, text: Text, stretches: Iterable[Stretch]) -> None:
        self.read += [
            ReadLines(uri, Range(Position(first, 0), Position(last, len(text.line(last))))) for first, last in stretches
        ]


def _outwards(stretch: Stretch, selected: Stretch) -> list[int]:
    """The lines of a stretch, the nearest to the selection first."""
    first, last = selected
    return sorted(range(stretch[0], stretch[1] + 1), key=lambda number: max(first - number, number - last, 0))


def _rows(change: ChangedFile) -> list[Row]:
    return rows(change, change.new) if change.new is not None and change.hunks else []


def _what(change: ChangedFile) -> str:
    return change.status.value if change.old_path is None else f"{change.status.value} from {named(change.old_path)}"


def _size(change: ChangedFile, shown: Sequence[Row]) -> int:
    if not shown:
        return 2 + len(named(change.path)) + 2 + len(change.reason or _what(change))
    return 2 + len(title(change)) + sum(len(row.text) + 1 for row in shown)


def _shares(sizes: Sequence[int], room: int) -> list[int]:
    """How much of the room each file gets: small ones all they need, large ones what is left in equal parts."""
    shares = [0] * len(sizes)
    order = sorted(range(len(sizes)), key=lambda index: sizes[index])
    for place, index in enumerate(order):
        share = room // (len(order) - place)
        # Rather some files than a line of each.
        share = min(sizes[index], max(share, min(_LEAST, room)))
        if share < min(sizes[index], _LEAST):
            continue
        shares[index] = share
        room -= share
    return shares
