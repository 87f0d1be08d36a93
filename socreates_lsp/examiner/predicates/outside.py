"""``outside: {of: X}``: what the captured expression is made of comes from outside the program.

Python only, by the names that web frameworks, sockets and message handlers give such things: a request's data, the
parameters of a route or of a view, a received message. ``local: true`` adds what the user of the machine types: the
command line and standard input; ``replies: true`` what other servers answer. Names are followed through three local
definitions, and through calls that keep the text (``os.path.join``, ``strip``, ``json.loads`` and their like): what a
look-up gives back is not from outside.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match
    from socreates_lsp.examiner.parsed import ParsedFile

_STEPS = 3
_REMOTE = re.compile(
    r"""\b(?:request|req)\.(?:args|form|values|json|data|get_json|get_data|GET|POST|FILES|COOKIES|body|cookies|headers
    |files|params|query|query_params|query_string|path_params|match_info|content|stream|read|rel_url)\b
    |\bself\.rfile\b|\.recv(?:from|_into|_bytes|_string|_json|_pyobj|_multipart)?\($
    |\.get_(?:body_|query_)?arguments?\($|\.receive(?:_text|_bytes|_json)\($""",
    re.VERBOSE,
)
_REPLY = re.compile(r"\burlopen\($|\b(?:requests|session|httpx|client)\.(?:get|post|put)\($")
_LOCAL = re.compile(r"^(?:raw_)?input\($|\bsys\.argv\b|\bsys\.stdin\b|^args\.\w|\bparse_args\($")
_KEEPING = re.compile(
    r"(?:^|[._])(?:join|Path|PurePath|str|unquote|unquote_plus|format|strip|lstrip|rstrip|lower|decode|encode|get|pop"
    r"|replace|split|b64decode|urlsafe_b64decode|a2b_base64|unhexlify|fromhex|loads|read|dict|list|urljoin|fspath"
    r"|expanduser|getlist|fsdecode|bytes|bytearray|getattr|get_json|getvalue|json|decompress|literal)$"
)
_ROUTE = re.compile(r"\.(?:route|get|post|put|patch|delete|websocket|api_route)\(\s*(?:path\s*=\s*)?[frb]*['\"]")


def holds(file: ParsedFile, match: Match, argument: dict[str, Any]) -> bool:
    """Whether the value comes from outside."""
    node = match.get(argument["of"])
    sources = [_REMOTE, *([_LOCAL] if argument.get("local") else []), *([_REPLY] if argument.get("replies") else [])]
    return node is not None and _outside(file, node, sources, _STEPS)


def _outside(file: ParsedFile, node: SgNode, sources: Sequence[re.Pattern[str]], steps: int) -> bool:
    kind = node.kind()
    if kind == "call":
        return _call_outside(file, node, sources, steps)
    if kind == "attribute":
        owner = node.field("object")
        direct = owner is not None and owner.kind() == "identifier"
        return _named_outside(node.text(), sources) or (
            owner is not None and (_handed_in(file, owner) if direct else _outside(file, owner, sources, steps))
        )
    if kind == "identifier":
        return _handed_in(file, node) or (
            steps > 0 and any(_outside(file, one.value, sources, steps - 1) for one in file.definitions.of(node))
        )
    within = node.field_children("value") if kind == "subscript" else node.named_children()
    return any(_outside(file, child, sources, steps) for child in within)


def _call_outside(file: ParsedFile, call: SgNode, sources: Sequence[re.Pattern[str]], steps: int) -> bool:
    callee, arguments = call.field("function"), call.field("arguments")
    if callee is None or arguments is None:
        return False
    name = callee.text()
    if "(" not in name and _named_outside(f"{name}(", sources):
        return True
    owner = callee.field("object") if callee.kind() == "attribute" else None
    if owner is not None and _outside(file, owner, sources, steps):
        return True
    return _KEEPING.search(name) is not None and _outside(file, arguments, sources, steps)


def _named_outside(text: str, sources: Sequence[re.Pattern[str]]) -> bool:
    return any(source.search(text) for source in sources)


def _handed_in(file: ParsedFile, name: SgNode) -> bool:
    """Whether the name is a parameter that a web framework fills in from the request."""
    function = file.function_of(name)
    parameters = function.field("parameters") if function is not None else None
    if function is None or parameters is None:
        return False
    given = [re.split(r"[:=\s]", one.text())[0] for one in parameters.named_children()]
    given = [one for one in given if one not in {"self", "cls"}]
    if name.text() not in given:
        return False
    if given[:2] == ["event", "context"]:
        return name.text() == "event"
    decorated = function.parent()
    above = decorated.children() if decorated is not None and decorated.kind() == "decorated_definition" else []
    decorators = [one.text() for one in above if one.kind() == "decorator"]
    if given[0] in {"request", "req"}:
        return name.text() != given[0] and not any("fixture" in one for one in decorators)
    return any(map(_ROUTE.search, decorators))
