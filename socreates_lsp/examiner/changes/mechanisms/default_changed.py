"""The default of a parameter changed under callers that rely on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.mechanisms.signature_changed import places
from socreates_lsp.examiner.changes.signature import fits
from socreates_lsp.examiner.changes.spot import Spot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.examiner.changes.callers import CallSite
    from socreates_lsp.examiner.changes.changeset import Changeset
    from socreates_lsp.examiner.changes.pairing import Pair
    from socreates_lsp.examiner.changes.signature import Parameter

_NONE = frozenset({"None", "null", "undefined", "nil", "...", "UNSET", "_UNSET", "MISSING", "NOT_GIVEN", "sentinel"})


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:
    """Name the callers that leave out the argument; the same change of several functions is one question."""
    asked: set[tuple[str, str, str]] = set()
    for pair in changes.pairs:
        changed = _changed(pair)
        if changed is None:
            continue
        old, new = changed
        key = (new.name, old.default or "", new.default or "")
        if key in asked:
            continue
        sites = changes.callers.unchanged(pair.after, pair.new)
        trusting = [site for site in sites if _leaves_out(site, pair, new)]
        if trusting:
            asked.add(key)
            parts = {
                "FUNCTION": pair.new.called,
                "PARAMETER": new.name,
                "OLD": old.default or "",
                "NEW": new.default or "",
                "CALLER": trusting[0].path.rpartition("/")[2],
            }
            yield Spot(pair.after.path, pair.new.first, pair.new.head, parts, places(trusting, options["note"]))


def _changed(pair: Pair) -> tuple[Parameter, Parameter] | None:
    """The first parameter whose default is another value now. A mark for "not given" on either side says nothing."""
    before = {one.name: one for one in pair.old.parameters or ()}
    for new in pair.new.parameters or ():
        old = before.get(new.name)
        if old is None or old.default is None or new.default is None:
            continue
        if _plain(old.default) != _plain(new.default) and not {old.default, new.default} & _NONE:
            return old, new
    return None


def _plain(default: str) -> str:
    return default.replace("'", '"').replace(" ", "").rpartition(".")[2] or default


def _leaves_out(site: CallSite, pair: Pair, parameter: Parameter) -> bool:
    given, taken = site.arguments, pair.new.parameters
    if given is None or taken is None or any(argument.spread for argument in given) or not fits(given, taken):
        return False
    if any(argument.name == parameter.name for argument in given):
        return False
    slots = [one.name for one in taken if not one.named and not one.rest]
    positional = sum(argument.name is None for argument in given)
    return parameter.name not in slots[:positional]
