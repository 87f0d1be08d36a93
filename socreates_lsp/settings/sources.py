"""Where settings come from: every source as a ``Layer`` of entries, with what could not be understood. Pure.

A layer holds raw values under known keys; whether a value fits is for ``resolve`` to say, which also knows what
holds instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, cast

from socreates_lsp.settings.consent import EMBEDDINGS_URL, MODEL_URL
from socreates_lsp.settings.doubt import meant_address
from socreates_lsp.settings.keys import PREFIX, Key, all_keys, find, guess
from socreates_lsp.settings.kinds import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SECTION = "socreates"
RESERVED = frozenset(PREFIX + name for name in ("CONFIG_DIR", "STATE_DIR", "CACHE_DIR", "LOG_FILE", "LOG_LEVEL"))
"""Variables that are read elsewhere and are no settings."""
_CLIENT_ONLY = frozenset({"trace", "trusted"})
"""What clients send beside settings. ``trace.server`` belongs to the editor's side (vscode-languageclient)."""
_MOST_UNKNOWN = 20
_MOST_WALKED = 500
"""How many unknown names are looked at for what they may mean, which takes a moment each."""


class Source(StrEnum):
    """The sources in the order in which a later one wins; the value is the name that people read."""

    DEFAULT = "default"
    CONFIG = "config.toml"
    INITIALIZATION = "initializationOptions"
    EDITOR = "editor settings"
    VARIABLE = "variable"
    FLAG = "flag --set"
    WORKSPACE = "socreates.toml of the workspace"

    @property
    def rank(self) -> int:
        """The place in the order, from 0."""
        return list(Source).index(self)

    @property
    def is_client(self) -> bool:
        """Whether the value may come from the repository by way of the editor."""
        return self in {Source.INITIALIZATION, Source.EDITOR}

    @property
    def is_user(self) -> bool:
        """Whether it is the user's own word."""
        return self in {Source.CONFIG, Source.VARIABLE, Source.FLAG}


class Problem(NamedTuple):
    """Something in the settings that was not taken. ``message`` is complete; ``key`` is empty for a whole source."""

    source: str
    key: str
    message: str


class Entry(NamedTuple):
    """A value under a key. ``text``: the key's type parses it. ``origin``: the source, as people read it."""

    key: Key
    value: object
    origin: str
    text: bool = False


class Layer(NamedTuple):
    """What one source says. ``trusted`` False: the client says that the user does not trust this workspace.

    ``doubts``: settings that it tried to set under names that are none, each with the sentence of the problem;
    of these only addresses are kept, for which no default may stand in.
    """

    source: Source
    entries: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()
    trusted: bool = True
    doubts: tuple[tuple[str, str], ...] = ()


def from_client(payload: object, source: Source = Source.EDITOR) -> Layer:
    """What a client sent: initializationOptions, a section of the configuration, or the settings of a change.

    ``{"socreates": {...}}`` and its content mean the same. In settings of the editor, what stands beside
    ``socreates`` belongs to other servers; initializationOptions are sent to us alone, so that all of it counts.
    ``trusted`` is no setting: only a false one counts, as the repository can send a true one.
    """
    if isinstance(payload, Mapping):
        table = cast("Mapping[object, object]", payload)
        ours = {name: value for name, value in table.items() if str(name).split(".")[0] == SECTION}
        table = table if source is Source.INITIALIZATION else ours or table
        return from_table(table, source)._replace(trusted=_trust(table))
    return from_table(payload, source)


def from_table(payload: object, source: Source) -> Layer:
    """A table of settings, nested or with dotted keys, camelCase or snake_case, as JSON or TOML holds it."""
    entries: list[Entry] = []
    problems: list[Problem] = []
    unknown: list[tuple[str, Key | None]] = []
    doubts: list[tuple[str, str]] = []
    beside = _CLIENT_ONLY if source.is_client else frozenset[str]()
    for written, found, value in _walk(payload, beside):
        if isinstance(found, Key):
            twice = [entry for entry in entries if entry.key == found]
            if twice and not _same(twice[-1].value, value):
                problems.append(_problem(source, found.name, "it is given more than once; the last one counts"))
            entries.append(Entry(found, value, source.value))
        elif isinstance(found, str) and source.is_client and value == []:
            # An empty table of Lua, as Neovim sends it: its vim.json cannot tell it from an empty list.
            continue
        elif isinstance(found, str):
            problems.append(_problem(source, found, f"expected a table of settings, not {shown(value)}"))
        else:
            address = _address_in(written, value) if len(unknown) < _MOST_WALKED else None
            unknown.append((written, all_keys()[address] if address else None))
            if address:
                doubts.append((address, _unknown(source, written, _spelled(unknown[-1][1], source)).message))
    doubts += [(MODEL_URL, problem.message) for problem in problems if problem.key == "model"]
    problems += [
        _unknown(source, written, _spelled(meant or guess(written), source))
        for written, meant in unknown[:_MOST_UNKNOWN]
    ]
    if len(unknown) > _MOST_UNKNOWN:
        more = len(unknown) - _MOST_UNKNOWN
        problems.append(Problem(source.value, "", f"{source.value}: {more} more names that are no settings."))
    return Layer(source, tuple(entries), tuple(problems), doubts=tuple(doubts))


def from_environment(environ: Mapping[str, str]) -> Layer:
    """The variables that start with ``SOCREATES_``, two underscores a level. An empty one is as good as none."""
    entries: list[Entry] = []
    problems: list[Problem] = []
    doubts: list[tuple[str, str]] = []
    for name in sorted(environ):
        if not name.startswith(PREFIX) or name in RESERVED or not environ[name].strip():
            continue
        path = name.removeprefix(PREFIX).lower().split("__")
        found = find(path)
        if isinstance(found, Key):
            entries.append(Entry(found, environ[name], f"{Source.VARIABLE.value} {name}", text=True))
        elif len(path) > 1 or not name.endswith(("_KEY", "_TOKEN")):
            # A variable such as SOCREATES_API_KEY is what ``model.apiKeyEnv`` names, and no mistake.
            meant = _meant(".".join(path))
            problems.append(_unknown(Source.VARIABLE, name, meant.variable if meant else None))
            if address := meant_address(".".join(path)):
                doubts.append((address, problems[-1].message))
    return Layer(Source.VARIABLE, tuple(entries), tuple(problems), doubts=tuple(doubts))


def from_flags(assignments: Sequence[str]) -> Layer:
    """The arguments of ``--set``, each ``key=value``."""
    entries: list[Entry] = []
    problems: list[Problem] = []
    doubts: list[tuple[str, str]] = []
    for assignment in assignments:
        name, equals, value = assignment.partition("=")
        path = name.strip().removeprefix(f"{SECTION}.")
        found = find(path.split("."))
        if not equals:
            message = f"{Source.FLAG.value} {shown(assignment)}: expected a name, an equals sign and a value."
            problems.append(Problem(Source.FLAG.value, "", message))
        elif isinstance(found, Key):
            entries.append(Entry(found, value, Source.FLAG.value, text=True))
        else:
            meant = _meant(path)
            problems.append(_unknown(Source.FLAG, path, meant.name if meant else None))
        address = meant_address(path) if not isinstance(found, Key) else path if not equals else None
        if address in {MODEL_URL, EMBEDDINGS_URL}:
            doubts.append((address, problems[-1].message))
    return Layer(Source.FLAG, tuple(entries), tuple(problems), doubts=tuple(doubts))


def _address_in(written: str, value: object) -> str | None:
    """The setting for an address that an unknown name, or one in the table below it, probably means."""
    inner = list(cast("Mapping[object, object]", value))[:_MOST_UNKNOWN] if isinstance(value, Mapping) else []
    return next(filter(None, map(meant_address, [written, *(f"{written}.{name}" for name in inner)])), None)


def _meant(written: str) -> Key | None:
    """The setting that was probably meant by a name that is none."""
    address = meant_address(written)
    return all_keys()[address] if address else guess(written)


def _walk(payload: object, beside: frozenset[str]) -> Iterator[tuple[str, Key | str | None, object]]:
    """Every name in a payload with what it means: a key, a section that is no table, or nothing. No recursion."""
    if payload is None:
        return
    if not isinstance(payload, Mapping):
        yield "", "", payload
        return
    for name, value in _unwrapped(cast("Mapping[object, object]", payload)):
        path = name.split(".")
        found = find(path)
        if path[0] in beside or (not name and value is None):
            continue
        if not name and not isinstance(value, Mapping):
            found = ""
        if not isinstance(found, str):
            if found is not None or value is not None:
                yield name, found, value
        elif isinstance(value, Mapping):
            for inner, part in cast("Mapping[object, object]", value).items():
                deeper = find([*path, *str(inner).split(".")])
                if deeper is not None or part is not None:
                    yield f"{name}.{inner}", deeper, part
        elif value is not None:
            yield found, found, value


def _unwrapped(table: Mapping[object, object]) -> Iterator[tuple[str, object]]:
    """The items of a table, ``socreates`` taken off, one level of it."""
    for name, value in table.items():
        if name == SECTION and isinstance(value, Mapping):
            yield from ((str(inner), part) for inner, part in cast("Mapping[object, object]", value).items())
        elif name == SECTION:
            yield "", value
        else:
            yield str(name).removeprefix(f"{SECTION}."), value


def _trust(table: Mapping[object, object]) -> bool:
    """Whether a client's payload leaves the workspace trusted: anything but true says no."""
    inner = table.get(SECTION)
    said = [table.get(name) for name in ("trusted", f"{SECTION}.trusted")]
    if isinstance(inner, Mapping):
        said.append(cast("Mapping[object, object]", inner).get("trusted"))
    return all(word is None or word is True for word in said)


def _same(one: object, other: object) -> bool:
    return type(one) is type(other) and isinstance(one, (str, int, float)) and one == other


def _problem(source: Source, name: str, what: str) -> Problem:
    head = f"{name} from {source.value}" if name else source.value
    return Problem(source.value, name, f"{head}: {what}.")


def _unknown(source: Source, written: str, meant: str | None) -> Problem:
    """No such setting. The value is never shown: it may be a key given to a name that we do not know."""
    name = shown(written)[1:-1]
    head = f"{source.value} {name}" if source is Source.VARIABLE else f"{name} from {source.value}"
    hint = f"did you mean {meant}?" if meant else "it is ignored."
    return Problem(source.value, name, f"{head}: there is no such setting; {hint}")


def _spelled(key: Key | None, source: Source) -> str | None:
    if key is None:
        return None
    return key.toml if source in {Source.CONFIG, Source.WORKSPACE} else key.name
