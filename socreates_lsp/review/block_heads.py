"""What a brace opens, told by the code before it: a function, a class, or something else. Pure.

The code has neither comments nor strings, and blanks inside its brackets.
"""

from __future__ import annotations

import re

from socreates_lsp.review.block import Kind

SCRIPTS = frozenset({"javascript", "typescript", "tsx", "html"})
C_LIKE = frozenset({"c", "cpp", "objective-c"})
SECTIONED = frozenset({"hcl", "css", "proto", "graphql", "nix", "json"})
"""Languages whose outermost braces are sections."""

BY_SHAPE = SCRIPTS | C_LIKE | {"java", "csharp", "dart", "bash"}
"""Languages in which a function needs no word before its name."""

TERMINATED = C_LIKE | {"java", "csharp", "php", "dart", "rust", "solidity"}
"""Languages whose statements end in a semicolon or a brace: what comes behind one belongs to the next block."""

_WORD = re.compile(
    r"\b(?P<word>fn|func|fun|function|def|sub)\b[ \t]*\*?\s*(?:<[^{}]*?>\s*)?(?:\(\s*\)\s*)?&?(?:[\w<>?*]+\.)?"
    r"(?P<name>[\w$]+(?:::[\w$]+)*)?"
)
_SPECIAL = re.compile(r"\b(?P<name>init|deinit|constructor|subscript|fallback|receive)\b[?!]?[ \t]*(?:\(|\Z)")
_NAMED = re.compile(r"(?P<name>#?[\w$]+)['\"]?\]?\s*(?::[^=:(,;\n]*)?[=:]\s*(?:async\s+)?(?:<[^<>]*>\s*)?\Z")
_TYPE = r"(?::(?:[^;{},<>=\n]|<[^;<>]*(?:<[^;<>]*>[^;<>]*)*>|=>)*?)?"
_ARROW = re.compile(
    rf"(?P<name>#?[\w$]+)[ \t]*\??{_TYPE}[=:](?!>)\s*(?:async\s*)?(?:<[^;]*?>\s*)?(?:\(\s*\)|[\w$]+)\s*{_TYPE}=>\s*\Z"
)
_CLASS = re.compile(
    r"\b(?P<word>class|struct|interface|trait|impl|enum|union|namespace|object|protocol|extension|record|contract|"
    r"library|mod|actor|package|role|extern)\b\s*(?:<(?:[^<>]|<[^<>]*>)*>\s*)?(?P<name>[\w$.:]+)?"
)
_IMPL_FOR = re.compile(r"\bfor\s+([\w:]+)")
_GO_TYPE = re.compile(r"\btype\s+(?P<name>\w+)(?:\[[^\]]*\])?\s+(?:struct|interface)\s*\Z")
_ASSIGNED_TYPE = re.compile(r"\b(?P<name>\w+)\s*=\s*(?:extern |packed )?(?:struct|enum|union)\b[^=]*\Z")
_TEMPLATE = re.compile(r"\btemplate\s*<(?:[^<>;{}]|<(?:[^<>;{}]|<[^<>;{}]*>)*>)*>")
_PLAIN = re.compile(r"[\w\s@()]*\Z")
_METHOD = re.compile(r"[-+]\s*\(\s*\)\s*(?P<name>\w+)")
_NO_FUNCTION = re.compile(r"\.\s*\Z|(?:\bnew|\breturn|=|\bclass|\brecord|\bstruct|\benum|\binterface)\s*[\w<>.,:\s]*\Z")
"""What stands before a name that is called, or is that of a class."""
_TYPED = re.compile(r"\b(?:struct|enum|class)\s+\w+[\s*&]*\Z")
_OPERATOR = r"operator\s*(?:\(\s*\)|[^\s\w(]+|[\w:*& ]+)"
_SHAPE = re.compile(rf"(?P<name>{_OPERATOR}|~?#?[\w$-]+(?:\s*<[^<>()]*>)?)[ \t]*\r?\n?[ \t]*\(\s*\)")
_TAIL = re.compile(
    r"\s*(?:(?:const|noexcept|override|final|mutable|volatile|try|async\*?|sync\*?|[A-Z_][A-Z_0-9]+|__[a-z]\w*)\b\*?"
    r"(?:\s*\(\s*\))?\s*|&&?\s*|throw\s*\(\s*\)\s*|throws\b[\w.,\s<>@]*\Z|->[^;]*|:(?!:)[^;]*|(?:where|requires)\b[^;]*"
    r"|\[\[\s*\]\]\s*)*\Z"
)
_CONTROL = frozenset(
    {
        "if", "for", "while", "switch", "catch", "return", "else", "do", "try", "synchronized", "foreach", "await",
        "function", "sizeof", "typeof", "case", "super", "this", "throw", "new", "constexpr", "decltype", "alignas",
        "__attribute__", "__declspec",
    }
)  # fmt: skip
_CONTROL_OF = {
    "csharp": frozenset({"using", "lock", "fixed", "when", "checked", "unchecked"}),
    "javascript": frozenset({"with"}),
}
UNFINISHED = re.compile(r"(?:[<|&:,=?]|\bextends|\bkeyof|\bis)\s*\Z")


def told_by(bare: str, language: str) -> tuple[str, Kind, int] | None:
    """The name and kind of what a header opens, and where in the header it starts."""
    if not bare or (language in SCRIPTS and not bare.endswith("=>") and UNFINISHED.search(bare)):
        return None
    if language == "go" and re.search(r"\b(?:interface|struct)\s*\Z", bare):
        return _class(bare, language)
    if language == "cpp" and "template" in bare:
        bare = _TEMPLATE.sub(lambda found: " " * len(found[0]), bare)
    by_word = _by_word(bare, language)
    if by_word is not None and not re.match(r"\s*fun\s+interface\b", bare[by_word.start() :]):
        name = _word_name(by_word, language)
        if name is None:
            named = _NAMED.search(bare, 0, by_word.start())
            return None if named is None else (named["name"], Kind.FUNCTION, named.start())
        return (name.rpartition("::")[2], Kind.FUNCTION, by_word.start())
    if language in SCRIPTS and bare.endswith("=>"):
        arrow = _ARROW.search(bare)
        return None if arrow is None or not arrow["name"] else (arrow["name"], Kind.FUNCTION, arrow.start())
    if language in {"swift", "kotlin", "solidity"}:
        special = _SPECIAL.search(bare)
        if special is not None:
            return special["name"], Kind.FUNCTION, special.start()
    shaped = _shaped(bare, language) if language in BY_SHAPE else None
    return shaped or _class(bare, language)


def _by_word(bare: str, language: str) -> re.Match[str] | None:
    """The word that starts a function. Where nothing ends statements, there may be others before the header's own."""
    words = [one for one in _WORD.finditer(bare) if _is_word(one["word"], language)]
    if language not in TERMINATED:
        for one in reversed(words):
            if _word_name(one, language) and _PLAIN.match(bare[: one.start()].rpartition("\n")[2]):
                return one
    return words[0] if words else None


def _word_name(found: re.Match[str], language: str) -> str | None:
    """The name behind the word; None for a function without one (in Go, what may stand there is its type)."""
    if language == "go" and not re.match(r"\s*[\[(]", found.string[found.end() :]):
        return None
    return found["name"]


def _is_word(word: str, language: str) -> bool:
    """Whether a word starts a function in a language."""
    words = {"go": "func", "swift": "func", "kotlin": "fun", "rust": "fn", "zig": "fn", "scala": "def", "perl": "sub"}
    if language in words:
        return word == words[language]
    return word == "function" and language not in C_LIKE | {"java", "csharp", "dart"} | SECTIONED


def _shaped(bare: str, language: str) -> tuple[str, Kind, int] | None:
    """A function by ``name ( ) {``."""
    if language == "objective-c":
        method = _METHOD.search(bare)
        if method is not None:
            return method["name"], Kind.FUNCTION, method.start()
    for found in _SHAPE.finditer(bare):
        name = re.split(r"[\s<]", found["name"])[0] if not found["name"].startswith("operator") else found["name"]
        if name in _CONTROL or name in _CONTROL_OF.get(language, ()) or not _TAIL.match(bare, found.end()):
            continue
        before = bare[: found.start()].rpartition("\n")[2] if language in SCRIPTS else bare[: found.start()]
        if _NO_FUNCTION.search(before) and not (language in C_LIKE and _TYPED.search(before)):
            continue
        return name, Kind.FUNCTION, found.start()
    return None


def _class(bare: str, language: str) -> tuple[str, Kind, int] | None:
    pattern = {"go": _GO_TYPE, "zig": _ASSIGNED_TYPE}.get(language, _CLASS)
    found = pattern.search(bare)
    if found is None or language in {"bash", "powershell"} | SECTIONED:
        return None
    if language in C_LIKE | {"java", "csharp", "php"} and re.search(r"[=]|\bnew\b|\breturn\b", bare[: found.end()]):
        return None
    if language in C_LIKE and re.search(r"=\s*\Z|\)\s*\Z", bare):
        return None
    if language in SCRIPTS and found["word"] not in {"class", "interface", "enum", "namespace"}:
        return None
    name = found["name"] or ""
    if pattern is _CLASS and found["word"] == "impl":
        after = _IMPL_FOR.search(bare, found.start())
        name = after[1] if after is not None else name
    name = name if name not in {"extends", "implements"} else ""
    return name, Kind.CLASS, found.start()
