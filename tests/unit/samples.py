"""Findings to test with: about lines of a text, as the examiner makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.review.finding import Category, Finding, Kind, Ordinals, Source, finding_id

if TYPE_CHECKING:
    from socreates_lsp.workspace.text import Text

URI = "file:///w/app.py"


def about(text: Text, first: int, last: int | None = None, **other: Any) -> Finding:
    """A finding about the lines ``first`` to ``last``, grounded in the text."""
    span = text.trimmed(first, first if last is None else last)
    quote = text.slice(span)
    category = other.get("category", Category.CORRECTNESS)
    made = {
        "id": finding_id("app.py", category, quote, Ordinals(text).of(quote, first)),
        "kind": Kind.QUESTION,
        "category": category,
        "uri": URI,
        "range": span,
        "message": "What happens here?",
        "why": "It may not.",
        "quote": quote,
        "confidence": 0.5,
        "source": Source.EXAMINER,
    }
    return Finding(**{**made, **other})
