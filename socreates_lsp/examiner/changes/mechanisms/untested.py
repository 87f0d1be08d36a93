"""The decisions of a function changed, and no test that names it changed with it."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.code import LANGUAGES, Code, words
from socreates_lsp.examiner.changes.project import is_test
from socreates_lsp.examiner.changes.spot import Spot
from socreates_lsp.examiner.hit import Place
from socreates_lsp.workspace.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.examiner.changes.changeset import Changeset
    from socreates_lsp.examiner.changes.file_change import FileChange
    from socreates_lsp.examiner.changes.functions import Function
    from socreates_lsp.examiner.changes.pairing import Pair

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
_SHORTEST_NAME = 4
_FEW_TESTS = 3
_MOST_LOOKED_AT = 20


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:
    """At most one question per file, about the function that changed most; nothing where there are no tests.

    Of functions that no test names at all, one is asked about per ``lines-each`` changed lines.
    """
    candidates = list(_candidates(changes))
    if not candidates or not any(is_test(path) for path in changes.project.paths()):
        return
    tests = [file for file in changes.files if file.is_test]
    named = words(" ".join(file.new.content + file.old.content for file in tests))
    modules = {_module(file.path) for file in tests}
    habits = _Habits(changes)
    lines = sum(len(file.added) + len(file.removed) for file in changes.sources)
    room = max(lines // options["lines-each"], 1)
    chosen: list[Spot] = []
    asked: set[str] = set()
    for _, file, pair in sorted(candidates, key=lambda entry: -entry[0])[:_MOST_LOOKED_AT]:
        if pair.new.called in asked or pair.new.called in named or _module(file.path) in modules or _tests_inside(file):
            continue
        related = habits.tests_that_name(pair.new)
        if not related:
            # A change as large as this has more functions that no test names than anybody reads about.
            if not room or not habits.are_by_name(file):
                continue
            room -= 1
        asked.add(pair.new.called)
        line = _first_change(pair)
        places = tuple(Place(path, n, n, options["note"]) for path, n in related[:_MOST_RELATED])
        chosen.append(Spot(file.path, line, line, {"FUNCTION": pair.new.called}, places))
    yield from sorted(chosen, key=lambda spot: spot.path)


class _Habits:
    """How the tests of this project go about it: whether they name functions, or only run the whole."""

    def __init__(self, changes: Changeset) -> None:
        self._changes = changes
        self._tests = [path for path in changes.project.paths() if is_test(path) and language_of(path) in LANGUAGES]

    def tests_that_name(self, function: Function) -> list[tuple[str, int]]:
        """The lines of tests that hold the function's name, if it is no word of everyday use."""
        if len(function.called) < _SHORTEST_NAME:
            return []
        tests = set(self._tests)
        return [(hit.path, hit.line) for hit in self._changes.project.find([function.called]) if hit.path in tests]

    def are_by_name(self, file: FileChange) -> bool:
        """Whether tests name most of the public functions of a file, or there are so few that they tell nothing."""
        if 0 < len(self._tests) <= _FEW_TESTS:
            return True
        public = {one.called for one in file.new_functions if not one.called.startswith("_")}
        if len(public) < _FEW_TESTS:
            return False
        tests = set(self._tests)
        hits = [hit for hit in self._changes.project.find(sorted(public)) if hit.path in tests]
        known = public & words(" ".join(hit.text for hit in hits))
        return len(known) * 2 >= len(public)


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
        if not _SAYS.match(line) and not line.startswith("#"):
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
