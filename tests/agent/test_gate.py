"""The gate: what refuses a call, in every combination of plan, policy and supervision, and that a turn inherits it."""

from __future__ import annotations

import itertools
import os
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.agent.gate import Gate, Plan
from socreates_lsp.agent.patience import Patient
from socreates_lsp.settings.schema import PolicySettings
from socreates_lsp.tools.leave import DENY, MOST_PROMPTS, ONCE, SESSION, Leave
from socreates_lsp.tools.view import View
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from socreates_lsp.tools.tool import ToolResult


class User:
    """Answers every prompt alike, and counts them."""

    def __init__(self, answer: str | None) -> None:
        self.answer = answer
        self.questions: list[str] = []

    def present(self) -> bool:
        return True

    async def ask(self, question: str, choices: tuple[str, ...]) -> str | None:
        self.questions.append(question)
        return self.answer if self.answer in choices else None

    def can_write(self) -> bool:
        return False

    async def write(self, question: str) -> str | None:
        return None


class Tool:
    """A tool of somebody else's."""

    description = "For tests."
    asks = False

    def __init__(self, *, read_only: bool, name: str = "plugin", **properties: Mapping[str, Any]) -> None:
        self.name = name
        self.read_only = read_only
        self.parameters: Mapping[str, Any] = {"type": "object", "properties": properties}

    async def run(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        raise AssertionError("the gate runs nothing")


def gate(root: Path, user: User, *, supervise: bool = True, plan: Plan = Plan.NOT_NEEDED, **policy: Any) -> Gate:
    settings = PolicySettings(**policy)
    view = View(str(root), Workspace([uris.from_path(str(root))]), settings.read_deny)
    return Gate(view, Leave(settings, user, lambda *_: None), Patient(user), supervise=supervise, plan=plan)


async def refusal(tested: Gate, tool: Tool, **arguments: Any) -> str:
    refused = await tested.refusal(tool, arguments)
    assert refused is None or refused.failed
    return "" if refused is None else refused.text


PLANS = [*Plan]
ANSWERS = [ONCE, SESSION, DENY, None]


@pytest.mark.parametrize(
    ("plan", "read_only", "supervise", "answer", "kept"),
    [*itertools.product(PLANS, [True, False], [True, False], ANSWERS, [True, False])],
)
async def test_every_combination_of_plan_policy_and_supervision(
    root: Path, plan: Plan, read_only: bool, supervise: bool, answer: str | None, kept: bool
) -> None:
    user = User(answer)
    tested = gate(root, user, supervise=supervise, plan=plan)
    told = await refusal(tested, Tool(read_only=read_only), path="a/.env" if kept else "a/b.py")
    asked = supervise and not read_only
    if plan in {Plan.AWAITED, Plan.REJECTED}:
        assert "planMode" in told
        assert user.questions == []
    elif kept:
        assert "policy.readDeny" in told
        assert user.questions == []
    elif asked and answer in {DENY, None}:
        assert "supervise" in told
    else:
        assert told == ""
    assert len(user.questions) == (asked and not kept and plan in {Plan.NOT_NEEDED, Plan.APPROVED})


@pytest.mark.parametrize("name", ["path", "File", "paths", "uri", "source"])
async def test_a_path_of_any_tool_is_looked_up_through_links(root: Path, name: str) -> None:
    (root / "a").mkdir()
    (root / ".ENV").write_text("x")
    (root / "link").symlink_to(root / ".ENV")
    os.link(root / ".ENV", root / "hard.txt")
    (root / "plain.py").write_text("x")
    os.link(root / "plain.py", root / "twin.py")
    tested = gate(root, User(None))
    tool = Tool(read_only=True, source={"type": "string", "format": "path"})
    for path in (".env", "a/../.Env", "./.ENV", "link", "hard.txt", str(root / ".env"), "a\\..\\.env"):
        given = [path] if name == "paths" else path
        assert "policy.readDeny" in await refusal(tested, tool, **{name: given}), path
    assert ".git is" in await refusal(tested, tool, **{name: ".git/config"})
    assert "outside of the workspace" in await refusal(tested, tool, **{name: "../x"})
    for path in ("plain.py", "twin.py", "missing.py"):
        assert await refusal(tested, tool, **{name: path}) == ""


async def test_a_command_of_any_tool_is_read(root: Path) -> None:
    tested = gate(root, User(ONCE))
    tool = Tool(read_only=False)
    assert "policy.commandsDeny" in await refusal(tested, tool, command="env X=1 sudo ls")
    assert "policy.commandsDeny" in await refusal(tested, tool, commands=["ls", "git -C x push"])
    assert await refusal(tested, tool, command="ls") == ""
    assert await refusal(tested, tool, words="sudo ls") == ""


async def test_what_was_allowed_or_denied_holds_for_this_call_alone(root: Path) -> None:
    user = User(SESSION)
    tested = gate(root, user)
    tool = Tool(read_only=False)
    assert await refusal(tested, tool, a=1, b=2) == ""
    assert await refusal(tested, tool, b=2, a=1) == ""
    assert len(user.questions) == 1
    assert 'plugin, which may do more than read:\n{"a": 1, "b": 2}' in user.questions[0]
    user.answer = DENY
    assert "supervise" in await refusal(tested, tool, a=2)
    user.answer = ONCE
    assert "supervise" in await refusal(tested, tool, a=2)
    assert len(user.questions) == 2


async def test_a_turn_asks_only_so_often_whoever_asks(root: Path) -> None:
    user = User(ONCE)
    tested = gate(root, user)
    told = [await refusal(tested, Tool(read_only=False, name=f"t{n}")) for n in range(MOST_PROMPTS + 1)]
    assert [bool(one) for one in told] == [False] * MOST_PROMPTS + [True]
    assert len(user.questions) == MOST_PROMPTS


async def test_a_call_that_cannot_be_shown_is_refused_unasked(root: Path) -> None:
    user = User(ONCE)
    assert "too long to be shown" in await refusal(gate(root, user), Tool(read_only=False), text="x" * 700)
    assert user.questions == []
