"""What a transcript's bytes say, and where they stop being sound. Pure; whatever the bytes, nothing is raised."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from socreates_lsp.memory.encoding import NotJsonError, NotUnderstoodError, decoded, json_object

if TYPE_CHECKING:
    from socreates_lsp.memory.encoding import Line


class Contents(NamedTuple):
    """The lines of a transcript that say something.

    ``sound``: how many bytes may stay; what is behind them is a torn line. ``unended``: the last whole line lacks
    its line feed. ``warnings``: a sentence for each kind of damage.
    """

    lines: tuple[Line, ...]
    sound: int
    unended: bool
    warnings: tuple[str, ...]


def contents(data: bytes, name: str, *, first: int | None = 1) -> Contents:
    """Read the bytes of a transcript called ``name``, from the start of a line on.

    ``first``: the number of that line, from 1; None where it is not known.
    """
    sound = _sound(data)
    lines: list[Line] = []
    bad: list[int] = []
    for number, line in enumerate(data[:sound].split(b"\n")):
        try:
            said = decoded(line)
        except (NotJsonError, NotUnderstoodError):
            bad.append(number)
        else:
            lines += [] if said is None else [said]
    warnings = [f"{name}: the last line was torn and is dropped."] if sound < len(data) else []
    if bad:
        which = "" if first is None else f", the first at line {bad[0] + first}"
        warnings.append(f"{name}: lines that cannot be read are left out: {len(bad)}{which}.")
    return Contents(tuple(lines), sound, bool(sound) and data[sound - 1 : sound] != b"\n", tuple(warnings))


def _sound(data: bytes) -> int:
    """Where a torn last line begins, blank lines behind it not counted; the length of the data if none is torn.

    No beginning of a JSON object is one, so that a line is whole if it is one, with its line feed or without.
    """
    end = len(data.rstrip())
    start = data.rfind(b"\n", 0, end) + 1
    if end <= start:
        return len(data)
    try:
        json_object(data[start:end])
    except NotJsonError:
        return start
    return len(data)
