"""From an answer to findings: each item is grounded in the texts as they are now, or counted as ungrounded."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.errors import SocreatesError
from socreates_lsp.review.citations import FileIndex
from socreates_lsp.review.finding import Category, Finding, Ordinals, Related, Source, finding_id, kind_of
from socreates_lsp.review.grounding import CONFIDENCE, Grounded, ground, range_of
from socreates_lsp.review.items import items_of, remainder
from socreates_lsp.review.suppression import Suppressions
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.files import list_files
from socreates_lsp.workspace.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from socreates_lsp.review.citations import Citation
    from socreates_lsp.review.items import Item
    from socreates_lsp.tools.tool import ReadLines
    from socreates_lsp.workspace.text import Text
    from socreates_lsp.workspace.workspace import Workspace


def files_of(root: str | None) -> list[str]:
    """The files of a root that can be cited, with forward slashes. Reads the disk: not for the event loop."""
    if root is None:
        return []
    try:
        listed = list_files(Path(root)).files
    except SocreatesError:
        return []
    prefix = len(os.path.normpath(root).rstrip(os.sep)) + 1
    return [str(file)[prefix:].replace(os.sep, "/") for file in listed]


@dataclass(slots=True)
class Answered:
    """What an answer came to. ``ungrounded`` are messages that stand on no line, ``prose`` is what was no item."""

    findings: list[Finding] = field(default_factory=list[Finding])
    ungrounded: list[str] = field(default_factory=list[str])
    grounding: dict[str, int] = field(default_factory=dict[str, int])
    suppressed: int = 0
    prose: str = ""


class Grounder:
    """Knows the files of one root, and those that the model has read. Reads the disk: not for the event loop."""

    def __init__(
        self, workspace: Workspace, root: str | None, files: Sequence[str], current: str | None, *, suppress: bool
    ) -> None:
        """``files`` are those of the root (``files_of``), ``current`` is the URI of the document under review.

        ``suppress`` False ignores comments in the code.
        """
        self._workspace = workspace
        self._listed = files
        self._root = root
        self._suppress = suppress
        self._texts: dict[str, Text | None] = {}
        self._uris: dict[str, str] = {}
        self._current = None if current is None else self._known(current)

    def answered(self, answer: str, read: Iterable[ReadLines]) -> Answered:
        """What an answer holds. ``read`` are the lines that the model was given."""
        documents = [self._known(lines.uri) for lines in read]
        files = self._files()
        items = items_of(answer, files, self._current)
        result = Answered(prose=remainder(answer, items).strip())
        texts = {path: text for path in dict.fromkeys(documents) if (text := self._text(path)) is not None}
        for item in items:
            self._take(result, item, texts)
        result.findings = list({finding.id: finding for finding in result.findings}.values())
        return result

    def _known(self, uri: str) -> str:
        """The path of a document as it is cited."""
        path = self._workspace.display_path(uri)
        self._uris[path] = uri
        return path

    def _files(self) -> FileIndex:
        """Every file that can be cited."""
        for uri in dict(self._workspace.buffers):
            if self._root is None or self._workspace.root_of(uri) == self._root:
                self._known(uri)
        return FileIndex(dict.fromkeys((*self._uris, *self._listed)), self._lines, self._root)

    def _lines(self, path: str) -> int | None:
        text = self._text(path)
        return None if text is None else text.last_line + 1

    def _uri(self, path: str) -> str:
        known = self._uris.get(path)
        return known if known is not None else uris.from_path(str(Path(self._root or "/") / path))

    def _text(self, path: str) -> Text | None:
        if path not in self._texts:
            try:
                self._texts[path] = self._workspace.text(self._uri(path))
            except SocreatesError:
                self._texts[path] = None
        return self._texts[path]

    def _take(self, result: Answered, item: Item, texts: dict[str, Text]) -> None:
        cited = item.citations[0] if item.citations else None
        place = ground(item.quote, cited, texts, self._text)
        text = self._text(place.path) if isinstance(place, Grounded) else None
        if not isinstance(place, Grounded) or text is None:
            result.grounding["ungrounded"] = result.grounding.get("ungrounded", 0) + 1
            result.ungrounded.append(item.message)
            return
        result.grounding[place.how.value] = result.grounding.get(place.how.value, 0) + 1
        finding = self._finding(item, place, text)
        if self._suppress and self._hidden(finding, text):
            result.suppressed += 1
        else:
            result.findings.append(finding)

    def _finding(self, item: Item, place: Grounded, text: Text) -> Finding:
        category = item.category or Category.CORRECTNESS
        return Finding(
            id=finding_id(place.path, category, place.quote, Ordinals(text).of(place.quote, place.start)),
            kind=item.kind or kind_of(item.message),
            category=category,
            uri=self._uri(place.path),
            range=range_of(text, place.start, place.end),
            message=item.message,
            why=item.why,
            quote=place.quote,
            confidence=CONFIDENCE[place.how],
            source=Source.MODEL,
            related=tuple(self._related(item.citations[1:], place)),
        )

    def _related(self, citations: Iterable[Citation], place: Grounded) -> Iterable[Related]:
        for citation in citations:
            text = self._text(citation.path)
            same = (citation.path, citation.start) == (place.path, place.start)
            if text is not None and not same:
                yield Related(
                    self._uri(citation.path),
                    range_of(text, citation.start, citation.end),
                    "Also part of this question.",
                )

    def _hidden(self, finding: Finding, text: Text) -> bool:
        buffer = self._workspace.buffers.get(finding.uri)
        language = language_of(finding.uri, text.line(0), None if buffer is None else buffer.language_id)
        lines = finding.range.start.line, finding.range.end.line
        return Suppressions.of(text, language).hides(*lines, finding.category, finding.rule)
