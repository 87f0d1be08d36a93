"""How far the reader has climbed the ladder of each finding (``review.reveal``), for as long as the session lives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.review.ladder import Rung, climbed, next_rung, whole
from socreates_lsp.settings import Reveal as Setting

if TYPE_CHECKING:
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.ladder import Opened
    from socreates_lsp.server.session import Session
    from socreates_lsp.wire import Wire


class Reveal:
    """What is open of each finding. With ``all`` everything is; what was climbed is kept."""

    def __init__(self, session: Session) -> None:
        """Nothing is open yet."""
        self._session = session
        self._rungs: dict[str, Rung] = {}

    @property
    def is_ladder(self) -> bool:
        """Whether findings open rung by rung."""
        return self._session.app.settings.review.reveal is Setting.LADDER

    def rung(self, finding_id: str) -> Rung:
        """How far a finding is open."""
        return self._rungs.get(finding_id, Rung.QUESTION) if self.is_ladder else Rung.WHY

    def has_more(self, finding: Finding) -> bool:
        """Whether there is another rung to open."""
        return self.is_ladder and next_rung(finding, self.rung(finding.id)) is not None

    def step(self, finding_id: str) -> Rung | None:
        """Open the next rung of a finding and show it so. None if there is no more to open, or no such finding."""
        finding = self._session.app.store.get(finding_id)
        if finding is None or not self.is_ladder:
            return None
        rung = next_rung(finding, self.rung(finding_id))
        if rung is not None:
            self._rungs[finding_id] = rung
            self._session.publisher.publish_soon(finding.uri)
        return rung

    def opened(self, finding: Finding) -> Opened:
        """What a hover tells of a finding below its question."""
        if not self.is_ladder:
            return whole(finding)
        buffer = self._session.app.workspace.buffers.get(finding.uri)
        return climbed(finding, self.rung(finding.id), None if buffer is None else buffer.text)

    def told(self, finding: Finding, wire: Wire) -> dict[str, Any]:
        """What is open of a finding, for a client that shows it in a view of its own: paragraphs, places, paragraphs,
        whether the rule may be named, and whether there is more to open."""
        opened = self.opened(finding)
        return {
            "before": [one for one in opened.before if one],
            "places": [wire.place(one) for one in opened.places],
            "after": [one for one in opened.after if one],
            "named": opened.named,
            "more": self.has_more(finding),
        }

    def shows_places(self, finding: Finding) -> bool:
        """Whether the reader may see already where else to look."""
        return self.rung(finding.id) >= Rung.ELSEWHERE
