"""Values as clients read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.review.finding import Related, Reply, Status
from socreates_lsp.review.outcome import Examined, Outcome
from socreates_lsp.review.reviewer import Closed, Skipped, Stop, Usage
from socreates_lsp.wire import Wire
from socreates_lsp.workspace.text import Encoding, Position, Range, Text
from tests.unit.samples import URI, about

TEXT = Text("'😀é'; a()\nb()\n")
OTHER = "file:///w/other.py"


def wire(encoding: Encoding = Encoding.UTF16, text: Text | None = TEXT) -> Wire:
    return Wire(encoding, lambda uri: text if uri == URI else None, str.upper, lambda uri: uri.rpartition("/")[2])


def span(line: int, column: int, end_line: int, end_column: int) -> dict:
    return {"start": {"line": line, "character": column}, "end": {"line": end_line, "character": end_column}}


@pytest.mark.parametrize(("encoding", "end"), [(Encoding.UTF8, 13), (Encoding.UTF16, 10), (Encoding.UTF32, 9)])
def test_columns_are_in_the_clients_units(encoding: Encoding, end: int) -> None:
    assert wire(encoding).range(about(TEXT, 0).range, URI) == span(0, 0, 0, end)


def test_a_finding_has_every_field_of_the_contract_and_the_clients_uri() -> None:
    related = (Related(URI, Range.of(1, 0, 1, 3), "see here"), Related(OTHER, Range.of(7, 1, 7, 2), "and there"))
    thread = (Reply("user", "So it is.", "2026-01-02T03:04:05+00:00"),)
    finding = about(TEXT, 0, rule="py-x", related=related, thread=thread, status=Status.ANSWERED, confidence=0.12345)
    assert wire().finding(finding) == {
        "id": finding.id,
        "kind": "question",
        "category": "correctness",
        "rule": "py-x",
        "uri": URI.upper(),
        "range": span(0, 0, 0, 10),
        "message": "What happens here?",
        "why": "It may not.",
        "quote": "'😀é'; a()",
        "related": [
            {"uri": URI.upper(), "range": span(1, 0, 1, 3), "message": "see here"},
            {"uri": OTHER.upper(), "range": span(7, 1, 7, 2), "message": "and there"},
        ],
        "confidence": 0.123,
        "source": "examiner",
        "status": "answered",
        "thread": [{"author": "user", "text": "So it is.", "at": "2026-01-02T03:04:05+00:00"}],
    }
    assert "rule" not in wire().finding(about(TEXT, 1))


def test_an_outcome_has_every_field_of_the_contract() -> None:
    read = Examined(URI, (Range.of(0, 0, 1, 3),), 9)
    counts = {"suppressed": 3, "capped": 4, "ungrounded": 5, "withheld": 6, "refuted": 7}
    closed = Closed(Stop.LIMIT, "So far.", rounds=2, unread=(read,), **counts)
    outcome = Outcome(
        findings=(about(TEXT, 1),),
        closed=closed,
        provider="ollama",
        model="m",
        examined=(read, Examined(OTHER, (), 0)),
        skipped=(Skipped("Too large.", OTHER), Skipped("No.")),
        usage=Usage(1, 2, 3, 0.5),
        dismissed=8,
    )
    result = wire().outcome(outcome)
    assert result.pop("findings") == [wire().finding(about(TEXT, 1))]
    assert result == {
        "summary": "So far.",
        "stop": "limit",
        "rounds": 2,
        "usage": {"inputTokens": 1, "cachedTokens": 2, "outputTokens": 3, "costUsd": 0.5},
        "reviewer": {"provider": "ollama", "model": "m"},
        "examined": [
            {"uri": URI.upper(), "ranges": [span(0, 0, 1, 3)], "rules": 9},
            {"uri": OTHER.upper(), "ranges": [], "rules": 0},
        ],
        "skipped": [{"reason": "Too large.", "uri": OTHER.upper()}, {"reason": "No."}],
        "unread": [{"uri": URI.upper(), "ranges": [span(0, 0, 1, 3)]}],
        "ungrounded": 5,
        "withheld": 6,
        "refuted": 7,
        "suppressed": 3,
        "dismissed": 8,
        "capped": 4,
    }


def test_the_command_line_gets_paths_and_lines_from_one() -> None:
    finding = about(TEXT, 0, 1)
    outcome = Outcome((finding,), Closed(Stop.ANSWERED, ""), "examiner", None, ())
    [told] = wire().outcome_with_lines(outcome)["findings"]
    assert (told["path"], told["line"], told["endLine"]) == ("app.py", 1, 2)
    assert {**told, **wire().finding(finding)} == told


@given(st.integers(0, 9), st.integers(0, 40), st.sampled_from(list(Encoding)), st.text("a😀\n\u2028", max_size=12))
def test_a_position_on_the_wire_is_always_within_its_text(line, column, encoding, content) -> None:
    text = Text(content)
    place = wire(encoding, text).position(Position(line, column), text)
    assert place["line"] < len(text)
    back = text.from_client(Position(place["line"], place["character"]), encoding)
    assert text.to_client(back, encoding) == Position(place["line"], place["character"])


def test_without_a_text_a_range_is_sent_as_it_is() -> None:
    assert wire(text=None).range(Range.of(3, 4, 5, 6), URI) == span(3, 4, 5, 6)


def test_reading_ahead_reads_every_text_that_a_finding_needs_once_asked() -> None:
    asked: list[str] = []
    reader = Wire(Encoding.UTF8, lambda uri: asked.append(uri), str, str)
    reader.read([about(TEXT, 0, related=(Related(OTHER, Range.of(0, 0, 0, 1), ""),))])
    assert asked == [URI, OTHER]
