"""The decisions of a function changed, and no test that names it changed with it."""

from __future__ import annotations

import re
from collections import Counter
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

_SAYS = re.compile(
    r"^\s*(?:\w+\.)*(?:log\w*|debug|info|warn\w*|print\w*|console|fmt|puts|echo|System\.out|trace)\b|^\s*(?:import|from|use|include)\b",
    re.IGNORECASE,
)
_TYPES = re.compile(r"<[\w\s,.\[\]|&?:]*>|->[^:{]*|=>|(?<=\w)\s*:\s*[\w.\[\], |]+(?==[^=])")
_DECISION = re.compile(
    r"\b(?:if|elif|else|elsif|for|foreach|while|until|unless|switch|case|match|when|guard|return|raise|throw|break|"
    r"continue|and|or|not|in|is|yield|await|true|false|True|False|nil|null|None)\b"
    r"|(?<![\w.])\d[\w.]*|[<>=!]==?|&&|\|\||\?\?|\?|[<>+*/%^~-]=?|!"
)
_MOST_RELATED = 3


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:
    """At most one question per file, about the function that changed most, and one per ``lines-each`` changed lines.

    Nothing where there are no tests.
    """
    candidates = list(_candidates(changes))
    if not candidates or not any(is_test(path) for path in changes.project.paths()):
        return
    tests = [file for file in changes.files if file.is_test]
    named = words(" ".join(file.new.content + file.old.content for file in tests))
    modules = {_module(file.path) for file in tests}
    untested = [
        (weight, file, pair)
        for weight, file, pair in candidates
        if pair.new.called not in named and _module(file.path) not in modules and not _tests_inside(file)
    ]
    # One question for so many changed lines, and one at least: a large change has more untested than anybody reads.
    lines = sum(len(file.added) + len(file.removed) for file in changes.sources)
    chosen = sorted(untested, key=lambda entry: -entry[0])[: max(1, lines // options["lines-each"])]
    for _, file, pair in sorted(chosen, key=lambda entry: entry[1].path):
        line = _first_change(pair)
        related = [Place(path, n, n, options["note"]) for path, n in _tests_that_name(changes, pair.new)]
        yield Spot(file.path, line, line, {"FUNCTION": pair.new.called}, tuple(related[:_MOST_RELATED]))


def _candidates(changes: Changeset) -> Iterator[tuple[int, FileChange, Pair]]:
    """The function of each file whose decisions changed most, with how much they did."""
    for file in changes.sources:
        weighed = [(_weight(pair), pair) for pair in changes.pairs if pair.after is file and _is_named_in_tests(pair)]
        weight, pair = max(weighed, key=lambda entry: entry[0], default=(0, None))
        if pair is not None and weight:
            yield weight, file, pair


def _is_named_in_tests(pair: Pair) -> bool:
    """Whether a test would name it: not what is private or inside of another function, or only moved."""
    name = pair.new.name
    nested = any(one.name == pair.new.owner for one in pair.after.new_functions)
    if pair.new.first == pair.new.last and re.search(r"\)[^{=>]*;\s*$", pair.after.new_code.lines[pair.new.last]):
        return False  # declared, not written here
    return not pair.moved and not nested and (pair.new.is_constructor or not name.startswith("_"))


def _weight(pair: Pair) -> int:
    """How many decisions (conditions, operators, numbers, returns) are others than before; names don't count."""
    before, after = _decisions(pair.before.old_code, pair.old), _decisions(pair.after.new_code, pair.new)
    return ((before - after) + (after - before)).total() if _changed_lines(pair) else 0


def _decisions(code: Code, function: Function) -> Counter[str]:
    found: Counter[str] = Counter()
    start = function.head if function.last == function.head else function.head + 1
    for line in code.lines[start : function.last + 1]:
        if not _SAYS.match(line):
            found.update(_DECISION.findall(_TYPES.sub(" ", line)))
    return found


def _changed_lines(pair: Pair) -> list[int]:
    code = pair.after.new_code
    own = [line for line in pair.added if line > pair.new.head or pair.new.first == pair.new.last]
    return [line for line in own if _DECISION.search(code.lines[line]) and not _SAYS.match(code.lines[line])]


def _first_change(pair: Pair) -> int:
    changed = _changed_lines(pair)
    return changed[0] if changed else pair.new.first


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
    return [(hit.path, hit.line) for hit in hits if is_test(hit.path) and changes.code(hit.path) is not None]
