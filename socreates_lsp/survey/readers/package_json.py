"""``package.json`` (docs.npmjs.com, and what pnpm and yarn add to it)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.survey.facts import Command, Dependency, Entry, Fact, Manifest
from socreates_lsp.survey.json_lines import read_json
from socreates_lsp.survey.purposes import purpose_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socreates_lsp.survey.json_lines import Node
    from socreates_lsp.survey.where import Lines

_UNBOUND = re.compile(
    r"\s*(?:\*|x|latest|next|>=?\s*[^\s|<]+|(?:git|https?|git\+\w+|github):[^#]*|[\w-]+/[\w.-]+)?\s*\Z"
)
_LOCAL = ("workspace:", "file:", "link:", "portal:")
_SECTIONS = (("dependencies", False), ("optionalDependencies", False), ("devDependencies", True))
_HOOKS = re.compile(
    r"(?:pre|post)(?:install|publish|pack|version|prepare)\Z|(?:install|prepare|prepublishOnly|prepack)\Z"
)
"""Scripts that npm runs by itself."""


def read(lines: Lines) -> Manifest:
    """Raises BrokenError."""
    top = read_json(lines.content)
    published = any(top.get(key).line for key in ("main", "module", "exports", "files", "publishConfig"))
    return Manifest(
        lines.path,
        "npm",
        facts=tuple(_facts(top, lines)),
        dependencies=tuple(
            one for section, dev in _SECTIONS for one in _dependencies(top.get(section), lines, dev=dev)
        ),
        commands=tuple(_commands(top, lines)),
        members=tuple(_members(top, lines)),
        entries=tuple(_entries(top, lines)),
        library=published and not top.get("private").is_true,
    )


def _facts(top: Node, lines: Lines) -> Iterator[Fact]:
    for key in ("name", "version", "description", "license", "packageManager"):
        node = top.get(key)
        if node.text:
            yield Fact(key, node.text, lines.place(node.line, node.text))
    for name, node in top.get("engines").members.items():
        if node.text and name in {"node", "bun", "deno"}:
            yield Fact("runtime", f"{name} {node.text}", lines.place(node.line, node.text))


def _dependencies(section: Node, lines: Lines, *, dev: bool) -> Iterator[Dependency]:
    for name, node in section.members.items():
        if node.text is not None:
            local = node.text.startswith(_LOCAL)
            bound = local or not _UNBOUND.match(node.text)
            yield Dependency(name, node.text, lines.place(node.line, name), dev, bound, local)


def _commands(top: Node, lines: Lines) -> Iterator[Command]:
    for name, node in top.get("scripts").members.items():
        if node.text and not _HOOKS.match(name) and "no test specified" not in node.text:
            call = f"npm {name}" if name in {"test", "start"} else f"npm run {name}"
            yield Command(call, node.text, purpose_of(name, node.text), lines.place(node.line, name))


def _members(top: Node, lines: Lines) -> Iterator[Fact]:
    node = top.get("workspaces")
    for one in node.items or node.get("packages").items:
        if one.text:
            yield Fact("member", one.text, lines.place(one.line, one.text))


def _entries(top: Node, lines: Lines) -> Iterator[Entry]:
    binaries = top.get("bin")
    for node in [binaries, *binaries.members.values()]:
        if node.text:
            yield Entry("a program that npm installs", lines.place(node.line, node.text))
    main = top.get("main")
    if main.text:
        what = "what VS Code loads" if top.get("engines", "vscode").line else "what others import"
        yield Entry(what, lines.place(main.line, main.text))
