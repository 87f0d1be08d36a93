"""The params of our commands: checked by hand, so that every fault gets a sentence that names it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from socreates_lsp.review.reviewer import Scope
from socreates_lsp.server.protocol import INVALID_PARAMS, RequestError
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.text import Position, Range

if TYPE_CHECKING:
    from collections.abc import Mapping

_LARGEST = 2**31 - 1
"""Lines and columns are ``uinteger`` (LSP 3.17)."""


@dataclass(frozen=True, slots=True)
class Handling:
    """How a command that takes a while is carried out: waited for or not, and where its progress goes."""

    wait: bool
    work_done_token: int | str | None
    partial_result_token: int | str | None

    @classmethod
    def of(cls, params: Mapping[str, Any]) -> Handling:
        """Check what came. Raises RequestError."""
        return cls(
            wait=switch_of(params, "wait", default=True),
            work_done_token=_token(params, "workDoneToken"),
            partial_result_token=_token(params, "partialResultToken"),
        )


@dataclass(frozen=True, slots=True)
class ReviewParams:
    """Params of ``socreates/review``. ``range`` is in the client's encoding; ``uri`` is canonical."""

    uri: str | None
    range: Range | None
    scope: Scope | None
    ask: str | None
    base: str | None
    handling: Handling

    @classmethod
    def of(cls, value: Any) -> ReviewParams:
        """Check what came. Raises RequestError."""
        params = as_object(value)
        found = cls(
            uri=uri_of(params),
            range=_range(params.get("range")),
            scope=_scope(params.get("scope")),
            ask=text_of(params, "ask"),
            base=text_of(params, "base"),
            handling=Handling.of(params),
        )
        if found.uri is None and (found.range is not None or found.scope in {Scope.SELECTION, Scope.FILE}):
            raise RequestError(INVALID_PARAMS, "A range, a selection or a file needs a uri.")
        if found.scope is Scope.SELECTION and found.range is None:
            raise RequestError(INVALID_PARAMS, "The scope selection needs a range.")
        return found


@dataclass(frozen=True, slots=True)
class AskParams:
    """Params of ``socreates/ask``. ``range`` is in the client's encoding; ``uri`` is canonical."""

    text: str
    uri: str | None
    range: Range | None
    handling: Handling

    @classmethod
    def of(cls, value: Any) -> AskParams:
        """Check what came. Raises RequestError."""
        params = as_object(value)
        text = text_of(params, "text")
        if text is None or not text.strip():
            raise _wrong("text", "your question")
        found = cls(text.strip(), uri_of(params), _range(params.get("range")), Handling.of(params))
        if found.uri is None and found.range is not None:
            raise RequestError(INVALID_PARAMS, "A range needs a uri.")
        return found


@dataclass(frozen=True, slots=True)
class SurveyParams:
    """Params of ``socreates/survey``. ``uri``, canonical, tells the root where there are several."""

    focus: str | None
    uri: str | None
    handling: Handling

    @classmethod
    def of(cls, value: Any) -> SurveyParams:
        """Check what came. Raises RequestError."""
        params = as_object(value)
        focus = text_of(params, "focus")
        return cls((focus or "").strip() or None, uri_of(params), Handling.of(params))


@dataclass(frozen=True, slots=True)
class ReplyParams:
    """Params of ``socreates/reply``."""

    id: str
    text: str
    handling: Handling

    @classmethod
    def of(cls, value: Any) -> ReplyParams:
        """Check what came. Raises RequestError."""
        params = as_object(value)
        finding_id, text = id_of(params), text_of(params, "text")
        if text is None or not text.strip():
            raise _wrong("text", "your reply")
        return cls(finding_id, text.strip(), Handling.of(params))


def as_object(value: Any) -> Mapping[str, Any]:
    """The params as an object; none at all are empty ones. Raises RequestError."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise RequestError(INVALID_PARAMS, "The params have to be one object.")
    return value  # pyright: ignore[reportUnknownVariableType]


def text_of(params: Mapping[str, Any], name: str) -> str | None:
    """An optional text. Raises RequestError."""
    value = params.get(name)
    if value is not None and not isinstance(value, str):
        raise _wrong(name, "a text")
    return value or None


def id_of(params: Mapping[str, Any]) -> str:
    """The id of a finding, which has to be there. Raises RequestError."""
    value = text_of(params, "id")
    if value is None:
        raise _wrong("id", "the id of a finding")
    return value


def switch_of(params: Mapping[str, Any], name: str, *, default: bool) -> bool:
    """An optional true or false. Raises RequestError."""
    value = params.get(name)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise _wrong(name, "true or false")
    return value


def uri_of(params: Mapping[str, Any]) -> str | None:
    """An optional URI, in its canonical form. Raises RequestError."""
    value = text_of(params, "uri")
    if value is None:
        return None
    if ":" not in value:
        raise _wrong("uri", "a URI such as file:///home/me/app.py")
    return uris.canonical(value)


def _token(params: Mapping[str, Any], name: str) -> int | str | None:
    value = params.get(name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | str)):
        raise _wrong(name, "a number or a text")
    return value


def _scope(value: Any) -> Scope | None:
    if value is None:
        return None
    if isinstance(value, str) and value in set(Scope):
        return Scope(value)
    raise _wrong("scope", f"one of {', '.join(Scope)}")


def _range(value: Any) -> Range | None:
    if value is None:
        return None
    try:
        start, end = _position(value["start"]), _position(value["end"])
    except (KeyError, TypeError):
        raise _wrong("range", "a start and an end, each with line and character") from None
    return Range(min(start, end), max(start, end))


def _position(value: Any) -> Position:
    line, character = value["line"], value["character"]
    for number in (line, character):
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= _LARGEST:
            raise TypeError
    return Position(line, character)


def _wrong(name: str, expected: str) -> RequestError:
    return RequestError(INVALID_PARAMS, f"{name} has to be {expected}.")
