"""The section Commands: how it is tested, checked, built and run, and where that stands. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from socreates_lsp.survey.claims import Claim
from socreates_lsp.survey.facts import Command, Place, Purpose
from socreates_lsp.survey.markdown import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socreates_lsp.survey.facts import Facts, Manifest

_TITLES = {
    Purpose.TEST: "Test:",
    Purpose.LINT: "Check (style, types):",
    Purpose.BUILD: "Build:",
    Purpose.RUN: "Run:",
    Purpose.OTHER: "Other:",
}
_MOST = {Purpose.TEST: 14, Purpose.LINT: 14, Purpose.BUILD: 12, Purpose.RUN: 8, Purpose.OTHER: 10}
_MOST_OF_A_KIND_OF_JOB = 30


def commands(facts: Facts) -> list[Claim]:
    """All claims of the section."""
    found = [(one, manifest.folder) for manifest in facts.manifests for one in _called(manifest, facts)]
    found += [(one, "") for one in _usual(facts, {one.purpose for one, _ in found})]
    claims: list[Claim] = []
    for purpose, title in _TITLES.items():
        some = _each_once([(one, folder) for one, folder in found if one.purpose is purpose])
        if not some:
            continue
        claims.append(Claim(title, heading=True))
        claims += [_claim(one, folder) for one, folder in some[: _MOST[purpose]]]
        if len(some) > _MOST[purpose]:
            rest = some[_MOST[purpose] :]
            claims.append(Claim(f"and {len(rest)} more", tuple(one.place for one, _ in rest[:2])))
    claims += _ci(facts)
    return claims or [Claim("No script, Makefile or CI file names a command.", (Place("./"),))]


def _each_once(found: list[tuple[Command, str]]) -> list[tuple[Command, str]]:
    """The commands, those of manifests before those of CI; what several jobs run once, and several packages too."""
    ordered = sorted(found, key=lambda one: (bool(one[0].job), one[1].count("/") + bool(one[1])))
    seen: dict[tuple[str, str], tuple[Command, str]] = {}
    for one, folder in ordered:
        seen.setdefault((one.call, one.runs), (one, folder))
    return list(seen.values())


def _claim(one: Command, folder: str) -> Claim:
    runs = f" runs {words(one.runs, 160)}" if one.runs else ""
    where = f", in {words(folder + '/')}" if folder and not one.job else ""
    job = f", in CI (job {words(one.job, 60)})" if one.job else ""
    return Claim(f"{words(one.call, 160)}{runs}{where}{job}", (one.place,), inferred=one.place.line is None)


def _called(manifest: Manifest, facts: Facts) -> Iterator[Command]:
    """The commands of a manifest, with the program that is used here in the place of npm."""
    program = _npm(facts) if manifest.kind == "npm" else ""
    for one in manifest.commands[:_MOST_OF_A_KIND_OF_JOB]:
        if program and program != "npm":
            call = one.call.removeprefix("npm ").removeprefix("run ")
            yield Command(
                f"{program} {call}" if program in {"yarn", "pnpm"} else f"{program} run {call}",
                one.runs,
                one.purpose,
                one.place,
                one.job,
            )
        else:
            yield one


def _npm(facts: Facts) -> str:
    names = {path.rpartition("/")[2] for path in facts.locks}
    by_lock = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun"}
    found = Counter(by_lock[name] for name in names if name in by_lock)
    return "npm" if "package-lock.json" in names or not found else found.most_common(1)[0][0]


def _usual(facts: Facts, told: set[Purpose]) -> Iterator[Command]:
    """What is usual where nothing says it: the place tells why, and names no line."""
    if Purpose.TEST in told or not facts.tests:
        return
    kinds = {one.kind: one.path for one in reversed(facts.manifests)}
    for kind, call in (
        ("Go", "go test ./..."),
        ("Cargo", "cargo test"),
        ("Maven", "mvn test"),
        ("Gradle", "gradle test"),
    ):
        if kind in kinds:
            yield Command(call, "", Purpose.TEST, Place(kinds[kind]))
    configured = next((path for path in ("phpunit.xml", "phpunit.xml.dist") if path in facts.paths), None)
    if configured:
        yield Command("vendor/bin/phpunit", "", Purpose.TEST, Place(configured))


def _ci(facts: Facts) -> Iterator[Claim]:
    if not facts.ci:
        return
    yield Claim("CI:", heading=True)
    read = {one.path: one for one in facts.manifests}
    for path in facts.ci[:12]:
        manifest = read.get(path)
        if manifest is None or manifest.problem:
            yield Claim(f"{words(path)}, which was not read", (Place(path),))
            continue
        jobs = [one for one in manifest.facts if one.key == "job"]
        triggers = [one for one in manifest.facts if one.key == "trigger"]
        on = f" on {', '.join(words(one.value, 30) for one in triggers[:5])}" if triggers else ""
        named = ", ".join(words(one.value, 40) for one in jobs[:8]) + (
            f" and {len(jobs) - 8} more" if len(jobs) > 8 else ""
        )
        places = tuple(one.place for one in (*triggers[:1], *jobs[:2])) or (Place(path),)
        yield Claim(f"{words(path)}{on}: jobs {named}" if jobs else f"{words(path)}{on}", places)
    if len(facts.ci) > 12:
        yield Claim(f"and {len(facts.ci) - 12} more files", (Place(facts.ci[12]),))
