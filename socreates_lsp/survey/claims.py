"""What a report is made of: claims, each with the places that it rests on. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from socreates_lsp.review.outcome import Ground
from socreates_lsp.survey.markdown import label, reference_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from socreates_lsp.survey.facts import Place

_MOST_LABELS = 3


class Section(StrEnum):
    """The sections of a report, in their order."""

    ARCHITECTURE = "Architecture"
    DEPENDENCIES = "Dependencies"
    RISKS = "Risks"
    COMMANDS = "Commands"


@dataclass(frozen=True, slots=True)
class Claim:
    """One line of a report: ``text`` is Markdown of ours. ``depth`` is how far it is indented.

    ``origin`` is that of its places; ``inferred``: it follows from them, and stands in none. ``heading``: it is the
    title of what follows. ``private``: not to be told to a model.
    """

    text: str
    places: tuple[Place, ...] = ()
    depth: int = 0
    origin: str = "repo"
    inferred: bool = False
    heading: bool = False
    private: bool = False

    def markdown(self) -> str:
        """The line."""
        if self.heading:
            return f"**{self.text}**"
        labels = [label(place, self.origin) for place in dict.fromkeys(self.places)][:_MOST_LABELS]
        labels += ["[inference]"] if self.inferred else []
        return f"{'  ' * self.depth}- {' '.join([self.text, *labels])}"

    def sources(self) -> list[Ground]:
        """What it rests on."""
        found = [Ground(self.origin, reference_of(place), place.quote) for place in self.places[:_MOST_LABELS]]
        return [*found, *([Ground("inference", "")] if self.inferred else [])]


def together(claims: Iterable[Claim]) -> list[Claim]:
    """Claims without those that say again what another one says, on the same place."""
    return list(dict.fromkeys(claims))


def span_of(places: Sequence[Place]) -> tuple[Place, ...]:
    """Places of one file as one of several lines, if nothing but they stands between the first and the last."""
    lines = [place.line for place in places if place.line is not None]
    if not lines or len({place.path for place in places}) != 1:
        return tuple(places[:1])
    first, last = min(lines), max(lines)
    return (replace(places[lines.index(first)], line=first, last=last if last > first else None),)
