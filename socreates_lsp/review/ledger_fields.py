"""Entries of the ledger as JSON has them. Pure; what somebody else wrote there is checked, and cut where it is long."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeVar, cast

from socreates_lsp.review.finding import Category, Kind, Source
from socreates_lsp.review.ledger import Dismissal, Spot
from socreates_lsp.review.neighbours import Surroundings

if TYPE_CHECKING:
    from collections.abc import Mapping
    from enum import StrEnum

    Choice = TypeVar("Choice", bound=StrEnum)

_LONGEST = 4000
_LONGEST_QUOTE = 100_000
"""Characters of a text that are taken."""

_MOST = 2**31 - 1


def fields_of(entry: Dismissal) -> dict[str, Any]:
    """The entry as a JSON object; ``line`` counts from 1, for people. What says nothing is left out."""
    fields: dict[str, Any] = {
        "path": entry.path,
        "line": entry.line + 1,
        "id": entry.id,
        "kind": entry.kind.value,
        "category": entry.category.value,
        "rule": entry.rule,
        "quote": entry.quote,
        "message": entry.message,
        "why": entry.why,
        "reason": entry.reason,
        "at": entry.at,
        "source": entry.source.value,
        "confidence": entry.confidence,
        "file": entry.file,
        **spot_fields(entry.spot),
    }
    return {name: value for name, value in fields.items() if value not in ("", None)}


def spot_fields(spot: Spot) -> dict[str, Any]:
    """The members that say which of the equal quotations of a file it was."""
    fields: dict[str, Any] = {"before": " ".join(spot.around.before), "after": " ".join(spot.around.after)}
    if spot.places > 1 or spot.likeness:
        fields["twins"] = {"place": spot.ordinal + 1, "of": spot.places, "likeness": round(spot.likeness, 3)}
    return fields


def dismissal_of(fields: Mapping[str, Any]) -> Dismissal | None:
    """The entry that an object says; None if it lacks what an entry needs."""
    finding_id, path = _text(fields, "id"), _text(fields, "path")
    quote, message = _text(fields, "quote", _LONGEST_QUOTE), _text(fields, "message")
    category = _choice(Category, fields.get("category"))
    if not finding_id or not path or not quote.strip() or category is None:
        return None
    return Dismissal(
        id=finding_id,
        path=path,
        category=category,
        quote=quote,
        message=message,
        reason=_text(fields, "reason"),
        at=_text(fields, "at"),
        rule=_text(fields, "rule") or None,
        kind=_choice(Kind, fields.get("kind")) or Kind.QUESTION,
        source=_choice(Source, fields.get("source")) or Source.MODEL,
        why=_text(fields, "why"),
        confidence=_share(fields.get("confidence"), 0.5),
        line=_number(fields.get("line"), 1) - 1,
        file=_text(fields, "file"),
        spot=spot_of(fields),
    )


def spot_of(fields: Mapping[str, Any]) -> Spot:
    """The spot that an object says; as good as none where it says none."""
    around = Surroundings(tuple(_text(fields, "before").split()[:8]), tuple(_text(fields, "after").split()[:8]))
    given: object = fields.get("twins")
    twins = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
    places = _number(twins.get("of"), 1)
    return Spot(min(_number(twins.get("place"), 1), places) - 1, places, _share(twins.get("likeness"), 0.0), around)


def _text(fields: Mapping[str, Any], name: str, most: int = _LONGEST) -> str:
    value = fields.get(name)
    return value[:most] if isinstance(value, str) else ""


def _choice(kind: type[Choice], value: object) -> Choice | None:
    return next((one for one in kind if one.value == value), None)


def _number(value: object, default: int) -> int:
    """A whole number from 1 on."""
    return value if type(value) is int and 1 <= value <= _MOST else default


def _share(value: object, default: float) -> float:
    """A number from 0 to 1."""
    number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return min(max(float(cast("float", value)), 0.0), 1.0) if number else default
