"""Delegation: what a specialist may do, that denials are inherited, that several work at once, and how they end."""

from __future__ import annotations

import asyncio
import itertools
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.agent.calling import Underway
from socreates_lsp.agent.delegating import MOST
from socreates_lsp.agent.gate import Plan
from socreates_lsp.agent.prompts import prompt
from socreates_lsp.agent.team import TEAM
from socreates_lsp.agent.turn import Limits
from socreates_lsp.errors import ReviewError
from socreates_lsp.memory import turns
from socreates_lsp.model.failures import ModelError
from socreates_lsp.model.types import Ended, Finish, TextDelta
from socreates_lsp.review.reviewer import Doing, Reading, Stop
from socreates_lsp.review.voice import voiced
from socreates_lsp.tools.leave import DENY, MOST_PROMPTS
from tests.agent.cast import Stage, User, delegated

if TYPE_CHECKING:
    from pathlib import Path

EXPLORE = delegated(("explorer", "Look."))

CASES: dict[str, tuple[str, dict[str, Any], dict[str, Any]]] = {
    "readDeny": ("read_file", {"path": "secret.pem"}, {"read_deny": ("*.pem",)}),
    "commandsDeny": ("run_command", {"command": "git push"}, {"auto_approve": ("git push",)}),
    "commandsAsk": ("run_command", {"command": "npm install"}, {"auto_approve": ("npm install",)}),
    "autoApprove": ("run_command", {"command": "echo 1"}, {"auto_approve": ("echo 1",)}),
    "asked": ("run_command", {"command": "echo 1"}, {}),
}
"""A call, and the policy under which it is made."""


BY_PLAN = {
    Plan.AWAITED: "Nothing runs before the developer has approved a plan",
    Plan.REJECTED: "The developer rejected the plan",
}


def expected(case: str, plan: Plan, *, trusted: bool) -> str:
    """What whoever makes the call reads."""
    if not trusted and case != "readDeny":
        return "There is no tool run_command"
    if plan in BY_PLAN:
        return BY_PLAN[plan]
    if case == "readDeny":
        return "policy.readDeny"
    told = {"commandsDeny": "policy.commandsDeny", "autoApprove": "exit code 0"}
    return told.get(case, "The user did not allow this command")


@pytest.mark.parametrize(
    ("plan", "supervise", "trusted", "case"), [*itertools.product(Plan, [True, False], [True, False], CASES)]
)
async def test_denials_are_inherited(root: Path, plan: Plan, supervise: bool, trusted: bool, case: str) -> None:
    (root / "secret.pem").write_text("key")
    name, arguments, policy = CASES[case]
    more: dict[str, Any] = {"supervise": supervise, "trusted": trusted, "policy": policy}
    itself = Stage(root, User(DENY), main=[[(name, arguments)], "Done?"], **more)
    await itself.ask(plan=plan)
    script = {"main": [EXPLORE, "Done?"], "explorer": [[(name, arguments)], "Nothing."]}
    through = Stage(root, User(DENY), **script, **more)
    await through.ask(plan=plan)
    wanted = expected(case, plan, trusted=trusted)
    assert wanted in itself.results_of("main")[0]
    if plan in BY_PLAN:
        # It is not even delegated.
        assert through.sent_to("explorer") == []
        assert BY_PLAN[plan] in through.results_of("main")[0]
    else:
        assert wanted in through.results_of("explorer")[0]
        assert "Report of the explorer" in through.results_of("main")[0]
    assert through.user.questions == itself.user.questions
    asked = trusted and case in {"commandsAsk", "asked"} and plan not in BY_PLAN
    assert len(through.user.questions) == asked


async def test_what_was_denied_to_one_is_denied_to_all(root: Path) -> None:
    run = [("run_command", {"command": "echo 1"})]
    stage = Stage(root, User(DENY), main=[run, EXPLORE, run, "Done?"], explorer=[run, "Nothing."])
    await stage.ask()
    assert len(stage.user.questions) == 1
    told = [*stage.results_of("explorer"), stage.results_of("main")[0], stage.results_of("main")[2]]
    assert all("did not allow this command" in one for one in told)


async def test_the_prompts_of_a_turn_are_counted_together(root: Path) -> None:
    runs = [("run_command", {"command": f"echo {n}"}) for n in range(MOST_PROMPTS + 2)]
    two = delegated(("explorer", "Look."), ("tester", "Run it."))
    script: dict[str, list[Any]] = {"explorer": [runs[:3], "a"], "tester": [runs[3:], "b"]}
    stage = Stage(root, User(DENY), main=[two, "Done?"], **script)
    await stage.ask()
    assert len(stage.user.questions) == MOST_PROMPTS
    told = [*stage.results_of("explorer"), *stage.results_of("tester")]
    assert sum("Too many commands" in one for one in told) == 2


async def test_a_specialist_has_the_tools_of_its_table_and_none_to_delegate(root: Path) -> None:
    five = delegated(*((one.name, "Look.") for one in TEAM))
    again = delegated(("skeptic", "Look for me."))
    scripts: dict[str, list[Any]] = {one.name: ["Nothing."] for one in TEAM} | {"explorer": [again, "Nothing."]}
    stage = Stage(root, main=[five, "Done?"], **scripts)
    await stage.ask()
    tools = {one.name: [tool.name for tool in stage.sent_to(one.name)[0].tools] for one in TEAM}
    look = ["list_files", "read_file", "search"]
    assert tools == {
        "explorer": [*look, "run_command"],
        "researcher": ["read_file", "search"],
        "tester": ["list_files", "read_file", "run_command"],
        "reviewer": [*look, "run_command"],
        "skeptic": [*look, "run_command"],
    }
    assert stage.results_of("explorer")[0].startswith("There is no tool delegate.")
    assert len(stage.sent_to("skeptic")) == 1


@pytest.mark.parametrize(("trusted", "approves"), [(True, False), (False, True)])
async def test_without_commands_there_is_no_tester(root: Path, trusted: bool, approves: bool) -> None:
    policy = {"auto_approve": ("echo 1",)} if approves else {}
    stage = Stage(root, trusted=trusted, policy=policy, main=[delegated(("tester", "Run it.")), "Done?"])
    stage.user.present = lambda: False  # type: ignore[method-assign]
    await stage.ask()
    assert stage.results_of("main")[0].startswith("agent of delegate must be one of explorer, researcher, reviewer")


async def test_only_the_turn_of_the_users_delegates_and_only_with_room(root: Path) -> None:
    stage = Stage(root)
    own = await stage.open()

    def has(talk: Any) -> bool:
        return any(tool.name == "delegate" for tool in talk.tools)

    assert has(own)
    assert not has(await stage.open(alone=True, gate=own.gate))
    assert not has(await stage.open(gate=own.gate))
    assert not has(await stage.open(alone=True, raises=False))
    assert not has(await stage.talks.aside(own))
    assert not has(await stage.talks.open(None, None))
    assert not has(await Stage(root, context=5000).open())
    assert [one.name for one in await stage.talks.offered(stage.root)].count("delegate") == 1


async def test_two_of_one_round_work_at_the_same_time(root: Path) -> None:
    both = asyncio.Barrier(2)

    async def meets(_: Any) -> str:
        async with asyncio.timeout(20):
            await both.wait()
        return "Met."

    two = delegated(("explorer", "Look."), ("skeptic", "Doubt it."))
    stage = Stage(root, main=[two, "Done?"], explorer=[meets], skeptic=[meets])
    heard = await stage.ask()
    assert heard.ending.stop is Stop.ANSWERED
    assert [one.partition(" (")[0] for one in stage.results_of("main")] == [
        "Report of the explorer",
        "Report of the skeptic",
    ]


async def test_cancelling_the_turn_ends_all_of_them_at_once(root: Path) -> None:
    waiting = asyncio.Barrier(3)

    async def waits(_: Any) -> str:
        await waiting.wait()
        await asyncio.Event().wait()
        raise AssertionError

    look = [("list_files", {})]
    two = delegated(("explorer", "Look."), ("skeptic", "Doubt it."))
    stage = Stage(root, main=[two], explorer=[look, waits], skeptic=[waits])
    before, spent = asyncio.all_tasks(), stage.conversations.day.spent()[0]
    turn = asyncio.create_task(stage.ask())
    async with asyncio.timeout(20):
        await waiting.wait()
    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    assert {one for one in asyncio.all_tasks() - before if not one.done()} == set()
    assert stage.model.closed == 4
    assert [(one.agent, one.summary, one.success) for one in (await stage.state()).reports] == [
        ("explorer", "It was cancelled.", False),
        ("skeptic", "It was cancelled.", False),
    ]
    # The main agent's request and the explorer's first.
    assert stage.conversations.day.spent()[0] - spent == 2 * 105


async def test_what_they_take_counts_once(root: Path) -> None:
    look = [("list_files", {})]
    stage = Stage(root, main=[EXPLORE, "Done?"], explorer=[look, "Nothing."])
    before = stage.conversations.day.spent()[0]
    heard = await stage.ask()
    assert (heard.usage.input_tokens, heard.usage.output_tokens) == (400, 20)
    assert stage.conversations.day.spent()[0] - before == 420


async def test_what_they_take_is_no_longer_there_for_the_turn(root: Path) -> None:
    stage = Stage(root, main=[EXPLORE, "Done?"], explorer=[[("list_files", {})]] * 9)
    stage.model._usage = lambda _: 3000
    heard = await stage.ask(limits=Limits(10, 60, 12_000))
    assert "The explorer failed: it reached its limit of time or tokens." in heard_result(stage)
    assert len(stage.sent_to("explorer")) == 2
    assert heard.ending.stop is Stop.LIMIT


def heard_result(stage: Stage) -> str:
    """The summary of the one report."""
    (conversation,) = stage.conversations._of.values()
    return conversation.state.reports[-1].summary


LOOK = [("read_file", {"path": "gone.py"})]


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ([ModelError("the server is gone.")], "The explorer failed: the server is gone. It has read no file."),
        ([ReviewError("No.")], "The explorer failed: No."),
        ([TimeoutError()], "The explorer failed: it reached its limit of time or tokens."),
        ([LOOK] * 4, "The explorer failed: It went in circles and was ended: the same call of read_file"),
        ([""] * 2, "The explorer failed: fake gave an empty answer"),
        (
            [[TextDelta("The half [repo: app.py:1]"), Ended(Finish.LENGTH)]],
            "greatest length of an answer. It has read no file.\nAs far as it came:\nThe half [repo: app.py:1] (unv",
        ),
    ],
)
async def test_one_that_fails_is_a_report_that_says_so(root: Path, script: list[Any], told: str) -> None:
    stage = Stage(root, main=[EXPLORE, "Done?"], explorer=script)
    heard = await stage.ask()
    assert (heard.ending.stop, heard.ending.text) == (Stop.ANSWERED, "Done?")
    assert told in stage.results_of("main")[0]
    state = await stage.state()
    assert [(one.agent, one.success) for one in state.reports] == [("explorer", False)]
    assert any(one.startswith("delegate: ") for one in state.observations)


async def test_one_that_runs_out_of_rounds_has_to_report(root: Path) -> None:
    script = [*([("list_files", {"depth": n})] for n in range(1, 6)), "Half of it."]
    stage = Stage(root, main=[EXPLORE, "Done?"], explorer=script)
    await stage.ask()
    assert stage.results_of("main")[0].endswith("It had to answer after 6 rounds.\nHalf of it.")
    assert [one.must_answer for one in stage.sent_to("explorer")] == [False] * 5 + [True]
    assert (await stage.state()).reports[0].success


async def test_nobody_waits_for_one_for_ever(root: Path) -> None:
    async def waits(_: Any) -> str:
        await asyncio.Event().wait()
        raise AssertionError

    stage = Stage(root, explorer=[waits])
    talk = await stage.open()
    (tool,) = [tool for tool in talk.tools if tool.name == "delegate"]
    result = await tool.run_within(EXPLORE[0][1], 4000, Underway(lambda _: None, 0.0, 10_000))  # type: ignore[attr-defined]
    assert result.failed
    assert "its limit of time" in result.text
    assert (await tool.run(EXPLORE[0][1], 4000)).failed


async def test_only_so_many_are_delegated_in_a_turn(root: Path) -> None:
    many = delegated(*(("explorer", f"Look at {n}.") for n in range(MOST + 1)))
    stage = Stage(root, main=[many, EXPLORE, "Done?", EXPLORE, "Done?"], explorer=["Nothing."] * (MOST + 1))
    await stage.ask()
    told = stage.results_of("main")
    assert [one.startswith(f"{MOST} things were delegated") for one in told] == [*[False] * MOST, True, True]
    await stage.ask("Again?")
    assert stage.results_of("main")[-1].startswith("Report of the explorer")


@pytest.mark.parametrize("arguments", [{"agent": "explorer", "task": " "}, {"agent": "implementer", "task": "x"}, {}])
async def test_a_call_that_is_none_is_told_and_does_not_count(root: Path, arguments: dict[str, Any]) -> None:
    stage = Stage(root, main=[[("delegate", arguments)], "Done?"])
    await stage.ask()
    assert stage.results_of("main")[0].startswith(("The task is empty", "agent of delegate must", "delegate needs"))
    assert (await stage.state()).reports == []


async def test_the_reader_is_told_what_they_do_while_they_do_it(root: Path) -> None:
    (root / "app.py").write_text("x = 1\n")
    reached, goes_on = asyncio.Event(), asyncio.Event()

    async def waits(_: Any) -> str:
        reached.set()
        async with asyncio.timeout(20):
            await goes_on.wait()
        return "It is one [repo: app.py:1]."

    stage = Stage(root, main=[EXPLORE, "Done?"], explorer=[[("read_file", {"path": "app.py"})], waits])
    turn = asyncio.create_task(stage.ask())
    async with asyncio.timeout(20):
        await reached.wait()
        while Doing("explorer: round 2 of 6") not in stage.events:
            await asyncio.sleep(0.005)
    doing = [one.message for one in stage.events if isinstance(one, Doing)]
    assert doing[1:] == [
        "delegate explorer",
        "explorer: round 1 of 6",
        "explorer: read file app.py",
        "explorer: round 2 of 6",
    ]
    assert [one.uri.rpartition("/")[2] for one in stage.events if isinstance(one, Reading)] == ["app.py"]
    goes_on.set()
    await turn
    assert [one.uri.rpartition("/")[2] for one in stage.heard.read] == ["app.py"]


async def test_a_report_is_bounded_and_the_limit_of_a_result_holds(root: Path) -> None:
    stage = Stage(root, main=[EXPLORE, "Done?"], explorer=["word " * 4000])
    await stage.ask()
    (result,) = stage.results_of("main")
    assert len(result) <= 6000
    assert len((await stage.state()).reports[0].summary) <= 800


@pytest.mark.parametrize("name", [*(one.name for one in TEAM), "report"])
def test_a_mission_holds_no_code_and_is_short(name: str) -> None:
    text = prompt(f"team/{name}", None)
    assert voiced(text, lambda _: False).withheld == 0
    assert not any(sign in text for sign in ("```", "`", "{", "def "))
    assert len(text) < 1000


def test_the_transcript_knows_them() -> None:
    assert {one.name for one in TEAM} == turns.TEAM
    assert not any(turns.enters(one.name, "answered") for one in TEAM)
