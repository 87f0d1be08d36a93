"""Files of which little is read: the packages of pnpm's and Lerna's workspaces, and what a Gradle build names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.survey.facts import Dependency, Fact, Manifest
from socreates_lsp.survey.json_lines import read_json
from socreates_lsp.survey.yaml_lines import read_yaml

if TYPE_CHECKING:
    from socreates_lsp.survey.where import Lines

_GRADLE = re.compile(
    r"\s*(api|implementation|compileOnly|runtimeOnly|testImplementation|annotationProcessor|kapt|testRuntimeOnly)\b[\s(]+"
    r"[\"']([\w.-]+:[\w.-]+)(?::([^\"'@]+))?"
)
_INCLUDED = re.compile(r"[\"'](:?[\w.:/-]+)[\"']")


def read_pnpm(lines: Lines) -> Manifest:
    """``pnpm-workspace.yaml``. Raises BrokenError."""
    items = read_yaml(lines.content).get("packages").items()
    members = tuple(Fact("member", one.text, lines.place(one.line, one.text)) for one in items if one.text)
    return Manifest(lines.path, "pnpm", members=members)


def read_lerna(lines: Lines) -> Manifest:
    """``lerna.json``. Raises BrokenError."""
    items = read_json(lines.content).get("packages").items
    members = tuple(Fact("member", one.text, lines.place(one.line, one.text)) for one in items if one.text)
    return Manifest(lines.path, "Lerna", members=members)


def read_gradle(lines: Lines) -> Manifest:
    """``build.gradle`` and ``settings.gradle`` of both languages: plain dependencies, and what is included."""
    dependencies: list[Dependency] = []
    members: list[Fact] = []
    for number, line in enumerate(lines.lines, start=1):
        match = _GRADLE.match(line[:400])
        if match:
            dev = match[1].startswith(("test", "annotation", "kapt"))
            version = match[3] or ""
            bound = not version.endswith("+") and "latest" not in version
            place = lines.place(number, match[2])
            dependencies.append(Dependency(match[2], version, place, dev, bound, managed=not version))
        elif line.lstrip().startswith("include"):
            members += [Fact("member", one, lines.place(number, one)) for one in _INCLUDED.findall(line[:400])]
    return Manifest(lines.path, "Gradle", dependencies=tuple(dependencies), members=tuple(members))
