"""Rules are data: one YAML file each under rules/, one question each. This module reads and checks them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import yaml

from socreates_lsp.errors import SocreatesError
from socreates_lsp.examiner.syntax import SYNTAX
from socreates_lsp.review.finding import Category, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.resources.abc import Traversable

_KEYS = frozenset(
    {
        "id", "languages", "category", "kind", "confidence", "find", "constraints", "utils", "detector",
        "where", "at", "ask", "why", "cases", "evidence", "grave",
    }
)  # fmt: skip


class RuleError(SocreatesError):
    """A rule file that breaks the form."""


@dataclass(frozen=True, slots=True)
class Cases:
    """Code in which the rule must fire, and code in which it must not."""

    match: tuple[str, ...]
    clean: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """One question. ``find`` is an ast-grep rule configuration (``rule``, ``constraints``, ``utils``).

    Exactly one of ``find`` and ``detector`` is given. ``where`` are predicates that must all hold; ``at`` names
    the captured part that is the place (the whole match when None); ``grave`` is the reason why a rule without
    evidence stays.
    """

    id: str
    languages: tuple[str, ...]
    category: Category
    kind: Kind
    confidence: float
    find: Mapping[str, Any] | None
    detector: str | None
    where: tuple[tuple[str, Any], ...]
    at: str | None
    ask: str
    why: str
    cases: Mapping[str, Cases]
    evidence: tuple[Mapping[str, Any], ...]
    grave: str | None


def _folder() -> Traversable:
    return resources.files("socreates_lsp.examiner") / "rules"


@cache
def rules_for(language: str) -> tuple[Rule, ...]:
    """The rules of a language, by id, without their cases and evidence, which no review needs.

    Only the files under its folder and ``any/`` are read: what reading YAML takes is what a first review waits for.
    """
    folders = (
        "any",
        "javascript" if language in {"typescript", "tsx"} else "c" if language == "cpp" else language,
    )
    names = (*folders, language) if language not in folders else folders
    found = [rule for name in names for rule in _read_folder(name, proof=False) if language in rule.languages]
    return tuple(sorted(found, key=lambda rule: rule.id))


def all_rules() -> tuple[Rule, ...]:
    """Every rule of the package with all that it holds, by id."""
    rules = {rule.id: rule for folder in _folder().iterdir() if folder.is_dir() for rule in _read_folder(folder.name)}
    return tuple(rules[name] for name in sorted(rules))


@cache
def _read_folder(name: str, *, proof: bool = True) -> tuple[Rule, ...]:
    folder = _folder() / name
    if not folder.is_dir():
        return ()
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".yaml")), key=lambda file: file.name)
    return tuple(read_rule(file.read_text("utf-8"), file.name, proof=proof) for file in files)


def read_rule(source: str, name: str, *, proof: bool = True) -> Rule:
    """Read one rule. Raises RuleError with the file's name and what is wrong with it.

    Without ``proof`` the file is read only to its ``cases``, which stand behind all that a review needs.
    """
    if not proof:
        source = source.partition("\ncases:")[0]
    data = yaml.load(source, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506  (both are safe)
    try:
        return _rule(data)
    except (KeyError, TypeError, ValueError) as error:
        raise RuleError(f"{name}: {error!r}") from error


def _rule(data: dict[str, Any]) -> Rule:
    if unknown := set(data) - _KEYS:
        raise ValueError(f"unknown keys {sorted(unknown)}")
    if ("find" in data) == ("detector" in data):
        raise ValueError("exactly one of find and detector is needed")
    languages = tuple(data["languages"])
    if unknown := set(languages) - set(SYNTAX):
        raise ValueError(f"unknown languages {sorted(unknown)}")
    find = None
    if "find" in data:
        find = {"rule": data["find"], **{key: data[key] for key in ("constraints", "utils") if key in data}}
    cases = data.get("cases", {"match": (), "clean": ()})
    by_language = cases if "match" not in cases else {languages[0]: cases}
    return Rule(
        id=data["id"],
        languages=languages,
        category=Category(data["category"]),
        kind=Kind(data["kind"]),
        confidence=float(data["confidence"]),
        find=find,
        detector=data.get("detector"),
        where=tuple(pair for entry in data.get("where", ()) for pair in entry.items()),
        at=data.get("at"),
        ask=" ".join(data["ask"].split()),
        why=" ".join(data["why"].split()),
        cases={name: Cases(tuple(one["match"]), tuple(one["clean"])) for name, one in by_language.items()},
        evidence=tuple(data.get("evidence", ())),
        grave=data.get("grave"),
    )
