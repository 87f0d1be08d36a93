"""Code goes to another machine only by the user's word: every source of settings, and prompts that mean no."""

from __future__ import annotations

import asyncio
import json
import os
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.app import App
from socreates_lsp.testkit.script import Reply
from socreates_lsp.testkit.server import ScriptedServer
from tests.bare_client import NEVER, Failure, serving
from tests.server.servers import inside, until
from tests.server.talking import QUESTION, app_py, talking

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bare_client import BareClient


def elsewhere(model: ScriptedServer) -> str:
    """The scripted model under a name that is not known to be this machine, and yet reaches it."""
    return model.openai_url.replace("127.0.0.1", "127.1")


def of_the_client(url: str) -> dict[str, Any]:
    return {"model": {"provider": "openai", "baseUrl": url, "name": "m", "retries": 0}}


def prompts(client: BareClient) -> list[dict[str, Any]]:
    return client.seen("window/showMessageRequest")


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A consent that one test gives is none for the next. A refusal is an error where no lead was shown before."""
    monkeypatch.setenv("SOCREATES_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("SOCREATES_REVIEW__LEADS", "false")
    monkeypatch.setenv("SOCREATES_REVIEW__VERIFY", "false")
    return tmp_path / "state"


@pytest.mark.parametrize(
    "answer", [None, {"title": "Deny"}, {"title": "Sure"}, {}, {"title": None}, "Allow", ["Allow"], Failure()]
)
async def test_whatever_is_no_yes_means_that_nothing_is_sent(root: Path, answer: Any) -> None:
    uri = app_py(root)
    with ScriptedServer([Reply(text=QUESTION)]) as model:
        async with inside(App) as client:
            client.answers["window/showMessageRequest"] = answer
            await client.initialize(rootUri=root.as_uri(), initializationOptions=of_the_client(elsewhere(model)))
            refused = await client.answer_to("socreates/review", {"uri": uri})
            assert "127.1" in refused["error"]["message"]
            assert model.asked == []
            (prompt,) = prompts(client)
            assert "127.1" in prompt["message"]
            assert [action["title"] for action in prompt["actions"]] == ["Deny", "Allow"]


async def test_a_yes_is_remembered_for_the_host_and_its_next_server(root: Path, own_state: Path) -> None:
    uri = app_py(root)
    with ScriptedServer([Reply(text=QUESTION), Reply(text=QUESTION)]) as model:
        for asked in (1, 0):
            async with inside(App) as client:
                client.answers["window/showMessageRequest"] = {"title": "Allow"}
                await client.initialize(rootUri=root.as_uri(), initializationOptions=of_the_client(elsewhere(model)))
                status = await client.request("socreates/status")
                assert len(prompts(client)) == 0
                assert ("allow" in status["reviewer"]["why"]) == bool(asked)
                assert len((await client.request("socreates/review", {"uri": uri}))["findings"]) == 1
                assert len(prompts(client)) == asked
        assert len(model.chats) == 2
    assert "127.1" in (own_state / "consents.json").read_text()


async def test_no_answer_in_time_means_no_and_a_cancel_ends_the_wait(root: Path) -> None:
    uri = app_py(root)
    with ScriptedServer() as model:
        async with inside(App) as client:
            client.answers["window/showMessageRequest"] = NEVER
            options = of_the_client(elsewhere(model)) | {"policy": {"promptSeconds": 0.1}}
            await client.initialize(rootUri=root.as_uri(), initializationOptions=options)
            refused = await client.answer_to("socreates/review", {"uri": uri})
            assert "127.1" in refused["error"]["message"]
            client.notify(
                "workspace/didChangeConfiguration", {"settings": {"socreates": {"policy": {"promptSeconds": 60}}}}
            )
            msg_id, answer = client.begin("socreates/review", {"uri": uri})
            await until(lambda: len(prompts(client)) == 2)
            client.notify("$/cancelRequest", {"id": msg_id})
            assert (await asyncio.wait_for(answer, 5))["error"]["code"] == -32800
        assert model.asked == []


@pytest.mark.parametrize("source", ["initializationOptions", "configuration", "didChangeConfiguration"])
async def test_what_a_repository_may_have_written_is_asked_about(root: Path, source: str) -> None:
    """``.vscode/settings.json`` comes in by any of these ways."""
    uri = app_py(root)
    with ScriptedServer() as model:
        options = of_the_client(elsewhere(model))
        async with inside(App) as client:
            if source == "configuration":
                client.answers["workspace/configuration"] = [options]
            await client.initialize(
                rootUri=root.as_uri(),
                initializationOptions=options if source == "initializationOptions" else None,
                capabilities={"workspace": {"configuration": source == "configuration"}},
            )
            if source == "didChangeConfiguration":
                client.notify("workspace/didChangeConfiguration", {"settings": {"socreates": options}})
            if source == "configuration":
                await client.wait_for(lambda: client.seen("workspace/configuration"))
                await asyncio.sleep(0.05)
            answer = await client.answer_to("socreates/review", {"uri": uri})
            assert "127.1" in answer["error"]["message"]
            assert len(prompts(client)) == 1
        assert model.asked == []


async def test_a_workspace_file_names_no_endpoint(root: Path) -> None:
    uri = app_py(root)
    with ScriptedServer() as model:
        url = elsewhere(model)
        (root / "socreates.toml").write_text(f'[model]\nprovider = "openai"\nbase_url = "{url}"\nname = "m"\n')
        async with inside(App) as client:
            await client.initialize(rootUri=root.as_uri())
            await client.request("socreates/review", {"uri": uri})
            assert prompts(client) == []
        assert model.asked == []


@pytest.mark.parametrize("source", ["config.toml", "variable", "flag"])
async def test_what_the_user_named_is_not_asked_about(root: Path, tmp_path: Path, source: str) -> None:
    uri = app_py(root)
    with ScriptedServer([Reply(text=QUESTION)]) as model:
        url, env, flags = elsewhere(model), dict(os.environ), []
        if source == "config.toml":
            (tmp_path / "config").mkdir()
            (tmp_path / "config" / "config.toml").write_text(
                f'[model]\nprovider = "openai"\nbase_url = "{url}"\nname = "m"\n'
            )
            env["SOCREATES_CONFIG_DIR"] = str(tmp_path / "config")
        elif source == "variable":
            env |= {
                "SOCREATES_MODEL__PROVIDER": "openai",
                "SOCREATES_MODEL__BASE_URL": url,
                "SOCREATES_MODEL__NAME": "m",
            }
        else:
            named = ("model.provider=openai", f"model.baseUrl={url}", "model.name=m")
            flags = [part for one in named for part in ("--set", one)]
        async with serving(*flags, env=env) as client:
            await client.initialize(rootUri=root.as_uri())
            assert len((await client.request("socreates/review", {"uri": uri}))["findings"]) == 1
            assert prompts(client) == []
        assert len(model.chats) == 1


async def test_an_endpoint_that_the_policy_leaves_out_is_not_even_asked_about(root: Path) -> None:
    uri = app_py(root)
    with ScriptedServer() as model:
        (root / "socreates.toml").write_text('[policy]\nendpoints_allow = ["models.example.org"]\n')
        async with inside(App) as client:
            client.answers["window/showMessageRequest"] = {"title": "Allow"}
            await client.initialize(rootUri=root.as_uri(), initializationOptions=of_the_client(elsewhere(model)))
            answer = await client.answer_to("socreates/review", {"uri": uri})
            assert "policy.endpointsAllow" in answer["error"]["message"]
            assert prompts(client) == []
        assert model.asked == []


async def test_a_bare_key_in_the_environment_is_no_consent(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    uri = app_py(root)
    async with inside(App) as client:
        await client.initialize(rootUri=root.as_uri())
        result = await client.request("socreates/review", {"uri": uri})
        assert result["reviewer"]["provider"] == "examiner"


async def test_a_local_ollama_that_passes_text_on_is_asked_about(root: Path) -> None:
    uri = app_py(root)
    with ScriptedServer(
        models={"big:cloud": {"remote_host": "https://ollama.com"}, "sly": {"remote_host": "https://else.example"}}
    ) as model:
        for name in ("big:cloud", "sly"):
            async with inside(App) as client:
                options = {"model": {"provider": "ollama", "baseUrl": model.url, "name": name, "retries": 0}}
                await client.initialize(rootUri=root.as_uri(), initializationOptions=options)
                answer = await client.answer_to("socreates/review", {"uri": uri})
                assert "error" in answer
                assert len(prompts(client)) == 1
        assert model.chats == []


async def test_a_command_runs_on_a_copy_after_a_prompt_that_shows_it(root: Path) -> None:
    app_py(root)
    before = {path.name: path.read_bytes() for path in root.iterdir()}
    command = "rm -f app.py && ls"
    commands = [f"{command} -a", command, f"{command} -l", f"{command}  -a"]
    calls = [Reply(calls=(("run_command", {"command": one}),)) for one in commands]
    async with talking(root, *calls, "Done?") as (client, model):
        answers = iter([{"title": "Deny"}, {"title": "Run once"}, None])
        client.answers["window/showMessageRequest"] = lambda _: next(answers)
        await client.request("socreates/ask", {"text": "delete it"})
        results = [one["content"] for one in model.chats[-1]["messages"] if one["role"] == "tool"]
        assert len(prompts(client)) == 3
        for one, prompt in zip(commands, prompts(client), strict=False):
            assert one in prompt["message"]
        assert [action["title"] for action in prompts(client)[0]["actions"]] == [
            "Deny", "Run once", "Allow for this session",
        ]  # fmt: skip
        assert "app.py" not in results[1]
        assert results[0] == results[2] == results[3] != results[1]
    after = {path.name: path.read_bytes() for path in root.iterdir() if path.name != ".socreates"}
    assert after == before
    record = [json.loads(line) for line in (root / ".socreates" / "egress.jsonl").read_text().splitlines()]
    assert [one["command"] for one in record if one["event"] == "command"] == commands


async def test_an_untrusted_workspace_has_no_commands(root: Path) -> None:
    app_py(root)
    async with talking(root, "Hm?", options={"trusted": False}) as (client, model):
        await client.request("socreates/ask", {"text": "run it"})
        assert "run_command" not in json.dumps(model.chats[0]["tools"])
