"""A question to the developer: what is shown, what the model reads, and that no answer is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.tools.ask_user import MOST_QUESTIONS, NO_ANSWER, OTHER, AskUser

if TYPE_CHECKING:
    from socreates_lsp.tools.tool import ToolResult


class User:
    """Answers from lists."""

    def __init__(self, *choices: str | None, writes: str | bool | None = False) -> None:
        self.choices = list(choices)
        self.writes = writes
        self.asked: list[tuple[str, tuple[str, ...]]] = []
        self.written: list[str] = []

    def present(self) -> bool:
        return True

    async def ask(self, question: str, choices: tuple[str, ...]) -> str | None:
        self.asked.append((question, choices))
        answer = self.choices.pop(0) if self.choices else None
        return answer if answer in choices else None

    def can_write(self) -> bool:
        return self.writes is not False

    async def write(self, question: str) -> str | None:
        self.written.append(question)
        return self.writes if isinstance(self.writes, str) else None


async def say(text: str) -> str:
    return text.replace("CODE", "")


async def ask(user: User, **arguments: Any) -> ToolResult:
    return await AskUser(user, say).run(arguments, 4000)


async def test_a_choice_is_the_answer_and_the_user_knows_where_it_goes() -> None:
    user = User("Once")
    result = await ask(user, question="How often may\nit run?", options=["Once", "Always", "Once"])
    assert (result.text, result.failed) == ("The developer answers: Once", False)
    assert user.asked == [
        (
            "Socreates asks you, before it goes on (what you answer goes to the model):\nHow often may it run?",
            ("Once", "Always"),
        )
    ]


async def test_a_single_word_is_an_option_though_it_may_be_code_elsewhere() -> None:
    user = User("404")

    async def nothing(text: str) -> str:
        return text if "?" in text else ""

    arguments = {"question": "Which one?", "options": ["None", "404", "retry-later"]}
    result = await AskUser(user, nothing).run(arguments, 4000)
    assert result.text == "The developer answers: 404"
    refused = await AskUser(user, nothing).run({**arguments, "options": ["raise ValueError(x)"]}, 4000)
    assert "Nothing but code was left of the option" in refused.text


@pytest.mark.parametrize("answer", [None, "Never heard of"])
async def test_no_answer_is_an_answer(answer: str | None) -> None:
    result = await ask(User(answer), question="Which?", options=["a", "b"])
    assert (result.text, result.failed) == (NO_ANSWER, False)


async def test_who_can_write_may_answer_otherwise() -> None:
    user = User(OTHER, writes="Twice, on Mondays")
    result = await ask(user, question="How often?", options=["Once"])
    assert result.text == "The developer answers: Twice, on Mondays"
    assert user.asked[0][1] == ("Once", OTHER)
    assert (await ask(User(writes="Well"), question="Why?")).text == "The developer answers: Well"
    assert (await ask(User(writes=None), question="Why?")).text == NO_ANSWER


async def test_who_cannot_write_is_given_options() -> None:
    user = User()
    result = await ask(user, question="Why?")
    assert result.failed
    assert "with up to four options" in result.text
    assert user.asked == user.written == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"question": "Q?", "options": ["1", "2", "3", "4", "5"]}, "at most 4 texts"),
        ({"question": "Q?", "options": [1]}, "at most 4 texts"),
        ({"question": "Q?", "options": "a"}, "must be a list"),
        ({"options": ["a"]}, "needs the argument question"),
        ({"question": "x" * 500, "options": ["a"]}, "longer than 400"),
        ({"question": "CODE CODE", "options": ["a"]}, "Nothing but code"),
        ({"question": "Q?", "options": ["CODE CODE"]}, "Nothing but code"),
    ],
)
async def test_what_is_no_question_is_told_to_the_model_alone(arguments: dict[str, Any], told: str) -> None:
    user = User("a")
    result = await ask(user, **arguments)
    assert result.failed
    assert told in result.text
    assert user.asked == []


async def test_nothing_hidden_is_shown() -> None:
    user = User("a")
    await ask(user, question="Is \u202eit so?", options=["a"])
    assert "‹U+202E›" in user.asked[0][0]


async def test_a_turn_asks_only_so_often() -> None:
    user = User(*["a"] * 9)
    tool = AskUser(user, say)
    results = [await tool.run({"question": "Q?", "options": ["a"]}, 4000) for _ in range(MOST_QUESTIONS + 2)]
    assert [one.failed for one in results] == [False] * MOST_QUESTIONS + [True, True]
    assert len(user.asked) == MOST_QUESTIONS
