"""What the two adapters send, what they learn from refusals, and how they let go. Against the scripted server."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
from typing import Any

import pytest

from socreates_lsp.model import failures
from socreates_lsp.model.openai import OpenAIModel
from socreates_lsp.model.place import Key, Place
from socreates_lsp.model.types import ChatRequest, Finish, Loading, Message, Role, TextDelta, TokenUsage, ToolCall
from socreates_lsp.testkit import Reply, ScriptedServer
from tests.model.talk import TOOLS, ask, ollama_at, openai_at, talk

KEY = Key("SOME_KEY", "sk-very-secret")
CALL = ToolCall("a1", "read_file", {"path": "x.py"}, '{"path": "x.py"}')
HISTORY = (
    Message(Role.SYSTEM, "Ask."),
    Message(Role.USER, "Why?"),
    Message(Role.ASSISTANT, "", (CALL,), reasoning="hm"),
    Message(Role.TOOL, "1 a", call_id="a1", tool="read_file"),
)


@pytest.mark.parametrize("wire", ["openai", "ollama"])
async def test_text_thoughts_calls_and_usage_come_through_both_wires(wire: str) -> None:
    reply = Reply("Why here?", (("read_file", {"path": "é.py"}),), "hm hm", piece=3, prompt_tokens=7)
    with ScriptedServer([reply], loaded=["m"]) as server:
        answered = await talk((openai_at if wire == "openai" else ollama_at)(server))
    assert (answered.text, answered.reasoning) == ("Why here?", "hm hm")
    assert [(call.name, call.arguments) for call in answered.calls] == [("read_file", {"path": "é.py"})]
    assert (answered.end.finish, answered.end.model) == (Finish.CALLS, "m")
    assert answered.end.usage == TokenUsage(7, 0, 5)


async def test_the_openai_request() -> None:
    with ScriptedServer([Reply("x"), Reply("y")]) as server:
        model = openai_at(server, key=KEY)
        await talk(model, ChatRequest(HISTORY, TOOLS[:1], max_output_tokens=9, temperature=0.5))
        await talk(model, ChatRequest(HISTORY, TOOLS[:1], must_answer=True))
        first, second = server.chats
        assert server.asked[0].headers["authorization"] == "Bearer sk-very-secret"
    assert first == {
        "model": "m",
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 9,
        "temperature": 0.5,
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "read_file",
                    "description": "The tool read_file.",
                    "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
                },
            }
        ],
        "messages": [
            {"role": "system", "content": "Ask."},
            {"role": "user", "content": "Why?"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": "a1",
                        "type": "function",
                        "function": {"name": "read_file", "arguments": '{"path": "x.py"}'},
                    }
                ],
            },
            {"role": "tool", "tool_call_id": "a1", "content": "1 a"},
        ],
    }
    assert second["tools"] == first["tools"]
    assert second["tool_choice"] == "none"
    assert not {"max_tokens", "temperature"} & second.keys()


async def test_the_ollama_request() -> None:
    with ScriptedServer([Reply("x")], models={"m": {"context": 9000}}) as server:
        model = ollama_at(server)
        await talk(model, ChatRequest(HISTORY, TOOLS[:1], must_answer=True, max_output_tokens=9, temperature=0.5))
        assert await model.context_tokens() == 9000
        (body,) = server.chats
    assert body["options"] == {"num_ctx": 9000, "num_predict": 9, "temperature": 0.5}
    assert body["keep_alive"]
    assert body["stream"] is True
    assert body["tools"][0]["function"]["name"] == "read_file"
    assert "tool_choice" not in body
    assert body["messages"][2:] == [
        {
            "role": "assistant",
            "content": "",
            "thinking": "hm",
            "tool_calls": [{"function": {"name": "read_file", "arguments": {"path": "x.py"}}}],
        },
        {"role": "tool", "content": "1 a", "tool_name": "read_file"},
    ]


async def test_malformed_arguments_go_back_as_none_so_that_no_server_chokes_on_them() -> None:
    bad = ToolCall("a1", "read_file", None, '{"path": "x')
    request = ChatRequest((Message(Role.ASSISTANT, "", (bad,)), Message(Role.TOOL, "no", call_id="a1", tool="x")))
    with ScriptedServer([Reply("x"), Reply("x")]) as server:
        await talk(openai_at(server), request)
        await talk(ollama_at(server), request)
        first, second = server.chats
    assert first["messages"][0]["tool_calls"][0]["function"]["arguments"] == "{}"
    assert second["messages"][0]["tool_calls"][0]["function"]["arguments"] == {}


@pytest.mark.parametrize(
    ("status", "error", "changed"),
    [
        (400, "Invalid value for 'content': expected a string, got null.", "content"),
        (500, "2 validation errors", "content"),
        (400, "Unrecognized request argument supplied: stream_options", "stream_options"),
        (400, "Unsupported value: 'temperature' does not support 0.5 with this model.", "temperature"),
        (400, "tool_choice 'none' is not allowed", "tool_choice"),
        (400, "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2", "echo"),
        (400, "The reasoning_content in the thinking mode must be passed back to the API.", "echo"),
    ],
)
async def test_what_a_server_refuses_is_left_out_once_and_for_all(status: int, error: str, changed: str) -> None:
    request = ChatRequest(HISTORY, TOOLS, must_answer=True, temperature=0.5)
    with ScriptedServer([Reply(status=status, error=error), Reply("Why?"), Reply("So?")]) as server:
        model = openai_at(server)
        assert (await talk(model, request)).text == "Why?"
        assert (await talk(model, request)).text == "So?"
        first, second, third = server.chats
    assert second == third
    if changed == "echo":
        assert second["messages"][2].pop("reasoning_content") == "hm"
    elif changed == "content":
        assert second["messages"][2]["content"] == ""
        second["messages"][2]["content"] = None
    else:
        second = {**second, changed: first[changed]}
    assert second == first


async def test_a_server_that_goes_on_refusing_is_asked_once_more_only() -> None:
    refusal = Reply(status=400, error="content must be a string")
    with ScriptedServer([refusal] * 5) as server:
        answered = await talk(openai_at(server), ChatRequest(HISTORY, TOOLS))
        assert len(server.chats) == 2
    assert type(answered.error) is failures.RefusedRequestError
    assert "content must be a string" in str(answered.error)


@pytest.mark.parametrize(
    ("url", "model", "echoed"),
    [
        ("https://api.deepseek.com/v1", "x", True),
        ("https://openrouter.ai/api/v1", "moonshotai/kimi-k2.5", True),
        ("https://api.openai.com/v1", "gpt", False),
    ],
)
def test_thoughts_go_back_only_where_a_provider_needs_them(url: str, model: str, echoed: bool) -> None:
    from socreates_lsp.model.openai_request import body_of, first_quirks

    place = Place("openai", url, model)
    silent = Message(Role.ASSISTANT, "", (CALL,))
    body = body_of(ChatRequest((*HISTORY, silent)), place, first_quirks(place))
    messages: Any = body["messages"]
    assert [message.get("reasoning_content") for message in messages if message["role"] == "assistant"] == (
        ["hm", ""] if echoed else [None, None]
    )


async def test_ids_are_kept_and_never_given_twice() -> None:
    with ScriptedServer([Reply(calls=(("read_file", {}), ("read_file", {})))] * 2) as server:
        model = openai_at(server)
        first = await talk(model)
        history = (*HISTORY, Message(Role.ASSISTANT, "", tuple(first.calls)))
        second = await talk(model, ChatRequest(history, TOOLS))
    assert [call.id for call in first.calls] == ["call_0_read_file", "call_1_read_file"]
    assert len({call.id for call in (*first.calls, *second.calls, CALL)}) == 5


@pytest.mark.parametrize("wire", ["openai", "ollama"])
async def test_a_body_in_gzip_is_read(wire: str) -> None:
    bodies = {
        "openai": b'data: {"choices":[{"delta":{"content":"Why?"},"finish_reason":"stop"}]}\n\n',
        "ollama": b'{"message":{"content":"Why?"},"done":true}\n',
    }
    packed = Reply(raw=gzip.compress(bodies[wire]), headers={"content-encoding": "gzip"}, split=5)
    broken = Reply(raw=b"\x1f\x8bnonsense", headers={"content-encoding": "gzip"})
    with ScriptedServer([packed, broken]) as server:
        model = (openai_at if wire == "openai" else ollama_at)(server)
        assert (await talk(model)).text == "Why?"
        error = (await talk(model)).error
        assert type(error) is failures.RefusedRequestError
        assert "broke off" not in str(error)


@pytest.mark.parametrize("wire", ["openai", "ollama"])
@pytest.mark.parametrize("reply", [Reply("Wh", hang=True), Reply(raw=b" ", hang=True), Reply("x", delay_s=60)])
async def test_a_cancel_closes_the_connection_at_once(wire: str, reply: Reply) -> None:
    with ScriptedServer([reply], loaded=["m"]) as server:
        task = asyncio.create_task(talk((openai_at if wire == "openai" else ollama_at)(server)))
        while not server.chats:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(server.left.wait, 0.2)


@pytest.mark.parametrize("wire", ["openai", "ollama"])
async def test_closing_the_generator_closes_the_connection(wire: str) -> None:
    with ScriptedServer([Reply("Why here?", hang=True)], loaded=["m"]) as server:
        model = (openai_at if wire == "openai" else ollama_at)(server)
        chat = model.chat(ask(tools=()))
        assert await anext(chat) == TextDelta("Why here?")
        await chat.aclose()
        # At once, and not when the garbage is collected.
        pool: Any = model._http._ready()._transport
        assert pool._pool.connections == []
        assert await asyncio.to_thread(server.left.wait, 0.2)


async def test_the_connection_is_used_again_after_a_whole_answer() -> None:
    with ScriptedServer([Reply("a"), Reply("b"), Reply(status=500, error="x"), Reply("c")]) as server:
        model = openai_at(server)
        for _ in range(4):
            await talk(model)
        await model.close()
        assert not server.left.is_set()
        assert server.connections == 1


async def test_silence_before_and_between_bytes_is_a_time_out() -> None:
    with ScriptedServer([Reply("x", delay_s=9), Reply("Why here", hang=True), Reply(raw=b"\n", hang=True)]) as server:
        model = openai_at(server, timeout_s=0.1)
        before, between, first = await talk(model), await talk(model), await talk(model)
    assert {type(one.error) for one in (before, between, first)} == {failures.TimedOutError}
    assert "sent nothing for 0.1 seconds" in str(before.error)
    assert between.text == "Why here"
    assert "silent" in str(between.error)


@pytest.mark.parametrize("wire", ["openai", "ollama"])
async def test_a_pause_is_short_only_once_the_model_has_spoken(wire: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socreates_lsp.model.http.SILENCE_S", 0.1)
    ping, said = {
        "openai": (b": ping\n\n", b'data: {"choices":[{"delta":{"content":"Why?"}}]}\n\n'),
        "ollama": (b"\n", b'{"message":{"content":"Why?"}}\n'),
    }[wire]
    with ScriptedServer([Reply(raw=ping, hang=True), Reply(raw=said, hang=True)], loaded=["m"]) as server:
        model = (openai_at if wire == "openai" else ollama_at)(server)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(talk(model), 0.3)
        spoken = await asyncio.wait_for(talk(model), 5)
    assert spoken.text == "Why?"
    assert type(spoken.error) is failures.TimedOutError


async def test_a_complete_answer_counts_even_if_the_server_does_not_hang_up() -> None:
    body = b'data: {"choices":[{"delta":{"content":"Why?"},"finish_reason":"stop"}]}\n\n'
    with ScriptedServer([Reply(raw=body, hang=True)]) as server:
        answered = await talk(openai_at(server))
    assert answered.error is None
    assert answered.text == "Why?"


async def test_nobody_there() -> None:
    with ScriptedServer() as server:
        url = server.url
    openai = await talk(OpenAIModel(Place("openai", url, "m"), {}))
    from socreates_lsp.model.ollama import OllamaModel

    ollama = await talk(OllamaModel(Place("ollama", url, "m"), {}))
    assert type(openai.error) is type(ollama.error) is failures.CannotConnectError
    assert url in str(openai.error)
    assert "ollama serve" in str(ollama.error)
    assert "ollama" not in str(openai.error).lower()


async def test_a_missing_model_is_answered_with_those_that_there_are() -> None:
    gone = Reply(status=404, error="model 'z' not found")
    with ScriptedServer([gone, gone], models={"a": {}, "b": {}}) as server:
        openai, ollama = await talk(openai_at(server, "z")), await talk(ollama_at(server, "z"))
    for answered in (openai, ollama):
        assert type(answered.error) is failures.NoSuchModelError
        assert "a, b" in str(answered.error)
    assert "ollama pull z" in str(ollama.error)


async def test_a_redirect_is_not_followed() -> None:
    away = Reply(status=307, headers={"location": "https://evil.example/x?key=1"})
    with ScriptedServer([away]) as server:
        answered = await talk(openai_at(server))
        assert len(server.asked) == 1
    assert type(answered.error) is failures.RefusedRequestError
    assert "https://evil.example," in str(answered.error)


@pytest.mark.parametrize(
    "secret", ["sk-very-secret", "sk-with space", "sk-ümlaut", "sk-new\nline"], ids=["good", "space", "umlaut", "line"]
)
async def test_the_key_is_in_no_error_log_or_text(secret: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    key = Key("SOME_KEY", secret)
    echo = json.dumps({"error": {"message": f"bad key {secret}", "code": "x"}}).encode()
    replies = [Reply(status=status, raw=echo) for status in (400, 401, 403, 404, 429, 500)]
    replies += [Reply(raw=b'data: {"error": {"message": "%s"}}\n\n' % secret.encode())]
    shown: list[str] = [repr(key), repr(Place("openai", "http://x", "m", key))]
    with ScriptedServer(replies) as server:
        model = openai_at(server, key=key)
        for _ in replies:
            answered = await talk(model)
            assert answered.error is not None
            shown += [str(answered.error), repr(answered.error)]
        shown += [repr(model), repr(vars(model))]
        assert all(secret not in json.dumps(one.body) for one in server.asked)
    assert not any(secret in text or "very-secret" in text for text in (*shown, caplog.text))


async def test_an_address_with_a_key_in_it_is_neither_logged_nor_shown(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with ScriptedServer([Reply("x"), Reply(status=500)]) as server:
        model = OpenAIModel(Place("openai", f"{server.openai_url}?key=sk-very-secret", "m"), {})
        assert (await talk(model)).text == "x"
        failed = await talk(model)
        assert server.asked[0].path.endswith("?key=sk-very-secret")
    assert "very-secret" not in f"{failed.error} {model.endpoint} {caplog.text}"


async def test_an_unusable_key_is_refused_by_the_name_of_its_variable() -> None:
    with ScriptedServer() as server:
        answered = await talk(openai_at(server, key=Key("SOME_KEY", "a b")))
        assert not server.asked
    assert type(answered.error) is failures.WrongKeyError
    assert "SOME_KEY" in str(answered.error)


async def test_a_cold_ollama_says_so_first_and_is_not_asked_again_while_warm() -> None:
    with ScriptedServer([Reply("a"), Reply("b")]) as server:
        model = ollama_at(server)
        cold, warm = await talk(model), await talk(model)
        paths = [one.path for one in server.asked]
    assert cold.events[0] == Loading("m")
    assert not [event for event in warm.events if isinstance(event, Loading)]
    assert paths[-1] == "/api/chat"
    assert paths.count("/api/chat") == 2


@pytest.mark.parametrize(
    ("models", "loaded", "setting", "tokens"),
    [
        ({"m": {"context": 9000}}, [], None, 9000),
        ({"m": {"context": 131_072}}, [], None, 16_384),
        ({"m": {"context": 131_072}}, [], 32_000, 32_000),
        ({"m": {"context": 4096}}, [], 32_000, 4096),
        ({"m:latest": {"context": 131_072, "loaded_context": 40_960}, "m": {}}, ["m:latest"], None, 32_768),
        ({"m": {"context": 131_072, "loaded_context": 40_960}}, ["m"], None, 40_960),
        ({"m": {"context": 131_072, "loaded_context": 2048}}, ["m"], None, 16_384),
        ({}, [], None, 16_384),
    ],
)
async def test_the_context_of_an_ollama_model(
    models: dict[str, Any], loaded: list[str], setting: int | None, tokens: int
) -> None:
    with ScriptedServer(models=models, loaded=loaded) as server:
        model = ollama_at(server, context_tokens=setting)
        assert await model.context_tokens() == tokens
        asked = len(server.asked)
        assert await model.context_tokens() == tokens
        assert len(server.asked) == asked


@pytest.mark.parametrize(
    ("listed", "props", "setting", "tokens"),
    [
        ({"id": "m", "max_model_len": 32_768}, None, None, 32_768),
        ({"id": "m", "context_length": 5000}, None, None, 5000),
        ({"id": "m", "context_window": 5001}, None, 4000, 4000),
        ({"id": "m", "max_model_len": 5001}, None, 9000, 5001),
        ({"id": "m", "owned_by": "llamacpp"}, 4096, None, 4096),
        ({"id": "other", "owned_by": "llamacpp"}, 4096, None, 4096),
        ({"id": "m"}, 4096, None, 8192),
        ({"id": "m"}, None, 100_000, 100_000),
        (None, None, None, 8192),
    ],
)
async def test_the_context_of_an_openai_model(listed: Any, props: int | None, setting: int | None, tokens: int) -> None:
    routes: dict[str, Any] = {"/v1/models": {"data": [listed]} if listed else Reply(status=404)}
    if props:
        routes["/props"] = {"default_generation_settings": {"n_ctx": props}}
    with ScriptedServer(routes=routes) as server:
        model = openai_at(server, context_tokens=setting)
        assert [await model.context_tokens() for _ in range(2)] == [tokens] * 2
        assert [one.path for one in server.asked].count("/v1/models") == 1


async def test_a_server_that_could_not_be_asked_for_its_context_is_asked_again() -> None:
    with ScriptedServer(routes={"/v1/models": Reply(status=503)}) as server:
        model = openai_at(server)
        assert await model.context_tokens() == 8192
        server.routes["/v1/models"] = {"data": [{"id": "m", "max_model_len": 9999}]}
        assert await model.context_tokens() == 9999


@pytest.mark.parametrize("wire", ["openai", "ollama"])
async def test_a_prompt_that_the_server_cut_is_reported(wire: str) -> None:
    words = " ".join(f"word{number}" for number in range(1000))
    replies = [Reply("x", prompt_tokens=tokens) for tokens in (1500, 810, 700)] + [Reply("x", prompt_tokens=None)]
    with ScriptedServer(replies) as server:
        model = (openai_at if wire == "openai" else ollama_at)(server)
        warnings = [(await talk(model, ask(words))).end.warning for _ in replies]
    assert [bool(warning) for warning in warnings] == [False, False, True, False]
    assert "only 700 tokens" in str(warnings[2])
