"""The section Risks: what can be read off the files. Only what a reader would act on; the rest is no risk. Pure."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from socreates_lsp.review.counting import counted
from socreates_lsp.survey.claims import Claim
from socreates_lsp.survey.facts import Place
from socreates_lsp.survey.languages import is_code
from socreates_lsp.survey.manifests import LOCKS
from socreates_lsp.survey.markdown import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socreates_lsp.survey.facts import Dependency, Facts, Manifest, Warned

_MOST_UNBOUND, _MOST_SPLIT, _MOST_OF_FILES, _MOST_HITS = 10, 8, 16, 10
_MAJOR = re.compile(r"(?<![\w.])v?(0\.\d+|[1-9]\d*)(?:\.[\dx*]+)*")
_LOCKED = frozenset({"Composer", "npm", "Python", "Cargo", "Go"})
"""Kinds that have a lock file of their own; requirement files are one if they name exact versions."""


def risks(facts: Facts) -> list[Claim]:
    """All claims of the section."""
    claims = [
        *_broken(facts),
        *_secrets(facts),
        *_without_lock(facts),
        *_without_tests(facts),
        *_without_ci(facts),
        *_unbound(facts),
        *_split_versions(facts),
        *_of_files(facts),
        *_missing_folders(facts),
        *_large(facts),
        *_asked(facts),
        *_notes(facts),
    ]
    return claims or [Claim("Nothing of what can be read off the files stands out.", (Place("./"),))]


def _broken(facts: Facts) -> Iterator[Claim]:
    for one in facts.manifests:
        if one.problem:
            place = Place(one.path, one.problem_line)
            yield Claim(f"{words(one.path)} could not be read: {one.problem}", (place,))
    if facts.unread:
        yield Claim(f"{counted(facts.unread, 'more manifest')} deeper in the tree were not read", (Place("./"),))


def _secrets(facts: Facts) -> Iterator[Claim]:
    for path in facts.secrets[:_MOST_OF_FILES]:
        yield Claim(f"{words(path)} is named like a secret, and git tracks it", (Place(path),), private=True)
    if len(facts.secrets) > _MOST_OF_FILES:
        rest = len(facts.secrets) - _MOST_OF_FILES
        yield Claim(
            f"and {rest} more that are named like secrets", (Place(facts.secrets[_MOST_OF_FILES]),), private=True
        )


def _without_lock(facts: Facts) -> Iterator[Claim]:
    locks = {(path.rpartition("/")[0], LOCKS[path.rpartition("/")[2]]) for path in facts.locks}
    ignored = {(path.rpartition("/")[0], LOCKS[path.rpartition("/")[2]]): path for path in facts.untracked_locks}
    for one in facts.manifests:
        outside = [it for it in one.dependencies if not it.local]
        if one.kind not in _LOCKED or one.library or not outside or _has_lock(one, locks):
            continue
        path = ignored.get((one.folder, one.kind))
        if path is not None:
            yield Claim(
                f"the lock file {words(path)} is ignored: each checkout resolves {words(one.path)} anew",
                (Place(one.path),),
            )
        else:
            yield Claim(
                f"no lock file for {words(one.path)}: two installs may get different versions", (Place(one.path),)
            )


def _has_lock(manifest: Manifest, locks: set[tuple[str, str]]) -> bool:
    """Whether there is a lock file beside a manifest or in a folder around it."""
    parts = manifest.folder.split("/") if manifest.folder else []
    around = ["/".join(parts[:end]) for end in range(len(parts), -1, -1)]
    return any((folder, manifest.kind) in locks for folder in around)


def _without_tests(facts: Facts) -> Iterator[Claim]:
    code = sum(count for language, count in facts.tree.languages.items() if is_code(language))
    if code and not facts.tests:
        yield Claim(f"no tests: none of {counted(code, 'source')} is named like one", (Place("./"),))


def _without_ci(facts: Facts) -> Iterator[Claim]:
    if facts.tree.files and not facts.ci:
        yield Claim(
            "no CI: there is no file of GitHub Actions, GitLab CI, or another one that is known", (Place("./"),)
        )


def _unbound(facts: Facts) -> Iterator[Claim]:
    locked = {(path.rpartition("/")[0], LOCKS[path.rpartition("/")[2]]) for path in facts.locks}
    found = [
        (manifest, one)
        for manifest in facts.manifests
        for one in manifest.dependencies
        if not one.bound and not (manifest.kind in {"pip", "Python"} and (one.dev or _has_lock(manifest, locked)))
    ]
    for _, one in found[:_MOST_UNBOUND]:
        wanted = f"as {words(one.version, 40)}" if one.version.strip() else "in any version"
        yield Claim(
            f"{words(one.name, 80)} is asked for {wanted}: nothing keeps an update from the next major version",
            (one.place,),
        )
    if len(found) > _MOST_UNBOUND:
        rest = [one for _, one in found[_MOST_UNBOUND:]]
        yield Claim(f"and {len(rest)} more without a bound", tuple(one.place for one in rest[:3]))


def _split_versions(facts: Facts) -> Iterator[Claim]:
    """What several parts of one repository ask for in different versions."""
    wanted: dict[tuple[str, str], list[Dependency]] = {}
    for manifest in facts.manifests:
        for one in manifest.dependencies:
            if not one.local and one.version and manifest.kind in {"npm", "Composer", "Cargo"}:
                wanted.setdefault((manifest.kind, one.name), []).append(one)
    split = [(name, asked) for (_, name), asked in wanted.items() if _apart(asked)]
    for name, asked in sorted(split, key=lambda one: (-len({it.version for it in one[1]}), one[0]))[:_MOST_SPLIT]:
        versions = {one.version: one.place for one in reversed(asked)}
        told = " and ".join(words(version, 30) for version in list(versions)[:3])
        rest = f" and {len(versions) - 3} more" if len(versions) > 3 else ""
        yield Claim(
            f"{words(name, 80)} is asked for as {told}{rest} within this repository", tuple(versions.values())[:3]
        )
    if len(split) > _MOST_SPLIT:
        yield Claim(f"and {len(split) - _MOST_SPLIT} more in several versions", (split[-1][1][0].place,))


def _apart(asked: list[Dependency]) -> bool:
    """Whether no single version would do for all, by the numbers that tell what fits what (semver.org)."""
    allowed = [frozenset(_MAJOR.findall(one.version)) for one in asked]
    return any(one and other and not one & other for one, other in pairwise(sorted(allowed, key=sorted)))


def _of_files(facts: Facts) -> Iterator[Claim]:
    found = [(manifest, one) for manifest in facts.manifests for one in manifest.risks]
    alike: dict[tuple[str, tuple[str, ...]], list[tuple[Manifest, Warned]]] = {}
    for manifest, one in found:
        alike.setdefault((one.sentence, one.words), []).append((manifest, one))
    for (sentence, named), places in list(alike.items())[:_MOST_OF_FILES]:
        said = sentence.format(*(words(word, 80) for word in named))
        again = f", in {len(places)} places" if len(places) > 1 else ""
        yield Claim(f"{words(places[0][0].path)}: {said}{again}", tuple(one.place for _, one in places))
    if len(alike) > _MOST_OF_FILES:
        more = list(alike.values())[_MOST_OF_FILES:]
        yield Claim(f"and {len(more)} more of this kind", tuple(one[0][1].place for one in more[:2]))


def _missing_folders(facts: Facts) -> Iterator[Claim]:
    for manifest in facts.manifests:
        for one in manifest.mappings:
            folder = "/".join(filter(None, (manifest.folder, one.folder)))
            if folder and not any(path.startswith(f"{folder}/") or path == folder for path in facts.paths):
                yield Claim(
                    f"{words(one.prefix)} is mapped to {words(folder + '/')}, where there are no files", (one.place,)
                )


def _large(facts: Facts) -> Iterator[Claim]:
    for one in facts.large:
        yield Claim(f"{words(one.place.path)} has {one.what}", (one.place,))


def _asked(facts: Facts) -> Iterator[Claim]:
    done = facts.examination
    if done is None or not done.examined:
        return
    whole = "" if done.examined == done.sources else f" of {done.sources:,}"
    late = ", as far as it came in the time there is" if done.unfinished else ""
    head = f"The examiner asks {counted(done.questions, 'question')} of {done.examined:,}{whole} sources{late}"
    yield Claim(
        f"{head}:" if done.hits else f"{head}.", (Place("./"),) if not done.hits else (), heading=bool(done.hits)
    )
    for one in done.hits[:_MOST_HITS]:
        rules = ", ".join(f"{rule} {count}" if count > 1 else rule for rule, count in one.rules[:4])
        rest = f" and {len(one.rules) - 4} more rules" if len(one.rules) > 4 else ""
        total = sum(count for _, count in one.rules)
        yield Claim(f"{words(one.path)}: {total} ({rules}{rest})", (one.place,))


def _notes(facts: Facts) -> Iterator[Claim]:
    for note in facts.notes:
        yield Claim(words(note, 300), (Place("./"),))
