"""Prose without code: lines that are code, definitions of links, then each paragraph's inline Markdown. Pure."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from socreates_lsp.review.voice_inline import CODE_WITHHELD, Spoken, inline_voiced
from socreates_lsp.review.voice_lines import CONTAINER, SPAN, code_lines, is_code_line, sentence, text_of
from socreates_lsp.review.voice_links import is_definition, starts_definition

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_CITATION = re.compile(r"(?:[\w./\\@+-]+\.\w+|[\w./\\-]+/[\w.-]+):\d+(?:[-:,]\d+)*:?\s+")
_LEAD = re.compile(r"(?<=[^\s:]):\s+(?=\S)")
_LONGEST = 2000
_LEADS = 8
"""Lead-ins of a line that are looked at, from its start and from its end: no sentence has more."""
_NEW_UNIT = re.compile(r"[ \t>]*(?:[-*+•][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\|)")


def prose_voiced(lines: Sequence[str], quoted: Callable[[str], bool]) -> Spoken:
    """Lines of prose without the code among them.

    Args:
        lines: consecutive lines, with indentation and marks of containers.
        quoted: whether a snippet stands in a file.
    """
    withheld = 0
    kept: list[str] = []
    for is_code, run in groupby(zip(code_lines(lines, quoted), lines, strict=True), key=lambda pair: pair[0]):
        if not is_code:
            for _, line in run:
                part = _partly(line, quoted)
                withheld += part.withheld
                kept.append(part.text)
            continue
        withheld += 1
        heads = [head[0].rstrip() for _, line in run if (head := _CITATION.match(text_of(line)))]
        kept += [f"{heads[0]} {CODE_WITHHELD}"] if heads else [""]
    said: list[str] = []
    for unit in _units(_without_definitions(kept)):
        text, count = _unit_voiced(unit, quoted)
        said += text
        withheld += count
    return Spoken("\n".join(said), withheld)


def _partly(line: str, quoted: Callable[[str], bool]) -> Spoken:
    """A line without the code that a lead-in announces, or that a cell of a table holds."""
    if line.lstrip().startswith("|"):
        cells = re.split(r"(?<!\\)\|", line)
        bad = [bool(cell.strip()) and is_code_line(cell.strip()) and not quoted(cell.strip()) for cell in cells]
        if any(bad):
            said = [f" {CODE_WITHHELD} " if withheld else cell for cell, withheld in zip(cells, bad, strict=True)]
            return Spoken("|".join(said), sum(bad))
        return Spoken(line, 0)
    if ": " not in line or len(line) > _LONGEST:
        return Spoken(line, 0)
    leads = list(_LEAD.finditer(SPAN.sub(lambda found: "\0" * len(found[0]), line)))
    for lead in (*leads[:_LEADS], *leads[max(_LEADS, len(leads) - _LEADS) :]):
        rest = line[lead.end() :].rstrip("?")
        if is_code_line(rest) and not sentence(rest) and not quoted(rest):
            return Spoken(f"{line[: lead.start() + 1]} {CODE_WITHHELD}", 1)
    return Spoken(line, 0)


def _without_definitions(lines: list[str]) -> list[str]:
    kept: list[str] = []
    pending = False
    for line in lines:
        text = text_of(line)
        if pending and text and " " not in text:
            pending = False
            continue
        pending = starts_definition(text)
        if pending or (text.startswith("[") and is_definition(text)):
            continue
        kept.append(line)
    return kept


def _units(lines: list[str]) -> list[list[str]]:
    """Runs of lines that Markdown reads as one paragraph, item, heading or row; blank lines are runs of their own."""
    units: list[list[str]] = []
    for line in lines:
        if not text_of(line) or not units or not text_of(units[-1][-1]) or _NEW_UNIT.match(line):
            units.append([line])
        else:
            units[-1].append(line)
    return units


def _unit_voiced(unit: list[str], quoted: Callable[[str], bool]) -> tuple[list[str], int]:
    prefixes = [match[0] if (match := CONTAINER.match(line)) else "" for line in unit]
    texts = [line[len(prefix) :] for line, prefix in zip(unit, prefixes, strict=True)]
    said = inline_voiced("\n".join(texts), quoted)
    if said.withheld == 0 and said.text == "\n".join(texts):
        return unit, 0
    lines = said.text.split("\n")
    prefixes += [prefixes[-1]] * (len(lines) - len(prefixes))
    return [(prefix + line).rstrip() for prefix, line in zip(prefixes, lines, strict=False)], said.withheld
