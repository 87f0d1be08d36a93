"""Does each rule fire where its evidence says? By hand: it installs every package named, some hundred megabytes.

    python -m tests.benchmarks.check_evidence [--rule ID] [--keep FOLDER]

A rule's evidence names registry, package, version, path and line of code by others. The package is fetched in that
version (Debian: in the version of the archive at hand, if the named one is gone), nothing of it is run, and the rule
has to fire at that line. Exit code 1 if one does not.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

from socreates_lsp.examiner.engine import matches
from socreates_lsp.examiner.parsed import ParsedFile
from socreates_lsp.examiner.rule import Rule, all_rules
from socreates_lsp.workspace.files import read_text
from socreates_lsp.workspace.languages import language_of


def run(*command: str, cwd: Path) -> None:
    """Run a package client; its complaint is the error."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise RuntimeError((done.stderr or done.stdout).strip().splitlines()[-1:])


def fetch_pypi(package: str, version: str, into: Path) -> Path:
    """The wheel as installed; the source where there is no wheel."""
    try:
        run(*PIP, "--only-binary", ":all:", "--dest", str(into), f"{package}=={version}", cwd=into)
    except RuntimeError:
        return fetch_pypi_source(package, version, into)
    for wheel in into.glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(into)
    return into


def fetch_pypi_source(package: str, version: str, into: Path) -> Path:
    """The unpacked source, which holds more than a wheel."""
    run(*PIP, "--no-binary", ":all:", "--dest", str(into), f"{package}=={version}", cwd=into)
    unpack(into)
    return into


def fetch_npm(package: str, version: str, into: Path) -> Path:
    """What ``npm install`` would put into node_modules."""
    run("npm", "pack", "--silent", f"{package}@{version}", cwd=into)
    unpack(into)
    return into / "package"


def fetch_debian(package: str, version: str, into: Path) -> Path:
    """The files of a Debian package."""
    try:
        run("apt-get", "download", f"{package}={version}", cwd=into)
    except RuntimeError:
        run("apt-get", "download", package, cwd=into)
    for archive in into.glob("*.deb"):
        run("dpkg", "-x", str(archive), str(into), cwd=into)
    return into


def unpack(folder: Path) -> None:
    """Unpack the archives in a folder."""
    for archive in [*folder.glob("*.tgz"), *folder.glob("*.tar.gz")]:
        with tarfile.open(archive) as opened:
            opened.extractall(folder, filter="data")


PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "download", "--no-deps")
FETCH = {"pypi": fetch_pypi, "npm": fetch_npm, "debian": fetch_debian}


def find(folder: Path, path: str) -> Path | None:
    """A file of the package; an unpacked source archive has a folder of its own on top."""
    relative = path.lstrip("/")
    candidates = [folder / relative, *folder.glob(f"*/{relative}")]
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def fires(rule: Rule, file: Path, line: int) -> list[int]:
    """The lines (from 1) where the rule fires, if the wanted one is not among them; else nothing."""
    text = read_text(file)
    language = language_of(file.name, text.line(0)) or ""
    if language not in rule.languages and language == "c" and "cpp" in rule.languages:
        language = "cpp"
    parsed = ParsedFile(file.name, language, text)
    spans = []
    for match in matches(parsed, rule):
        node = (match.get(rule.at) if rule.at else None) or match.node
        spans.append(parsed.range_of(node))
    return [] if any(line - 1 in span.lines for span in spans) else [span.start.line + 1 for span in spans] or [0]


def check(rule: Rule, place: dict[str, Any], folder: Path) -> str | None:
    """What is wrong with one piece of evidence."""
    file = find(folder, str(place["path"]))
    if file is None and place["registry"] == "pypi":
        fetch_pypi_source(str(place["package"]), str(place["version"]), folder)
        file = find(folder, str(place["path"]))
    if file is None:
        return "the file is not in the package"
    found = fires(rule, file, int(place["line"]))
    return f"it fires at {found} instead" if found else None


def main() -> int:
    """Check and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rule")
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    base = options.keep or Path(tempfile.mkdtemp())

    @cache
    def fetched(registry: str, package: str, version: str) -> Path:
        into = base / registry / f"{package.replace('/', '+')}-{version}"
        into.mkdir(parents=True, exist_ok=True)
        return FETCH[registry](package, version, into)

    wrong = checked = 0
    for rule in all_rules():
        if options.rule and rule.id != options.rule:
            continue
        if not rule.evidence:
            print(f"-     {rule.id}: kept without evidence: {rule.grave}")
        for place in map(dict, rule.evidence):
            checked += 1
            try:
                folder = fetched(place["registry"], str(place["package"]), str(place["version"]))
                fault = check(rule, place, folder)
            except (RuntimeError, OSError) as error:
                fault = f"it could not be fetched: {error}"
            wrong += fault is not None
            where = f"{place['package']} {place['version']} {place['path']}:{place['line']}"
            print(f"{'WRONG' if fault else 'ok   '} {rule.id}: {where}{': ' + fault if fault else ''}")
    print(f"{checked - wrong} of {checked} references hold")
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
