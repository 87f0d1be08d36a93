"""What a value may be. Each kind reads a value of JSON or TOML, or a text, and says what it expects. Pure.

A kind never raises on a value, whatever it is: what does not fit is a ``Mismatch``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar, cast

from socreates_lsp.settings.endpoints import address_of, normal_pattern

if TYPE_CHECKING:
    from enum import StrEnum

T_co = TypeVar("T_co", covariant=True)
E = TypeVar("E", bound="StrEnum")

_YES = frozenset({"true", "yes", "on", "1"})
_NO = frozenset({"false", "no", "off", "0"})
_SHOWN = 40
# Past 2^53 a number is no longer the same in every client, and no setting needs it.
_LARGEST = 2**53
_MOST_ITEMS = 1000


class Mismatch(NamedTuple):
    """A value, or one item of a list (``item``, from 0), that does not fit. ``got`` is empty for what may be secret."""

    expected: str
    got: str
    item: int | None = None


def shown(value: object) -> str:
    """A value as a message may show it: short, on one line, without control characters."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        cut = value if len(value) <= _SHOWN else value[: _SHOWN - 1] + "…"
        return '"' + "".join(ch if ch.isprintable() else f"\\u{ord(ch):04x}" for ch in cut) + '"'
    if isinstance(value, int):
        return str(value) if abs(value) <= _LARGEST else "so large a number"
    if isinstance(value, float):
        return f"{value:.15g}"
    if isinstance(value, Mapping):
        return "a table"
    return "a list" if isinstance(value, (list, tuple)) else f"a {type(value).__name__}"


class Kind(Generic[T_co]):
    """A kind of value. ``expects`` completes the sentence "expected ...", ``schema`` is its JSON schema."""

    expects: str = ""
    schema: Mapping[str, object] = {}

    def take(self, value: object) -> T_co | None:
        """The value as the settings hold it; None if it does not fit."""
        raise NotImplementedError

    def read(self, value: object) -> tuple[T_co | None, tuple[Mismatch, ...]]:
        """What of the value fits (None for nothing), and what does not."""
        taken = self.take(value)
        return (taken, ()) if taken is not None else (None, (Mismatch(self.expects, self.shown(value)),))

    def from_text(self, text: str) -> object:
        """The value that the text of a variable or flag means; the text itself where it means none."""
        return text

    def shown(self, value: object) -> str:
        """The wrong value as a message may show it; empty for what may hold a secret."""
        return shown(value)

    def plain(self, value: object) -> object:
        """The value as JSON."""
        return value


class Whole(Kind[int]):
    """A whole number from ``least`` on. A float without a fraction counts: some clients know no integers."""

    def __init__(self, least: int) -> None:
        self.least = least
        self.expects = f"a whole number of {least} or more"
        self.schema = {"type": "integer", "minimum": least}

    def take(self, value: object) -> int | None:
        """See ``Kind``."""
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        fits = isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= _LARGEST
        return cast("int", value) if fits else None

    def from_text(self, text: str) -> object:
        """See ``Kind``."""
        try:
            return int(text)
        except ValueError:
            return text


class Number(Kind[float]):
    """A number between two bounds, both included, or above 0 with ``positive``."""

    def __init__(self, least: float = 0, most: float | None = None, *, positive: bool = False) -> None:
        self.least, self.most, self.positive = least, most, positive
        schema: dict[str, object] = {"type": "number", "exclusiveMinimum" if positive else "minimum": least}
        if positive:
            self.expects = "a number greater than 0"
        else:
            self.expects = f"a number of {least:g} or more" if most is None else f"a number from {least:g} to {most:g}"
        self.schema = schema if most is None else {**schema, "maximum": most}

    def take(self, value: object) -> float | None:
        """See ``Kind``."""
        # Infinity is too large, and what is no number is above nothing.
        if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) > _LARGEST:
            return None
        number = float(value)
        above = number > self.least if self.positive else number >= self.least
        return number if above and (self.most is None or number <= self.most) else None

    def from_text(self, text: str) -> object:
        """See ``Kind``."""
        try:
            return float(text)
        except ValueError:
            return text


class Switch(Kind[bool]):
    """True or false; in a text also yes, no, on, off, 1 and 0."""

    expects = "true or false"
    schema: Mapping[str, object] = {"type": "boolean"}

    def take(self, value: object) -> bool | None:
        """See ``Kind``."""
        return value if isinstance(value, bool) else None

    def from_text(self, text: str) -> object:
        """See ``Kind``."""
        word = text.lower()
        return True if word in _YES else False if word in _NO else text


class Choice(Kind[E]):
    """One word of a closed list."""

    def __init__(self, choices: type[E]) -> None:
        self.choices = {choice.value: choice for choice in choices}
        self.expects = "one of " + ", ".join(self.choices)
        self.schema = {"enum": list(self.choices)}

    def take(self, value: object) -> E | None:
        """See ``Kind``."""
        return self.choices.get(value) if isinstance(value, str) else None

    def from_text(self, text: str) -> object:
        """See ``Kind``."""
        return text.lower()

    def plain(self, value: object) -> object:
        """See ``Kind``."""
        return str(value)


class Words(Kind[str]):
    """A text with something in it, of ``most`` characters. Line ends and tabs only with ``lines``."""

    def __init__(self, expects: str, *, most: int = 500, lines: bool = False) -> None:
        self.expects, self.most, self.lines = expects, most, lines
        self.schema = {"type": "string", "minLength": 1, "maxLength": most}

    def take(self, value: object) -> str | None:
        """See ``Kind``."""
        if not isinstance(value, str) or not value.strip() or len(value) > self.most:
            return None
        plain = re.sub(r"[\r\n\t]", " ", value) if self.lines else value
        # A NUL would raise where a path is opened, half a surrogate pair where a text is encoded.
        return None if re.search("[\x00-\x1f\x7f\ud800-\udfff]", plain) else value


class VariableName(Kind[str]):
    """The name of an environment variable. What was given instead is never shown: it may be the key itself."""

    expects = "the name of an environment variable, never the key itself"
    schema: Mapping[str, object] = {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]{0,127}$"}

    def take(self, value: object) -> str | None:
        """See ``Kind``."""
        fits = isinstance(value, str) and re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,127}", value)
        return cast("str", value) if fits else None

    def shown(self, value: object) -> str:
        """See ``Kind``."""
        return "" if isinstance(value, str) else shown(value)


class WebAddress(Kind[str]):
    """An http or https address, by ``address_of``, without what may hold a key: everybody may read a setting.

    Of queries only the version of an interface is taken (Azure's ``?api-version=...``). A value with an ``@`` or a
    ``?`` is not shown when it is wrong.
    """

    expects = (
        "an http or https address without a user name or a query (model.apiKeyEnv names the variable of a key), "
        "such as http://127.0.0.1:11434"
    )
    schema: Mapping[str, object] = {
        "type": "string",
        "format": "uri",
        "pattern": "^https?://[^@\\\\\\s#?]+(\\?api-version=[A-Za-z0-9.-]{1,40})?$",
    }

    def take(self, value: object) -> str | None:
        """See ``Kind``."""
        if not isinstance(value, str) or len(value) > 2000 or address_of(value) is None:
            return None
        _, query, said = value.partition("?")
        return value if not query or re.fullmatch(r"api-version=[A-Za-z0-9.-]{1,40}", said) else None

    def shown(self, value: object) -> str:
        """See ``Kind``."""
        return "" if isinstance(value, str) and ("@" in value or "?" in value) else shown(value)


class HostPattern(Kind[str]):
    """A host, ``*.domain`` for all below a domain, or ``*``, kept in the spelling of ``normal_pattern``."""

    expects = "a host such as api.example.com, or *.example.com for all below it"
    schema: Mapping[str, object] = {"type": "string", "minLength": 1, "maxLength": 255}

    def take(self, value: object) -> str | None:
        """See ``Kind``."""
        return normal_pattern(value) if isinstance(value, str) else None

    def shown(self, value: object) -> str:
        """See ``Kind``."""
        return "" if isinstance(value, str) and "@" in value else shown(value)


class Many(Kind[tuple[T_co, ...]]):
    """A list, without repeats. Items that do not fit are left out; if none fits, neither does the list."""

    def __init__(self, item: Kind[T_co], expects: str) -> None:
        self.item = item
        self.expects = expects
        self.schema = {"type": "array", "items": item.schema, "maxItems": _MOST_ITEMS}

    def take(self, value: object) -> tuple[T_co, ...] | None:
        """See ``Kind``."""
        return self.read(value)[0]

    def read(self, value: object) -> tuple[tuple[T_co, ...] | None, tuple[Mismatch, ...]]:
        """See ``Kind``."""
        if not isinstance(value, (list, tuple)):
            return None, (Mismatch(self.expects, self.shown(value)),)
        if len(cast("Sequence[object]", value)) > _MOST_ITEMS:
            return None, (Mismatch(f"a list of at most {_MOST_ITEMS:,} items", "so long a one"),)
        items = [(item, self.item.take(item)) for item in cast("Sequence[object]", value)]
        wrong = tuple(
            Mismatch(self.item.expects, self.item.shown(item), number)
            for number, (item, taken) in enumerate(items)
            if taken is None
        )
        fitting = tuple(dict.fromkeys(taken for _, taken in items if taken is not None))
        return (None if wrong and not fitting else fitting), wrong

    def from_text(self, text: str) -> object:
        """JSON if it starts with a bracket, else a list with commas."""
        if text.startswith(("[", "{")):
            import json

            try:
                return json.loads(text)
            except (ValueError, RecursionError):
                return text
        return [part.strip() for part in text.split(",") if part.strip()]

    def plain(self, value: object) -> object:
        """See ``Kind``."""
        return [self.item.plain(item) for item in cast("tuple[object, ...]", value)]
