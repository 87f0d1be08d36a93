"""From facts to the report in four sections, and to what a model is told. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.review.counting import counted
from socreates_lsp.survey.architecture import TREE, architecture
from socreates_lsp.survey.claims import Claim, Section
from socreates_lsp.survey.commands import commands
from socreates_lsp.survey.dependencies import dependencies
from socreates_lsp.survey.markdown import words
from socreates_lsp.survey.risks import risks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from socreates_lsp.review.outcome import Ground
    from socreates_lsp.survey.facts import Facts

_MAKERS = {
    Section.ARCHITECTURE: architecture,
    Section.DEPENDENCIES: dependencies,
    Section.RISKS: risks,
    Section.COMMANDS: commands,
}


@dataclass(frozen=True, slots=True)
class Report:
    """The claims of each section, in the order of the sections."""

    name: str
    files: int
    manifests: int
    sections: Mapping[Section, tuple[Claim, ...]]

    def body(self, section: Section) -> str:
        """A section without its heading."""
        lines: list[str] = []
        for claim in self.sections[section]:
            if lines and (claim.heading or lines[-1].startswith("**")):
                lines.append("")
            lines.append(claim.markdown())
        return "\n".join(lines)

    def head(self, who: str) -> str:
        """The title, and one sentence on who wrote it from what."""
        read = f"{counted(self.files, 'file')} and {counted(self.manifests, 'manifest')}"
        return f"# Survey of {words(self.name)}\n\n{who} {read}. Each label names the place that its line rests on."

    def markdown(self, note: str = "") -> str:
        """The whole report, as read off the files alone; ``note`` is a sentence of ours below its title."""
        parts = [self.head("Read off, without a model:"), *([note] if note else [])]
        parts += [f"## {section.value}\n\n{self.body(section)}" for section in Section]
        return "\n\n".join(parts) + "\n"

    def sources(self) -> list[Ground]:
        """What all claims rest on, each once."""
        every = (source for claims in self.sections.values() for claim in claims for source in claim.sources())
        return list(dict.fromkeys(every))


def report_of(facts: Facts) -> Report:
    """All that is claimed of the facts."""
    sections = {section: tuple(make(facts)) for section, make in _MAKERS.items()}
    return Report(facts.name, facts.tree.files, len(facts.manifests), sections)


def told_to_model(report: Report, most: int) -> str:
    """The claims for the task of a model, in at most ``most`` characters: sections in their order, cut where the room
    ends, each with a fair part of it. What is private is counted."""
    share = most // len(Section)
    parts: list[str] = []
    spare = 0
    for section in Section:
        room = share + spare
        text = _fitting(_tree_first(report.sections[section]), room, f"{section.value}, as read off the files:")
        spare = room - len(text)
        parts.append(text)
    return "\n\n".join(parts)


def _tree_first(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """Claims with the real tree before all else: nobody is to guess it."""
    begin = next((number for number, one in enumerate(claims) if one.heading and one.text == TREE), None)
    if begin is None:
        return claims
    end = next((number for number in range(begin + 1, len(claims)) if claims[number].heading), len(claims))
    return (*claims[begin:end], *claims[:begin], *claims[end:])


def _fitting(claims: tuple[Claim, ...], room: int, head: str) -> str:
    lines = [head]
    size = len(head) + 60
    left = 0
    for claim in claims:
        line = claim.markdown()
        if claim.private or left or size + len(line) + 1 > room:
            left += 1
            continue
        size += len(line) + 1
        lines.append(line)
    return "\n".join([*lines, *([f"[{counted(left, 'more line')} left out.]"] if left else [])])
