"""Making a setting stricter, and never laxer: all that a workspace, and for some keys a client, may do. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from socreates_lsp.settings.endpoints import covers
from socreates_lsp.settings.facts import Tighten
from socreates_lsp.settings.kinds import shown

if TYPE_CHECKING:
    from socreates_lsp.settings.facts import Facts


class Tightened(NamedTuple):
    """The value that holds now. ``refused`` says what of the asked one was not taken, and is empty for nothing."""

    value: object
    refused: str = ""


def tightened(facts: Facts, held: object, asked: object) -> Tightened:
    """The value ``held`` as strict as ``asked`` makes it. Both fit the kind of the key."""
    match facts.tighten:
        case Tighten.ADD:
            added = (*cast("tuple[object, ...]", held), *cast("tuple[object, ...]", asked))
            return Tightened(tuple(dict.fromkeys(added)))
        case Tighten.LOWER:
            lower = cast("float", asked) <= cast("float", held)
            return Tightened(asked) if lower else Tightened(held, "it may only be lowered here")
        case Tighten.NARROW:
            return _narrowed(cast("tuple[str, ...] | None", held), cast("tuple[str, ...]", asked))
        case Tighten.STRICTER:
            stricter = asked == held or _rank(facts, asked) > _rank(facts, held)
            return Tightened(asked) if stricter else Tightened(held, "only a stricter value may be given here")
        case None:
            return Tightened(held, "it may not be set here")


def leaves_workspace(path: str) -> bool:
    """Whether a path could lead out of the workspace by its spelling, on any system. Symbolic links are not seen."""
    parts = path.replace("\\", "/").split("/")
    return not parts[0] or ":" in path or path.startswith("~") or ".." in (part.strip() for part in parts)


def _narrowed(held: tuple[str, ...] | None, asked: tuple[str, ...]) -> Tightened:
    """The hosts that both lists allow; see ``endpoints.covers``. None allows all."""
    if held is None:
        return Tightened(asked)
    below = [entry for entry in asked if any(covers(mine, entry) for mine in held)]
    above = [mine for mine in held if any(covers(entry, mine) for entry in asked)]
    kept = tuple(dict.fromkeys([*below, *above]))
    outside = [entry for entry in asked if not any(covers(mine, entry) or covers(entry, mine) for mine in held)]
    return Tightened(kept, f"{shown(outside[0])} is not among the hosts that are allowed" if outside else "")


def _rank(facts: Facts, value: object) -> int:
    return facts.laxer_first.index(value) if value in facts.laxer_first else -1
