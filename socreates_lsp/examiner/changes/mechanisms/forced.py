"""What was handled or passed on is now forced: ``unwrap`` where there was ``?``, ``!!`` where there was ``?:``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.code import calls, names
from socreates_lsp.examiner.changes.spot import Spot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.examiner.changes.changeset import Changeset
    from socreates_lsp.examiner.changes.pairing import Pair

_FORCED = {
    "rust": (
        r"\.unwrap\(\)|\.expect\(|\blet\s+_\s*=|\.ok\(\)\s*;",
        r"\)\?|\w\?|Err\(|\bif let\b|\blet\b.*\belse\b|\bmatch\b|ok_or|unwrap_or|map_err",
    ),
    "swift": (r"\btry!|\bas!|\w!(?=[.\s,)\[]|$)", r"\btry\b(?!!)|\bguard\b|\bif let\b|\?\?|\?\.|\bas\?|\bcatch\b"),
    "kotlin": (r"!!", r"\?:|\?\.|!= null|\brunCatching\b|\brequireNotNull\b|\bcatch\b"),
    "dart": (r"\w!(?=[.\s,;)\[]|$)", r"\?\?|\?\.|!= null|\bcatch\b"),
    "typescript": (r"\w!(?=[.,;)\[])", r"\?\?|\?\.|!==? (?:null|undefined)|=== ?(?:null|undefined)|\bcatch\b"),
    "java": (r"\.(?:get|orElseThrow)\(\)", r"\.orElse\w*\([^)]|\.isPresent\(|\.ifPresent|\.isEmpty\("),
    "scala": (r"\.get\b(?!\()|\.head\b", r"getOrElse|\bcase (?:Some|None|Success|Failure|Left|Right)\b|\bfold\b"),
}
_FORCED["elixir"] = (r"^\s*\{:ok,[^}]*\}\s*=", r"\{:error\b|:error\b|\brescue\b|\bwith\b")
_FORCED["tsx"] = _FORCED["typescript"]


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:  # noqa: ARG001  (every mechanism's form)
    """Count the forced forms of each function before and after."""
    for pair in changes.stretches:
        forms = _FORCED.get(pair.after.language or "")
        if forms is not None and not _is_test_code(pair):
            yield from _forced(pair, *(re.compile(form, re.MULTILINE) for form in forms))


def _forced(pair: Pair, forced: re.Pattern[str], handled: re.Pattern[str]) -> Iterator[Spot]:
    old, new = pair.before.old_code, pair.after.new_code
    for hunk in pair.after.hunks if not pair.moved else ():
        removed = [old.lines[n] for n in range(hunk.old_start, hunk.old_start + len(hunk.removed)) if pair.owns_old(n)]
        added = [n for n in range(hunk.new_start, hunk.new_start + len(hunk.added)) if pair.owns_new(n)]
        before, after = "\n".join(removed), "\n".join(new.lines[n] for n in added)
        if len(forced.findall(after)) <= len(forced.findall(before)):
            continue
        if len(handled.findall(after)) >= len(handled.findall(before)):
            continue
        known = names(before)
        for line in added:
            text = new.lines[line]
            subject = [name for name in [*calls(text), *sorted(names(text))] if name in known]
            form = forced.search(text)
            if form and subject:
                parts = {"CALL": subject[0], "FORM": form[0].strip(".( ")[-9:]}
                yield Spot(pair.after.path, line, line, parts)
                break


def _is_test_code(pair: Pair) -> bool:
    marks = " ".join(pair.new.decorators)
    return "test" in marks or pair.new.owner in {"tests", "test"} or pair.new.name.startswith("test_")
