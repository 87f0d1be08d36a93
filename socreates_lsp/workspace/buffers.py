"""The open buffers: what the editor shows at this moment, which is what a review reads."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from socreates_lsp.workspace import uris
from socreates_lsp.workspace.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from socreates_lsp.workspace.text import Change, Encoding

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Buffer:
    """One version of an open document. ``spelling`` is the URI as the client writes it."""

    spelling: str
    language_id: str
    version: int
    text: Text


class Buffers:
    """The open buffers by canonical URI."""

    def __init__(self) -> None:
        """Start with none."""
        self._open: dict[str, Buffer] = {}

    def open(self, uri: str, language_id: str, version: int, content: str) -> None:
        """Open a document, or take its new text if the client opens it twice."""
        self._open[uris.canonical(uri)] = Buffer(uri, language_id, version, Text(content))

    def change(self, uri: str, version: int, changes: Sequence[Change], encoding: Encoding) -> bool:
        """Apply edits. False, and nothing done, for a document that is not open or a version that goes back."""
        key = uris.canonical(uri)
        buffer = self._open.get(key)
        if buffer is None:
            log.warning("An edit to %s was left out: it was never opened.", uri)
            return False
        if version < buffer.version:
            log.warning("An edit to %s was left out: version %d after %d.", uri, version, buffer.version)
            return False
        self._open[key] = replace(buffer, version=version, text=buffer.text.edited(changes, encoding))
        return True

    def close(self, uri: str) -> bool:
        """Close a document. False if it was not open."""
        return self._open.pop(uris.canonical(uri), None) is not None

    def get(self, uri: str) -> Buffer | None:
        """The buffer of a canonical URI, if open."""
        return self._open.get(uri)

    def __iter__(self) -> Iterator[tuple[str, Buffer]]:
        """All open buffers with their canonical URIs."""
        return iter(tuple(self._open.items()))
