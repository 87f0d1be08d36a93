"""URIs of documents: one canonical form inside, the client's own spelling outside. Pure.

Clients spell the same file as ``file:///c%3A/x``, ``file:///C:/x`` or ``file:///c:/x``; inside, a file has the one
URI that ``from_path`` makes of its path. Other schemes (``untitled:``, ``vscode-notebook-cell:``) stay as they are.
"""

from __future__ import annotations

import os
import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import quote_from_bytes, unquote_to_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

_DRIVE = re.compile(r"/[A-Za-z]:")
_SCHEME = re.compile(r"file:(?://([^/]*)(?=/|\Z)|(?=/(?!/)))(/.*)?\Z", re.DOTALL | re.IGNORECASE)
"""With two slashes and a host, which may be empty, or with one (RFC 8089, appendix B; clients in Java write so)."""


def to_path(uri: str) -> str | None:
    """The path that a ``file:`` URI names; None for every other scheme.

    Query and fragment are not parted off: clients percent-encode ``?`` and ``#`` in file names, some do not.
    """
    match = _SCHEME.match(uri)
    if match is None:
        return None
    host, path = _unquoted(match[1] or ""), _unquoted(match[2] or "/")
    if host and host.lower() != "localhost":
        path = f"//{host}{path}"
    elif _DRIVE.match(path):
        path = path[1].lower() + path[2:]
    return path.replace("/", "\\") if os.name == "nt" else path


def from_path(path: str) -> str:
    """The canonical URI of an absolute path."""
    slashed = path.replace("\\", "/") if os.name == "nt" else path
    if slashed.startswith("//"):
        return "file:" + quote_from_bytes(os.fsencode(slashed), safe="/:@!$&'()*+,;=~")
    if re.match(r"[A-Za-z]:", slashed):
        slashed = "/" + slashed[0].lower() + slashed[1:]
    return "file://" + quote_from_bytes(os.fsencode(slashed), safe="/:@!$&'()*+,;=~")


def canonical(uri: str) -> str:
    """The one spelling used inside."""
    path = to_path(uri)
    return uri if path is None else from_path(os.path.normpath(path))


def name_of(uri: str) -> str:
    """The last part of a URI, for people: ``app.py``, ``Untitled-1``."""
    path = to_path(uri)
    if path is not None:
        return os.path.basename(path) or path  # noqa: PTH119  (works on Windows paths and on the root)
    opaque = _unquoted(uri.partition(":")[2])
    return PurePosixPath(opaque).name or opaque


def below(known: Iterable[str], uri: str) -> list[str]:
    """Those of some canonical URIs that are this one, or lie in the folder that it is."""
    folder = uri.rstrip("/") + "/"
    return [one for one in known if one == uri or one.startswith(folder)]


def _unquoted(text: str) -> str:
    """Percent-decoded; a lone surrogate, which JSON can bring, becomes bytes that are no UTF-8."""
    return os.fsdecode(unquote_to_bytes(text.encode("utf-8", "surrogatepass")))
