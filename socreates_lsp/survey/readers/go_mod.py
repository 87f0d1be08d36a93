"""``go.mod`` and ``go.work`` (go.dev/ref/mod)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.survey.facts import Dependency, Fact, Manifest, Warned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socreates_lsp.survey.where import Lines


def read(lines: Lines) -> Manifest:
    """Every directive of the file; a line that is none is passed over."""
    facts: list[Fact] = []
    dependencies: list[Dependency] = []
    members: list[Fact] = []
    risks: list[Warned] = []
    for number, verb, words, comment in _directives(lines):
        place = lines.place(number, words[0])
        if verb == "module":
            facts.append(Fact("name", words[0].strip('"'), place))
        elif verb in {"go", "toolchain"}:
            facts.append(Fact("runtime", f"{'Go ' if verb == 'go' else ''}{words[0]}", place))
        elif verb == "require" and len(words) > 1:
            indirect = "indirect" in comment
            dependencies += [] if indirect else [Dependency(words[0], words[1], place)]
        elif verb == "use":
            members.append(Fact("member", words[0], place))
        elif verb == "replace" and "=>" in words and words[-1].startswith(("./", "../", "/")):
            sentence = "{0} is replaced by the folder {1}: what others get differs from what is built here"
            if words[-1].startswith(("../", "/")):
                risks.append(Warned(sentence, (words[0], words[-1]), place))
    return Manifest(
        lines.path,
        "Go",
        facts=tuple(facts),
        dependencies=tuple(dependencies),
        members=tuple(members),
        risks=tuple(risks),
    )


def _directives(lines: Lines) -> Iterator[tuple[int, str, list[str], str]]:
    """Each directive with its line (from 1), its verb, its words and its comment; blocks are taken apart."""
    block = ""
    for number, line in enumerate(lines.lines, start=1):
        content, _, comment = line.partition("//")
        words = content.split()
        if words[:1] == [")"]:
            block = ""
        elif not block and len(words) == 2 and words[1] == "(":
            block = words[0]
        elif block and words:
            yield number, block, words, comment
        elif len(words) > 1:
            yield number, words[0], words[1:], comment
