"""Asks all questions about a change. Pure: a changeset in, hits out."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.changeset import Changeset
from socreates_lsp.examiner.changes.file_change import FileChange
from socreates_lsp.examiner.changes.project import TextProject
from socreates_lsp.examiner.changes.rule import change_rules
from socreates_lsp.examiner.hit import Hit
from socreates_lsp.workspace.difference import hunks_between
from socreates_lsp.workspace.git import ChangedFile, Status, renamed
from socreates_lsp.workspace.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from socreates_lsp.examiner.changes.project import Project
    from socreates_lsp.examiner.changes.rule import ChangeRule
    from socreates_lsp.examiner.changes.spot import Spot


@cache
def _mechanism(name: str) -> Callable[[Changeset, Mapping[str, Any]], Iterator[Spot]]:
    return import_module(f"socreates_lsp.examiner.changes.mechanisms.{name.replace('-', '_')}").detect


def examine(changes: Changeset) -> Iterator[Hit]:
    """Every question that a change gives reason to ask, each place and rule once."""
    for rule in change_rules():
        yield from hits_of(changes, rule)


def hits_of(changes: Changeset, rule: ChangeRule) -> Iterator[Hit]:
    """The hits of one rule."""
    seen: set[tuple[str, int]] = set()
    for spot in _mechanism(rule.mechanism)(changes, rule.options):
        if (spot.path, spot.first) not in seen:
            seen.add((spot.path, spot.first))
            yield _hit(changes, rule, spot)


def _hit(changes: Changeset, rule: ChangeRule, spot: Spot) -> Hit:
    around = changes.function_at(spot.path, spot.first)
    return Hit(
        rule=rule.id,
        category=rule.category,
        kind=rule.kind,
        confidence=rule.confidence,
        message=spot.phrase(rule.ask),
        why=rule.why,
        path=spot.path,
        first=spot.first,
        last=spot.last,
        function=None if around is None else (around.first, around.last),
        related=spot.related,
    )


def between(before: Mapping[str, str], after: Mapping[str, str]) -> Changeset:
    """The change between two sets of texts by path, as it is for a project that holds nothing else."""
    changed = [
        _changed(path, before.get(path), after.get(path))
        for path in sorted({*before, *after})
        if before.get(path) != after.get(path)
    ]
    return changeset(tuple(renamed(changed)), TextProject(after))


def changeset(changed: Sequence[ChangedFile], project: Project) -> Changeset:
    """The changed files as the mechanisms see them."""
    files = [file for file in changed if file.reason is None]
    return Changeset(
        tuple(FileChange(file.path, file.old, file.new, old_path=file.old_path) for file in files),
        project,
        tuple(file.reason for file in changed if file.reason is not None),
    )


def _changed(path: str, before: str | None, after: str | None) -> ChangedFile:
    old, new = (None if content is None else Text(content) for content in (before, after))
    status = Status.DELETED if new is None else Status.ADDED if old is None else Status.MODIFIED
    return ChangedFile(path, None, status, hunks=hunks_between(old, new), old=old, new=new)
