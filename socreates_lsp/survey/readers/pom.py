"""``pom.xml`` (maven.apache.org/pom.html). A document type is refused, and with it every entity and outer file."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.parsers import expat

from socreates_lsp.survey.facts import Dependency, Fact, Manifest
from socreates_lsp.survey.where import BrokenError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socreates_lsp.survey.where import Lines

_DEEPEST = 100
_MOST = 200_000
"""Elements that are read."""


@dataclass(slots=True)
class _Element:
    """An element with its text and its line, from 1."""

    name: str
    line: int
    text: str = ""
    inside: list[_Element] = field(default_factory=list["_Element"])

    def all(self, *names: str) -> list[_Element]:
        """The elements below these names."""
        found: list[_Element] = [self]
        for name in names:
            found = [one for parent in found for one in parent.inside if one.name == name]
        return found

    def first(self, *names: str) -> _Element:
        return next(iter(self.all(*names)), _NOTHING)


_NOTHING = _Element("", 0)


def read(lines: Lines) -> Manifest:
    """Raises BrokenError."""
    top = _parsed(lines.content)
    return Manifest(
        lines.path,
        "Maven",
        facts=tuple(_facts(top, lines)),
        dependencies=tuple(_dependencies(top, lines)),
        members=tuple(
            Fact("member", one.text, lines.place(one.line, one.text)) for one in top.all("modules", "module")
        ),
    )


def _facts(top: _Element, lines: Lines) -> Iterator[Fact]:
    for key, names in (
        ("name", ("artifactId",)),
        ("version", ("version",)),
        ("description", ("description",)),
        ("parent", ("parent", "artifactId")),
    ):
        one = top.first(*names)
        if one.text:
            yield Fact(key, one.text, lines.place(one.line, one.text))
    for name in ("maven.compiler.release", "java.version", "maven.compiler.source"):
        one = top.first("properties", name)
        if one.text:
            yield Fact("runtime", f"Java {one.text}", lines.place(one.line, one.text))
            return


def _dependencies(top: _Element, lines: Lines) -> Iterator[Dependency]:
    managed = bool(top.first("parent").name) or bool(top.all("dependencyManagement", "dependencies", "dependency"))
    for one in top.all("dependencies", "dependency"):
        name, version = one.first("artifactId"), one.first("version")
        if not name.text:
            continue
        whole = f"{one.first('groupId').text}:{name.text}".strip(":")
        dev = one.first("scope").text in {"test", "provided"}
        bound = version.text not in {"LATEST", "RELEASE"} and (bool(version.text) or managed)
        place = lines.place(name.line, name.text)
        yield Dependency(whole, version.text, place, dev, bound, managed=managed and not version.text)


def _parsed(content: str) -> _Element:
    """The elements of a document."""
    parser = expat.ParserCreate(namespace_separator=" ")
    top = _Element("", 0)
    stack = [top]
    count = 0

    def begin(name: str, _: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if len(stack) > _DEEPEST or count > _MOST:
            raise BrokenError("it is nested too deeply, or too long", parser.CurrentLineNumber)
        element = _Element(name.rpartition(" ")[2], parser.CurrentLineNumber)
        stack[-1].inside.append(element)
        stack.append(element)

    def end(_: str) -> None:
        element = stack.pop()
        stripped = element.text.strip()
        if stripped:
            # The text may stand on a line behind its tag.
            ahead = element.text[: len(element.text) - len(element.text.lstrip())]
            element.line += ahead.count("\n")
        element.text = "" if element.inside else stripped

    def text(data: str) -> None:
        if not stack[-1].inside and len(stack[-1].text) < 1000:
            stack[-1].text += data

    def refuse(*_: object) -> None:
        raise BrokenError("it has a document type, which is not read", parser.CurrentLineNumber)

    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = begin, end, text
    parser.StartDoctypeDeclHandler = refuse
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(content.encode("utf-8", "replace"), True)  # noqa: FBT003  (as expat has it)
    except expat.ExpatError as error:
        raise BrokenError("it is no XML", error.lineno) from None
    return next(iter(top.inside), top)
