"""The section Dependencies: what each manifest asks for, lock files, documentation at hand. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.review.counting import counted
from socreates_lsp.survey.claims import Claim, span_of
from socreates_lsp.survey.facts import Place
from socreates_lsp.survey.manifests import LOCKS
from socreates_lsp.survey.markdown import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from socreates_lsp.survey.facts import Dependency, Facts, Manifest

_MOST_IN_FULL, _MOST_BRIEF = 6, 24
"""Manifests whose dependencies are listed, and those that get a line."""
_MOST_LISTED, _MOST_NAMED = 20, 15
_MOST_DOCUMENTS = 20


def dependencies(facts: Facts) -> list[Claim]:
    """All claims of the section."""
    asking = [one for one in facts.manifests if one.dependencies]
    in_full = asking[:_MOST_IN_FULL]
    claims = [claim for one in in_full for claim in _of_manifest(one)]
    brief = asking[_MOST_IN_FULL:]
    claims += [Claim("Other manifests:", heading=True)] if brief else []
    claims += [_in_brief(one) for one in brief[:_MOST_BRIEF]]
    if len(brief) > _MOST_BRIEF:
        rest = brief[_MOST_BRIEF:]
        claims.append(Claim(f"and {counted(len(rest), 'more manifest')}", tuple(Place(one.path) for one in rest[:2])))
    if not asking:
        where = tuple(Place(one.path) for one in facts.manifests[:2]) or (Place("./"),)
        claims.append(Claim("No manifest asks for anything.", where))
    return [*claims, *_locks(facts), *_documents(facts)]


def _of_manifest(manifest: Manifest) -> Iterator[Claim]:
    runtime = [one for one in manifest.dependencies if not one.dev]
    dev = [one for one in manifest.dependencies if one.dev]
    yield Claim(f"{words(manifest.path)} ({manifest.kind}):", heading=True)
    for one in runtime[:_MOST_LISTED]:
        yield Claim(f"{words(one.name, 80)} {_version(one)}", (one.place,))
    if len(runtime) > _MOST_LISTED:
        rest = runtime[_MOST_LISTED:]
        yield Claim(f"and {len(rest)} more: {_named(rest)}", span_of([one.place for one in rest]))
    if not runtime and dev:
        yield Claim("nothing to run it", (Place(manifest.path),))
    if dev:
        yield Claim(f"{len(dev)} for development: {_named(dev)}", span_of([one.place for one in dev]))


def _version(one: Dependency) -> str:
    version = words(one.version, 40) if one.version else ""
    if one.local:
        return f"{version} of this repository".strip()
    return version or ("in a version that is set elsewhere" if one.managed else "in any version")


def _named(some: Sequence[Dependency]) -> str:
    named = ", ".join(
        f"{words(one.name, 60)}{' ' + words(one.version, 30) if one.version else ''}" for one in some[:_MOST_NAMED]
    )
    return named + (f" and {len(some) - _MOST_NAMED} more" if len(some) > _MOST_NAMED else "")


def _in_brief(manifest: Manifest) -> Claim:
    runtime = sum(not one.dev for one in manifest.dependencies)
    local = sum(one.local for one in manifest.dependencies)
    says = f"{runtime} to run, {len(manifest.dependencies) - runtime} for development"
    own = f", {local} of them of this repository" if local else ""
    return Claim(
        f"{words(manifest.path)} ({manifest.kind}): {says}{own}", span_of([one.place for one in manifest.dependencies])
    )


def _locks(facts: Facts) -> Iterator[Claim]:
    if facts.locks:
        yield Claim("Lock files:", heading=True)
    for path in facts.locks[:_MOST_BRIEF]:
        yield Claim(f"{words(path)} ({LOCKS[path.rpartition('/')[2]]})", (Place(path),))
    if len(facts.locks) > _MOST_BRIEF:
        yield Claim(f"and {len(facts.locks) - _MOST_BRIEF} more", (Place(facts.locks[_MOST_BRIEF]),))


def _documents(facts: Facts) -> Iterator[Claim]:
    if not facts.documents:
        return
    yield Claim("Documentation of packages, at hand in `vendor/`:", heading=True)
    for one in facts.documents[:_MOST_DOCUMENTS]:
        headings = one.headings[:3]
        if not headings:
            yield Claim(words(one.package, 80), (Place(one.path),), origin="docs")
            continue
        about = ", ".join(words(heading.value, 60) for heading in headings)
        places = tuple(Place(f"{one.path}#{heading.key}", quote=heading.value) for heading in headings)
        yield Claim(f"{words(one.package, 80)}: {about}", places, origin="docs")
    if len(facts.documents) > _MOST_DOCUMENTS:
        rest = facts.documents[_MOST_DOCUMENTS:]
        yield Claim(f"and {counted(len(rest), 'more page')}", (Place(rest[0].path),), origin="docs")
