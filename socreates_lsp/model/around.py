"""What models that stand around others, and the two wires, have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.model.context_size import Size
from socreates_lsp.model.http import Http

if TYPE_CHECKING:
    from collections.abc import Mapping

    from socreates_lsp.model.place import Place
    from socreates_lsp.model.types import ChatModel


class Around:
    """A ``ChatModel`` around a ``ChatModel``: all but ``chat`` is that of the inner one."""

    def __init__(self, model: ChatModel) -> None:
        self._model = model

    @property
    def provider(self) -> str:
        """See ``ChatModel``."""
        return self._model.provider

    @property
    def name(self) -> str:
        """See ``ChatModel``."""
        return self._model.name

    @property
    def endpoint(self) -> str:
        """See ``ChatModel``."""
        return self._model.endpoint

    async def context_tokens(self) -> int:
        """See ``ChatModel``."""
        return await self._model.context_tokens()

    async def close(self) -> None:
        """See ``ChatModel``."""
        await self._model.close()


class Wire:
    """The part of a ``ChatModel`` over a wire that is the same on each: where it is, and its connections."""

    def __init__(self, place: Place, environ: Mapping[str, str] | None = None) -> None:
        """``environ`` names the proxies; None is the environment of this process."""
        self._place = place
        self._http = Http(place, environ)
        self._size = Size()

    @property
    def provider(self) -> str:
        """See ``ChatModel``."""
        return self._place.provider

    @property
    def name(self) -> str:
        """See ``ChatModel``."""
        return self._place.model

    @property
    def endpoint(self) -> str:
        """See ``ChatModel``."""
        return self._place.endpoint

    async def close(self) -> None:
        """See ``ChatModel``."""
        await self._http.close()
