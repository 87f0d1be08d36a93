"""``Cargo.toml`` (doc.rust-lang.org/cargo, the manifest format)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from socreates_lsp.survey.facts import Command, Dependency, Entry, Fact, Manifest, Purpose
from socreates_lsp.survey.toml_lines import Toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from socreates_lsp.survey.where import Lines

_SECTIONS = (("dependencies", False), ("build-dependencies", True), ("dev-dependencies", True))


def read(lines: Lines) -> Manifest:
    """Raises BrokenError."""
    toml = Toml(lines)
    binaries = [one for one in _tables(toml.data.get("bin")) if isinstance(one.get("name"), str)]
    return Manifest(
        lines.path,
        "Cargo",
        facts=tuple(_facts(toml)),
        dependencies=tuple(_dependencies(toml)),
        commands=tuple(_commands(toml)),
        members=tuple(
            Fact("member", text, toml.text(("workspace",), text))
            for text in toml.texts(toml.table("workspace").get("members"))
        ),
        entries=tuple(Entry("a program of Cargo's", toml.text(("bin",), one["name"])) for one in binaries),
        library=bool(toml.table("lib")) and not binaries,
    )


def _facts(toml: Toml) -> Iterator[Fact]:
    values = toml.table("package")
    for key in ("name", "version", "description", "edition"):
        value = values.get(key)
        if isinstance(value, str) and value:
            yield Fact(key, value, toml.key(("package",), key))
    wanted = values.get("rust-version")
    if isinstance(wanted, str):
        yield Fact("runtime", f"Rust {wanted}", toml.key(("package",), "rust-version"))


def _dependencies(toml: Toml) -> Iterator[Dependency]:
    for section, dev in _SECTIONS:
        for table in ((section,), ("workspace", section)):
            yield from _of_table(toml, table, dev=dev)
    for target in toml.table("target"):
        yield from _of_table(toml, ("target", target, "dependencies"), dev=False)


def _of_table(toml: Toml, table: Sequence[str], *, dev: bool) -> Iterator[Dependency]:
    for name, value in toml.table(*table).items():
        version, bound, local = _wanted(value)
        managed = isinstance(value, dict) and cast("dict[str, Any]", value).get("workspace") is True
        yield Dependency(name, version, toml.key(table, name), dev, bound, local, managed)


def _wanted(value: Any) -> tuple[str, bool, bool]:
    """The constraint, whether it has a bound, and whether it is a folder of the repository."""
    if isinstance(value, str):
        return value, value.strip() not in {"", "*"}, False
    if not isinstance(value, dict):
        return "", True, False
    parts = cast("dict[str, Any]", value)
    if parts.get("workspace") is True:
        return "", True, False
    if "path" in parts:
        return str(parts.get("version", "")), True, True
    if "git" in parts:
        pinned = parts.get("rev") or parts.get("tag")
        return f"git {pinned or parts.get('branch') or ''}".strip(), bool(pinned), False
    version = str(parts.get("version", ""))
    return version, version.strip() not in {"", "*"}, False


def _commands(toml: Toml) -> Iterator[Command]:
    for name in toml.table("alias"):
        yield Command(f"cargo {name}", "", Purpose.OTHER, toml.key(("alias",), name))


def _tables(value: Any) -> list[dict[str, Any]]:
    """The tables in an array of tables."""
    return (
        [cast("dict[str, Any]", one) for one in cast("list[Any]", value) if isinstance(one, dict)]
        if isinstance(value, list)
        else []
    )
