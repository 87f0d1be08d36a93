"""What a client says of the cells of its notebooks, checked by hand, each cell for itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from socreates_lsp.server.client import member
from socreates_lsp.server.documents import uri_of
from socreates_lsp.server.protocol import INVALID_PARAMS, RequestError

if TYPE_CHECKING:
    from collections.abc import Callable


def listed(value: Any) -> list[Any]:
    """A list that may be left out. Raises RequestError."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise RequestError(INVALID_PARAMS, "what has to be a list is none.")
    return cast("list[Any]", value)


def cells_of(value: Any) -> list[str]:
    """The URIs of the documents of cells, in order. Raises RequestError."""
    return [uri_of({"uri": member(cell, "document")}) for cell in listed(value)]


def number_of(value: Any) -> int:
    """A number of cells. Raises RequestError."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise RequestError(INVALID_PARAMS, "a number of cells is none.")
    return value


def each(take: Callable[[Any], None], values: list[Any]) -> None:
    """Take every value; one that can't be read does not keep out the others. Raises the first RequestError at last."""
    errors: list[RequestError] = []
    for value in values:
        try:
            take(value)
        except RequestError as error:
            errors.append(error)
    if errors:
        raise errors[0]
