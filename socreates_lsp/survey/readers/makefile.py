"""``Makefile`` (gnu.org/software/make) and ``justfile`` (just.systems): the targets that one calls by name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.survey.facts import Command, Manifest
from socreates_lsp.survey.purposes import purpose_of

if TYPE_CHECKING:
    from socreates_lsp.survey.where import Lines

_TARGET = re.compile(r"@?([A-Za-z0-9][\w-]*(?:[ \t]+[A-Za-z0-9][\w-]*){0,8})(?:[ \t]+[\w=\"'*+-]+)*?[ \t]*::?(?!=)")
_INDENTED = re.compile(r"[ \t]")
_KEYWORDS = frozenset(
    {"ifeq", "ifneq", "ifdef", "ifndef", "else", "endif", "define", "endef", "export", "set", "alias"}
)


def read(lines: Lines) -> Manifest:
    """Every target whose name is a plain word, with the first line that it runs."""
    just = lines.path.rpartition("/")[2].lower().startswith(("justfile", ".justfile"))
    program = "just" if just else "make"
    found: dict[str, Command] = {}
    for number, line in enumerate(lines.lines, start=1):
        match = _TARGET.match(line[:300])
        if match is None or match[1].split()[0] in _KEYWORDS:
            continue
        names = match[1].split()[:1] if just else match[1].split()
        runs = _recipe(lines, number)
        for name in names:
            if name not in found:
                found[name] = Command(f"{program} {name}", runs, purpose_of(name, runs), lines.place(number, name))
    return Manifest(lines.path, "Just" if just else "Make", commands=tuple(found.values()))


def _recipe(lines: Lines, target: int) -> str:
    """The first line of a recipe that does something, without what make takes off it."""
    for line in lines.lines[target : target + 12]:
        if not _INDENTED.match(line):
            if line.strip() and not line.startswith("#"):
                return ""
            continue
        content = line.strip().lstrip("@-+").strip()
        if content and not content.startswith(("#", "echo", "printf")):
            return content.removesuffix("\\").strip()
    return ""
