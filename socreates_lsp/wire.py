"""Values as clients read them: JSON objects in camelCase, positions in the client's encoding. Pure.

Inside, everything is in code points; this is the one place where a finding is converted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from socreates_lsp.review.finding import Finding, Related
    from socreates_lsp.review.outcome import Examined, Outcome, Preview, Surveyed
    from socreates_lsp.review.reviewer import Usage
    from socreates_lsp.workspace.text import Encoding, Position, Range, Text

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wire:
    """How one client is spoken to.

    ``text`` gives the text of a canonical URI as it stands now (None if it can't be read), ``spelled`` the
    client's own spelling of it, ``path`` its name for people.
    """

    encoding: Encoding
    text: Callable[[str], Text | None]
    spelled: Callable[[str], str]
    path: Callable[[str], str]

    def position(self, place: Position, text: Text | None) -> Json:
        """A position in the client's units, within the text; as it is where the text is gone."""
        if text is not None:
            place = text.to_client(min(place, text.end), self.encoding)
        return {"line": place.line, "character": place.column}

    def range(self, span: Range, uri: str) -> Json:
        """A range of a document."""
        text = self.text(uri)
        return {"start": self.position(span.start, text), "end": self.position(span.end, text)}

    def finding(self, finding: Finding) -> Json:
        """A finding as design.md has it."""
        return {
            "id": finding.id,
            "kind": finding.kind.value,
            "category": finding.category.value,
            **({"rule": finding.rule} if finding.rule is not None else {}),
            "uri": self.spelled(finding.uri),
            "range": self.range(finding.range, finding.uri),
            "message": finding.words,
            "why": finding.why,
            "quote": finding.quote,
            "related": [self.place(one) for one in finding.related],
            "confidence": round(finding.confidence, 3),
            "source": finding.source.value,
            "status": finding.status.value,
            "thread": [{"author": reply.author, "text": reply.text, "at": reply.at} for reply in finding.thread],
        }

    def place(self, one: Related) -> Json:
        """Another place that a finding is about."""
        return {"uri": self.spelled(one.uri), "range": self.range(one.range, one.uri), "message": one.message}

    def examined(self, one: Examined) -> Json:
        """The receipt for one document."""
        return {**self.lines(one), "rules": one.rules}

    def lines(self, one: Examined) -> Json:
        """Lines of one document."""
        return {"uri": self.spelled(one.uri), "ranges": [self.range(span, one.uri) for span in one.ranges]}

    def read(self, findings: Iterable[Finding]) -> None:
        """Read every text that these findings need, so that ``finding`` waits for no disk."""
        for finding in findings:
            for uri in (finding.uri, *(one.uri for one in finding.related)):
                self.text(uri)

    def outcome(self, outcome: Outcome) -> Json:
        """The result of a review."""
        closed = outcome.closed
        return {
            "findings": [self.finding(finding) for finding in outcome.findings],
            "summary": closed.summary,
            "stop": closed.stop.value,
            "rounds": closed.rounds,
            "usage": {
                **_usage(outcome.usage),
                **({"stages": stages} if (stages := [_stage(*one) for one in outcome.stages]) else {}),
            },
            "reviewer": {"provider": outcome.provider, "model": outcome.model},
            "examined": [self.examined(one) for one in outcome.examined],
            "skipped": [
                {"reason": one.reason, **({"uri": self.spelled(one.uri)} if one.uri is not None else {})}
                for one in outcome.skipped
            ],
            "unread": [self.lines(one) for one in closed.unread],
            "ungrounded": closed.ungrounded,
            "withheld": closed.withheld,
            "refuted": closed.refuted,
            "suppressed": closed.suppressed,
            "dismissed": outcome.dismissed,
            "capped": closed.capped,
        }

    def answer(self, outcome: Outcome) -> Json:
        """The result of a question of the user's own."""
        result = self.outcome(outcome)
        kept = ("findings", "stop", "usage", "skipped")
        return {"text": outcome.closed.summary, **{name: result[name] for name in kept}}

    def survey(self, outcome: Surveyed) -> Json:
        """The result of a survey."""
        result = self.outcome(outcome)
        kept = ("findings", "stop", "usage", "reviewer", "skipped")
        sources = [{"origin": one.origin, "reference": one.reference, "detail": one.detail} for one in outcome.sources]
        return {"report": outcome.closed.summary, "sources": sources, **{name: result[name] for name in kept}}

    def preview(self, preview: Preview) -> Json:
        """What a review would send."""
        return {
            "endpoint": preview.endpoint,
            "model": preview.model,
            "files": [self.lines(one) for one in preview.files],
            "estimatedTokens": preview.tokens,
            "estimatedCostUsd": preview.cost_usd,
        }

    def outcome_with_lines(self, outcome: Outcome) -> Json:
        """The result with ``path``, ``line`` and ``endLine`` (from 1) besides, for the command line."""
        return self._with_lines(self.outcome(outcome), outcome)

    def answer_with_lines(self, outcome: Outcome) -> Json:
        """As ``outcome_with_lines``, for a question."""
        return self._with_lines(self.answer(outcome), outcome)

    def survey_with_lines(self, outcome: Surveyed) -> Json:
        """As ``outcome_with_lines``, for a survey."""
        return self._with_lines(self.survey(outcome), outcome)

    def _with_lines(self, result: Json, outcome: Outcome) -> Json:
        for entry, finding in zip(result["findings"], outcome.findings, strict=True):
            entry["path"] = self.path(finding.uri)
            entry["line"] = finding.range.start.line + 1
            entry["endLine"] = finding.range.end.line + 1
        return result


def _usage(usage: Usage) -> Json:
    return {
        "inputTokens": usage.input_tokens,
        "cachedTokens": usage.cached_tokens,
        "outputTokens": usage.output_tokens,
        "costUsd": usage.cost_usd,
    }


def _stage(name: str, usage: Usage) -> Json:
    """What one stage of a review took."""
    return {"stage": name, **_usage(usage)}
