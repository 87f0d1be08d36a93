"""``declared: {of: X, rule: {...}}``: the captured name is declared in this file, and its declaration matches a rule.

A declaration is the whole of ``const char *p = 0, a[3];``, a parameter, a field, a function, a type. ``declarator``
is a rule for the part that belongs to the name (``*p`` or ``a[3]``); ``bind`` lists the variables of these rules that
the match gets as parts, ``local: true`` leaves out what stands outside all functions. Go, Rust, Java, C and C++.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.examiner.declarations import declarations

if TYPE_CHECKING:
    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:
    """Whether one of the declarations that the name may mean matches."""
    node = match.get(argument["of"])
    if node is None:
        return False
    for one in declarations(file, node):
        if argument.get("local") and one.scope is None:
            continue
        pairs = [(one.node, argument.get("rule")), (one.declarator, argument.get("declarator"))]
        if all(rule is None or part.matches(**rule) for part, rule in pairs):
            for part, rule in pairs:
                if rule is not None:
                    _bind(match, part, rule, argument.get("bind", ()))
            return True
    return False


def _bind(match: Match, node: SgNode, rule: dict[str, Any], names: list[str]) -> None:
    found = node.find(**rule) if names else None
    for name in names:
        part = None if found is None else found.get_match(name)
        if part is not None:
            match.parts[name] = part
