"""Whether an Ollama may be there at all, before anything heavy is imported to talk to it."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from socreates_lsp.model.ollama_server import DEFAULT, address_in
from socreates_lsp.settings.endpoints import is_loopback

if TYPE_CHECKING:
    from collections.abc import Mapping

    from socreates_lsp.settings.schema import ModelSettings

_PORT = 11434
_SECONDS = 0.5


async def may_listen(settings: ModelSettings, environ: Mapping[str, str]) -> bool:
    """Whether somebody listens where ``auto`` would look (on this machine). Nothing is sent."""
    named = settings.base_url or address_in(environ.get("OLLAMA_HOST", "")) or DEFAULT
    address = urlsplit(named if is_loopback(urlsplit(named).hostname or "") else DEFAULT)
    return await _listens(address.hostname or "", address.port or _PORT)


async def _listens(host: str, port: int) -> bool:
    with contextlib.suppress(OSError, TimeoutError):
        async with asyncio.timeout(_SECONDS):
            _, writer = await asyncio.open_connection(host, port)
        writer.close()
        return True
    return False
