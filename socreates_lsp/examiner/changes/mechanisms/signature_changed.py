"""The parameters of a function changed, and a caller that was not changed gives what it used to take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.signature import Parameter, fits, misplaced
from socreates_lsp.examiner.changes.spot import MOST_RELATED, Spot
from socreates_lsp.examiner.hit import Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from socreates_lsp.examiner.changes.callers import CallSite
    from socreates_lsp.examiner.changes.changeset import Changeset
    from socreates_lsp.examiner.changes.pairing import Pair


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:
    """A call is evidence if it fits what was taken before and not what is taken now. ``phrases`` name the change."""
    for pair in changes.pairs:
        old, new = pair.old.parameters, pair.new.parameters
        if old is None or new is None or old == new:
            continue
        broken = [site for site in changes.callers.unchanged(pair.after, pair.new) if _is_broken(pair, site)]
        if broken:
            parts = {
                "FUNCTION": pair.new.called,
                "CHANGE": _change(old, new, options["phrases"]),
                "CALLER": broken[0].path.rpartition("/")[2],
            }
            yield Spot(pair.after.path, pair.new.first, pair.new.first, parts, places(broken, options["note"]))


def places(sites: Sequence[CallSite], note: str) -> tuple[Place, ...]:
    """The calls as related places, at most five."""
    return tuple(Place(site.path, site.line, site.line, note) for site in sites[:MOST_RELATED])


def _is_broken(pair: Pair, site: CallSite) -> bool:
    old, new, given = pair.old.parameters, pair.new.parameters, site.arguments
    if given is None or old is None or new is None:
        return False
    if not fits(given, old) or any(fits(given, other) for other in _overloads(pair)):
        return False
    return not fits(given, new) or misplaced(given, old, new) is not None


def _overloads(pair: Pair) -> list[Sequence[Parameter]]:
    return [
        other.parameters
        for other in pair.after.new_functions
        if other is not pair.new
        and (other.owner, other.name) == (pair.new.owner, pair.new.name)
        and other.parameters is not None
    ]


def _change(old: Sequence[Parameter], new: Sequence[Parameter], phrases: Mapping[str, str]) -> str:
    """Say in a few words what changed, the gravest first."""
    before, after = {one.name: one for one in old}, {one.name: one for one in new}
    gone = [name for name in before if name not in after]
    fresh = [name for name in after if name not in before]
    if len(gone) == len(fresh) == 1 and list(before).index(gone[0]) == list(after).index(fresh[0]):
        return phrases["renamed"].format(old=gone[0], new=fresh[0])
    needed = [name for name in after if after[name].required and not (name in before and before[name].required)]
    if needed:
        return phrases["needed"].format(new=needed[0])
    if gone:
        return phrases["gone"].format(old=gone[0])
    moved = next((a for a, b in zip(before, after, strict=False) if a != b), next(iter(after), ""))
    return phrases["moved"].format(old=moved)
