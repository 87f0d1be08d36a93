"""The documentation that packages of Composer bring along, for those that composer.json asks for itself."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from socreates_lsp.errors import SocreatesError
from socreates_lsp.survey.facts import Documentation, Fact, Manifest
from socreates_lsp.survey.where import Lines
from socreates_lsp.tools.refusal import ToolRefusalError
from socreates_lsp.workspace.leash import go_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from socreates_lsp.tools.view import View

_PACKAGE = re.compile(r"[a-z0-9](?:[_.-]?[a-z0-9]+)*/[a-z0-9](?:[_.-]{0,2}[a-z0-9]+)*\Z", re.IGNORECASE)
_README = re.compile(r"readme(?:\.(?:md|markdown))?\Z", re.IGNORECASE)
_PAGE = re.compile(r"[^/]+\.(?:md|markdown)\Z", re.IGNORECASE)
_HEADING = re.compile(r" {0,3}(#{1,3})\s+(.+?)\s*#*\s*$")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_MOST_PACKAGES, _MOST_PAGES, _MOST_HEADINGS = 40, 4, 6
_LONGEST = 200_000
"""Bytes of a page that is read."""


def documents_of(manifests: Iterable[Manifest], view: View) -> list[Documentation]:
    """The README of each package, and the first pages of its ``docs``. Reads the disk."""
    found: list[Documentation] = []
    wanted = [
        (f"{one.folder}/vendor/{dependency.name}".lstrip("/"), dependency.name)
        for one in manifests
        if one.kind == "Composer"
        for dependency in sorted(one.dependencies, key=lambda it: it.dev)
        if _PACKAGE.match(dependency.name)
    ]
    for folder, package in wanted[:_MOST_PACKAGES]:
        go_on()
        for path in _pages(folder, view):
            headings = _headings(path, view)
            if headings is not None:
                found.append(Documentation(package, path, headings))
    return found


def _pages(folder: str, view: View) -> Iterator[str]:
    try:
        place = view.paths.resolve(folder)
        # Asked for first, as the sentence about what is missing takes a while to find.
        listed = view.files(place).paths if os.path.isdir(place.real) else ()  # noqa: PTH112
    except (ToolRefusalError, SocreatesError):
        return
    inside = [path[len(folder) + 1 :] for path in listed]
    yield from [f"{folder}/{path}" for path in inside if _README.match(path)][:1]
    pages = [
        path for path in inside if path.lower().startswith(("docs/", "doc/")) and _PAGE.match(path.rpartition("/")[2])
    ]
    pages.sort(key=lambda path: (path.count("/"), not _README.match(path.rpartition("/")[2]), path))
    yield from (f"{folder}/{path}" for path in pages[:_MOST_PAGES])


def _headings(path: str, view: View) -> tuple[Fact, ...] | None:
    """The first headings of a page; None for one that can't be read."""
    if view.size(path, {}) > _LONGEST:
        return ()
    document = view.text(path)
    if document is None:
        return None
    lines = Lines(path, document.text.content)
    found: list[Fact] = []
    fence = ""
    for number, line in enumerate(lines.lines, start=1):
        mark = _FENCE.match(line[:10])
        if mark:
            fence = "" if fence == mark[1] else fence or mark[1]
        elif not fence and (match := _HEADING.match(line[:300])):
            place = lines.place(number, match[2])
            if place.line is not None and anchor_of(match[2]):
                found.append(Fact(anchor_of(match[2]), match[2], place))
        if len(found) == _MOST_HEADINGS:
            break
    return tuple(found)


def anchor_of(heading: str) -> str:
    """A heading as addresses name it: small letters, words joined by hyphens."""
    plain = re.sub(r"!?\[([^\]]*)\]\([^)]*\)|<[^>]*>", r"\1", heading)
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", plain.strip().lower()).strip())
