"""A limit is ten times what it was, or none at all any more."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.spot import Spot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.examiner.changes.changeset import Changeset

_NUMBER = r"-?\d[\d_]*(?:\.\d+)?"
_ENDLESS = frozenset({"None", "null", "nil", "undefined", "Infinity", "-1", "0", "math.inf", "inf"})


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:
    """Options: ``name`` matches the names of limits; ``factor`` is how much wider a number must be."""
    setting = re.compile(
        rf"(?<![\w.])(?P<name>[\w.]*(?:{options['name']})\w*)['\"]?\s*(?::\s*[\w.|\[\] ]+=|:=|=(?!=)|:)\s*"
        rf"(?P<value>{_NUMBER}|[\w.]+)",
        re.IGNORECASE,
    )
    for file in changes.sources:
        for hunk in file.hunks:
            before = {found["name"]: found["value"] for line in hunk.removed for found in setting.finditer(line)}
            for number, line in enumerate(hunk.added, hunk.new_start):
                for found in setting.finditer(line):
                    old = before.get(found["name"])
                    if (
                        old is not None
                        and number not in file.new_code.comments
                        and _is_wider(old, found["value"], options)
                    ):
                        parts = {"NAME": found["name"], "OLD": old, "NEW": found["value"]}
                        yield Spot(file.path, number, number, parts)


def _is_wider(old: str, new: str, options: Mapping[str, Any]) -> bool:
    if not re.fullmatch(_NUMBER, old) or float(old.replace("_", "")) <= 0:
        return False
    if new in _ENDLESS:
        return True
    return bool(re.fullmatch(_NUMBER, new)) and float(new.replace("_", "")) >= options["factor"] * float(
        old.replace("_", "")
    )
