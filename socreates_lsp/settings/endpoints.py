"""Hosts and addresses: which stay on this machine, which the user named, which must be asked about. Pure.

An address is read by one strict pattern and not by a lenient parser, because two parsers that disagree about
where the host ends (``http://127.0.0.1@elsewhere``, ``http://127.0.0.1\\@elsewhere``) are how code leaves.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection

_HOST = r"\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?"
# No user name, no backslash, no fragment, ASCII only: an international name has to be written as punycode.
_ADDRESS = rf"(https?)://({_HOST})(?::([0-9]{{1,5}}))?([/?][!-\"$-\[\]-~]*)?"

_PORTS = {"http": 80, "https": 443}


class Address(NamedTuple):
    """The parts of an address that decide where it leads. ``host`` is as ``normal_host`` gives it."""

    scheme: str
    host: str


class Endpoint(NamedTuple):
    """Where an address leads to, port and all: what the user named is this, and no other port of its host."""

    scheme: str
    host: str
    port: int


class Reach(Enum):
    """May code be sent there?"""

    FREE = "free"
    """It stays on this machine, or the user named it."""
    ASK = "ask"
    """Only after the user said yes to a prompt that names the host."""
    REFUSED = "refused"
    """``policy.endpointsAllow`` leaves it out."""


def address_of(url: str) -> Address | None:
    """Read an http or https address; None if it is none, or one whose host could be misread."""
    endpoint = endpoint_of(url)
    return None if endpoint is None else Address(endpoint.scheme, endpoint.host)


def endpoint_of(url: str) -> Endpoint | None:
    """As ``address_of``, with the port; without one it is that of the scheme."""
    match = re.fullmatch(_ADDRESS, url, re.IGNORECASE | re.ASCII)
    if match is None or not 0 < int(match[3] or 1) < 65536:
        return None
    host, scheme = normal_host(match[2]), match[1].lower()
    return None if host is None else Endpoint(scheme, host, int(match[3] or _PORTS[scheme]))


def normal_host(host: str) -> str | None:
    """The one spelling of a host: lower case, an IPv6 address compressed and without brackets; None if it is none."""
    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if ":" in bare:
        from ipaddress import AddressValueError, IPv6Address

        try:
            return str(IPv6Address(bare)) if "%" not in bare else None
        except AddressValueError:
            return None
    return bare.lower() if bare == host and re.fullmatch(_HOST, host, re.ASCII) else None


def normal_pattern(pattern: str) -> str | None:
    """The one spelling of an entry of ``policy.endpointsAllow``: a host, ``*.domain`` or ``*``; None if it is none."""
    if pattern == "*":
        return pattern
    if not pattern.startswith("*."):
        return normal_host(pattern)
    domain = normal_host(pattern[2:])
    return None if domain is None or ":" in domain else f"*.{domain}"


def is_loopback(host: str) -> bool:
    """Whether a host surely is this machine: ``localhost``, 127.0.0.0/8, ``::1``, and 127.0.0.0/8 mapped to IPv6.

    Whatever else a resolver might turn into such an address (``127.1``, ``0x7f000001``, ``x.localhost``,
    ``0.0.0.0``) does not count: the worst that follows is a question too many.
    """
    from ipaddress import IPv4Address, ip_address

    bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
    if bare.lower() == "localhost":
        return True
    try:
        ip = ip_address(bare)
    except ValueError:
        return False
    if isinstance(ip, IPv4Address):
        return ip.is_loopback
    # Not ip.is_loopback: what it says of mapped addresses differs between versions of Python.
    mapped = ip.ipv4_mapped
    return mapped.is_loopback if mapped is not None else int(ip) == 1 and ip.scope_id is None


def covers(pattern: str, host: str) -> bool:
    """Whether an entry of ``policy.endpointsAllow`` allows a host, or all that another entry allows.

    Both in the spelling of ``normal_pattern``. ``*.a.example`` does not allow ``a.example`` itself.
    """
    return pattern in {"*", host} or (pattern.startswith("*.") and host.endswith(pattern[1:]))


def allowed(host: str, allow: Collection[str] | None) -> bool:
    """Whether ``policy.endpointsAllow`` lets code go to a host. None allows every host; loopback needs no entry."""
    return allow is None or is_loopback(host) or any(covers(pattern, host) for pattern in allow)


def reach(url: str, named: Collection[Endpoint], allow: Collection[str] | None) -> Reach:
    """May code be sent to an address? ``named`` are the endpoints that the user named, ``allow`` as in ``allowed``.

    A host named with https is not named for plain http: nobody else may take the lock off the wire. Another port
    is another server, perhaps somebody else's; another path is not.
    """
    endpoint = endpoint_of(url)
    if endpoint is None or not allowed(endpoint.host, allow):
        return Reach.REFUSED
    if is_loopback(endpoint.host) or endpoint in named or any(_locked(one) == endpoint for one in named):
        return Reach.FREE
    return Reach.ASK


def _locked(endpoint: Endpoint) -> Endpoint:
    """The endpoint with https in place of http."""
    return endpoint._replace(scheme="https", port=443 if endpoint.port == 80 else endpoint.port)
