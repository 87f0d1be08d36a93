"""The real tree of a project, summed up, and which of its folders are worth a line. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.survey.facts import Folder
from socreates_lsp.survey.languages import is_code
from socreates_lsp.workspace.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_DEEPEST = 5
_MOST_AT_TOP, _MOST_INSIDE = 20, 12
_SMALLEST, _FEW = 3, 4
"""Files of a folder that is opened, and folders in one of which those with a single file are shown, too."""
_SHOWN_THOUGH_HIDDEN = frozenset({".github/", ".gitlab/", ".ci/", ".circleci/", ".gitea/", ".forgejo/"})


def tree_of(sizes: Iterable[tuple[str, int]], deepest: int = 12) -> Folder:
    """The folders around files, each with all below it; those deeper than ``deepest`` are summed up."""
    top = Folder("")
    for path, size in sizes:
        language = language_of(path)
        here = top
        _add(here, size, language)
        end = path.find("/")
        for _ in range(deepest):
            if end < 0:
                break
            name = path[: end + 1]
            below = here.folders.get(name)
            if below is None:
                below = here.folders[name] = Folder(name)
            here = below
            _add(here, size, language)
            end = path.find("/", end + 1)
    return top


def _add(folder: Folder, size: int, language: str | None) -> None:
    folder.files += 1
    folder.size += size
    if language is not None:
        folder.languages[language] = folder.languages.get(language, 0) + 1


@dataclass(frozen=True, slots=True)
class Told:
    """A folder that is shown, how deep (0 at the top), and how many folders in it are left out."""

    folder: Folder
    depth: int
    hidden: int = 0


def told_folders(top: Folder, most: int) -> list[Told]:
    """The folders that a reader is shown, in the order of the tree; the top comes last if not all of it is shown.

    Those with the most code are opened first, as long as there is room; one that only holds another is shown as that.
    """
    first = _inside(top)
    shown: dict[str, list[Folder]] = {"": first[:_MOST_AT_TOP]}
    hidden = {"": len(first) - len(shown[""])}
    left = most - len(shown[""])
    candidates = [(folder, 1) for folder in shown[""]]
    while candidates and left > 1:
        folder, depth = max(candidates, key=lambda one: (_code(one[0]), one[0].files, one[0].path))
        candidates.remove((folder, depth))
        inside = _inside(folder)
        some = [one for one in inside if one.files > 1 or len(inside) <= _FEW][: min(left, _MOST_INSIDE)]
        if len(inside) < 2 or not some or depth > _DEEPEST or folder.files < _SMALLEST:
            continue
        shown[folder.path], hidden[folder.path] = some, len(inside) - len(some)
        left -= len(some)
        candidates += [(one, depth + 1) for one in some]
    told = [Told(folder, depth, hidden.get(folder.path, 0)) for depth, folder in _in_order(shown, "", 0)]
    return [*told, *([Told(top, 0, hidden[""])] if hidden[""] else [])]


def _code(folder: Folder) -> int:
    """Files of code in a folder."""
    return sum(count for language, count in folder.languages.items() if is_code(language))


def _inside(folder: Folder) -> list[Folder]:
    """The folders in one, without those that only hold one other."""
    found: list[Folder] = []
    for one in folder.folders.values():
        below = one
        while len(below.folders) == 1 and next(iter(below.folders.values())).files == below.files:
            below = next(iter(below.folders.values()))
        if not one.path.startswith(".") or one.path in _SHOWN_THOUGH_HIDDEN:
            found.append(below)
    return sorted(found, key=lambda one: (-one.files, one.path))


def _in_order(shown: dict[str, list[Folder]], path: str, depth: int) -> Iterator[tuple[int, Folder]]:
    for folder in shown.get(path, ()):
        yield depth, folder
        yield from _in_order(shown, folder.path, depth + 1)
