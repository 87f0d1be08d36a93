"""The tool ``ask_user``: a question to the developer, where nothing but the developer knows. No answer is an answer."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

from socreates_lsp.tools.arguments import checked
from socreates_lsp.tools.bounded import clipped
from socreates_lsp.tools.command_line import visible
from socreates_lsp.tools.refusal import MalformedCallError, ToolRefusalError, answered
from socreates_lsp.tools.tool import ToolResult

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from socreates_lsp.prompting import Prompter

    Say = Callable[[str], Awaitable[str]]

MOST_QUESTIONS = 3
"""Questions of one turn: whoever is asked more often stops to read them."""

MOST_OPTIONS = 4
OTHER = "Something else…"
"""The title that lets the user write, where the client can."""

NO_ANSWER = (
    "The developer gave no answer. That is an answer: go on with what you can see, assume nothing for it, and say what "
    "is missing. Do not ask this again."
)
TOO_MANY = (
    f"You have asked {MOST_QUESTIONS} questions in this turn, and may ask no more: go on, and say what is missing."
)

_WORD = re.compile(r"[\w.%+-]+")
"""What is an answer by itself, such as None, 404 or retry, and no code."""

_LONGEST_QUESTION, _LONGEST_OPTION, _LONGEST_ANSWER = 400, 80, 2000
_HEAD = "Socreates asks you, before it goes on (what you answer goes to the model):"


class AskUser:
    """See the module."""

    name = "ask_user"
    description = (
        "Ask the developer one thing that decides a point and that no file can tell, such as what is intended. Give "
        "options where you can. Read first; not for leave, and never for a secret."
    )
    parameters: Mapping[str, Any] = {
        "type": "object",
        "properties": {
            "question": {"type": "string", "description": "One question, in words, no code."},
            "options": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Up to four short answers to choose from.",
            },
        },
        "required": ["question"],
    }
    read_only = True
    asks = False

    def __init__(self, prompter: Prompter, say: Say) -> None:
        """``say`` gives what of a text that the model wrote may reach a reader."""
        self._prompter = prompter
        self._say = say
        self._asked = 0
        self._one = asyncio.Lock()

    async def run(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        """See ``Tool``."""
        return await answered(self._answer(arguments, limit), limit)

    async def _answer(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        given = checked(self.name, arguments, self.parameters)
        question = await self._shown("question", given["question"], _LONGEST_QUESTION)
        options = [await self._shown("option", one, _LONGEST_OPTION) for one in _options(given.get("options", []))]
        if not options and not self._prompter.can_write():
            raise ToolRefusalError("The developer can only choose here: ask again, with up to four options.")
        async with self._one:
            if self._asked >= MOST_QUESTIONS:
                raise ToolRefusalError(TOO_MANY)
            self._asked += 1
            answer = await self._asked_for(f"{_HEAD}\n{question}", tuple(dict.fromkeys(options)))
        if answer is None:
            return ToolResult(clipped(NO_ANSWER, limit))
        return ToolResult(clipped(f"The developer answers: {answer.strip()[:_LONGEST_ANSWER]}", limit))

    async def _asked_for(self, question: str, options: tuple[str, ...]) -> str | None:
        """The answer of the user; None if there is none."""
        writes = self._prompter.can_write()
        if options:
            choice = await self._prompter.ask(question, (*options, OTHER) if writes else options)
            if choice != OTHER or not writes:
                return choice
        return await self._prompter.write(question)

    async def _shown(self, what: str, text: str, longest: int) -> str:
        """A text of the model's as the user sees it. Raises ToolRefusalError where nothing of it can be shown."""
        if len(text) > longest:
            raise ToolRefusalError(f"The {what} is longer than {longest} characters: make it shorter.")
        word = " ".join(text.split())
        said = visible(word if _WORD.fullmatch(word) else " ".join((await self._say(text)).split()))
        if not said:
            raise ToolRefusalError(f"Nothing but code was left of the {what}, so nobody was asked: put it in words.")
        return said


def _options(given: list[Any]) -> list[str]:
    """Raises MalformedCallError for options that are no texts, or too many."""
    if len(given) > MOST_OPTIONS or not all(isinstance(one, str) and one.strip() for one in given):
        raise MalformedCallError(f"options of ask_user must be at most {MOST_OPTIONS} texts: send it again so.")
    return given
