"""``pyproject.toml`` (packaging.python.org; PEP 621, PEP 735) with Poetry's own tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from socreates_lsp.survey.facts import Command, Dependency, Entry, Fact, Manifest, Purpose
from socreates_lsp.survey.purposes import purpose_of
from socreates_lsp.survey.toml_lines import Toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from socreates_lsp.survey.where import Lines

REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*([^;#]*)")
"""A name, extras, a constraint (PEP 508); what stands behind a semicolon says when it holds."""

_TOOLS = {"ruff": Purpose.LINT, "mypy": Purpose.LINT, "pyright": Purpose.LINT, "pytest": Purpose.TEST}


def read(lines: Lines) -> Manifest:
    """Raises BrokenError."""
    toml = Toml(lines)
    return Manifest(
        lines.path,
        "Python",
        facts=tuple(_facts(toml)),
        dependencies=tuple(_dependencies(toml)),
        commands=tuple(_commands(toml)),
        members=tuple(_members(toml)),
        entries=tuple(_entries(toml)),
        library=bool(toml.table("build-system")),
    )


def _facts(toml: Toml) -> Iterator[Fact]:
    for table in (("project",), ("tool", "poetry")):
        values = toml.table(*table)
        for key in ("name", "version", "description"):
            value = values.get(key)
            if isinstance(value, str) and value:
                yield Fact(key, value, toml.key(table, key))
    wanted = toml.table("project").get("requires-python")
    if isinstance(wanted, str):
        yield Fact("runtime", f"Python {wanted}", toml.key(("project",), "requires-python"))
    poetry = toml.table("tool", "poetry", "dependencies").get("python")
    if isinstance(poetry, str):
        yield Fact("runtime", f"Python {poetry}", toml.key(("tool", "poetry", "dependencies"), "python"))
    backend = toml.table("build-system").get("build-backend")
    if isinstance(backend, str):
        yield Fact("build", backend, toml.key(("build-system",), "build-backend"))


def _dependencies(toml: Toml) -> Iterator[Dependency]:
    project = toml.table("project")
    yield from requirements(toml, ("project",), project.get("dependencies"))
    for group, values in toml.table("project", "optional-dependencies").items():
        yield from requirements(toml, ("project", "optional-dependencies", group), values, dev=True)
    for group, values in toml.table("dependency-groups").items():
        yield from requirements(toml, ("dependency-groups", group), values, dev=True)
    uv = toml.table("tool", "uv")
    yield from requirements(toml, ("tool", "uv"), uv.get("dev-dependencies"), dev=True)
    groups = [(("tool", "poetry", "dependencies"), False), (("tool", "poetry", "dev-dependencies"), True)]
    groups += [
        (("tool", "poetry", "group", name, "dependencies"), True) for name in toml.table("tool", "poetry", "group")
    ]
    for table, dev in groups:
        for name, value in toml.table(*table).items():
            if name.lower() != "python":
                version, local = _poetry(value)
                bound = local or version.strip() not in {"", "*"}
                yield Dependency(name, version, toml.key(table, name), dev, bound, local)


def requirements(toml: Toml, table: Sequence[str], values: Any, *, dev: bool = False) -> Iterator[Dependency]:
    """The requirements in an array of texts."""
    for text in toml.texts(values):
        match = REQUIREMENT.match(text)
        if match:
            version = match[2].strip().strip("()")
            yield Dependency(match[1], version, toml.text(table, text), dev, bool(version))


def _poetry(value: Any) -> tuple[str, bool]:
    """The constraint of a dependency of Poetry's, and whether it is a folder of the repository."""
    if isinstance(value, str):
        return value, False
    if isinstance(value, dict):
        parts = cast("dict[str, Any]", value)
        if "path" in parts:
            return str(parts["path"]), True
        found = parts.get("version") or parts.get("tag") or parts.get("rev") or parts.get("branch") or ""
        return str(found), False
    return "", False


def _commands(toml: Toml) -> Iterator[Command]:
    for table, runner in (
        (("tool", "poe", "tasks"), "poe"),
        (("tool", "pdm", "scripts"), "pdm run"),
        (("tool", "taskipy", "tasks"), "task"),
    ):
        for name, value in toml.table(*table).items():
            runs = (
                value
                if isinstance(value, str)
                else str(cast("dict[str, Any]", value).get("cmd", ""))
                if isinstance(value, dict)
                else ""
            )
            yield Command(f"{runner} {name}", runs, purpose_of(name, runs), toml.key(table, name))
    for name, environment in toml.table("tool", "hatch", "envs").items():
        scripts = toml.table("tool", "hatch", "envs", name, "scripts") if isinstance(environment, dict) else {}
        for script, value in scripts.items():
            runs = value if isinstance(value, str) else " && ".join(toml.texts(value))
            place = toml.key(("tool", "hatch", "envs", name, "scripts"), script)
            yield Command(f"hatch run {name}:{script}", runs, purpose_of(script, runs), place)
    for tool, purpose in _TOOLS.items():
        table = ("tool", tool)
        if toml.table(*table):
            below = ("tool", tool, "ini_options") if tool == "pytest" else table
            place = toml.header(*below) if toml.table(*below) else toml.header(*table)
            if place.line is not None:
                yield Command(tool, "", purpose, place)


def _members(toml: Toml) -> Iterator[Fact]:
    table = ("tool", "uv", "workspace")
    for text in toml.texts(toml.table(*table).get("members")):
        yield Fact("member", text, toml.text(table, text))


def _entries(toml: Toml) -> Iterator[Entry]:
    for table in (("project", "scripts"), ("project", "gui-scripts"), ("tool", "poetry", "scripts")):
        for name, value in toml.table(*table).items():
            if isinstance(value, str):
                yield Entry("a program that pip installs", toml.key(table, name))
