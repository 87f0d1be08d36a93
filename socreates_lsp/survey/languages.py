"""Languages as people write them, and which of them are code. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

_NAMES = {
    "php": "PHP", "javascript": "JavaScript", "typescript": "TypeScript", "tsx": "TypeScript (TSX)", "cpp": "C++",
    "csharp": "C#", "html": "HTML", "css": "CSS", "json": "JSON", "yaml": "YAML", "toml": "TOML", "xml": "XML",
    "sql": "SQL", "bash": "shell", "hcl": "HCL", "ini": "INI", "rst": "reStructuredText", "ocaml": "OCaml",
    "fsharp": "F#", "graphql": "GraphQL", "powershell": "PowerShell", "vb": "Visual Basic", "batch": "batch",
    "text": "plain text", "latex": "LaTeX", "proto": "Protocol Buffers", "asm": "assembler", "make": "Make",
    "cmake": "CMake", "dockerfile": "Docker", "objective-c": "Objective-C",
}  # fmt: skip
_NO_CODE = frozenset(
    {"json", "yaml", "toml", "xml", "ini", "markdown", "rst", "text", "latex", "html", "css", "batch", "make", "cmake"}
    | {"dockerfile"}
)


def is_code(language: str | None) -> bool:
    """Whether a language is one that programs are written in."""
    return language is not None and language not in _NO_CODE


def name_of(language: str) -> str:
    """The language as people write it."""
    return _NAMES.get(language, language.capitalize())


def main_languages(files: Mapping[str, int], most: int) -> list[tuple[str, int]]:
    """The languages with the most files, code before all else; each with its number of files."""
    code = Counter({language: count for language, count in files.items() if is_code(language)})
    chosen = code or Counter(files)
    return sorted(chosen.items(), key=lambda one: (-one[1], one[0]))[:most]
