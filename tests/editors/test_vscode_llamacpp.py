"""Real VS Code, our extension, our server and a real model on a real llama.cpp server: what it says is of no use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.model.conftest import serving

if TYPE_CHECKING:
    from pathlib import Path

    from tests.editors.vscode_driver import VSCode

pytestmark = pytest.mark.editor

FETCH = "import requests\n\n\ndef fetch(url):\n    return requests.get(url).text\n"
CONTEXT = 4096


def test_a_review_by_a_real_model(vscode: VSCode, root: Path, tmp_path: Path) -> None:
    (root / "fetch.py").write_text(FETCH)
    with serving(CONTEXT) as llamacpp:
        settings = {
            "socreates.model.provider": "openai",
            "socreates.model.baseUrl": llamacpp.url,
            "socreates.model.name": llamacpp.model,
            "socreates.model.contextTokens": llamacpp.context,
            "socreates.model.maxOutputTokens": 24,
            "socreates.model.temperature": 0,
            "socreates.review.maxSteps": 1,
            "socreates.review.verify": False,
            "socreates.review.leads": False,
        }
        seen = vscode.drive("llamacpp", root, tmp_path, settings)
    assert "Socreates reads" in seen["ask about a selection"]
    assert seen["the end"]
    told = seen["status"]
    assert llamacpp.model in told
    assert '"outputTokens": 0' not in told, "the model has said nothing"
    assert seen["on disk"] == FETCH
