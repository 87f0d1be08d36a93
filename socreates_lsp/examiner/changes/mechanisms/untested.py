"""The behaviour of a function changed, and no test that names it changed with it."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.code import Code, words
from socreates_lsp.examiner.changes.project import is_test
from socreates_lsp.examiner.changes.spot import Spot
from socreates_lsp.examiner.hit import Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.examiner.changes.changeset import Changeset, FileChange, Pair
    from socreates_lsp.examiner.changes.functions import Function

_TOKEN = re.compile(r"[A-Za-z_$][\w$]*|\d[\w.]*|[^\w\s]+")
_SAYS = re.compile(
    r"^\s*(?:\w+\.)*(?:log\w*|debug|info|warn\w*|print\w*|console|fmt|puts|echo|System\.out|trace)\b|^\s*(?:import|from|use|include)\b",
    re.IGNORECASE,
)
_DECIDES = re.compile(
    r"\b(?:if|elif|else|unless|switch|match|when|guard|case|while|until|for|return|raise|throw|and|or|not|in|break|continue)\b"
    r"|[<>!=]=|[<>+*/%^~-]|&&|\|\||\?"
)
_MOST_RELATED = 3


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:
    """At most one question per file, about the function that changed most. Nothing where there are no tests."""
    candidates = list(_candidates(changes))
    if not candidates or not any(is_test(path) for path in changes.project.paths()):
        return
    touched = " ".join(file.new.content + file.old.content for file in changes.files if file.is_test)
    tested = words(touched)
    files = {_module(file.path) for file in changes.files if file.is_test}
    for file, pair in candidates:
        if pair.new.called in tested or _module(file.path) in files or _tests_inside(file):
            continue
        line = _first_change(pair)
        named = _tests_that_name(changes, pair.new)
        parts = {"FUNCTION": pair.new.name}
        yield Spot(
            file.path, line, line, parts, tuple(Place(p, n, n, options["note"]) for p, n in named[:_MOST_RELATED])
        )


def _candidates(changes: Changeset) -> Iterator[tuple[FileChange, Pair]]:
    for file in changes.sources:
        pairs = [pair for pair in changes.pairs if pair.after is file and _behaves_otherwise(pair)]
        if pairs:
            yield file, max(pairs, key=lambda pair: len(_telling(pair)))


def _behaves_otherwise(pair: Pair) -> bool:
    """Whether more than names, messages and types changed."""
    if pair.moved or pair.new.name.startswith("test") or not _telling(pair):
        return False
    return _spelled(pair.before.old_code, pair.old) != _spelled(pair.after.new_code, pair.new)


def _telling(pair: Pair) -> list[int]:
    code = pair.after.new_code
    own = [line for line in pair.added if line > pair.new.head or pair.new.first == pair.new.last]
    return [line for line in own if _DECIDES.search(code.lines[line]) and not _SAYS.match(code.lines[line])]


def _spelled(code: Code, function: Function) -> list[str]:
    """The tokens of a function, its identifiers numbered by first use: a renaming changes nothing."""
    numbers: dict[str, int] = {}
    tokens: list[str] = []
    for line in range(function.head, function.last + 1):
        if _SAYS.match(code.lines[line]):
            continue
        for token in _TOKEN.findall(squeezed_keeping_words(code.lines[line])):
            known = token[:1].isalpha() or token[:1] in "_$"
            tokens.append(f"n{numbers.setdefault(token, len(numbers))}" if known else token)
    return tokens


def squeezed_keeping_words(line: str) -> str:
    """The code of a line with strings emptied."""
    return re.sub(r"(['\"`])·*\1", '""', line)


def _first_change(pair: Pair) -> int:
    telling = _telling(pair)
    return telling[0] if telling else pair.new.first


def _module(path: str) -> str:
    """The name of a file without what makes it a test: ``parser`` for ``test_parser.py`` and ``parser.spec.ts``."""
    stem = PurePosixPath(path).name.partition(".")[0]
    return re.sub(r"^(?:test|spec)_|[_-](?:test|tests|spec|specs)$|(?:Tests?|Spec|IT)$", "", stem).lower()


def _tests_inside(file: FileChange) -> bool:
    """Whether the file has tests of its own that changed (Rust's ``mod tests``)."""
    return file.language == "rust" and any(
        function.owner == "tests" or "test" in " ".join(function.decorators)
        for function in file.new_functions
        if not file.added.isdisjoint(range(function.begin, function.last + 1))
    )


def _tests_that_name(changes: Changeset, function: Function) -> list[tuple[str, int]]:
    if len(function.called) < 4:
        return []
    hits = changes.project.find([function.called])
    return [
        (hit.path, hit.line) for hit in hits if is_test(hit.path) and not hit.path.endswith((".md", ".txt", ".json"))
    ]
