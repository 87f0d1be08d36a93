"""The specialists to whom the main agent delegates: what each is for, and which tools it may have. A table."""

from __future__ import annotations

from dataclasses import dataclass

_LOOK = ("list_files", "read_file", "search")
_RUN = ("run_command",)
_DOCUMENTS = ("search_docs", "search_web")
"""Names that are reserved: there are no such tools yet."""


@dataclass(frozen=True, slots=True)
class Specialist:
    """``does`` is for the main agent; ``tools`` are those that it is given as far as there are any.

    ``needs`` is a tool without which it can do nothing. ``sees_target``: the lines of the task come along.
    """

    name: str
    does: str
    tools: tuple[str, ...]
    needs: str = "read_file"
    sees_target: bool = False


TEAM = (
    Specialist("explorer", "structure, conventions, dependencies", (*_LOOK, *_RUN)),
    Specialist("researcher", "what documentation says", (*_DOCUMENTS, "read_file", "search")),
    Specialist("tester", "runs tests, build or lint", ("read_file", "list_files", *_RUN), needs="run_command"),
    Specialist("reviewer", "the change against what was asked", (*_LOOK, *_RUN), sees_target=True),
    Specialist("skeptic", "tries to refute a point", (*_LOOK, *_RUN), sees_target=True),
)
"""In the order in which a model is told of them. None has ``delegate``, and none gets it."""
