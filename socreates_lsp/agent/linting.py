"""Leads of linters that the user has installed: told to the model only, as most of what they say is nothing to ask."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from socreates_lsp.agent.leads import Lead
from socreates_lsp.errors import SocreatesError
from socreates_lsp.workspace.languages import language_of
from socreates_lsp.workspace.tools import find_tool, run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from socreates_lsp.tools.tool import ReadLines
    from socreates_lsp.workspace.text import Range
    from socreates_lsp.workspace.workspace import Workspace

_RULES = "E9,F,B,ASYNC,PLE,RUF006"
_NOT = "F401,F403,F405,F541,F841,B007,B008,B018,B905"
"""Families of rules that tell of faults, without those of taste."""

_RULE = re.compile(r"[A-Z]+[0-9]+")
"""What is no rule is a syntax error, which every editor shows."""

_MOST_DOCUMENTS, _MOST_HITS = 5, 8
_SECONDS = 4.0
_LONGEST_OUTPUT = 2_000_000


def lint_leads(
    read: Sequence[ReadLines], target: str | None, span: Range | None, workspace: Workspace, root: str | None
) -> Iterator[Lead]:
    """What ruff says of the Python documents among the lines of a target, within ``span`` if there is one.

    ``target`` is the URI of its document; None if it has several.
    A ruff of the workspace is not run, and no configuration of the workspace is read. Runs a program: not for the
    event loop. What does not work gives no leads.
    """
    among = dict.fromkeys(one.uri for one in read) if target is None else [target]
    documents = [uri for uri in among if language_of(uri, "", None) == "python"]
    ruff = find_tool("ruff", root) if documents else None
    if ruff is None:
        return
    for uri in documents[:_MOST_DOCUMENTS]:
        spans = [one.range for one in read if one.uri == uri] if span is None else [span]
        path = workspace.display_path(uri)
        try:
            content = workspace.text(uri).content
        except SocreatesError:
            continue
        hits = ((line, rule, said) for line, rule, said in _hits(ruff, content) if _within(line, spans))
        for _, (line, rule, said) in zip(range(_MOST_HITS), hits, strict=False):
            yield Lead(path, uri, line, rule, said)


def _within(line: int, spans: Sequence[Range]) -> bool:
    return any(line in span.lines for span in spans)


def _hits(ruff: str, content: str) -> list[tuple[int, str, str]]:
    """Line (from 0), rule and sentence of what ruff finds in a text. Nothing where it fails."""
    command = [ruff, "check", "--isolated", "--no-cache", "--quiet", "--output-format=json", f"--select={_RULES}"]
    command += [f"--ignore={_NOT}", "--stdin-filename=target.py", "-"]
    given = content.encode("utf-8", "replace")
    try:
        ran = run(command, Path(ruff).parent, given=given, seconds=_SECONDS, most=_LONGEST_OUTPUT)
        found: Any = json.loads(ran.output or b"[]")
        return [_hit(one) for one in found if _RULE.fullmatch(one.get("code") or "")]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []


def _hit(one: Any) -> tuple[int, str, str]:
    return int(one["location"]["row"]) - 1, f"ruff-{one['code']}", str(one["message"])[:300]
