"""A file is gone, and somebody still imports it."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.changes.code import LANGUAGES
from socreates_lsp.examiner.changes.spot import MOST_RELATED, Spot
from socreates_lsp.examiner.hit import Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.examiner.changes.changeset import Changeset
    from socreates_lsp.examiner.changes.file_change import FileChange

_QUOTED = re.compile(
    r"(?:\bfrom\s+|\bimport\s*\(?\s*|\brequire(?:_relative|_once)?\s*\(?\s*|\binclude(?:_once)?\s*\(?\s*|^\s*#\s*include\s*|"
    r"^\s*(?:source|\.)\s+)(?:__DIR__\s*\.\s*)?['\"](?P<target>[^'\"]+)['\"]"
)
_DOTTED = re.compile(
    r"^\s*(?:from\s+(?P<from>\.*[\w.]*)\s+import\s+(?P<names>.+)|import\s+(?:static\s+)?(?P<import>[\w., ]+))"
)
_ENDINGS = (
    "",
    ".py",
    ".js",
    ".ts",
    ".tsx",
    ".jsx",
    ".mjs",
    ".cjs",
    ".d.ts",
    ".rb",
    ".php",
    ".h",
    ".json",
    ".vue",
    ".svelte",
)
_BY_SEARCH_PATH = frozenset({"c", "cpp", "objective-c"})
"""Languages that look for a file in folders that the build names."""

_INDEXES = ("/index.js", "/index.ts", "/index.tsx", "/__init__.py", "/index.jsx", "/index.mjs")


def detect(changes: Changeset, options: Mapping[str, Any]) -> Iterator[Spot]:
    """Ask at the first import that was not changed; the others are related."""
    gone = [file for file in changes.files if file.deleted or file.old_path != file.path]
    gone = [file for file in gone if file.language in LANGUAGES]
    if not gone:
        return
    present = frozenset(changes.project.paths())
    lines = changes.project.find(sorted({_name(file.old_path) for file in gone}))
    for file in gone:
        importers = [
            (hit.path, hit.line)
            for hit in lines
            if hit.path != file.path
            and not changes.is_added(hit.path, hit.line)
            and _reaches(hit.path, hit.text, file, present)
        ]
        if importers:
            (path, line), *others = importers
            related = tuple(Place(p, n, n, options["note"]) for p, n in others[:MOST_RELATED])
            yield Spot(path, line, line, {"FILE": file.old_path}, related)


def _name(path: str) -> str:
    """The word that every import of a file holds: its name, or its folder's for an index file."""
    pure = PurePosixPath(path)
    stem = pure.name.partition(".")[0]
    return pure.parent.name if stem in {"index", "__init__", "mod"} and pure.parent.name else stem


def _reaches(importer: str, text: str, file: FileChange, present: frozenset[str]) -> bool:
    """Whether a line imports the file that is gone, and nothing else is found in its place."""
    folder = posixpath.dirname(importer)
    quoted = _QUOTED.search(text)
    if quoted is not None:
        target = quoted["target"]
        if not target.startswith(".") and not text.lstrip().startswith(("#", ".", "source", "require_relative")):
            return False
        base = posixpath.normpath(posixpath.join(folder, target))
        if file.language in _BY_SEARCH_PATH and any(
            path.endswith(f"/{posixpath.basename(target)}") for path in present
        ):
            return False
        return _is_file(base, file.old_path) and not _stems(present) & {
            base,
            re.sub(r"\.\w+$", "", base),
            f"{base}/index",
        }
    if file.language == "python" and importer.endswith((".py", ".pyi")):
        return any(_is_module(name, file.old_path) and not _is_found(name, present) for name in _modules(text, folder))
    if file.language in {"java", "kotlin", "scala"}:
        found = re.match(r"\s*import\s+(?:static\s+)?([\w.]+)", text)
        tail = "/" + found[1].replace(".", "/") if found is not None else ""
        bare = PurePosixPath(file.old_path).with_suffix("").as_posix()
        return bool(tail) and bare.endswith(tail) and not any(stem.endswith(tail) for stem in _stems(present))
    if file.language == "rust":
        stem = PurePosixPath(file.old_path).stem
        home = posixpath.dirname(file.old_path)
        return bool(re.match(rf"\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+{re.escape(stem)}\s*;", text)) and folder in {
            home,
            posixpath.dirname(home),
        }
    return False


@lru_cache(maxsize=2)
def _stems(present: frozenset[str]) -> frozenset[str]:
    """The paths without any ending."""
    return frozenset(re.sub(r"(?<=[^/])\.[^/]*$", "", path) for path in present) | present


def _is_file(base: str, path: str) -> bool:
    return any(base + ending == path for ending in (*_ENDINGS, *_INDEXES)) or re.sub(r"\.jsx?$", ".ts", base) == path


def _modules(text: str, folder: str) -> Iterator[str]:
    """The modules that a line of Python imports, as paths without ending; absolute ones start with a slash."""
    found = _DOTTED.match(text)
    if found is None:
        return
    if found["import"]:
        for part in found["import"].split(","):
            yield "/" + part.split(" as ")[0].strip().split(" ")[0].replace(".", "/")
        return
    source = found["from"]
    dots = len(source) - len(source.lstrip("."))
    base = "/" + source.replace(".", "/")
    if dots:
        up = posixpath.normpath(posixpath.join(folder, *[".."] * (dots - 1))) if folder else ""
        tail = source.lstrip(".").replace(".", "/")
        base = posixpath.normpath(posixpath.join(up, tail)) if tail else up
    if source.strip("."):
        yield base
    for part in re.sub(r"[()\\#].*|[()]", "", found["names"]).split(","):
        name = part.split(" as ")[0].strip()
        if re.fullmatch(r"\w+", name):
            yield posixpath.join(base, name)


def _is_module(name: str, path: str) -> bool:
    bare = re.sub(r"(?:/__init__)?\.pyi?$", "", path)
    if name.startswith("/") and name.count("/") == 1:
        # A single name is found at the top, not in a package that has a module of the same name.
        return bare in {name[1:], f"src{name}", f"lib{name}", f"python{name}"}
    return ("/" + bare).endswith(name) if name.startswith("/") else bare == name


def _is_found(name: str, present: frozenset[str]) -> bool:
    tails = (f"{name}.py", f"{name}/__init__.py", f"{name}.pyi")
    if name.startswith("/"):
        return any(("/" + path).endswith(tails) for path in present)
    return any(tail in present for tail in tails)
