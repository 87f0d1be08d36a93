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
    in the new line says that it is not missed. The same thing taken away in many places is one question.
    """
    wrapper = re.compile(options["wrapper"])
    unless = re.compile(options.get("unless", r"(?!)"))
    asked: set[str] = set()
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
                        if inner in asked or ("await" in gone and _needs_no_wait(changes, inner)):
                            continue
                        asked.add(inner)
                        yield Spot(file.path, place, place, {"GONE": gone, "INNER": inner or gone})


def _needs_no_wait(changes: Changeset, inner: str) -> bool:
    """Whether all functions of that name in the project are plain ones, which nobody waits for."""
    name = re.split(r"\.|->|::", inner)[-1]
    if not re.fullmatch(r"[A-Za-z_$][\w$]*", name):
        return False
    found = [
        one
        for hit in changes.project.find([name])
        for one in changes.functions(hit.path)
        if one.name == name and one.first <= hit.line <= one.head
    ]
    return bool(found) and not any(one.is_async or re.search(r"Promise|Future|Task", one.signature) for one in found)


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
