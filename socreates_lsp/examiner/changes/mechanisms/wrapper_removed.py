"""A line is the same but for a call around a part of it that is gone: an escape, ``await``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.code import squeezed
from socreates_lsp.examiner.changes.spot import Spot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.examiner.changes.changeset import Changeset


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:
    """Options: ``wrapper`` matches what stood before the part, with its opening bracket if it has one; ``unless``
    in the new line says that it is not missed.
    """
    wrapper = re.compile(options["wrapper"])
    unless = re.compile(options.get("unless", r"(?!)"))
    for file in changes.sources:
        for hunk in file.hunks:
            now = {
                squeezed(line): number
                for number, line in enumerate(hunk.added, hunk.new_start)
                if not unless.search(file.new_code.lines[number])
            }
            for number, line in enumerate(hunk.removed, hunk.old_start):
                for found in wrapper.finditer(file.old_code.lines[number]):
                    place = now.get(squeezed(_without(line, found)))
                    if place is not None:
                        gone = line[found.start() : found.end()].strip(" (")
                        rest = re.match(r"[\w.$>:\[\]'\"-]*", line[found.end() :])
                        inner = rest[0] if rest is not None else ""
                        if gone.rpartition(".")[2] not in _async_to_sync(changes, inner):
                            yield Spot(file.path, place, place, {"GONE": gone, "INNER": inner or gone})


def _async_to_sync(changes: Changeset, inner: str) -> frozenset[str]:
    """``await`` where what is called needs it no more."""
    name = re.split(r"\.|->|::", inner)[-1]
    plain = any(pair.old.is_async and not pair.new.is_async and pair.new.name == name for pair in changes.pairs)
    return frozenset({"await"}) if plain else frozenset()


def _without(line: str, found: re.Match[str]) -> str:
    """The line without what was matched, and without the bracket that closes it."""
    head, rest = line[: found.start()], line[found.end() :]
    if not found[0].rstrip().endswith("("):
        return head + rest
    depth = 0
    for index, character in enumerate(rest):
        if character in "([{":
            depth += 1
        elif character in ")]}":
            if depth == 0:
                inner = rest[:index].partition(",")[0] if _is_flat(rest[:index]) else rest[:index]
                return head + inner + rest[index + 1 :]
            depth -= 1
    return head + rest


def _is_flat(inner: str) -> bool:
    """Whether further arguments of the wrapper follow the first, with no brackets to mind."""
    return not re.search(r"[(\[{]", inner)
