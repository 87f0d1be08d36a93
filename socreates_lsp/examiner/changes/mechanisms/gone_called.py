"""A function is gone or has another name, and somebody still calls or imports it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.mechanisms.signature_changed import places
from socreates_lsp.examiner.changes.spot import Spot

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.examiner.changes.changeset import Changeset
    from socreates_lsp.examiner.changes.file_change import FileChange
    from socreates_lsp.examiner.changes.functions import Function


_NO_TYPES = "return|new|await|else|throw|in|case|yield|not|and|or|if|while|do|of|typeof|delete|raise|assert|print|elif"
"""Words that stand before a call, where in front of a definition there would be a type."""


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:
    """Ask at the first caller that was not changed; the others are related."""
    renamed = [(pair.before, pair.old) for pair in changes.pairs if pair.old.called != pair.new.called]
    asked: set[str] = set()
    for file, function in (*changes.gone, *renamed):
        name = function.called
        overrides = any("override" in mark.lower() for mark in (*function.decorators, function.signature))
        if name in asked or file.is_test or overrides or _is_still_known(changes, file, function):
            continue
        sites = changes.callers.unchanged(file, function, certain=True)
        if sites:
            asked.add(name)
            first = sites[0]
            parts = {"FUNCTION": name, "FILE": file.path.rpartition("/")[2]}
            yield Spot(first.path, first.line, first.line, parts, places(sites[1:], options["note"]))


def _is_still_known(changes: Changeset, file: FileChange, function: Function) -> bool:
    """Whether the name still stands for something: defined anywhere, set, imported, or asked for by text."""
    name = function.called
    if name.startswith("__") or changes.callers.is_defined(name):
        return True
    word = re.escape(name)
    if function.is_constructor:
        # A class without its constructor is still a class.
        still = re.compile(rf"\b(?:class|struct|interface|object|enum|type|record|trait)\s+{word}\b")
        return any(still.search(text) for text in _now(changes, name))
    still = re.compile(
        rf"(?<![\w.$]){word}\s*(?::[^=(]*)?=(?!=)|['\"]{word}['\"]|#\s*define\s+{word}\b"
        rf"|\b(?:attr_\w+|define_method|alias\w*|macro_rules!)\s*[(:]?\s*:?{word}\b"
        rf"|\b(?:def|fun|func|function|fn|class|struct|sub|macro|type|interface|const|let|var)\s+{word}\b"
    )
    typed = re.compile(rf"(?<![.\w])(?!(?:{_NO_TYPES})\b)[\w>\]?*&]+\s+[*&]*{word}\s*(?:<[^>]*>)?\(")
    if any(still.search(text) for text in _now(changes, name)) or typed.search(file.new_code.content):
        return True
    return not file.deleted and _is_imported(file.new.content, name)


def _now(changes: Changeset, name: str) -> Iterator[str]:
    for path, line in changes.callers.mentions(name):
        code = changes.code(path)
        if code is not None:
            yield code.raw(line)


def _is_imported(content: str, name: str) -> bool:
    word = rf"\b{re.escape(name)}\b"
    return bool(re.search(rf"\b(?:import|from|require|use|include)\b[^;]{{0,400}}?{word}", content))
