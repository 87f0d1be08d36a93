"""``composer.json`` (getcomposer.org, the schema of its version 2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.survey.facts import Command, Dependency, Entry, Fact, Manifest, Mapping
from socreates_lsp.survey.json_lines import read_json
from socreates_lsp.survey.purposes import purpose_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socreates_lsp.survey.json_lines import Node
    from socreates_lsp.survey.where import Lines

_PLATFORM = re.compile(r"(?:php(?:-\w+)?|hhvm|ext-[\w-]+|lib-[\w-]+|composer(?:-[\w-]+)?)\Z", re.IGNORECASE)
"""Packages that are no packages, but what the machine has."""

_UNBOUND = re.compile(r"\s*(?:\*|>=?\s*[^\s,|<]+|dev-[\w./-]+|.*@dev)?\s*\Z")
_EVENT = re.compile(
    r"(?:pre|post)-[\w-]+-(?:cmd|dump|run|install|update|uninstall|solving|package|file-download)[\w-]*\Z|pre-pool-create\Z|init\Z|command\Z"
)
"""Scripts that Composer runs by itself."""


def read(lines: Lines) -> Manifest:
    """Raises BrokenError."""
    top = read_json(lines.content)
    kind = top.get("type").text
    return Manifest(
        lines.path,
        "Composer",
        facts=tuple(_facts(top, lines)),
        dependencies=(*_dependencies(top, "require", lines), *_dependencies(top, "require-dev", lines, dev=True)),
        commands=tuple(_commands(top, lines)),
        mappings=(*_mappings(top, "autoload", lines), *_mappings(top, "autoload-dev", lines, dev=True)),
        entries=tuple(_binaries(top, lines)),
        library=kind not in {"project", None} or (kind is None and not top.get("require", "laravel/framework").line),
    )


def _facts(top: Node, lines: Lines) -> Iterator[Fact]:
    for key in ("name", "description", "type", "license"):
        node = top.get(key)
        if node.text:
            yield Fact(key, node.text, lines.place(node.line, node.text))
    for name, node in top.get("require").members.items():
        if name == "php" and node.text:
            yield Fact("runtime", f"PHP {node.text}", lines.place(node.line, node.text))


def _dependencies(top: Node, section: str, lines: Lines, *, dev: bool = False) -> Iterator[Dependency]:
    paths = {node.get("type").text for node in _repositories(top)}
    for name, node in top.get(section).members.items():
        version = node.text
        if version is None or _PLATFORM.match(name):
            continue
        bound = not _UNBOUND.match(version) or name == "roave/security-advisories"  # a list of what is not to be used
        local = "path" in paths and (version.strip() in {"*", "@dev", "*@dev", "dev-main", "dev-master"})
        yield Dependency(name, version, lines.place(node.line, name), dev, bound or local, local)


def _repositories(top: Node) -> list[Node]:
    node = top.get("repositories")
    return node.items or list(node.members.values())


def _commands(top: Node, lines: Lines) -> Iterator[Command]:
    for name, node in top.get("scripts").members.items():
        steps = [one.text for one in node.items if one.text] or ([node.text] if node.text else [])
        if not steps or _EVENT.match(name):
            continue
        runs = " && ".join(steps)
        purpose = purpose_of(name, next((one for one in steps if not one.startswith("@")), runs))
        yield Command(f"composer {name}", runs, purpose, lines.place(node.line, name))


def _mappings(top: Node, section: str, lines: Lines, *, dev: bool = False) -> Iterator[Mapping]:
    for prefix, node in top.get(section, "psr-4").members.items():
        for folder in [one for one in node.items if one.text is not None] or [node]:
            if folder.text is not None:
                where = folder.text.strip("/").removeprefix("./")
                yield Mapping(prefix, where, lines.place(folder.line, folder.text), dev)


def _binaries(top: Node, lines: Lines) -> Iterator[Entry]:
    node = top.get("bin")
    for one in node.items or [node]:
        if one.text:
            yield Entry("a program that Composer installs", lines.place(one.line, one.text))
