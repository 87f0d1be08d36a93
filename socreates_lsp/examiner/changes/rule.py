"""The questions about changes are data: one YAML file each under rules/. This module reads and checks them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import yaml

from socreates_lsp.examiner.rule import RuleError
from socreates_lsp.review.finding import Category, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

_KEYS = frozenset({"id", "category", "kind", "confidence", "mechanism", "with", "ask", "why", "cases"})


@dataclass(frozen=True, slots=True)
class Case:
    """A change in which the question must be asked, or must not: the files before and after."""

    name: str
    before: Mapping[str, str]
    after: Mapping[str, str]
    fires: bool
    at: str | None
    """What the line of the place holds, where the case says it (``path: part of the line``)."""


@dataclass(frozen=True, slots=True)
class ChangeRule:
    """One question. ``mechanism`` is a module of mechanisms/, ``options`` what it is told."""

    id: str
    category: Category
    kind: Kind
    confidence: float
    mechanism: str
    options: Mapping[str, Any]
    ask: str
    why: str
    cases: tuple[Case, ...]


@cache
def change_rules() -> tuple[ChangeRule, ...]:
    """All questions about changes, by id."""
    folder = resources.files("socreates_lsp.examiner.changes") / "rules"
    files = (file for file in folder.iterdir() if file.name.endswith(".yaml"))
    return tuple(sorted((read_change_rule(file.read_text("utf-8"), file.name) for file in files), key=_id))


def _id(rule: ChangeRule) -> str:
    return rule.id


def read_change_rule(source: str, name: str) -> ChangeRule:
    """Read one question. Raises RuleError with the file's name and what is wrong with it."""
    data = yaml.load(source, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506  (both are safe)
    try:
        return _rule(data)
    except (KeyError, TypeError, ValueError) as error:
        raise RuleError(f"{name}: {error!r}") from error


def _rule(data: dict[str, Any]) -> ChangeRule:
    if unknown := set(data) - _KEYS:
        raise ValueError(f"unknown keys {sorted(unknown)}")
    return ChangeRule(
        id=data["id"],
        category=Category(data["category"]),
        kind=Kind(data["kind"]),
        confidence=float(data["confidence"]),
        mechanism=data["mechanism"],
        options=data.get("with", {}),
        ask=" ".join(data["ask"].split()),
        why=" ".join(data["why"].split()),
        cases=tuple(_case(case) for case in data["cases"]),
    )


def _case(data: dict[str, Any]) -> Case:
    if unknown := set(data) - {"name", "before", "after", "fires", "at"}:
        raise ValueError(f"unknown keys {sorted(unknown)} in a case")
    return Case(data["name"], data["before"], data["after"], bool(data["fires"]), data.get("at"))
