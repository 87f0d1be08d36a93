"""Something that guarded a call is gone from it, while the call is still there: a time limit, an escape, ``await``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.code import Code, calls, squeezed
from socreates_lsp.examiner.changes.spot import Spot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.examiner.changes.changeset import Changeset
    from socreates_lsp.examiner.changes.pairing import Pair


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:
    """Options: ``gone`` matches what was there in the code of a removed line; ``kept`` (an expression) in the new
    function or hunk says that it is there in another form. The call that it stood in must still be there.
    """
    gone = re.compile(options["gone"])
    kept = re.compile("|".join(f"(?:{options[name]})" for name in ("gone", "kept") if name in options))
    for pair in changes.stretches:
        code = pair.before.old_code
        for line in pair.removed:
            found = gone.search(code.lines[line])
            if found is None or not pair.owns_old(line) or changes.added_lines[squeezed(code.raw(line))]:
                continue
            spot = _lost(pair, line, found, kept)
            if spot is not None:
                yield spot


def _lost(pair: Pair, line: int, found: re.Match[str], kept: re.Pattern[str]) -> Spot | None:
    new = pair.after.new_code
    own = range(pair.new.first, pair.new.last + 1) if pair.new.name else _around(pair, line)
    if any(kept.search(new.lines[n]) for n in own):
        return None
    call = enclosing_call(pair.before.old_code, line, found.start())
    if call is None:
        return None
    places = [n for n in own if call in calls(new.lines[n])]
    if not places:
        return None
    wanted = pair.place(line)
    place = min(places, key=lambda n: abs(n - wanted))
    if abs(place - wanted) > 12:
        return None
    shown = pair.before.old.line(line)[found.start() : found.end()].strip(" ,(")
    return Spot(pair.after.path, place, place, {"GONE": shown, "CALL": call})


def _around(pair: Pair, line: int) -> range:
    middle = pair.place(line)
    return range(max(middle - 12, 0), min(middle + 13, len(pair.after.new)))


def enclosing_call(code: Code, line: int, column: int) -> str | None:
    """The name of the call whose brackets stand around a place, brackets of objects and lists looked through."""
    offset = code.starts[line] + column
    depth = 0
    content = code.content
    for index in range(offset - 1, max(offset - 3000, -1), -1):
        character = content[index]
        if character in ")]}":
            depth += 1
        elif character in "([{":
            if depth:
                depth -= 1
                continue
            if character == "(":
                name = re.search(r"([A-Za-z_$][\w$]*)[!?]?(?:<[^<>()]*>)?\s*$", content[max(index - 80, 0) : index])
                if name is not None:
                    return name[1]
    return None
