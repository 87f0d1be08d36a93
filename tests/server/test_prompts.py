"""A prompt is shown as a whole and as it is, or nobody is asked; and what is pressed by accident means no."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.server.prompter import EditorPrompter
from socreates_lsp.settings.schema import Settings
from socreates_lsp.testkit.script import Reply
from tests.server.talking import talking
from tests.server.test_consent import prompts

if TYPE_CHECKING:
    from pathlib import Path

SHOWN_BY_VSCODE = 1000


def preselected(params: dict[str, Any]) -> dict[str, Any]:
    """The user presses Return in an editor that preselects the first choice."""
    return params["actions"][0]


@pytest.mark.parametrize(
    "command",
    [
        "echo \"[ls](https://a.example/`touch$IFS'x')\"",
        "echo \"[ls](command:workbench.action.quit 'hidden; rm -rf')\"",
        "ls ![a](file:///x)",
    ],
)
async def test_nothing_of_a_command_hides_in_a_link(root: Path, command: str) -> None:
    """A notification of VS Code shows ``[a](https://b "c")`` as the word a."""
    async with talking(root, Reply(calls=(("run_command", {"command": command}),)), "Hm?") as (client, _):
        client.answers["window/showMessageRequest"] = preselected
        await client.request("socreates/ask", {"text": "list it"})
        (prompt,) = prompts(client)
    assert "](" not in prompt["message"]
    assert prompt["message"].replace("\u2060", "").endswith(f"\n{command}")


@pytest.mark.parametrize("letter", ["x", "😀", "\u200b", "‹"])
async def test_the_longest_command_is_shown_as_a_whole(root: Path, letter: str) -> None:
    """The largest amount of a letter that is asked about at all, in the units in which VS Code counts."""
    calls = [Reply(calls=(("run_command", {"command": f"echo {letter * count}"}),)) for count in (900, 690, 340, 84)]
    async with talking(root, *calls, "Hm?") as (client, _):
        client.answers["window/showMessageRequest"] = preselected
        await client.request("socreates/ask", {"text": "list it"})
        asked = [prompt["message"].replace("\n", " ⏎ ") for prompt in prompts(client)]
    assert asked
    assert all(len(one.encode("utf-16-le")) <= 2 * SHOWN_BY_VSCODE for one in asked)


class Answering:
    """A session whose user says yes."""

    app = SimpleNamespace(settings=Settings())

    def __init__(self) -> None:
        self.asked = 0

    async def request(self, method: str, params: Any) -> dict[str, str]:
        assert (method, params.actions[0].title) == ("window/showMessageRequest", "No")
        self.asked += 1
        return {"title": "Yes"}


@pytest.mark.parametrize(("question", "answer"), [("x" * 1000, "Yes"), ("x" * 1001, None), ("\n" * 334, None)])
async def test_what_would_be_cut_off_is_not_asked(question: str, answer: str | None) -> None:
    session: Any = Answering()
    prompter = EditorPrompter()
    prompter.serve(session)
    assert await prompter.ask(question, ("No", "Yes")) == answer
    assert session.asked == (answer is not None)
