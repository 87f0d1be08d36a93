"""The summary of a workspace that stands at the head of every request: a bounded tree, manifests, the git branch."""

from __future__ import annotations

from collections import Counter
from pathlib import Path, PurePosixPath

from socreates_lsp.errors import SocreatesError
from socreates_lsp.workspace.files import list_files, repository_around
from socreates_lsp.workspace.languages import language_of
from socreates_lsp.workspace.reading import shown

_MANIFESTS = (
    "pyproject.toml", "setup.py", "package.json", "go.mod", "Cargo.toml", "pom.xml", "build.gradle",
    "build.gradle.kts", "composer.json", "CMakeLists.txt", "Makefile", "Gemfile", "Dockerfile",
)  # fmt: skip
_MOST_NAMES = 40
"""Sources of one folder that are named; what is no source is counted by kind."""


def summary_of_workspace(root: str, most: int) -> str:
    """At most ``most`` characters about a root. Reads the disk; what can't be read is left out."""
    folder = Path(root)
    try:
        files = [file.relative_to(folder).as_posix() for file in list_files(folder).files]
    except SocreatesError:
        files = []
    manifests = [name for name in _MANIFESTS if name in files]
    branch = _branch(folder)
    lines = [f"The workspace {shown(folder.name)}: {len(files):,} files."]
    lines += [f"On the git branch {shown(branch)}."] if branch else []
    lines += [f"Manifests: {', '.join(manifests)}."] if manifests else []
    return _bounded([*lines, *_tree(files)], most)


def _tree(files: list[str]) -> list[str]:
    """Every folder with its files, nearest first; a folder of many says how many there are of each kind."""
    folders: dict[str, list[str]] = {}
    for file in files:
        parent, _, name = file.rpartition("/")
        folders.setdefault(parent, []).append(name)
    ordered = sorted(folders, key=lambda folder: (folder.count("/") + bool(folder), folder))
    return [f"{shown(folder or '.')}/: {_names(folders[folder])}" for folder in ordered]


def _names(names: list[str]) -> str:
    """The sources by name, the rest by kind; by kind alone if there are too many."""
    sources = [name for name in names if language_of(name) is not None]
    sources = sources if len(sources) <= _MOST_NAMES else []
    known = set(sources)
    kinds = Counter(PurePosixPath(name).suffix or name for name in names if name not in known)
    counts = [shown(f"{count} {kind}" if count > 1 else kind) for kind, count in kinds.most_common(4)]
    return " ".join([*map(shown, sources), *([f"({', '.join(counts)})"] if counts else [])])


def _bounded(lines: list[str], most: int) -> str:
    kept: list[str] = []
    size = 0
    for number, line in enumerate(lines):
        size += len(line) + 1
        if size > most:
            kept.append(f"… {len(lines) - number} more folders")
            break
        kept.append(line)
    return "\n".join(kept)


def _branch(folder: Path) -> str | None:
    """The branch as ``.git/HEAD`` has it (gitrepository-layout(5)); None without one."""
    top = repository_around(folder)
    if top is None:
        return None
    git = top / ".git"
    try:
        if git.is_file():
            git = (top / git.read_text("utf-8", "replace").removeprefix("gitdir:").strip()).resolve()
        head = (git / "HEAD").read_text("utf-8", "replace")[:300].strip()
    except OSError:
        return None
    return head.removeprefix("ref: refs/heads/") if head.startswith("ref: ") else None
