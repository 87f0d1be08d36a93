"""What the commands do that are not about findings. Each tells in lines what there is, or what has changed."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from socreates_lsp import conversing
from socreates_lsp.cli.doctor import settings_lines
from socreates_lsp.cli.memory import memory_lines
from socreates_lsp.errors import SettingsError, TargetError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socreates_lsp.cli.chat.talk import Talk


async def survey(talk: Talk, rest: str) -> None:
    """A report on the project; ``rest`` is what the user wants to know most. Raises SocreatesError."""
    outcome = await talk.turn(talk.app.survey(talk.root, rest or None, talk.hear))
    if outcome is None:
        talk.out.aside("Cancelled.")
        return
    talk.out.said(outcome.closed.summary)
    talk.out.answered()
    for skipped in outcome.skipped:
        talk.out.problem(skipped.reason)


async def plan(talk: Talk, rest: str) -> None:
    """Plan mode."""
    _switch(talk, "planMode", rest, "plan mode", "you approve a plan before anything runs", "no plan is asked for")


async def supervise(talk: Talk, rest: str) -> None:
    """Supervision. Off frees no command: ``Leave`` asks for these whatever this says."""
    off = "tools that do more than read do not ask; commands ask all the same"
    _switch(talk, "supervise", rest, "supervision", "every tool that does more than read asks first", off)


def _switch(talk: Talk, key: str, rest: str, name: str, on: str, off: str) -> None:
    """Tell of a switch, or turn it. Raises SettingsError where the settings do not let it be turned."""
    wanted = {"on": True, "off": False, "": None}.get(rest.casefold(), ...)
    if wanted is ...:
        raise SettingsError(f"{rest} is neither on nor off.")
    if wanted is not None:
        conversing.switch(talk.app, key, on=bool(wanted))
    holds = talk.app.settings.plan_mode if key == "planMode" else talk.app.settings.supervise
    if wanted is not None and holds is not wanted:
        raise SettingsError(f"{name} stays {_word(holds)}, by {talk.app.resolved.origins[key]}.")
    origin = talk.app.resolved.origins[key]
    where = "for this session" if key in talk.app.laid else "as it comes" if origin == "default" else origin
    talk.out.tell(f"{name.capitalize()} is {_word(holds)} ({where}): {on if holds else off}.")


def _word(on: bool) -> str:  # noqa: FBT001
    return "on" if on else "off"


async def model(talk: Talk, rest: str) -> None:
    """Who answers; or another one."""
    found = await (conversing.choose_model(talk.app, rest) if rest else conversing.answering(talk.app))
    talk.out.tell(talk.answering(found))
    talk.out.tell(found.why)
    for name, reason in found.skipped:
        talk.out.tell(f"Passed over: {name}: {reason}")


async def tools(talk: Talk, rest: str) -> None:  # noqa: ARG001
    """What a model is offered, and the plugins that failed."""
    told = await talk.app.toolbox(talk.root)
    for one in told["tools"]:
        what = re.split(r"[.:] ", one["description"], maxsplit=1)[0].rstrip(".")
        talk.out.tell(f"  {one['name']:<16} {one['permission']:<12}  {what}")
    for one in told["plugins"]:
        if one["state"] != "not enabled":
            talk.out.tell(f"  plugin {one['name']}: {one.get('problem') or one['state']}")


async def memory(talk: Talk, rest: str) -> None:
    """What is remembered; forget, edit, accept. Raises TargetError."""
    kept, (what, *more) = talk.app.memory, rest.split(maxsplit=2) or [""]
    match what, more:
        case "", []:
            pass
        case "accept", []:
            await kept.accept(talk.root)
        case "forget", [fact_id]:
            if not await kept.forget(talk.root, [fact_id]):
                raise TargetError(f"there is no fact with the id {fact_id}.")
        case "edit", [fact_id, text]:
            await _edit(talk, fact_id, text)
        case _:
            raise TargetError("write /memory, /memory forget ID, /memory edit ID TEXT, or /memory accept.")
    told = await kept.told(talk.root)
    for line in memory_lines(told, accept="/memory accept"):
        talk.out.tell(line)
    for warning in told["warnings"]:
        talk.out.problem(warning)


async def _edit(talk: Talk, fact_id: str, text: str) -> None:
    try:
        found = await talk.app.memory.edit(talk.root, fact_id, text)
    except ValueError as error:
        raise TargetError(str(error)) from error
    if found is None:
        raise TargetError(f"there is no fact with the id {fact_id}.")


async def state(talk: Talk, rest: str) -> None:
    """What the conversation has come to. Raises TargetError."""
    if rest not in {"", "json"}:
        raise TargetError("write /state, or /state json.")
    told: dict[str, Any] = await talk.app.state(talk.root)
    text = json.dumps(told["state"], indent=2) if rest else told["text"]
    for line in text.splitlines():
        talk.out.tell(line, whole=bool(rest))


async def status(talk: Talk, rest: str) -> None:  # noqa: ARG001
    """Everything at a glance."""
    told = await talk.app.status()
    for line in _status(talk, told):
        talk.out.tell(line)


def _status(talk: Talk, told: dict[str, Any]) -> Iterator[str]:
    reviewer, session, usage = told["reviewer"], told.get("session"), told["usage"]
    model_name = f" with {reviewer['model']}" if reviewer["model"] else ""
    yield f"Answers   {reviewer['provider']}{model_name}" + (f" at {told['endpoint']}" if told["endpoint"] else "")
    yield f"          {reviewer['why']}"
    for one in told["skipped"]:
        yield f"Skipped   {one['model']}: {one['reason']}"
    if session is not None:
        yield f"Session   {session['turns']} turns, in {session['file'] or 'memory alone'}"
        for warning in session["warnings"]:
            yield f"          {warning}"
    settings = talk.app.settings
    yield f"Plan mode {_word(settings.plan_mode)}; supervision {_word(settings.supervise)}"
    findings = ", ".join(f"{number} {name}" for name, number in told["findings"].items())
    yield f"Findings  {findings or 'none yet'}"
    tokens = (usage["inputTokens"], usage["cachedTokens"], usage["outputTokens"])
    yield "Used      {:,} tokens in ({:,} cached), {:,} out".format(*tokens)
    for one in told["memory"]:
        waiting = f", {one['foreign']} of others wait for your word" if one["foreign"] else ""
        yield f"Memory    {one['held']} facts{waiting}" if one["on"] else "Memory    off"
    yield from settings_lines(told)


async def reset(talk: Talk, rest: str) -> None:  # noqa: ARG001
    """A new conversation."""
    archived = await talk.app.reset(talk.root, purge=False)
    kept = f" The old one is kept as {archived}." if archived else ""
    talk.out.tell(f"The conversation begins anew.{kept}")
