"""Plan mode with a model: nothing runs before the user approves; a rejected plan ends the turn with nothing done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.testkit.script import Asked, Reply
from tests.bare_client import Failure
from tests.server.talking import QUESTION, app_py, said, talking

if TYPE_CHECKING:
    from pathlib import Path

PLAN = "1. Read `app.py`.\n2. Look for callers.\n"
READS = Reply(calls=(("read_file", {"path": "app.py"}),))
PLANNED = {"planMode": True}


def prompts(client: Any) -> list[tuple[str, list[str]]]:
    """What the user was asked, with the titles."""
    return [
        (one["message"], [action["title"] for action in one["actions"]])
        for one in client.seen("window/showMessageRequest")
    ]


def tools_of(chat: Any) -> list[str]:
    return [tool["function"]["name"] for tool in chat.get("tools", [])]


async def test_an_approved_plan_is_followed(root: Path) -> None:
    uri = app_py(root)
    async with talking(root, PLAN, READS, QUESTION, options=PLANNED) as (client, model):
        client.answers["window/showMessageRequest"] = {"title": "Approve"}
        result = await client.request("socreates/review", {"uri": uri}, seconds=60)
        assert (result["stop"], len(result["findings"])) == ("answered", 1)
        assert result["usage"]["inputTokens"] == 33
        assert prompts(client) == [
            (
                "Socreates plans to do this, and nothing has run yet:\n1. Read `app.py`.\n2. Look for callers.",
                ["Reject", "Approve", "Another plan"],
            )
        ]
        plan, first, second = model.chats
        assert tools_of(plan) == []
        assert "numbered plan" in said(plan)[-1][1]
        assert "read_file" in tools_of(first)
        assert said(first)[0][1].endswith(
            "The developer approved this plan of yours; follow it:\n1. Read `app.py`.\n2. Look for callers."
        )
        assert said(second)[-1][0] == "tool"


@pytest.mark.parametrize("verify", [False, True])
@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"title": "Reject"}, "You rejected the plan, so nothing was done."),
        (None, "Nobody approved the plan, so nothing was done."),
        (Failure(), "Nobody approved the plan, so nothing was done."),
        ({"title": "Yes!"}, "Nobody approved the plan, so nothing was done."),
    ],
)
async def test_a_rejected_plan_ends_it_with_nothing_done(root: Path, answer: Any, told: str, verify: bool) -> None:
    uri = app_py(root)
    options = {**PLANNED, "review": {"verify": verify}}
    async with talking(root, PLAN, READS, QUESTION, options=options) as (client, model):
        client.answers["window/showMessageRequest"] = answer
        result = await client.request("socreates/review", {"uri": uri})
        assert (result["stop"], result["findings"], result["examined"]) == ("cancelled", [], [])
        assert result["summary"] == told
        assert len(model.chats) == 1


async def test_a_plan_is_modified_in_words_where_the_client_can(root: Path) -> None:
    uri = app_py(root)
    answers = iter([{"title": "Modify"}, {"title": "Approve"}])
    capabilities = {"experimental": {"socreates": {"input": True}}}
    async with talking(root, PLAN, "1. Only read app.py", "Fine?", options=PLANNED, capabilities=capabilities) as (
        client,
        model,
    ):
        client.answers["window/showMessageRequest"] = lambda _: next(answers)
        client.answers["socreates/input"] = {"text": "Leave the callers out."}
        result = await client.request("socreates/ask", {"text": "Is it closed?", "uri": uri})
        assert result["stop"] == "answered"
        assert client.seen("socreates/input") == [{"prompt": "How should the plan be changed?"}]
        assert prompts(client)[0][1] == ["Reject", "Approve", "Modify"]
        again = said(model.chats[1])[-1][1]
        assert "Your last plan was:\n1. Read `app.py`.\n2. Look for callers." in again
        assert "wants it changed: Leave the callers out." in again
        assert "follow it:\n1. Only read app.py" in said(model.chats[2])[0][1]
        # The plan itself does not enter the conversation.
        assert not any("numbered plan" in content for _, content in said(model.chats[2]))


async def test_another_plan_may_be_wanted_but_not_for_ever(root: Path) -> None:
    uri = app_py(root)
    async with talking(root, *[PLAN] * 9, options=PLANNED) as (client, model):
        client.answers["window/showMessageRequest"] = {"title": "Another plan"}
        result = await client.request("socreates/review", {"uri": uri})
        assert (result["stop"], result["findings"]) == ("cancelled", [])
        assert len(model.chats) == 4
        assert prompts(client)[-1][1] == ["Reject", "Approve"]


async def test_a_plan_shows_no_code_and_nothing_hidden(root: Path) -> None:
    uri = app_py(root)
    plan = "1. Read it\u202e.\n\n```python\nimport os\nos.remove(x)\n```\n2. Ask.\n"
    async with talking(root, plan, "Fine?", options=PLANNED) as (client, _):
        client.answers["window/showMessageRequest"] = {"title": "Approve"}
        await client.request("socreates/review", {"uri": uri})
        shown = prompts(client)[0][0]
        assert "os.remove" not in shown
        assert shown.splitlines()[1:] == ["1. Read it.", "2. Ask."]


async def test_a_plan_is_for_reviews_and_questions_and_not_for_replies(root: Path) -> None:
    uri = app_py(root)
    async with talking(root, PLAN, QUESTION, "Granted.\nVerdict: withdrawn", options=PLANNED) as (client, model):
        client.answers["window/showMessageRequest"] = {"title": "Approve"}
        result = await client.request("socreates/review", {"uri": uri})
        (finding,) = result["findings"]
        await client.request("socreates/reply", {"id": finding["id"], "text": "The caller does."})
        assert len(prompts(client)) == 1
        assert len(model.chats) == 3


@pytest.mark.parametrize("supervise", [True, False])
@pytest.mark.parametrize("approve", [[], ["echo 1"]])
@pytest.mark.parametrize("command", ["echo 1", "git push", "npm install", "echo 1 | $X"])
@pytest.mark.parametrize("plan", [True, False])
async def test_commands_under_every_combination(
    root: Path, monkeypatch: pytest.MonkeyPatch, supervise: bool, approve: list[str], command: str, plan: bool
) -> None:
    """Only autoApprove frees a command, whatever supervise says; deny and ask come before it, the plan before all."""
    monkeypatch.setenv("SOCREATES_POLICY__AUTO_APPROVE", f"{[*approve, 'npm install', 'git push']!r}".replace("'", '"'))
    app_py(root)
    seen: list[str] = []

    def ends(asked: Asked) -> Reply:
        seen.append(said(asked.body)[-1][1])
        return Reply(text="Fine?")

    options = {"planMode": plan, "supervise": supervise}
    calls = Reply(calls=(("run_command", {"command": command}),))
    async with talking(root, *([PLAN] if plan else []), calls, ends, options=options) as (client, _):
        client.answers["window/showMessageRequest"] = lambda params: (
            {"title": "Approve"} if "plans to do" in params["message"] else {"title": "Deny"}
        )
        await client.request("socreates/ask", {"text": "Try."})
        asked = [message for message, _ in prompts(client) if "wants to run" in message]
    if command == "git push":
        assert "policy.commandsDeny" in seen[0]
        assert asked == []
    elif command == "echo 1" and approve:
        assert "exit code 0" in seen[0]
        assert asked == []
    else:
        assert "did not allow" in seen[0]
        assert len(asked) == 1


async def test_a_plan_of_many_words_is_cut_so_that_every_step_shows(root: Path) -> None:
    uri = app_py(root)
    plan = "\n".join(f"{number}. " + ("Look about. " * 40 if number % 2 else "Read app.py.") for number in range(1, 13))
    async with talking(root, plan, "Nothing to ask.", options={"planMode": True}) as (client, _):
        client.answers["window/showMessageRequest"] = {"title": "Reject"}
        client.open(uri, (root / "app.py").read_text())
        result = await client.request("socreates/review", {"uri": uri})
        assert result["summary"] == "You rejected the plan, so nothing was done."
        ((question, _),) = prompts(client)
        assert len(question) < 1000
        assert [line.split(".")[0] for line in question.split("\n")[1:]] == [str(number) for number in range(1, 11)]
        assert "2. Read app.py.\n" in question.replace("`", "")
        assert question.count("…") == 5
