"""A workspace on disk with open buffers, the tools over it, and a user who answers prompts from a list."""

from __future__ import annotations

import asyncio
import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.settings.schema import PolicySettings
from socreates_lsp.tools.leave import Leave
from socreates_lsp.tools.toolbox import toolbox
from socreates_lsp.tools.view import View
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from socreates_lsp.tools.tool import ToolResult


class User:
    """Answers prompts with what was prepared, and remembers them."""

    def __init__(self) -> None:
        self.answers: list[str | None] = []
        self.questions: list[str] = []
        self.choices: list[tuple[str, ...]] = []

    async def ask(self, question: str, choices: tuple[str, ...]) -> str | None:
        self.questions.append(question)
        self.choices.append(choices)
        await asyncio.sleep(0)
        return self.answers.pop(0) if self.answers else None


class Site:
    """One root with its tools."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.workspace = Workspace([uris.from_path(str(root))])
        self.user = User()
        self.told: list[tuple[str, str]] = []
        self.granted: set[str] = set()
        self.policy = PolicySettings()

    def write(self, files: dict[str, str | bytes]) -> None:
        for name, content in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def open(self, name: str, content: str) -> str:
        """Open a buffer; its URI."""
        uri = uris.from_path(str(self.root / name))
        self.workspace.buffers.open(uri, "plaintext", 1, content)
        return uri

    def tools(self, *, trusted: bool = True) -> dict[str, Any]:
        leave = Leave(
            self.policy,
            self.user,
            lambda command, answer: self.told.append((command, answer)),
            self.granted,
        )
        made = toolbox(str(self.root), self.workspace, self.policy, leave, trusted=trusted)
        return {tool.name: tool for tool in made}

    def view(self) -> View:
        return View(str(self.root), self.workspace, self.policy.read_deny)

    async def call(self, tool: str, limit: int = 16000, **arguments: object) -> ToolResult:
        result = await self.tools()[tool].run(arguments, limit)
        assert len(result.text) <= limit
        return result

    def snapshot(self) -> str:
        """All that is in the root: names, modes, times, links and bytes."""
        found: list[object] = []
        for here, folders, names in sorted(os.walk(self.root)):
            for name in sorted((*folders, *names)):
                path = os.path.join(here, name)
                facts = os.lstat(path)
                content = os.readlink(path) if os.path.islink(path) else None
                if os.path.isfile(path) and content is None:
                    with open(path, "rb") as file:
                        content = file.read().hex()
                found.append((path, facts.st_mode, facts.st_mtime_ns, content))
        return json.dumps(found)


@pytest.fixture
def site(root: Path) -> Site:
    """An empty root."""
    return Site(root)
