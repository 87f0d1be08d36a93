"""The commands of the conversation: how each is written, what it does, and what a line that is none was meant to be."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from socreates_lsp.cli.chat import acts, reviewing

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from socreates_lsp.cli.chat.talk import Talk

LEAVE = "Ctrl+D or exit leaves."
"""How to leave, for those who press Ctrl+C where nothing runs."""

_LEAVE = frozenset({"exit", "quit", "/exit", "/quit", ":q", ":quit"})


@dataclass(frozen=True, slots=True)
class Command:
    """A command. ``words``: what its first argument may be; ``usage`` how its arguments are written."""

    usage: str
    help: str
    run: Callable[[Talk, str], Awaitable[None]]
    words: tuple[str, ...] = ()
    takes_paths: bool = False


async def _help(talk: Talk, rest: str) -> None:  # noqa: ARG001  (there is no more to say)
    width = max(len(f"/{name} {command.usage}") for name, command in COMMANDS.items())
    for name, command in COMMANDS.items():
        talk.out.tell(f"  {f'/{name} {command.usage}':<{width}}  {command.help}")
    talk.out.tell(f"  {'exit, quit':<{width}}  leave; so does Ctrl+D")
    talk.out.tell()
    talk.out.tell(_KEYS)


_KEYS = (
    "Anything else is a question to the model; it reads the files here, and changes none. Alt+Enter, or a backslash at "
    "the end of a line, begins another line. Tab completes commands and paths, the arrows bring back what you typed. "
    "Ctrl+C ends an answer."
)

COMMANDS = {
    "review": Command(
        "[PATH[:10-20] | changes]",
        "review files, folders, lines, or changes",
        reviewing.review,
        ("changes",),
        takes_paths=True,
    ),
    "survey": Command("[FOCUS]", "a report on this project: what it is, rests on, risks", acts.survey),
    "dismiss": Command("NUMBER [REASON]", "do not ask this again; without a number, list", reviewing.dismiss),
    "plan": Command("on|off", "whether you approve a plan before anything runs", acts.plan, ("on", "off")),
    "supervise": Command("on|off", "whether what does more than read asks first", acts.supervise, ("on", "off")),
    "model": Command("[NAME]", "who answers and why; or another one, for this session", acts.model),
    "tools": Command("", "what the model may use", acts.tools),
    "memory": Command(
        "[forget | edit | accept]",
        "what is remembered of this folder; forget ID, edit ID TEXT",
        acts.memory,
        ("forget", "edit", "accept"),
    ),
    "state": Command("[json]", "what this conversation has read and come to", acts.state, ("json",)),
    "status": Command("", "who answers, the session, what is set and what was used", acts.status),
    "reset": Command("", "begin the conversation anew; the old one is archived", acts.reset),
    "help": Command("", "this list", _help),
}


def leaves(line: str) -> bool:
    """Whether a line ends the conversation."""
    return line.strip().casefold() in _LEAVE


def named(line: str) -> tuple[str, str] | None:
    """The name of a command and the rest of its line; None for what is a question, such as one that begins with a
    path."""
    first, _, rest = line.strip().partition(" ")
    name = first[1:]
    if not first.startswith("/") or "\n" in first or not name.replace("-", "").isalpha():
        return None
    return name, rest.strip()


def unknown(name: str) -> str:
    """The sentence on a command that there is not."""
    alike = get_close_matches(name.casefold(), COMMANDS, n=1, cutoff=0.5)
    meant = alike or [one for one in COMMANDS if one.startswith(name.casefold())]
    return f"There is no command /{name}: " + (f"did you mean /{meant[0]}?" if meant else "/help lists them.")
