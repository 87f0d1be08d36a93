"""The talks of this session about findings of the store, and the ground of their answers: it is looked at when a
document changes, and what that comes to is shown.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from socreates_lsp.dialogue.held import NAMED
from socreates_lsp.review.finding import Related
from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from socreates_lsp.dialogue.held import Held
    from socreates_lsp.dismissals.documents import Documents
    from socreates_lsp.memory.background import Background
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.store import FindingStore
    from socreates_lsp.workspace.text import Shift, Text
    from socreates_lsp.workspace.workspace import Workspace


class Watch:
    """See above. An edit costs nothing in documents that nobody cites."""

    def __init__(
        self,
        workspace: Workspace,
        documents: Documents,
        store: FindingStore,
        background: Background,
        tell: Callable[[Iterable[str]], None],
    ) -> None:
        """``tell`` hears of documents whose findings are to be shown anew. Nothing is watched yet."""
        self._workspace = workspace
        self._documents = documents
        self._store = store
        self._background = background
        self._tell = tell
        self._held: dict[str, Held] = {}
        self._cited: dict[str, set[str]] = {}

    def held(self, finding_id: str) -> Held | None:
        """The talk about a finding."""
        return self._held.get(finding_id)

    def hold(self, finding_id: str, held: Held) -> None:
        """From now on this is the talk about a finding, and its ground is watched."""
        self.release(finding_id)
        self._held[finding_id] = held
        for ground in held.grounds:
            self._cited.setdefault(ground.uri, set()).add(finding_id)

    def release(self, finding_id: str) -> None:
        """Nothing is watched any more for a finding."""
        held = self._held.pop(finding_id, None)
        for uri in {ground.uri for ground in held.grounds} if held is not None else ():
            self._cited.get(uri, set()).discard(finding_id)
            if not self._cited.get(uri):
                self._cited.pop(uri, None)

    def edited(self, uri: str, shifts: Sequence[Shift] = ()) -> None:
        """An open document was edited: see what that does to answers that cite it. Cheap, and cheaper if none does."""
        cited = self._cited_as(uri)
        if cited in self._cited:
            text = self._text(cited)
            if text is not None:
                self._look(cited, text, shifts if cited == uri else None)

    def _cited_as(self, uri: str) -> str:
        """The document under which lines are cited: of a cell its notebook, since its number may change."""
        cell = self._workspace.notebooks.place(uri)
        return uri if cell is None else cell[0]

    def _text(self, uri: str) -> Text | None:
        """The text of an open document, if it is known."""
        buffer = self._workspace.buffers.get(uri)
        if buffer is None:
            whole = self._documents.opened(uri)
            return None if whole is None else whole.text
        return buffer.text if buffer.in_step else None

    def touched(self, uri: str) -> None:
        """A document may hold another text than before, in the editor or on disk; it is looked at in a moment."""
        uri = self._cited_as(uri)
        if uri not in self._cited:
            return
        if self._workspace.buffers.get(uri) is None:
            self._background.start(self._touched(uri))
        elif (text := self._text(uri)) is not None:
            self._look(uri, text)

    def moved(self, old: str, new: str) -> None:
        """A file or folder has another URI: what is cited there is cited under that one, and looked at."""
        for uri in uris.below(tuple(self._cited), old):
            to = new + uri[len(old) :]
            ids = self._cited.pop(uri)
            self._cited.setdefault(to, set()).update(ids)
            for held in map(self._held.__getitem__, ids):
                held.moved(uri, to, self._documents.home(to)[1])
            self.touched(to)

    def deleted(self, gone: str) -> None:
        """A file or folder is gone: what is cited there is looked at."""
        for uri in uris.below(tuple(self._cited), gone):
            self.touched(uri)

    async def look(self) -> None:
        """Look at every document on disk that an answer cites: not every client tells what changes there."""
        for uri in [uri for uri in self._cited if self._workspace.buffers.get(uri) is None]:
            await self._touched(uri)

    async def seen(self, uri: str) -> None:
        """Look at a document, open or not."""
        if self._workspace.buffers.get(uri) is None:
            await self._touched(uri)
        else:
            self.edited(uri)

    async def _touched(self, uri: str) -> None:
        text = await self._documents.text(uri)
        if self._workspace.buffers.get(uri) is None:
            self._look(uri, text)

    def _look(self, uri: str, text: Text | None, shifts: Sequence[Shift] | None = None) -> None:
        changed: set[str] = set()
        for finding_id in tuple(self._cited.get(uri, ())):
            held = self._held[finding_id]
            grounds = [ground for ground in held.grounds if ground.uri == uri]
            if text is None or shifts is None:
                looked = [ground.look(text) for ground in grounds]
            else:
                looked = [ground.edited(text, shifts) for ground in grounds]
            finding = self._store.get(finding_id)
            if finding is None:
                self.release(finding_id)
            elif any(looked) and self.show(finding_id, text) is not finding:
                changed.add(finding.uri)
        self._tell(changed)

    def show(self, finding_id: str, text: Text | None = None) -> Finding | None:
        """Let the finding in the store be as its talk has it; ``text`` is that of a document whose lines are gone."""
        finding, held = self._store.get(finding_id), self._held.get(finding_id)
        if finding is None or held is None:
            return finding
        shown = self.shown(held, finding, text)
        return finding if shown == finding else self._store.amend(shown)

    def shown(self, held: Held, finding: Finding, text: Text | None) -> Finding:
        """As ``Held.shown``; lost lines of an open notebook are lines of a cell."""
        shown = held.shown(finding, text)
        if text is None or shown.related == finding.related:
            return shown
        places = [self._documents.shown(one.uri, one.range, text) for one in shown.related if one.message == NAMED]
        related = (one for one in shown.related if one.message != NAMED)
        return replace(shown, related=(*related, *(Related(uri, span, NAMED) for uri, span, _ in places)))
