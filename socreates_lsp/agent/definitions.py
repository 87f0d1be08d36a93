"""Whether a line of some language defines a function of a name, rather than calls it; and languages that mix. Pure."""

from __future__ import annotations

import re

from socreates_lsp.workspace.languages import language_of

_FAMILIES = (
    frozenset({"javascript", "typescript", "tsx", "html"}),
    frozenset({"c", "cpp", "objective-c"}),
    frozenset({"java", "kotlin", "scala"}),
)
_NO_PROGRAM = frozenset(
    {"json", "yaml", "toml", "ini", "xml", "css", "markdown", "rst", "text", "latex", "make", "dockerfile", "cmake"}
)
_TYPED = frozenset({"c", "cpp", "objective-c", "java", "csharp", "dart", "solidity", "proto"})
_BY_SHAPE = frozenset({"javascript", "typescript", "tsx", "html", "bash", "c", "cpp", "java", "csharp", "dart"})
_BOUND = frozenset({"ocaml", "fsharp", "haskell"})

_LONGEST = 500
"""Characters of a line that are looked at."""

_BY_WORD = (
    r"\b(?:def|defp|fn|func|fun|function|sub|class|struct|interface|trait|enum|type|module|object|record)\s+"
    r"(?:\([^)]*\)\s*|<[^<>]*>\s*)?(?:[\w.:<>?]+[.:])?&?{name}(?!\w)"
)
_ASSIGNED = (
    r"(?<!\w){name}['\"]?\s*(?::[^=;]{{0,100}})?[=:]\s*(?:async\s*)?"
    r"(?:function\b|lambda\b|\([^()]*\)\s*(?::[^=;]{{0,100}})?=>|\w+\s*=>)"
)
_NO_TYPE = (
    r"(?!(?:return|new|await|else|throw|throws|yield|case|in|not|and|or|do|goto|delete|typeof|if|while|for|assert|co_\w+)"
    r"\b)"
)
_AFTER_TYPE = (
    rf"\s*(?:@\w+(?:\([^)]*\))?\s+){{{{0,4}}}}{_NO_TYPE}[\w<](?:[\w\s<>,\[\]?*&]|::)*(?:[\s*&>]|::)~?{{name}}\s*\("
)
_WITH_BODY = (
    r"\s*(?:(?:async|static|public|private|protected|override|get|set|readonly|export|default|abstract)\s+)*\*?#?"
    r"(?:\w+::)?{name}\s*(?:<[^()]*>)?\((?:[^()]|\([^()]*\))*\)\s*(?::[^={{}}]*)?\{{"
)
_AT_MARGIN = r"{name}\s*\([^;]*$"
_LET = r"\s*(?:let|and)\s+(?:rec\s+|inline\s+)?{name}\b|{name}\s*::"
_OBJECTIVE = r"\s*[-+]\s*\([^)]*\)\s*{name}\b"


def defines(text: str, name: str, language: str | None) -> bool:
    """Whether a line defines a function, or a class, of this name."""
    line = text[:_LONGEST]

    def fits(pattern: str, *, anywhere: bool = False) -> bool:
        compiled = re.compile(pattern.format(name=re.escape(name)))
        return (compiled.search(line) if anywhere else compiled.match(line)) is not None

    return (
        fits(_BY_WORD, anywhere=True)
        or fits(_ASSIGNED, anywhere=True)
        or (language in _TYPED and fits(_AFTER_TYPE))
        or (language in _BY_SHAPE and fits(_WITH_BODY))
        or (language in {"c", "cpp"} and fits(_AT_MARGIN))
        or (language in _BOUND and fits(_LET))
        or (language == "objective-c" and fits(_OBJECTIVE))
    )


def strangeness(path: str, own: str) -> int:
    """How far the language of a file is from that of another: 0 for one family, 1 for no program, 2 for another."""
    one, other = language_of(path), language_of(own)
    if one == other or any(one in family and other in family for family in _FAMILIES):
        return 0
    return 1 if one is None or other is None or one in _NO_PROGRAM or other in _NO_PROGRAM else 2


_NAMELESS = frozenset({"__init__", "__main__", "index", "mod", "lib", "init"})


def module_of(path: str) -> str:
    """The word by which other files take in a file, from its path with forward slashes; empty if there is none."""
    *folders, name = path.split("/")
    stem = name.partition(".")[0]
    if stem in _NAMELESS:
        stem = folders[-1] if folders else ""
    return stem if re.fullmatch(r"[\w$-]{2,}", stem) else ""
