"""What the last reviews did not read, for the code action that goes on with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.review.reviewer import UNREAD, Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from socreates_lsp.review.outcome import Examined
    from socreates_lsp.review.reviewer import Closed, ReviewRequest


class Unread:
    """By document (canonical URI): the params of the review that goes on with what was left of it."""

    def __init__(self) -> None:
        """Start with nothing."""
        self._params: dict[str, dict[str, Any]] = {}

    def take(self, request: ReviewRequest, closed: Closed, examined: Sequence[Examined]) -> None:
        """A review has ended, which has read this."""
        params: dict[str, Any] = {"ask": UNREAD, "scope": request.scope.value, "wait": False}
        if request.scope is Scope.CHANGES:
            params |= {"base": request.base} if request.base else {}
            same = [uri for uri, known in self._params.items() if known["scope"] == Scope.CHANGES]
        else:
            # Of a selection as well, the rest of its document is what was not read.
            params["scope"] = Scope.FILE.value
            same = [request.uri] if request.uri is not None else []
        for uri in same:
            self._params.pop(uri, None)
        changes = request.scope is Scope.CHANGES
        here = [request.uri] if request.uri is not None else [one.uri for one in examined] if changes else []
        for uri in (*(one.uri for one in closed.unread), *(here if closed.left else ())):
            self._params[uri] = params if changes else {**params, "uri": uri}

    def params(self, uri: str) -> dict[str, Any] | None:
        """The params of the review that goes on, where there is something left of a document."""
        return self._params.get(uri)
