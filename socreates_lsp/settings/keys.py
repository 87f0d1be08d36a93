"""The settings by name: finding a key however it is spelled, guessing what was meant, describing them all. Pure."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, cast

from socreates_lsp.settings.facts import FACTS, Client, Facts
from socreates_lsp.settings.schema import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from dataclasses import Field

PREFIX = "SOCREATES_"
USER_SOURCES = ("config.toml", "variable", "flag")
CLIENT_SOURCES = ("initializationOptions", "editor settings")


class Key(NamedTuple):
    """One setting. ``name`` is its dotted camelCase name; ``section`` is empty for the keys that stand at the top."""

    name: str
    section: str
    attribute: str
    default: object
    facts: Facts

    @property
    def toml(self) -> str:
        """The name in TOML: ``review.max_steps``."""
        return f"{_snake(self.section)}.{self.attribute}" if self.section else self.attribute

    @property
    def variable(self) -> str:
        """The environment variable: ``SOCREATES_REVIEW__MAX_STEPS``."""
        return PREFIX + self.toml.replace(".", "__").upper()


class KeyDoc(NamedTuple):
    """What a table of documentation and the JSON schema of an editor say of a setting.

    ``sources`` are the sources that may set it to any value; ``tightens`` those that may only make it stricter,
    in the way that ``how`` says. ``client`` says in words what initializationOptions and editor settings may do.
    """

    name: str
    toml: str
    variable: str
    doc: str
    expects: str
    schema: Mapping[str, object]
    default: object
    sources: tuple[str, ...]
    tightens: tuple[str, ...]
    how: str
    client: str


@cache
def all_keys() -> Mapping[str, Key]:
    """Every setting by its dotted camelCase name, in the order of the schema."""
    return MappingProxyType({key.name: key for key in _declared()})


@cache
def sections() -> frozenset[str]:
    """The names of the sections, in camelCase."""
    return frozenset(key.section for key in all_keys().values() if key.section)


def find(segments: Sequence[str]) -> Key | str | None:
    """The key or the section (its name) that a path means, camelCase or snake_case; None if there is none."""
    name = ".".join(_camel(segment) if segment.islower() else segment for segment in segments)
    return name if name in sections() else all_keys().get(name)


def guess(written: str) -> Key | None:
    """The key that was probably meant by a name that is none."""
    from difflib import get_close_matches

    wanted = _bare(written[:80])
    by_name = {_bare(key.name): key for key in all_keys().values()}
    same_leaf = [key for key in all_keys().values() if wanted in {_bare(key.attribute), _bare(key.name)}]
    if same_leaf:
        return same_leaf[0]
    close = get_close_matches(wanted, by_name, n=1, cutoff=0.8)
    return by_name[close[0]] if close else None


def describe() -> list[KeyDoc]:
    """Everything that is to be said of every setting, in the order of the schema."""
    return [_described(key) for key in all_keys().values()]


def _described(key: Key) -> KeyDoc:
    facts = key.facts
    may_set = facts.client in {Client.SETS, Client.BELOW_USER}
    narrow = (*(CLIENT_SOURCES if facts.client is Client.TIGHTENS else ()), *(("socreates.toml",) * facts.workspace))
    return KeyDoc(
        name=key.name,
        toml=key.toml,
        variable=key.variable,
        doc=facts.doc,
        expects=facts.kind.expects,
        schema=facts.kind.schema,
        default=None if key.default is None else facts.kind.plain(key.default),
        sources=(*USER_SOURCES, *(CLIENT_SOURCES if may_set else ())),
        tightens=narrow,
        how=facts.tighten.value if facts.tighten else "",
        client=facts.client.value,
    )


def _declared() -> Iterator[Key]:
    for outer in fields(Settings):
        if FACTS in outer.metadata:
            yield _key("", outer)
        else:
            section = cast("type[Settings]", outer.default.__class__)
            yield from (_key(outer.name, inner) for inner in fields(section))


def _key(section: str, field: Field[object]) -> Key:
    path = f"{section}.{field.name}" if section else field.name
    return Key(
        ".".join(map(_camel, path.split("."))), _camel(section), field.name, field.default, field.metadata[FACTS]
    )


def _camel(name: str) -> str:
    """The camelCase name of a field: ``max_steps`` is ``maxSteps``."""
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def _snake(name: str) -> str:
    return "".join(f"_{ch.lower()}" if ch.isupper() else ch for ch in name)


def _bare(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")
