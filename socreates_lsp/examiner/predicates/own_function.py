"""``own-function: F``: the callee is a plain name, or a member of what the method itself belongs to.

That is ``save``, ``this.save`` and, in Go, ``s.save`` in a method of ``s``: a name that this file can tell about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: str) -> bool:  # noqa: ARG001  (one signature)
    """Whether the callee is one of this file's own."""
    node = match.get(argument)
    if node is None:
        return False
    owner, _, rest = node.text().partition(".")
    if not rest or owner in {"this", "self"}:
        return True
    method = next((up for up in node.ancestors() if up.kind() == "method_declaration"), None)
    receiver = None if method is None else method.field("receiver")
    return "." not in rest and receiver is not None and receiver.text().lstrip("(").split()[:1] == [owner]
