"""Which files of a folder are not worth reading: ``.gitignore`` in plain Python, and folders that never are.

Used where neither rg nor git is there to tell. The rules of a pattern are those of gitignore(5).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

NEVER = frozenset(
    {
        ".git", ".hg", ".svn", ".bzr", ".jj", ".socreates", "node_modules", "bower_components", "__pycache__",
        ".venv", "venv", ".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".pytype", ".hypothesis",
        ".gradle", ".idea", ".next", ".nuxt", ".svelte-kit", ".parcel-cache", ".turbo", ".yarn", ".pnpm-store",
        ".terraform", ".cache", ".eggs", ".direnv", "site-packages", ".bundle", ".dart_tool", ".stack-work",
    }
)  # fmt: skip
"""Folders that are passed over whatever a .gitignore says: version control, dependencies, caches."""

BUILT = frozenset({"build", "dist", "target", "out", "coverage", "htmlcov", "_build", "obj", "DerivedData"})
"""Folders that mostly hold products of a build: passed over beside a manifest, where no version control tells."""

MANIFESTS = (
    "package.json", "pyproject.toml", "setup.py", "Cargo.toml", "pom.xml", "build.gradle", "build.gradle.kts",
    "CMakeLists.txt", "Makefile", "composer.json", "go.mod",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Pattern:
    regex: re.Pattern[str]
    negated: bool
    folders_only: bool


class Ignore:
    """The patterns of one ``.gitignore``, for paths relative to its folder with forward slashes."""

    def __init__(self, content: str) -> None:
        """Read the patterns; a line that is none is left out."""
        self._patterns = [pattern for line in content.splitlines() if (pattern := _pattern(line)) is not None]

    def verdict(self, path: str, *, folder: bool) -> bool | None:
        """True if the path is ignored, False if a ``!`` pattern takes it back, None if nothing is said."""
        for pattern in reversed(self._patterns):
            if (folder or not pattern.folders_only) and pattern.regex.fullmatch(path):
                return not pattern.negated
        return None


def ignored(chain: Sequence[tuple[str, Ignore]], path: str, *, folder: bool) -> bool:
    """Whether a path is ignored. ``chain`` has the ``.gitignore`` files around it, outermost first.

    Each comes with its folder as a prefix of ``path`` (empty, or ending in a slash). The innermost that says
    anything decides.
    """
    for prefix, ignore in reversed(chain):
        verdict = ignore.verdict(path.removeprefix(prefix), folder=folder)
        if verdict is not None:
            return verdict
    return False


def _pattern(line: str) -> _Pattern | None:
    line = re.sub(r"(?<!\\)\s+$", "", line)
    if not line or line.startswith("#"):
        return None
    negated = line.startswith("!")
    body = line[1:] if negated else line
    body = body.removeprefix("\\") if body[:2] in {"\\#", "\\!"} else body
    folders_only = body.endswith("/")
    body = body.rstrip("/")
    if not body:
        return None
    anchored = "/" in body
    body = body.removeprefix("/")
    try:
        regex = _regex(body if anchored else f"**/{body}")
    except re.error:
        return None
    return _Pattern(regex, negated, folders_only)


_TOKEN = re.compile(r"/\*\*/|/\*\*$|^\*\*/|\*+|\?|\[!?\]?[^\]]*\]|\\.|.", re.DOTALL)


@lru_cache(maxsize=4096)
def _regex(glob: str) -> re.Pattern[str]:
    return re.compile("".join(_token(part) for part in _TOKEN.findall(glob)), re.DOTALL)


def _token(part: str) -> str:
    if part == "/**/":
        return "/(?:.*/)?"
    if part == "/**":
        return "/.*"
    if part == "**/":
        return "(?:.*/)?"
    if part.startswith("*"):
        return "[^/]*"
    if part == "?":
        return "[^/]"
    if part.startswith("[") and len(part) > 2:
        body = part[1:-1].replace("\\", "\\\\")
        return f"(?!/)[{'^' + body[1:] if body.startswith('!') else body}]"
    return re.escape(part[-1])
