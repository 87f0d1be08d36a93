"""Who calls the functions that changed: found by search, kept where the call can only mean this function. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from socreates_lsp.examiner.changes.code import LANGUAGES, matching_bracket
from socreates_lsp.examiner.changes.project import is_side
from socreates_lsp.examiner.changes.signature import Argument, call_arguments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from socreates_lsp.examiner.changes.changeset import Changeset
    from socreates_lsp.examiner.changes.code import Code
    from socreates_lsp.examiner.changes.file_change import FileChange
    from socreates_lsp.examiner.changes.functions import Function

_SAID_BY_MANY = frozenset(
    {
        "get", "set", "add", "put", "pop", "run", "call", "open", "close", "read", "write", "send", "start", "stop",
        "update", "delete", "remove", "insert", "append", "push", "find", "filter", "map", "load", "save", "next",
        "init", "reset", "clear", "copy", "execute", "apply", "join", "split", "format", "encode", "decode", "build",
        "create", "make", "parse", "render", "handle", "process", "connect", "test", "print", "log", "main", "new",
        "from", "of", "to_s", "toString", "equals", "items", "keys", "values", "index", "count", "sort", "list",
        "plus", "minus", "times",
        "compare", "invoke", "accept", "size", "contains", "flush", "show", "hide", "clone",
    }
)  # fmt: skip
"""Names of methods that so many classes have that a call of one tells nothing of whose it is."""

_SEVERAL_WORDS = re.compile(r"[a-z0-9][A-Z]|[A-Za-z0-9]_[A-Za-z]")
_OWN = frozenset({"self", "this", "cls", "super", "Self", "static", "$this"})
_IMPLICIT_SELF = frozenset({"java", "csharp", "kotlin", "swift", "ruby", "cpp", "scala", "dart"})
_DECLARED = frozenset({"c", "cpp", "objective-c", "java", "csharp"})
_MUST_IMPORT = frozenset({"python", "javascript", "typescript", "tsx"})
_DEFINES = re.compile(
    r"\b(?:def|defp|fun|func|function|fn|sub|class|interface|struct|trait|proc|macro_rules!)\s+(?:\([^)]*\)\s*)?[\w.:]*$"
)
_BOUND = re.compile(r"\s*(?::[^=]*)?=\s*(?:async\b|function\b|\(|\w+\s*=>|lambda\b)")


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call. ``receiver`` is what stands before the dot, ``arguments`` None where they can't be read."""

    path: str
    line: int
    last: int
    receiver: str
    arguments: tuple[Argument, ...] | None
    before: str
    """The code of the line up to the call, receiver left out."""
    after: str
    """The code that follows the closing bracket on its line."""


def callers_of(changes: Changeset) -> Callers:
    """The callers of all functions whose first lines or returns changed, and of those that are gone."""
    from socreates_lsp.examiner.changes.returns import shapes

    names = {function.called for _, function in changes.gone}
    for pair in changes.pairs:
        old, new = pair.old, pair.new
        if (
            (old.signature, old.called) != (new.signature, new.called)
            or pair.moved
            or shapes(pair.old_returns) != shapes(pair.new_returns)
        ):
            names |= {old.called, new.called}
    return Callers(changes, names)


class Callers:
    """All calls of some names, and what is known of each name."""

    def __init__(self, changes: Changeset, names: Iterable[str]) -> None:
        """Search for the names, all in one pass."""
        self._changes = changes
        wanted = sorted({name for name in names if re.fullmatch(r"[A-Za-z_$][\w$]*[?!]?", name)})
        self._lines: dict[str, list[tuple[str, int]]] = {name: [] for name in wanted}
        hits = changes.project.find(wanted)
        for hit in hits:
            for word in set(re.findall(r"[A-Za-z_$][\w$]*[?!]?", hit.text)) | set(re.findall(r"\w+", hit.text)):
                if word in self._lines:
                    self._lines[word].append((hit.path, hit.line))
        self._definitions: dict[str, set[tuple[str, int]]] = {}

    def calls(self, file: FileChange, function: Function, *, certain: bool = False) -> Iterator[CallSite]:
        """The calls that mean this function of this file, wherever they are; its own definition is none.

        A method called on an object of unknown kind counts if its name is not a common one; with ``certain`` only
        if the name or the object tells whose it is.
        """
        name = function.called
        crowded = self._is_crowded(file, function)
        for path, line in self._lines.get(name, ()):
            code = self._changes.code(path)
            if code is None or line >= len(code.lines) or not _counts(code, path, file):
                continue
            if (path, line) in self._defined(name):
                continue
            for site in _sites(code, path, line, name):
                if not _is_declared(site, code.language) and self._means(
                    site, code, file, function, crowded=crowded, certain=certain
                ):
                    yield site

    def unchanged(self, file: FileChange, function: Function, *, certain: bool = False) -> list[CallSite]:
        """The calls none of whose lines this change touched; else as ``calls``."""
        calls = self.calls(file, function, certain=certain)
        return [
            site
            for site in calls
            if not any(self._changes.is_added(site.path, line) for line in range(site.line, site.last + 1))
        ]

    def mentions(self, name: str) -> list[tuple[str, int]]:
        """The lines (path, line) that hold the name at all."""
        return self._lines.get(name, [])

    def is_defined(self, name: str) -> bool:
        """Whether something of this name is defined anywhere."""
        return bool(self._defined(name))

    def _defined(self, name: str) -> set[tuple[str, int]]:
        if name not in self._definitions:
            self._definitions[name] = set(self._find_definitions(name))
        return self._definitions[name]

    def _find_definitions(self, name: str) -> Iterator[tuple[str, int]]:
        for path, line in self._lines.get(name, ()):
            code = self._changes.code(path)
            if code is None or line >= len(code.lines):
                continue
            text = code.lines[line]
            for found in re.finditer(rf"(?<![\w$]){re.escape(name)}(?![\w$])", text):
                by_word = _DEFINES.search(text[: found.start()]) or _BOUND.match(text[found.end() :])
                if by_word or (_may_define(code.language, text, found) and self._is_head(path, line, name)):
                    yield path, line

    def _is_head(self, path: str, line: int, name: str) -> bool:
        return any(one.name == name and one.first <= line <= one.head for one in self._changes.functions(path))

    def _is_crowded(self, file: FileChange, function: Function) -> bool:
        """Whether others have the same name, so that only a call by the owner itself is certain."""
        name = function.called
        own = {file.path}
        others = {path for path, _ in self._defined(name) if path not in own and not is_side(path)}
        same_file = sum(1 for one in file.new_functions if one.name == function.name and one.owner != function.owner)
        return bool(others) or same_file > 0 or (bool(function.owner) and name in _SAID_BY_MANY)

    def _means(
        self, site: CallSite, code: Code, file: FileChange, function: Function, *, crowded: bool, certain: bool
    ) -> bool:
        here = site.path == file.path
        receiver = re.split(r"\.|->|::", site.receiver)[-1] if site.receiver else ""
        if function.is_constructor and function.owner:
            return receiver not in _OWN and (here or not crowded or _imports(code, function.owner, file))
        if not function.owner:
            if receiver:
                return receiver in _modules(file) and receiver not in _OWN
            if here:
                return True
            if crowded or code.language in _MUST_IMPORT:
                return _imports(code, function.name, file)
            return code.language != "go" or PurePosixPath(site.path).parent == PurePosixPath(file.path).parent
        if not receiver:
            nested = any(one.name == function.owner for one in file.new_functions)
            return here and (nested or code.language in _IMPLICIT_SELF)
        if receiver in _OWN or receiver.startswith("super"):
            around = self._changes.function_at(site.path, site.line)
            return here and (around is None or around.owner in {function.owner, ""} or not crowded)
        if receiver == function.owner or _is_of(receiver, function.owner, code):
            return True
        # A name of several words tells whose it is where the object doesn't.
        return not crowded and (not certain or bool(_SEVERAL_WORDS.search(function.name)))


def _counts(code: Code, path: str, file: FileChange) -> bool:
    return code.language in LANGUAGES and not is_side(path) and _related(code.language, file.language)


def _is_of(receiver: str, owner: str, code: Code) -> bool:
    """Whether a variable holds an object of a class: by its name, or by what the file says of it."""
    plain = receiver.strip("_$").replace("_", "").lower()
    if len(plain) > 2 and owner.lower().endswith(plain):
        return True
    variable, kind = re.escape(receiver), re.escape(owner)
    said = (
        rf"(?<!\w){variable}\s*(?::\s*&?(?:mut\s+)?{kind}\b|:?=\s*(?:await\s+)?(?:new\s+)?&?(?:\w+(?:\.|::))*{kind}\b)"
    )
    return bool(re.search(rf"{said}|\b{kind}[\s*&]+{variable}\b", code.content))


def _is_declared(site: CallSite, language: str | None) -> bool:
    """Whether a line only says that the function exists, as a header does."""
    if (
        language not in _DECLARED
        or site.receiver
        or not site.after.strip().startswith((";", "__", "const", "noexcept"))
    ):
        return False
    return bool(re.match(r"\s*(?!return\b|throw\b|new\b|else\b|delete\b)[A-Za-z_][\w\s:<>,]*[\s*&]+$", site.before))


def _related(one: str | None, other: str | None) -> bool:
    families = ({"javascript", "typescript", "tsx", "html"}, {"c", "cpp", "objective-c"}, {"java", "kotlin", "scala"})
    return one == other or any(one in family and other in family for family in families)


def _may_define(language: str | None, text: str, found: re.Match[str]) -> bool:
    return text[found.end() : found.end() + 1] in {"(", " ", "<"} and language not in {"python", "ruby", "go"}


def _sites(code: Code, path: str, line: int, name: str) -> Iterator[CallSite]:
    text = code.lines[line]
    for found in re.finditer(rf"(?<![\w$]){re.escape(name)}(?=\s*(?:\(|<[\w ,.<>]*>\(|::<))", text):
        offset = code.starts[line] + found.end()
        head = text[: found.start()]
        owner = re.search(r"(?P<owner>[\w$]+(?:\([^()]*\))?(?:\?|!)?)\s*(?:\.|->|::)\s*$", head)
        receiver = ""
        if owner is not None:
            receiver = re.sub(r"\(.*|[?!]$", "", owner["owner"])
        elif re.search(r"(?:\.|->|::)\s*$", head):
            receiver = "?"
        given = call_arguments(code.content, code.text.content, offset, code.language)
        before = head[: owner.start()] if owner is not None else head
        start = code.content.find("(", offset)
        end = matching_bracket(code.content, start) if start >= 0 else None
        rest = "" if end is None else code.content[end + 1 : end + 120].partition("\n")[0]
        last = line if end is None else line + code.content.count("\n", offset, end)
        yield CallSite(path, line, last, receiver, given, before, rest)


def _modules(file: FileChange) -> set[str]:
    path = PurePosixPath(file.path)
    stem = path.stem.partition(".")[0]
    found = (
        {path.parent.name} if stem in {"index", "mod", "lib", "__init__", "main"} or file.language == "go" else {stem}
    )
    return {name.replace("-", "_") for name in found} | {_camel(name) for name in found} | found


def _camel(name: str) -> str:
    head, *rest = re.split(r"[-_]", name)
    return head + "".join(part.capitalize() for part in rest)


def _imports(code: Code, name: str, file: FileChange) -> bool:
    """Whether a file imports the name from the module or its package, as far as the text tells."""
    text, path = code.text.content, PurePosixPath(file.path)
    homes = {path.name.partition(".")[0], *path.parent.parts} - {"src", "lib"}
    word = rf"\b{re.escape(name)}\b"
    found = (
        *re.finditer(rf"\bfrom\s+(?P<home>[\w.]+)\s+import\s*(?:\([^)]*|[^\n]*?){word}", text),
        *re.finditer(rf"\b(?:import|export)\b[^;'\"]*{word}[^;'\"]*\bfrom\s*['\"](?P<home>[^'\"]+)['\"]", text),
        *re.finditer(rf"{word}[^;=]*=\s*require\(\s*['\"](?P<home>[^'\"]+)['\"]", text),
    )
    if any(not last or last in homes for last in (_last_part(one["home"]) for one in found)):
        return True
    return code.language not in _MUST_IMPORT and bool(re.search(rf"\b(?:use|import)\s+[^;\n]*{word}", text))


def _last_part(home: str) -> str:
    """The last name of a module's path, without an ending: ``list`` of ``a.b.list`` and ``./b/list.js``."""
    if "/" in home:
        return re.sub(r"\.(?:[cm]?[jt]sx?|vue|svelte)$", "", home).rstrip("/").rpartition("/")[2].strip(".")
    return home.rpartition(".")[2]
