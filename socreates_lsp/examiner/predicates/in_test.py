"""``in-test: true``: the match stands in a test: by the file's name, or by Rust's and Java's marks around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_FILE = re.compile(
    r"_tests?\.go$|(^|/)(tests|benches|examples)/[^/]+\.rs$|(^|/)tests?\.rs$|(Test|Tests|TestCase|IT)\.java$"
    r"|(^|/)(test_[^/]*|[^/]*_?(unit)?tests?|[^/]*_benchmark)\.(c|cc|cpp|cxx|h|hpp|rs)$|(^|/)(tests?|testing|testutil|_?examples?)/[^/]*\.go$"
)
_MARK = re.compile(r"#\[\s*(?:cfg\s*\(.*\btest\b|(?:\w+::)*(?:test|bench)\b)|@(?:\w+\.)*(?:Test|ParameterizedTest)\b")


def holds(file: ParsedFile, match: Match, argument: bool) -> bool:  # noqa: FBT001  (the rule says true)
    """Whether it is test code (``false`` asks for the contrary)."""
    named = _FILE.search(file.path) is not None
    return (named or (file.language in {"rust", "java"} and any(map(_marked, match.node.ancestors())))) is argument


def _marked(node: SgNode) -> bool:
    kind = node.kind()
    if kind in {"method_declaration", "class_declaration"}:
        head = next((child for child in node.children() if child.kind() == "modifiers"), None)
        return head is not None and _MARK.search(head.text()) is not None
    if kind not in {"function_item", "mod_item"}:
        return False
    before = node.prev()
    while before is not None and before.kind() in {"attribute_item", "line_comment", "block_comment"}:
        if before.kind() == "attribute_item" and _MARK.search(before.text()):
            return True
        before = before.prev()
    return False
