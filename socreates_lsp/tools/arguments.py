"""Are the arguments of a call what the tool's schema says? If not, the model is told, and nothing is guessed. Pure.

Small models write a whole number as a string or with a point, and a truth value as a string: there is but one thing
that these can mean, so they are taken.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from socreates_lsp.tools.refusal import MalformedCallError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_LONGEST_SHOWN = 60
_WHOLE = re.compile(r"[+-]?[0-9]{1,15}(?:\.0{1,15})?")
_MOST = 10**15
"""Below it a number with a point holds every whole number."""

_TYPES: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "string": ("a string", lambda value: isinstance(value, str)),
    "integer": ("a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool)),
    "number": ("a number", lambda value: isinstance(value, (int, float)) and not isinstance(value, bool)),
    "boolean": ("true or false", lambda value: isinstance(value, bool)),
    "array": ("a list", lambda value: isinstance(value, list)),
    "object": ("an object", lambda value: isinstance(value, dict)),
}


def checked(tool: str, arguments: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments, without those that are null; whole numbers and truth values as such, however they were written.

    ``schema`` is that of the tool's arguments, of type object; its properties have a ``type`` and perhaps an
    ``enum``. Raises MalformedCallError: an unknown name, a missing one, a wrong type, each with the right form.
    """
    properties = cast("Mapping[str, Mapping[str, Any]]", schema.get("properties", {}))
    form = f"call it as {usage(tool, schema)}"
    for name in arguments:
        if name not in properties:
            raise MalformedCallError(f"{tool} has no argument {_shown(name)}: {form}.")
    given = {name: _meant(value, properties[name]["type"]) for name, value in arguments.items() if value is not None}
    for name in cast("list[str]", schema.get("required", [])):
        if name not in given:
            raise MalformedCallError(f"{tool} needs the argument {name}: {form}.")
    for name, value in given.items():
        expected, holds = _TYPES[properties[name]["type"]]
        if not holds(value):
            raise MalformedCallError(f"{name} of {tool} must be {expected}, not {_shown(value)}: {form}.")
        choices = properties[name].get("enum")
        if choices is not None and value not in choices:
            raise MalformedCallError(f"{name} of {tool} must be one of {', '.join(map(str, choices))}: {form}.")
    return given


def _meant(value: object, kind: str) -> object:
    """The whole number or truth value that a model wrote in another form; anything else as it is."""
    if kind == "integer":
        if isinstance(value, float) and value.is_integer() and abs(value) < _MOST:
            return int(value)
        if isinstance(value, str) and _WHOLE.fullmatch(value.strip()):
            return int(value.strip().partition(".")[0])
    if kind == "boolean" and isinstance(value, str):
        return {"true": True, "false": False}.get(value.strip().lower(), value)
    return value


def usage(tool: str, schema: Mapping[str, Any]) -> str:
    """How a tool is called, such as ``read_file(path: string, start?: integer)``."""
    required = cast("list[str]", schema.get("required", []))
    properties = cast("Mapping[str, Mapping[str, Any]]", schema.get("properties", {}))
    parts = [f"{name}{'' if name in required else '?'}: {facts['type']}" for name, facts in properties.items()]
    return f"{tool}({', '.join(parts)})"


def _shown(value: object) -> str:
    text = "".join(character if character.isprintable() else " " for character in repr(value))
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
