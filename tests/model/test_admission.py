"""May anything be sent: from what sources say to who is asked, and what is never sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.agent.agents import Agents
from socreates_lsp.model import failures
from socreates_lsp.review.store import FindingStore
from socreates_lsp.settings import Layer, Source, from_client, from_table, resolve
from socreates_lsp.testkit import Reply, ScriptedServer
from socreates_lsp.workspace.workspace import Workspace
from tests.model.talk import talk

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from socreates_lsp.settings import Resolved

OPENAI = "https://api.openai.com/v1"


class User:
    """A prompter with one answer, that remembers what was asked."""

    def __init__(self, answer: str | None = "Deny") -> None:
        self.answer = answer
        self.asked: list[str] = []

    async def ask(self, question: str, choices: Sequence[str], *_: Any, **__: Any) -> str | None:
        self.asked.append(question)
        return self.answer


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOCREATES_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("AWS_SECRET", "sk-very-secret")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")


def of_user(**model: Any) -> Layer:
    return from_table({"model": {"provider": "openai", "name": "m", **model}}, Source.CONFIG)


def of_client(**model: Any) -> Layer:
    return from_client({"model": {"provider": "openai", "name": "m", "retries": 0, **model}}, Source.INITIALIZATION)


def agents(user: User) -> Agents:
    return Agents(Workspace([]), FindingStore(), user)


async def sent(user: User, resolved: Resolved, of: Agents | None = None) -> None:
    """Choose a model and talk to it. Raises ModelError."""
    asking = of or agents(user)
    choice = await asking._chosen(resolved, asking._prompter)
    assert choice.model is not None
    answered = await talk(choice.model)
    if answered.error is not None:
        raise answered.error


def headers(server: ScriptedServer) -> set[str | None]:
    return {one.headers.get("authorization") for one in server.asked}


@pytest.mark.parametrize("make", [of_user, of_client])
@pytest.mark.parametrize("model", [{"baseUrl": "127.0.0.1:8080/v1"}, {"baseurl": "http://127.0.0.1:8080/v1"}])
async def test_a_wrong_address_sends_nothing_and_asks_nothing(make: Any, model: dict[str, Any]) -> None:
    user = User("Allow")
    with pytest.raises(failures.NotAllowedError, match=r"model\.base") as caught:
        await sent(user, resolve([make(**model)]))
    assert str(caught.value).startswith("No model is asked")
    assert user.asked == []


async def test_a_choice_does_not_outlive_the_word_that_made_it() -> None:
    user = User()
    with ScriptedServer([Reply("x"), Reply("x")]) as server:
        own = agents(user)
        good = of_user(baseUrl=server.openai_url, retries=0)
        await sent(user, resolve([good]), own)
        with pytest.raises(failures.NotAllowedError):
            await sent(user, resolve([good, of_client(baseUrl="h")]), own)


@pytest.mark.parametrize("answer", ["Deny", None])
async def test_a_client_names_no_variable_without_a_prompt(answer: str | None) -> None:
    user = User(answer)
    with ScriptedServer([Reply("x")]) as server:
        resolved = resolve([of_client(baseUrl=server.openai_url, apiKeyEnv="AWS_SECRET")])
        with pytest.raises(failures.NotAllowedError, match="AWS_SECRET"):
            await sent(user, resolved)
        assert server.asked == []
        (question,) = user.asked
        assert "AWS_SECRET" in question
        assert server.openai_url.split("/")[2] in question
        assert "initializationOptions" in question
        with pytest.raises(failures.NotAllowedError, match="before you allow"):
            await agents(user).look(resolved)


async def test_a_yes_holds_for_this_variable_and_this_endpoint_in_this_session() -> None:
    user = User("Allow")
    with ScriptedServer([Reply("x")] * 4) as server, ScriptedServer([Reply("x")]) as other:
        own = agents(user)
        for _ in range(2):
            await sent(user, resolve([of_client(baseUrl=server.openai_url, apiKeyEnv="AWS_SECRET")]), own)
            await sent(user, resolve([of_client(baseUrl=server.openai_url)]), own)
        assert len(user.asked) == 1
        assert headers(server) == {"Bearer sk-very-secret", None}
        await sent(user, resolve([of_client(baseUrl=other.openai_url, apiKeyEnv="AWS_SECRET")]), own)
        assert len(user.asked) == 2


async def test_a_variable_that_the_user_names_needs_no_prompt() -> None:
    user = User()
    with ScriptedServer([Reply("x")] * 2) as server:
        for layers in (
            [of_user(apiKeyEnv="AWS_SECRET"), of_client(baseUrl=server.openai_url)],
            [of_user(fallback=[{"name": "f", "api_key_env": "AWS_SECRET"}]),
             of_client(baseUrl=server.openai_url, apiKeyEnv="AWS_SECRET")],
        ):  # fmt: skip
            await sent(user, resolve(layers))
        assert headers(server) == {"Bearer sk-very-secret"}
    assert user.asked == []


async def test_the_users_variable_is_asked_about_where_a_client_takes_it_elsewhere() -> None:
    user = User("Allow")
    with ScriptedServer([Reply("x")] * 2) as server:
        url = server.openai_url.replace("127.0.0.1", "127.1")
        own = of_user(apiKeyEnv="AWS_SECRET")
        await sent(user, resolve([own, of_client(baseUrl=url)]))
        assert "AWS_SECRET" not in user.asked[0]
        assert headers(server) == {None}
        # The host is agreed to by now, the key is not.
        await sent(user, resolve([own, of_client(baseUrl=url, apiKeyEnv="AWS_SECRET")]))
        assert "AWS_SECRET" in user.asked[1]
        assert "code of this workspace" not in user.asked[1]


async def test_a_fallback_of_a_client_names_no_variable_either() -> None:
    user = User()
    with ScriptedServer([Reply(status=500)]) as server, ScriptedServer([Reply("x")]) as other:
        fallback = [{"name": "f", "baseUrl": other.openai_url, "apiKeyEnv": "AWS_SECRET"}]
        with pytest.raises(failures.ServerFailedError):
            await sent(user, resolve([of_client(baseUrl=server.openai_url, fallback=fallback)]))
        assert len(user.asked) == 1
        assert other.asked == []


async def test_another_port_of_a_named_host_is_asked_about() -> None:
    user = User()
    own = of_user(baseUrl="http://192.0.2.2:1/v1")
    with pytest.raises(failures.NotAllowedError):
        await sent(user, resolve([own, of_client(baseUrl="http://192.0.2.2:4/v1")]))
    (question,) = user.asked
    assert "192.0.2.2:4" in question


async def test_consent_to_a_host_is_for_the_host() -> None:
    user = User("Allow")
    with ScriptedServer([Reply("x")]) as server, ScriptedServer([Reply("x")]) as other:
        for one in (server, other):
            await sent(user, resolve([of_client(baseUrl=one.openai_url.replace("127.0.0.1", "127.1"))]))
    assert len(user.asked) == 1
