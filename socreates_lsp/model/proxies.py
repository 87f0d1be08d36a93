"""Which proxy the environment names for an address: http_proxy, https_proxy, all_proxy, no_proxy. Pure."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from socreates_lsp.settings.endpoints import address_of, is_loopback

if TYPE_CHECKING:
    from collections.abc import Mapping


def proxy_for(url: str, environ: Mapping[str, str]) -> str | None:
    """The proxy's address; None if the address is reached without one. A loopback address always is.

    The small spelling of a variable wins. A proxy without a scheme is one for http.
    """
    address = address_of(url)
    if address is None or is_loopback(address.host):
        return None
    if any(_excepts(entry, address.host) for entry in _variable(environ, "no_proxy").split(",")):
        return None
    proxy = _variable(environ, f"{address.scheme}_proxy") or _variable(environ, "all_proxy")
    if not proxy:
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def scheme_of(proxy: str) -> str:
    """The scheme of a proxy's address: all of it that can be shown, as the rest may hold a password."""
    return proxy.partition("://")[0].lower()


def _variable(environ: Mapping[str, str], name: str) -> str:
    return (environ.get(name) or environ.get(name.upper()) or "").strip()


def _excepts(entry: str, host: str) -> bool:
    """Whether an entry of no_proxy covers a host: itself, the hosts below it, a network, or ``*``."""
    entry = entry.strip().lower()
    if not entry or entry == "*":
        return bool(entry)
    name, colon, port = entry.rpartition(":")
    if colon and port.isdigit() and "]" not in port and name.count(":") == 0:
        entry = name
    entry = entry.removeprefix("*").lstrip(".").strip("[]")
    if host == entry or host.endswith(f".{entry}"):
        return True
    try:
        return "/" in entry and ip_address(host) in ip_network(entry, strict=False)
    except ValueError:
        return False
