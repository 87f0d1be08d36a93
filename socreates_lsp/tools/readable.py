"""Which documents may be given to a model, whoever names them: the user, the model in a citation, or a change.

A document is known by its URI. It is judged by its own name and by where that leads through all symbolic links.
Everything here may touch the disk.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from socreates_lsp.tools.paths import Paths, below, denying, named, office
from socreates_lsp.tools.twins import Twins
from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from socreates_lsp.workspace.workspace import Workspace


class Readable:
    """The documents of a workspace, and files outside of it that the user names."""

    def __init__(self, workspace: Workspace, read_deny: Sequence[str]) -> None:
        """``read_deny`` are patterns relative to a root; outside of every root, to any folder around the file."""
        self._workspace = workspace
        self._deny = denying(read_deny)
        self._read_deny = read_deny
        self._twins: list[Twins] | None = None

    def __call__(self, uri: str) -> bool:
        """Whether a document may be given to a model."""
        return self.refusal(uri) is None

    def refusal(self, uri: str) -> str | None:
        """Why a document is not given to a model, in one sentence; None if it may be."""
        name = named(self._workspace.display_path(uri))
        cell = self._workspace.notebooks.place(uri)
        path = uris.to_path(uri if cell is None else cell[0])
        if path is None:
            return self._by_names(name, _tails(unquote(re.split("[?#]", uri.partition(":")[2])[0])))
        roots = [(root, os.path.realpath(root)) for root in self._workspace.roots]
        given = os.path.normpath(path)
        real = given if "\0" in path else os.path.realpath(path)
        inside = [relative for pair in roots for root in pair if (relative := below(given, root)) is not None]
        leads_to = [relative for _, root in roots if (relative := below(real, root)) is not None]
        if inside and not leads_to:
            return f"{name} is a symbolic link out of the workspace: only what lies inside is sent to a model."
        refused = self._by_names(name, [*(inside or _tails(given)), *(leads_to or _tails(real))])
        if refused is None and leads_to and (twin := self._twin(real)) is not None:
            return f"{name} is not sent to a model: it is the same file as {named(twin)}, which policy.readDeny names."
        return refused

    def _twin(self, real: str) -> str | None:
        """The kept file that a file in a root is another name of."""
        if self._twins is None:
            self._twins = [Twins(Paths(root, self._read_deny)) for root in self._workspace.roots]
        return next(filter(None, (twins.of(real) for twins in self._twins)), None)

    def _by_names(self, name: str, names: Sequence[str]) -> str | None:
        if any(map(self._deny.match, names)):
            return f"{name} is not sent to a model: policy.readDeny names it."
        owner = next(filter(None, map(office, names)), None)
        return None if owner is None else f"{name} is not sent to a model: what is in {owner} never is."


def _tails(path: str) -> list[str]:
    """A path as seen from each folder around it, with forward slashes."""
    return list(_seen_from(re.sub(r"^[A-Za-z]:", "", path.replace(os.sep, "/")).strip("/").split("/")))


def _seen_from(parts: Sequence[str]) -> Iterator[str]:
    for start in range(len(parts)):
        yield "/".join(parts[start:])
