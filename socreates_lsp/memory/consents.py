"""The hosts to which the user said that code may go: ``consents.json`` in the state folder.

The file is read anew for each question, so that a consent given in another process counts, and one that the user
deletes does not.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from socreates_lsp.memory.encoding import NotJsonError, json_object, now
from socreates_lsp.memory.files import content_of, replace
from socreates_lsp.memory.folders import prepare
from socreates_lsp.memory.held import reason
from socreates_lsp.memory.locks import Lock
from socreates_lsp.settings.endpoints import Address, normal_host

if TYPE_CHECKING:
    from pathlib import Path

FILE = "consents.json"
_MOST_BYTES = 1024 * 1024
_WAIT_S = 2.0
"""How long another process may take to write; it takes a few milliseconds."""


class Consents:
    """What the user agreed to. Nothing here raises: a file that cannot be read is no consent, and a warning."""

    def __init__(self, state: Path) -> None:
        """``state`` is the user's state folder. Nothing is read or made yet."""
        self._path = state / FILE
        self._lock = state / "consents.lock"
        self._unsaved: set[Address] = set()
        self._warnings: list[str] = []

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the user should know of: sentences. May grow with any call."""
        return tuple(self._warnings)

    def has(self, scheme: str, host: str) -> bool:
        """Whether the user agreed to this host by this scheme; plain http, once agreed to, covers https."""
        address = _address(scheme, host)
        if address is None:
            return False
        known = self.addresses()
        return address in known or Address("http", address.host) in known

    def addresses(self) -> frozenset[Address]:
        """Everything that the user agreed to."""
        given = (_address(entry.get("scheme"), entry.get("host")) for entry in self._entries())
        return frozenset(address for address in given if address is not None) | self._unsaved

    def add(self, scheme: str, host: str) -> None:
        """Remember a consent; where it cannot be saved, for as long as this process runs.

        Raises ValueError for what is no scheme or no host.
        """
        address = _address(scheme, host)
        if address is None:
            raise ValueError(f"{scheme}://{host} is no address")
        self._unsaved.add(address)
        try:
            prepare(self._path.parent)
            lock = Lock.wait(self._lock, _WAIT_S)
            try:
                entry = {"scheme": address.scheme, "host": address.host, "at": now()}
                text = json.dumps({"hosts": [*self._entries(), entry]}, indent=2) + "\n"
                replace(self._path, [text.encode("ascii")])
            finally:
                if lock is not None:
                    lock.release()
        except OSError as error:
            self._warn(f"{self._path} cannot be written ({reason(error)}): you will be asked about hosts again.")
        else:
            self._unsaved.discard(address)

    def _entries(self) -> list[dict[str, Any]]:
        """The entries of the file that are tables."""
        try:
            found = (json_object(content_of(self._path, _MOST_BYTES)) or {}).get("hosts", [])
        except FileNotFoundError:
            return []
        except OSError as error:
            self._warn(f"{self._path} cannot be read ({reason(error)}): no host counts as agreed to.")
            return []
        except NotJsonError:
            found = None
        if not isinstance(found, list):
            self._warn(f"{self._path} is damaged: no host counts as agreed to.")
            return []
        return [cast("dict[str, Any]", entry) for entry in cast("list[object]", found) if isinstance(entry, dict)]

    def _warn(self, sentence: str) -> None:
        if sentence not in self._warnings:
            self._warnings.append(sentence)


def _address(scheme: object, host: object) -> Address | None:
    if not isinstance(scheme, str) or not isinstance(host, str) or scheme.lower() not in {"http", "https"}:
        return None
    normal = normal_host(host)
    return None if normal is None else Address(scheme.lower(), normal)
