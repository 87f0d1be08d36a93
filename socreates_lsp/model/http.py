"""The one way to a model's server: time-outs, proxies, certificates, and failures in words. No redirects."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import time
from typing import TYPE_CHECKING, Any

import httpx

from socreates_lsp.model import failures
from socreates_lsp.model.diagnosis import Reply, failure_of
from socreates_lsp.model.proxies import proxy_for, scheme_of
from socreates_lsp.model.untyped import parsed

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncGenerator, Callable, Mapping

    from socreates_lsp.model.place import Place

CONNECT_S = 10.0
ASK_S = 10.0
SILENCE_S = 120.0
"""How long an answer that has begun may pause; before, a server may ping for as long as the model thinks unseen."""
PATIENCE = 2
"""How many silences long a server may only ping: some do while they queue, and one that goes on is silent too."""
GRACE_S = 0.5
"""How long to wait for more where the answer is complete already, so that the connection can be used again."""

_AT_ONCE = 16 * 1024
"""How many bytes are read without a break."""
_MOST_ERROR = 64 * 1024
_MOST_ASKED = 16 * 1024 * 1024
_PROXIES = ("http", "https", "socks5", "socks5h")


class Stream:
    """The answer to one request, whose body is still coming."""

    def __init__(self, response: httpx.Response, place: Place, first_by: float) -> None:
        """``first_by``: until when (the loop's clock) its first byte has to be there."""
        self._response, self._place = response, place
        self._first_by, self._silence_s = first_by, place.timeout_s
        self._words_by = first_by + (PATIENCE - 1) * place.timeout_s
        self._begun = False
        self.status = response.status_code
        self.headers: Mapping[str, str] = dict(response.headers.items())

    async def chunks(self, enough: Callable[[], bool]) -> AsyncGenerator[bytes, None]:
        """The body, decoded from gzip. ``enough`` says that the answer is complete: what fails after it is no failure.

        Raises InterruptedStreamError and TimedOutError.
        """
        pieces = self._response.aiter_bytes()
        loop = asyncio.get_running_loop()
        by, over_by = self._first_by, 0.0
        while True:
            try:
                async with asyncio.timeout_at(by):
                    chunk = await anext(pieces, None)
            except (httpx.HTTPError, httpx.StreamError, TimeoutError) as error:
                if enough():
                    return
                raise self._broken(error) from None
            if chunk is None:
                return
            for start in range(0, len(chunk), _AT_ONCE):
                yield chunk[start : start + _AT_ONCE]
                # A little that was packed well may unpack to millions of events: others have their turn between them.
                await asyncio.sleep(0)
            by = min(loop.time() + self._silence_s, self._words_by)
            if enough():
                over_by = over_by or loop.time() + min(PATIENCE * GRACE_S, self._silence_s)
                by = min(loop.time() + GRACE_S, over_by)

    def begun(self) -> None:
        """The model has said something: from now on it may not be silent for long, whatever the server pings."""
        self._begun = True
        self._silence_s = min(SILENCE_S, self._place.timeout_s)
        self._words_by = asyncio.get_running_loop().time() + PATIENCE * self._silence_s

    async def reply(self, *, tools: bool) -> Reply:
        """The whole answer, as far as an error needs it."""
        body = bytearray()
        try:
            async for chunk in self.chunks(lambda: True):
                body += chunk
                if len(body) > _MOST_ERROR:
                    break
        finally:
            await self.close()
        return Reply(self.status, self.headers, bytes(body), tools)

    async def close(self) -> None:
        """Let go of the connection; it is closed if the answer is not over."""
        await self._response.aclose()

    def _broken(self, error: Exception) -> failures.ModelError:
        where = self._place.endpoint
        if isinstance(error, httpx.DecodingError) and not self._begun:
            return failures.RefusedRequestError(
                f"{where} answered nothing that a model's server would answer: it cannot be unpacked."
            )
        if isinstance(error, TimeoutError) and not self._begun:
            return failures.TimedOutError(
                f"{where} sent no word of an answer in time: the model may be too large for the machine, "
                "or model.timeoutSeconds too short."
            )
        if isinstance(error, TimeoutError):
            return failures.TimedOutError(f"{where} fell silent in the middle of its answer.")
        return failures.InterruptedStreamError(f"The answer of {where} broke off.")


class Http:
    """Requests to one place over one client, which is made at the first of them."""

    def __init__(self, place: Place, environ: Mapping[str, str] | None = None) -> None:
        """``environ`` names the proxies; None is the environment of this process."""
        self._place = place
        self._environ = os.environ if environ is None else environ
        self._client: httpx.AsyncClient | None = None

    async def open(self, path: str, body: Mapping[str, object]) -> Stream:
        """Send a request whose answer streams. Close what it gives. Raises ModelError; any status is an answer."""
        limit_s = self._place.timeout_s
        return await self._send("POST", self._place.url(path), body, limit_s)

    async def ask(self, path: str, body: Mapping[str, object] | None = None, *, root: str | None = None) -> object:
        """The JSON of a short question about models; GET without a body. Raises ModelError."""
        limit_s = min(ASK_S, self._place.timeout_s)
        stream = await self._send("GET" if body is None else "POST", self._place.url(path, root=root), body, limit_s)
        if stream.status != 200:
            raise failure_of(await stream.reply(tools=False), self._place, time.time())
        answer = bytearray()
        try:
            async with asyncio.timeout(limit_s):
                async for chunk in stream.chunks(lambda: False):
                    answer += chunk
                    if len(answer) > _MOST_ASKED:
                        break
            return parsed(bytes(answer))
        except TimeoutError:
            raise failures.TimedOutError(f"{self._place.endpoint} fell silent in the middle of its answer.") from None
        except ValueError:
            raise failures.RefusedRequestError(
                f"{self._place.endpoint} does not answer as a model's server does: is model.baseUrl right?"
            ) from None
        finally:
            await stream.close()

    async def close(self) -> None:
        """Close all connections; a later request opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def _send(self, method: str, url: str, body: Mapping[str, object] | None, limit_s: float) -> Stream:
        client = self._ready()
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        headers = self._headers() | ({} if content is None else {"Content-Type": "application/json"})
        by = asyncio.get_running_loop().time() + limit_s
        try:
            async with asyncio.timeout_at(by):
                response = await client.send(
                    client.build_request(method, url, content=content, headers=headers), stream=True
                )
        except TimeoutError:
            raise failures.TimedOutError(
                f"{self._place.endpoint} sent nothing for {limit_s:g} seconds: "
                "the model may be too large for the machine, or model.timeoutSeconds too short."
            ) from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise not_reached(error, self._place) from None
        return Stream(response, self._place, by)

    def _headers(self) -> dict[str, str]:
        key = self._place.key
        if key is None:
            return {}
        if not key.usable():
            # Refused here, since the error of the HTTP library would quote it.
            raise failures.WrongKeyError(f"The variable {key.variable} holds something that cannot be a key.")
        return {"Authorization": f"Bearer {key.secret}"}

    def _ready(self) -> httpx.AsyncClient:
        if self._client is None:
            for name in ("httpx", "httpcore"):
                # They log whole addresses, and some hold a key in their query.
                logging.getLogger(name).setLevel(logging.WARNING)
            proxy = _proxy(self._place, self._environ)
            self._client = httpx.AsyncClient(
                timeout=httpx.Timeout(None, connect=min(CONNECT_S, self._place.timeout_s)),
                follow_redirects=False,
                trust_env=False,
                proxy=proxy,
                verify=_certificates(self._place),
                headers={"User-Agent": "socreates-lsp"},
            )
        return self._client


def not_reached(error: Exception, place: Place) -> failures.ModelError:
    """The failure that a request without an answer means."""
    where = place.endpoint
    if isinstance(error, httpx.ConnectTimeout | httpx.PoolTimeout):
        return failures.TimedOutError(f"No connection to {where} in {min(CONNECT_S, place.timeout_s):g} seconds.")
    if isinstance(error, httpx.ProxyError):
        return _lasting(f"The proxy that the environment names does not lead to {where}.")
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return _lasting(
            f"The certificate of {where} is not trusted: if it is your own, name its authority in model.caBundle."
        )
    if isinstance(error, httpx.InvalidURL | httpx.UnsupportedProtocol):
        return _lasting(f"{where} is no address that can be reached.")
    if not isinstance(error, httpx.ConnectError):
        return failures.CannotConnectError(f"The connection to {where} was lost before an answer began.")
    if place.provider == "ollama":
        return failures.CannotConnectError(
            f"Nothing answers at {where}: is Ollama running there (`ollama serve`), and is model.baseUrl right?"
        )
    return failures.CannotConnectError(f"Nothing answers at {where}: is the server running, and model.baseUrl right?")


def _lasting(sentence: str) -> failures.CannotConnectError:
    failure = failures.CannotConnectError(sentence)
    failure.passing = False
    return failure


def _proxy(place: Place, environ: Mapping[str, str]) -> str | None:
    proxy = proxy_for(place.base_url, environ)
    if proxy is None:
        return None
    scheme = scheme_of(proxy)
    if scheme not in _PROXIES:
        raise _lasting(
            f"The environment names a proxy of the kind {scheme[:20]}, which is not supported for {place.endpoint}."
        )
    if scheme.startswith("socks"):
        from importlib.util import find_spec

        if find_spec("socksio") is None:
            raise _lasting(
                f"The environment names a SOCKS proxy for {place.endpoint}, which needs the package socksio: "
                "install it, or add the host to no_proxy."
            )
    return proxy


def _certificates(place: Place) -> ssl.SSLContext | bool:
    """The certificates to trust: those that come with httpx, and the file of ``model.caBundle`` besides."""
    if place.endpoint.startswith("http:"):
        # Nothing is checked on such a wire, and loading the certificates takes longer than a request to this machine.
        import ssl

        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if not place.ca_bundle:
        return True
    context: Any = httpx.create_ssl_context(trust_env=False)
    try:
        context.load_verify_locations(cafile=place.ca_bundle)
    except OSError:
        raise _lasting("The file in model.caBundle cannot be read, or holds no certificates (PEM).") from None
    return context
