"""The scripted server: the official Ollama client judges its shapes; its script, its command line."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import ollama
import pytest

from socreates_lsp.testkit import Reply, ScriptedServer, read_script
from socreates_lsp.testkit.__main__ import main
from tests.model.talk import TOOLS, ask, ollama_at, openai_at, talk

if TYPE_CHECKING:
    from pathlib import Path

CALL = Reply("Let me see.", (("read_file", {"path": "x.py"}),), "hm hm", prompt_tokens=7, completion_tokens=3)


async def test_the_official_ollama_client_takes_our_shapes() -> None:
    about = {"context": 4096, "loaded_context": 2048}
    with ScriptedServer(
        [CALL, CALL, Reply(status=400, error="no such thing")], models={"m": about}, loaded=["m"]
    ) as server:
        client = ollama.AsyncClient(host=server.url)
        message = {"role": "user", "content": "Why?"}
        tools = [{"type": "function", "function": {"name": "read_file", "parameters": {"type": "object"}}}]
        whole = await client.chat("m", [message], tools=tools)
        assert (whole.message.content, whole.message.thinking, whole.done_reason) == ("Let me see.", "hm hm", "stop")
        assert whole.message.tool_calls is not None
        assert whole.message.tool_calls[0].function.arguments == {"path": "x.py"}
        assert (whole.prompt_eval_count, whole.eval_count) == (7, 3)
        parts = [part async for part in await client.chat("m", [message], tools=tools, stream=True)]
        assert "".join(part.message.content or "" for part in parts) == "Let me see."
        assert "".join(part.message.thinking or "" for part in parts) == "hm hm"
        assert [part.done for part in parts] == [False] * (len(parts) - 1) + [True]
        with pytest.raises(ollama.ResponseError, match="no such thing"):
            await client.chat("m", [message], stream=False)
        (tag,) = (await client.list()).models
        assert (tag.model, tag.details and tag.details.format) == ("m", "gguf")
        assert tag.modified_at is not None
        (loaded,) = (await client.ps()).models
        assert (loaded.name, loaded.context_length) == ("m", 2048)
        show = await client.show("m")
        assert (show.capabilities, (show.modelinfo or {})["test.context_length"]) == (["completion", "tools"], 4096)
        with pytest.raises(ollama.ResponseError, match="not found"):
            await client.show("other")


async def test_what_we_send_is_what_the_official_client_sends() -> None:
    """The official client's types take our request, field by field, and send it on the same."""
    history = ask()
    with ScriptedServer([CALL, Reply("x"), Reply("x")]) as server:
        model = ollama_at(server)
        call = (await talk(model, history)).calls[0]
        from socreates_lsp.model.types import ChatRequest, Message, Role

        said = Message(Role.ASSISTANT, "Let me see.", (call,), reasoning="hm hm")
        result = Message(Role.TOOL, "1 x", call_id=call.id, tool="read_file")
        await talk(model, ChatRequest((*history.messages, said, result), TOOLS, max_output_tokens=5, temperature=0.5))
        ours = json.loads(json.dumps(server.chats[1]))
        client = ollama.AsyncClient(host=server.url)
        answer = await client.chat(
            ours["model"],
            ours["messages"],
            tools=ours["tools"],
            options=ours["options"],
            keep_alive=ours["keep_alive"],
            stream=True,
        )
        assert [part async for part in answer]
        theirs = json.loads(json.dumps(server.chats[2]))
    assert theirs == ours


async def test_a_whole_answer_on_the_openai_wire() -> None:
    import httpx

    with ScriptedServer([CALL]) as server:
        async with httpx.AsyncClient(trust_env=False) as client:
            got = (
                await client.post(f"{server.openai_url}/chat/completions", json={"model": "m", "stream": False})
            ).json()
    message = got["choices"][0]["message"]
    assert (message["content"], message["reasoning_content"]) == ("Let me see.", "hm hm")
    assert json.loads(message["tool_calls"][0]["function"]["arguments"]) == {"path": "x.py"}
    assert got["usage"]["total_tokens"] == 10


async def test_replies_by_a_function_and_the_end_of_a_script() -> None:
    with ScriptedServer(lambda asked: Reply(asked.body["messages"][0]["content"].upper())) as server:
        assert (await talk(openai_at(server), ask("why"))).text == "WHY"
    with ScriptedServer() as server:
        assert "the script is over" in str((await talk(openai_at(server))).error)
        assert [one.path for one in server.asked] == ["/v1/chat/completions"]


async def test_cut_and_latency() -> None:
    with ScriptedServer([Reply("Why here?", piece=3, latency_s=0.02), Reply("Wh", cut=True)]) as server:
        begun = asyncio.get_running_loop().time()
        assert (await talk(openai_at(server), ask(tools=()))).text == "Why here?"
        assert asyncio.get_running_loop().time() - begun > 0.1
        cut = await talk(openai_at(server), ask(tools=()))
    assert (cut.text, type(cut.error).__name__) == ("Wh", "InterruptedStreamError")


def test_a_script_is_read_line_by_line() -> None:
    script = (
        '{"text": "a", "calls": [{"name": "x", "arguments": {"y": 1}}, {"name": "z"}]}\n\n{"raw": "b", "status": 500}\n'
    )
    assert read_script(script) == [Reply("a", (("x", {"y": 1}), ("z", {}))), Reply(raw=b"b", status=500)]
    for bad in ("{}\n{", '{}\n{"txt": 1}', '{}\n{"calls": [{}]}', "{}\n[]"):
        with pytest.raises(ValueError, match="line 2 of the script"):
            read_script(bad)


async def test_the_command_line_prints_the_address_and_answers(tmp_path: Path) -> None:
    script = tmp_path / "script.jsonl"
    script.write_text('{"text": "Why?"}\n', "utf-8")
    command = [sys.executable, "-m", "socreates_lsp.testkit", "--wire", "ollama", "--script", str(script), "--loop"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().strip()
            client = ollama.AsyncClient(host=url)
            for _ in range(2):
                answer = await client.chat("scripted", [{"role": "user", "content": "x"}])
                assert answer.message.content == "Why?"
        finally:
            process.kill()


def test_a_script_that_cannot_be_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.jsonl"
    assert main(["--script", str(bad)]) == 2
    bad.write_text("{", "utf-8")
    assert main(["--script", str(bad)]) == 2
    assert "line 1" in capsys.readouterr().err
