"""Runs the rules of a language over one parsed file. Pure: a file in, matches out."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.match import Match
from socreates_lsp.examiner.parsed import key
from socreates_lsp.examiner.predicates.imports import imported
from socreates_lsp.examiner.predicates.mentions import mentioned
from socreates_lsp.examiner.predicates.words import has_word
from socreates_lsp.examiner.rule import rules_for

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ast_grep_py import SgNode

    from socreates_lsp.examiner.parsed import ParsedFile
    from socreates_lsp.examiner.rule import Rule

_ASKED_ONCE: dict[str, Callable[[ParsedFile, Any], bool]] = {
    "imports": imported,
    "mentions": mentioned,
    "words": has_word,
}


@cache
def _predicate(name: str) -> Callable[[ParsedFile, Match, Any], bool]:
    return import_module(f"socreates_lsp.examiner.predicates.{name.replace('-', '_')}").holds


@cache
def _detector(name: str) -> Callable[[ParsedFile], Iterator[Match]]:
    return import_module(f"socreates_lsp.examiner.detectors.{name.replace('-', '_')}").detect


def holds(file: ParsedFile, match: Match, where: Iterable[tuple[str, Any]]) -> bool:
    """Whether every predicate holds. A predicate raises KeyError for a part that the rule never captures."""
    return all(_predicate(name)(file, match, argument) for name, argument in where)


def matches(file: ParsedFile, rule: Rule) -> Iterator[Match]:
    """The places where a rule fires, in the order of the text, each place once."""
    if not _relevant(file, rule):
        return
    where = [entry for entry in rule.where if entry[0] not in _ASKED_ONCE]
    seen: set[tuple[int, int, str]] = set()
    for match in _candidates(file, rule):
        place = key(_place(match, rule))
        if place not in seen and holds(file, match, where):
            seen.add(place)
            yield match


def examine(file: ParsedFile) -> Iterator[tuple[Rule, Match, SgNode]]:
    """Every match of every rule of the file's language, with the node that is the place."""
    for rule in rules_for(file.language):
        for match in matches(file, rule):
            yield rule, match, _place(match, rule)


def _relevant(file: ParsedFile, rule: Rule) -> bool:
    """Whether the file has the imports and the words that the rule is about: most files do not."""
    return all(_ASKED_ONCE[name](file, argument) for name, argument in rule.where if name in _ASKED_ONCE)


def _candidates(file: ParsedFile, rule: Rule) -> Iterable[Match]:
    if rule.detector is not None:
        return _detector(rule.detector)(file)
    config: Any = rule.find
    return map(Match, file.root.find_all(config))


def _place(match: Match, rule: Rule) -> SgNode:
    return (match.get(rule.at) if rule.at else None) or match.node
