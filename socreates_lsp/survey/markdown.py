"""Markdown of a report: words of files shown as they are and never as markup, and labels of sources. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.tools.command_line import visible

if TYPE_CHECKING:
    from socreates_lsp.survey.facts import Place

_LONGEST = 120
"""Characters of a word of a file."""

_PLAIN_PATH = re.compile(r"[\w./@+ #-]*\Z")
_EMPHASIS = re.compile(r"(?<!\w)_|_(?!\w)")


def words(text: str, most: int = _LONGEST) -> str:
    """Words of a file as a span of code: on one line, nothing hidden, nothing that a reader's program would act on."""
    shown = visible(" ".join(_encodable(text).split()))
    if len(shown) > most:
        shown = f"{shown[: most - 1]}…"
    if not shown:
        return "(empty)"
    runs = [len(run) for run in re.findall(r"`+", shown)]
    fence = "`" * (max(runs, default=0) + 1)
    blank = " " if runs else ""
    return f"{fence}{blank}{shown}{blank}{fence}"


def label(place: Place, origin: str = "repo") -> str:
    """The label of a source: ``[repo: src/app.py:12]``, in a span of code where the path would be taken for markup."""
    text = f"[{origin}: {reference_of(place)}]"
    plain = _PLAIN_PATH.match(place.path) and not _EMPHASIS.search(place.path)
    return text if plain else f"`{text}`"


def reference_of(place: Place) -> str:
    """A place as a label names it. What would end the label is written as addresses write it."""
    path = visible(_encodable(place.path)).replace("`", "%60").replace("[", "%5B").replace("]", "%5D")
    if place.line is None:
        return path
    return f"{path}:{place.line}" if place.last is None else f"{path}:{place.line}-{place.last}"


def _encodable(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")
