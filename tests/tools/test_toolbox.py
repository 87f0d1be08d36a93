"""All tools together: their order, their schemas and what these take."""

from __future__ import annotations

import json
import math
import re

from socreates_lsp.settings.schema import PolicySettings
from socreates_lsp.tools.arguments import usage
from socreates_lsp.tools.leave import Leave
from socreates_lsp.tools.toolbox import toolbox
from socreates_lsp.workspace.workspace import Workspace
from tests.tools.conftest import User

MOST_TOKENS = 1500
"""What the schemas of all tools together may take (issue 3)."""


def schemas_tokens(tools) -> int:
    """About how many tokens the schemas of these tools take in a request, at 3.5 characters each."""
    schemas = [
        {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.parameters},
        }
        for tool in tools
    ]
    return math.ceil(len(json.dumps(schemas, separators=(",", ":"))) / 3.5)


def test_the_schemas_are_small_plain_and_always_the_same(tmp_path) -> None:
    def made():
        leave = Leave(PolicySettings(), User(), lambda *_: None)
        return toolbox(str(tmp_path), Workspace(), PolicySettings(), leave, trusted=True)

    tools = made()
    assert schemas_tokens(tools) <= MOST_TOKENS
    assert schemas_tokens(tools) > 200
    assert [usage(tool.name, tool.parameters) for tool in tools] == [
        "list_files(path?: string, depth?: integer)",
        "read_file(path: string, start?: integer, end?: integer)",
        "search(pattern: string, path?: string, glob?: string)",
        "run_command(command: string)",
    ]
    assert [json.dumps(tool.parameters) for tool in tools] == [json.dumps(tool.parameters) for tool in made()]
    assert all(re.fullmatch(r"[a-z_]+", tool.name) and len(tool.description) > 20 for tool in tools)
    assert all(tool.parameters["type"] == "object" for tool in tools)
