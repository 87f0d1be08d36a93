"""Where a model is and how it is reached. Values only; the key is in none of their texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from socreates_lsp.settings.endpoints import address_of, is_loopback

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Key:
    """A key, and the variable that holds it. Only the variable's name is ever shown."""

    variable: str
    secret: str = field(repr=False)

    def usable(self) -> bool:
        """Whether it can stand in a header at all."""
        return bool(self.secret) and all("!" <= char <= "~" for char in self.secret)


@dataclass(frozen=True, slots=True)
class Place:
    """One model at one server.

    ``base_url`` without a slash at its end, perhaps with a query; ``context_tokens`` as the settings say;
    ``timeout_s`` for the first byte of an answer; ``key_hint`` is the variable to name where there is no key.
    """

    provider: str
    base_url: str
    model: str
    key: Key | None = None
    key_hint: str = "OPENAI_API_KEY"
    context_tokens: int | None = None
    timeout_s: float = 300.0
    ca_bundle: str | None = None

    @property
    def endpoint(self) -> str:
        """Scheme, host and port: nothing of an address that could hold a key."""
        return "/".join(self.base_url.partition("?")[0].split("/")[:3])

    @property
    def host(self) -> str:
        """The host, as ``settings.endpoints`` spells it; empty if the address is none."""
        address = address_of(self.base_url)
        return address.host if address else ""

    @property
    def local(self) -> bool:
        """Whether it surely is this machine."""
        return is_loopback(self.host)

    @property
    def variable(self) -> str:
        """The name of the variable that holds the key, or should."""
        return self.key.variable if self.key else self.key_hint

    def url(self, path: str, *, root: str | None = None) -> str:
        """The address of a path below ``base_url``, or below ``root`` instead."""
        base, mark, query = (self.base_url if root is None else root).partition("?")
        return base.rstrip("/") + path + mark + query

    def redacted(self, text: str) -> str:
        """The text without the key, wherever it came from."""
        return text.replace(self.key.secret, "***") if self.key and self.key.secret else text


def openai_base(url: str) -> str:
    """The address below which ``/chat/completions`` is: a bare host gets ``/v1``, a whole address loses its end."""
    base, mark, query = url.partition("?")
    base = base.rstrip("/").removesuffix("/chat/completions").rstrip("/")
    return base + ("/v1" if base.count("/") == 2 else "") + mark + query


def ollama_base(url: str) -> str:
    """The address below which ``/api/chat`` is: ``/v1`` and ``/api`` at the end are taken off."""
    base = url.partition("?")[0].rstrip("/")
    return base.removesuffix("/v1").removesuffix("/api").rstrip("/")


def key_from(environ: Mapping[str, str], variable: str | None) -> Key | None:
    """The key that a variable holds, without the white space around it; None if it is not set."""
    secret = environ.get(variable, "").strip() if variable else ""
    return Key(variable, secret) if variable and secret else None
