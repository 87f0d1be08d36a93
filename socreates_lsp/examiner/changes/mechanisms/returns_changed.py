"""What a function gives back has another form now, and a caller that was not changed takes it as before."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.code import split_at_commas, words
from socreates_lsp.examiner.changes.mechanisms.signature_changed import places
from socreates_lsp.examiner.changes.returns import NOTHING, shapes
from socreates_lsp.examiner.changes.spot import Spot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.examiner.changes.callers import CallSite
    from socreates_lsp.examiner.changes.changeset import Changeset
    from socreates_lsp.examiner.changes.pairing import Pair

_DYNAMIC = frozenset({"python", "javascript", "typescript", "tsx", "ruby", "php", "lua", "go", "perl", "elixir"})
_FORMS = re.compile(r"\d values|an object|a list")


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:
    """Compare the forms of all returns; name the callers that use the result in the old form."""
    for pair in changes.pairs:
        if pair.after.language not in _DYNAMIC:
            continue
        old, new = shapes(pair.old_returns), shapes(pair.new_returns)
        if old == new or not old or not new:
            continue
        may_be_nothing = NOTHING in new and NOTHING not in old
        changed = _is_otherwise(pair)
        if not (may_be_nothing or changed):
            continue
        sites = changes.callers.unchanged(pair.after, pair.new)
        wanted = _form(new) if changed else NOTHING
        careless = [site for site in sites if _takes_otherwise(site, _form(old), wanted)]
        if careless:
            line = _return_line(pair.after.new_code.lines, pair.after.added, pair.new.head, pair.new.last)
            parts = {
                "FUNCTION": pair.new.name,
                "OLD": _form(old) or "a value",
                "NEW": wanted,
                "CALLER": careless[0].path.rpartition("/")[2],
            }
            place = pair.new.first if line is None else line
            yield Spot(pair.after.path, place, place, parts, places(careless, options["note"]))


def _is_otherwise(pair: Pair) -> bool:
    """Whether the form of what is given changed for certain: a name could have stood for anything."""
    old, new = _form(shapes(pair.old_returns)), _form(shapes(pair.new_returns))
    if not old or not new or old == new:
        return False
    if "a value" not in {old, new} or "values" in old + new:
        return True
    plain, whole = (pair.old_returns, pair.new_returns) if old == "a value" else (pair.new_returns, pair.old_returns)
    inner = words(" ".join(one.value for one in whole))
    return any(re.fullmatch(r"\w+", one.value) and one.value in inner for one in plain)


def _form(found: frozenset[str]) -> str:
    """The one form of all returns that give something; empty if they differ."""
    forms = found - {NOTHING}
    return next(iter(forms)) if len(forms) == 1 else ""


def _takes_otherwise(site: CallSite, old: str, new: str) -> bool:
    after = site.after.lstrip()
    if new == NOTHING:
        return bool(re.match(r"\.\w|\[", after)) or bool(re.search(r"\bfor\b.*\bin\s*$", site.before))
    taken = re.match(r"\s*(?:(?:const|let|var|local|my)\s+)?(?P<left>[^=]+?)\s*:?=\s*(?:await\s+)?$", site.before)
    if "values" in new or "values" in old:
        count = len(split_at_commas(taken["left"].strip("()[]{} "))) if taken else 0
        wanted = int(new[0]) if "values" in new else 1
        if taken and count > 1:
            return count != wanted
        # A call whose result is thrown away or passed on says nothing of its form.
        return ("values" in new) and (bool(re.match(r"\.\w|\[", after)) or bool(taken and "values" not in old))
    if not _FORMS.fullmatch(old) and not _FORMS.fullmatch(new):
        return False
    return bool(taken) or bool(re.match(r"\.\w|\[", after)) or bool(re.search(r"\bin\s*$", site.before))


def _return_line(lines: list[str], added: frozenset[int], first: int, last: int) -> int | None:
    return next((n for n in range(first, last + 1) if n in added and re.search(r"\breturn\b", lines[n])), None)
