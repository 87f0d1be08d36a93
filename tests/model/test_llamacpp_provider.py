"""The provider llamacpp: a server of our own around a file. With a stand-in for the package."""

from __future__ import annotations

import asyncio
import io
import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.model import llamacpp as module
from socreates_lsp.model import llamacpp_child
from socreates_lsp.model.choice import choose
from socreates_lsp.model.failures import (
    ModelError,
    NotAllowedError,
    NoToolsError,
    TimedOutError,
)
from socreates_lsp.model.llamacpp import llamacpp
from socreates_lsp.model.llamacpp_process import environment
from socreates_lsp.model.types import Finish
from socreates_lsp.settings.choices import Provider, Tools
from socreates_lsp.settings.schema import ModelSettings
from tests.model import fake_xllamacpp
from tests.model.llamas import CHILD, LLAMA, gguf, gone, lives, model_in, number, opened
from tests.model.talk import ask, talk

if TYPE_CHECKING:
    from collections.abc import Callable


HERE = Path(__file__).parent
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., ModelSettings]:
    """Settings for a model of a kind, which ``fake_xllamacpp.py`` plays."""
    folder = tmp_path / "packages"
    (folder / "xllamacpp").mkdir(parents=True)
    shutil.copy(HERE / "fake_xllamacpp.py", folder / "xllamacpp" / "__init__.py")
    monkeypatch.syspath_prepend(folder)

    def settings(kind: str, **more: Any) -> ModelSettings:
        path = str(model_in(tmp_path, kind))
        return ModelSettings(provider=Provider.LLAMACPP, path=path, **{"timeout_seconds": 60.0} | more)

    return settings


async def test_without_the_package_the_sentence_says_how_to_get_it(fake: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = fake("m")
    monkeypatch.setattr(module, "PACKAGE", "no_such_package_at_all")
    with pytest.raises(ModelError, match=r"`pip install 'socreates-lsp\[llama\]'`"):
        await llamacpp(settings, {})


# Choosing


async def nobody(url: str, variable: str | None = None) -> str | None:
    return f"Not to {url}."


async def anybody(url: str, variable: str | None = None) -> str | None:
    return None


async def test_choosing_starts_nothing_and_asks_for_leave(fake: Any) -> None:
    choice = await choose(fake("model"), {}, anybody)
    assert choice.model is not None
    assert (choice.model.provider, choice.model.name, choice.model.endpoint) == (
        "llamacpp",
        "model",
        "http://127.0.0.1",
    )
    assert choice.why == "The settings choose model, from a file."
    assert await choice.model.context_tokens() == 4096
    await choice.model.close()
    with pytest.raises(NotAllowedError, match=r"Not to http://127\.0\.0\.1"):
        await choose(fake("model"), {}, nobody)


@pytest.mark.parametrize(("trained", "said", "context"), [(2048, None, 2048), (131072, None, 8192), (2048, 9000, 9000)])
async def test_the_context_before_the_server_runs(fake: Any, trained: int, said: int | None, context: int) -> None:
    settings = fake("m", context_tokens=said)
    Path(settings.path).write_bytes(gguf(LLAMA[0], number("llama.context_length", trained)))
    model = await llamacpp(settings, {})
    assert await model.context_tokens() == context
    assert model.pid is None


async def test_tools_go_through_text_where_the_template_has_no_place_for_them(fake: Any) -> None:
    model = (await choose(fake("model"), os.environ, anybody)).model
    assert model is not None
    answered = await talk(model)
    assert answered.kinds() == ["Loading", "TextDelta", "Ended"]
    assert json.loads(answered.text)["tools"] is False
    await model.close()


@pytest.mark.parametrize("kind", ["model", "old"])
async def test_a_template_of_the_settings_with_a_place_for_tools(fake: Any, tmp_path: Path, kind: str) -> None:
    file = tmp_path / "own.jinja"
    file.write_text("{{ tools }}", "utf-8")
    for template in ("{{ messages }}{{ tools }}", str(file)):
        async with opened(fake(kind, chat_template=template)) as model:
            assert json.loads((await talk(model)).text)["tools"] is True
    async with opened(fake(kind, tools=Tools.NATIVE)) as model:
        assert type((await talk(model)).error) is NoToolsError


async def test_a_template_that_cannot_be_read(fake: Any, tmp_path: Path) -> None:
    (tmp_path / "latin.jinja").write_bytes(b"\xff\xfe\xfd")
    for name in ("latin.jinja", "none.jinja"):
        with pytest.raises(ModelError, match=r"model\.chatTemplate cannot be read as text: .*jinja"):
            await llamacpp(fake("m", chat_template=str(tmp_path / name)), {})


# The server


async def test_one_server_for_all_conversations_until_the_end(fake: Any, capfd: pytest.CaptureFixture[str]) -> None:
    async with opened(fake("model", context_tokens=700)) as model:
        both = await asyncio.gather(talk(model, ask(tools=())), talk(model, ask(tools=())))
        assert [one.kinds() for one in both] == [["Loading", "TextDelta", "Ended"]] * 2
        pid = model.pid
        assert pid is not None
        assert not hasattr(os, "getsid") or os.getsid(pid) == pid, "Ctrl-C in our terminal does not reach it"
        assert model.endpoint.startswith("http://127.0.0.1:")
        assert await model.context_tokens() == 512, "as the server tells"
        again = await talk(model, ask(tools=()))
        assert again.kinds() == ["TextDelta", "Ended"]
        assert again.end.finish is Finish.STOP
        assert model.pid == pid
        assert model.idle
        assert model._server is not None
        process = model._server._process
    assert model.pid is None
    assert process.returncode == 0, "it ended by itself when its input did"
    assert capfd.readouterr() == ("", ""), "what it says stays away from our output"


async def test_the_server_gets_no_variable_of_ours_and_runs_outside_the_workspace(fake: Any) -> None:
    async with opened(fake("model")) as model:
        seen = json.loads((await talk(model, ask(tools=()))).text)
    assert "PATH" in seen["environment"]
    assert "SECRET_KEY" not in seen["environment"]
    assert seen["environment"].keys() <= {*environment(os.environ), "LC_CTYPE"}
    assert Path(seen["folder"]) == CHILD.parent


async def test_a_server_that_is_not_well_yet_is_waited_for(fake: Any) -> None:
    async with opened(fake("sick")) as model:
        assert (await talk(model, ask(tools=()))).error is None


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("corrupt", "llama.cpp cannot load corrupt: error loading model: tensor 'x' is not within the file bounds."),
        ("large", "There is not enough memory to load large with a context of 4096 tokens: set model.contextTokens "),
        ("killed", "There is not enough memory to load killed"),
        ("template", "llama.cpp cannot use the chat template of template: error: Unexpected token: %} of type 9."),
        ("speechless", "llama.cpp cannot load speechless: RuntimeError: Failed to init server."),
        ("silent", "llama.cpp cannot load silent (exit code 5): the fake says something"),
        ("sickly", "llama.cpp cannot load sickly (exit code 3): the fake says something"),
    ],
)
async def test_a_load_that_fails_is_one_sentence(fake: Any, kind: str, sentence: str) -> None:
    async with opened(fake(kind)) as model:
        for _ in range(2):
            answered = await talk(model, ask(tools=()))
            assert answered.kinds() == ["Loading"]
            assert str(answered.error).startswith(sentence)
            assert answered.error is not None
            assert not answered.error.passing
            assert model.pid is None


async def test_the_template_of_the_settings_is_blamed_where_it_is_used(fake: Any) -> None:
    async with opened(fake("template", chat_template="{% bad")) as model:
        assert "the chat template in model.chatTemplate: error" in str((await talk(model)).error)


async def test_a_load_that_takes_too_long_ends(fake: Any) -> None:
    async with opened(fake("slow", timeout_seconds=0.3)) as model:
        answered = await talk(model)
        assert type(answered.error) is TimedOutError
        assert "has not loaded slow in 0.3 seconds" in str(answered.error)


async def test_whoever_stops_waiting_for_the_load_does_not_stop_it_but_closing_does(fake: Any) -> None:
    model = await llamacpp(fake("slow"), os.environ)
    first, second = (asyncio.create_task(talk(model)) for _ in range(2))
    await asyncio.sleep(0.3)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    assert not second.done()
    await model.close()
    answered = await second
    assert str(answered.error) == "slow was closed while it was loaded."


async def test_a_server_that_was_ended_is_started_again(fake: Any) -> None:
    async with opened(fake("model")) as model:
        await talk(model, ask(tools=()))
        pid = model.pid
        assert pid is not None
        os.kill(pid, 9)
        answered = await talk(model, ask(tools=()))
        assert answered.error is None
        assert model.pid not in {pid, None}


async def test_a_server_that_ends_before_its_answer_is_asked_once_more(fake: Any) -> None:
    async with opened(fake("once")) as model:
        answered = await talk(model, ask(tools=()))
        assert answered.error is None
        assert answered.kinds() == ["Loading", "TextDelta", "Ended"]


@pytest.mark.parametrize(
    ("kind", "events", "words"),
    [
        ("crash", ["Loading"], "/src/ggml.c:1: GGML_ASSERT(tensor) failed"),
        ("half", ["Loading", "TextDelta"], "out of breath"),
    ],
)
async def test_a_server_that_ends_in_its_answer_is_one_sentence(
    fake: Any, kind: str, events: list[str], words: str
) -> None:
    async with opened(fake(kind)) as model:
        answered = await talk(model, ask(tools=()))
        assert answered.kinds() == events
        assert str(answered.error) == f"llama.cpp ended while it answered (exit code 7): {words}."
        assert answered.error is not None
        assert not answered.error.passing


async def test_a_model_that_nobody_waits_for_makes_room_for_another(fake: Any) -> None:
    async with opened(fake("model")) as one, opened(fake("old")) as other:
        await talk(one, ask(tools=()))
        await talk(other, ask(tools=()))
        assert one.pid is None
        assert other.pid is not None
        assert (await talk(one, ask(tools=()))).kinds()[0] == "Loading"
        assert other.pid is None


async def test_a_python_that_cannot_be_started(fake: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    async with opened(fake("model")) as model:
        assert str((await talk(model)).error) == "llama.cpp could not be started: No such file or directory."


# In the child


@pytest.mark.parametrize(
    ("usable", "processors", "threads"), [(1, 1, 1), (2, 2, 1), (4, 4, 3), (8, 8, None), (8, 64, 7), (1, 64, 1)]
)
def test_one_processor_stays_free_where_there_are_few(usable: int, processors: int, threads: int | None) -> None:
    assert llamacpp_child.threads_for(usable, processors) == threads


@pytest.mark.parametrize("template", [None, "{{ tools }}"])
@pytest.mark.parametrize("kind", [0, 1], ids=["processor", "graphics card"])
def test_what_the_server_is_told_to_be(template: str | None, kind: int) -> None:
    library = SimpleNamespace(CommonParams=fake_xllamacpp.CommonParams, get_device_info=lambda: [{"type": kind}])
    config = {"path": "/m.gguf", "name": "m", "context": 700, "template": template, "key": "k"}
    told = llamacpp_child.params_of(library, config)
    assert (told.model.path, told.model_alias, told.n_ctx, told.api_keys) == ("/m.gguf", {"m"}, 700, ["k"])
    assert (told.hostnames, told.port, told.n_parallel) == (["127.0.0.1"], 0, 1)
    assert told.offline
    assert (told.warmup, told.ui, told.endpoint_slots) == (False, False, False)
    assert told.fit_params is (kind == 1)
    assert getattr(told, "chat_template", None) == template


def test_the_package_is_taken_from_the_folder_that_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("json", "xllamacpp"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("import json\nmine = True\n", "utf-8")
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    library = llamacpp_child.library_in(str(tmp_path))
    assert library.mine
    assert not hasattr(library.json, "mine")
    with pytest.raises(ImportError, match="gone"):
        llamacpp_child.library_in(str(tmp_path / "nothing"))


class Left(BaseException):
    """Stands in for the end of the process."""


@pytest.mark.parametrize(("kind", "said"), [("model", "port"), ("speechless", "error")])
def test_the_child_says_where_or_what_was_wrong(
    fake: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, said: str
) -> None:
    def leave(code: int) -> None:
        raise Left(code)

    monkeypatch.setattr(os, "_exit", leave)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    monkeypatch.setattr(fake_xllamacpp.threading, "Thread", lambda **_: SimpleNamespace(start=lambda: None))
    answer = (tmp_path / "answer").open("wb")
    config = {"folder": str(tmp_path / "packages"), "path": fake(kind).path, "name": "m", "context": 700}
    with suppress(Left):
        llamacpp_child.serve(config | {"template": None, "key": "k"}, answer)
    answer.close()
    assert list(json.loads((tmp_path / "answer").read_bytes())) == [said]
    with pytest.raises(Left):
        llamacpp_child.end_with(io.BytesIO(b"ab"))


# However we end


@LINUX
@pytest.mark.parametrize("held", [False, True], ids=["its input ends", "its parent ends"])
def test_the_server_ends_with_us_while_it_loads(fake: Any, tmp_path: Path, held: bool) -> None:
    """``held``: somebody else holds its input open, so that only the kernel can tell it."""
    path = fake("slow").path
    config = {"folder": str(tmp_path / "packages"), "path": path, "name": "m", "context": 512, "template": None}
    line = json.dumps(config | {"key": "k"}).encode() + b"\n"
    starter = (
        "import subprocess, sys, time\n"
        f"child = subprocess.Popen([sys.executable, '-I', {str(CHILD)!r}], stdin=0 if {held} else subprocess.PIPE)\n"
        f"{held} or (child.stdin.write({line!r}), child.stdin.flush())\n"
        "print(child.pid, flush=True)\ntime.sleep(600)\n"
    )
    with subprocess.Popen([sys.executable, "-c", starter], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        assert parent.stdin is not None
        assert parent.stdout is not None
        if held:
            parent.stdin.write(line)
            parent.stdin.flush()
        pid = int(parent.stdout.readline())
        until = time.monotonic() + 20
        # Where it has a second thread, it has said what it will die with.
        while len(list(Path(f"/proc/{pid}/task").iterdir())) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        assert lives(pid)
        parent.kill()
        assert gone(pid)
