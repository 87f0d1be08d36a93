"""``replaced: X``: the captured field is set outside of constructors and of its declaration. Java and C++."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.examiner.declarations import declarations
from socreates_lsp.examiner.parsed import key

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: str) -> bool:
    """Whether some method of the class gives it another value."""
    node = match.get(argument)
    home = None if node is None else file.class_of(node)
    if node is None or home is None:
        return False
    field = node.text().rpartition(".")[2]
    for assignment in home.find_all(kind="assignment_expression"):
        target = assignment.field("left")
        if target is None or target.text().rpartition(".")[2] != field:
            continue
        function = file.function_of(assignment)
        if function is None or function.kind() == "constructor_declaration" or not _same_class(file, assignment, home):
            continue
        if any(one.is_member for one in declarations(file, target)):
            return True
    return False


def _same_class(file: ParsedFile, node: SgNode, home: SgNode) -> bool:
    own = file.class_of(node)
    return own is not None and key(own) == key(home)
