"""What an Ollama tells of its models, and where it is."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from socreates_lsp.model.untyped import items, table, words
from socreates_lsp.settings.endpoints import address_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from socreates_lsp.model.http import Http

DEFAULT = "http://127.0.0.1:11434"
_ANY = {"0.0.0.0", "::", ""}  # noqa: S104 - nothing is bound to it; where a server listens on all, it is at loopback
_HOST = re.compile(r"(?:(https?)://)?(\[[0-9A-Fa-f:.]+\]|[^/:\[\]]*)(?::(\d{1,5}))?(?:/.*)?", re.IGNORECASE)


class OllamaServer:
    """Short questions to an Ollama. Each raises ModelError."""

    def __init__(self, http: Http) -> None:
        self._http = http

    async def models(self) -> list[Mapping[str, Any]]:
        """The models that it has (``/api/tags``), the newest first."""
        return sorted(await self._list("/api/tags"), key=_modified, reverse=True)

    async def loaded(self) -> list[Mapping[str, Any]]:
        """The models that are in memory (``/api/ps``), in its order."""
        return await self._list("/api/ps")

    async def show(self, name: str) -> Mapping[str, Any]:
        """What it knows of a model (``/api/show``)."""
        return table(await self._http.ask("/api/show", {"model": name}))

    async def _list(self, path: str) -> list[Mapping[str, Any]]:
        models = items(table(await self._http.ask(path)).get("models"))
        return [model for model in map(table, models) if name_of(model)]


def name_of(model: Mapping[str, Any]) -> str:
    """The name of a model in ``/api/tags`` or ``/api/ps``."""
    return words(model.get("model")) or words(model.get("name"))


def same_model(one: str, other: str) -> bool:
    """Whether two names mean one model: without a tag, ``latest`` is meant."""
    return _tagged(one) == _tagged(other)


def _tagged(name: str) -> str:
    name = name.strip().lower()
    return name if ":" in name.rpartition("/")[2] else f"{name}:latest"


def address_in(variable: str) -> str | None:
    """The address that ``OLLAMA_HOST`` means, as Ollama reads it; None if it means none.

    A host, a port, or both, with or without a scheme, which brings its own port (80, 443); else the port is
    11434. ``0.0.0.0``, ``[::]`` and no host at all are 127.0.0.1: a server that listens everywhere is there too.
    """
    text = variable.strip().strip("\"'").strip()
    if not text:
        return None
    if text.isdigit() or text.count(":") > 1:
        # A bare port, and a bare IPv6 address without brackets.
        text = f":{text}" if text.isdigit() else text if "[" in text or "://" in text else f"[{text}]"
    found = _HOST.fullmatch(text)
    if found is None:
        return None
    scheme = (found[1] or "http").lower()
    host = found[2].strip().lower()
    host = "127.0.0.1" if host.strip("[]") in _ANY else host
    port = found[3] or ({"http": "80", "https": "443"}[scheme] if found[1] else "11434")
    url = f"{scheme}://{host}:{port}"
    return url if address_of(url) is not None else None


def _modified(model: Mapping[str, Any]) -> float:
    try:
        at = datetime.fromisoformat(words(model.get("modified_at")))
    except ValueError:
        return 0.0
    return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
