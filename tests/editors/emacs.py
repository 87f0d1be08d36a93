"""Emacs in batch, with eglot and the server of this checkout, for a test."""

from __future__ import annotations

import json
import os
import subprocess
from typing import TYPE_CHECKING, Any

from socreates_lsp.cli.snippets import SNIPPETS
from tests.editors.neovim import HERE, environment, needs, server_script

if TYPE_CHECKING:
    from pathlib import Path

needs_emacs = needs("emacs", "apt-get install emacs-nox elpa-eglot")


def driven(folder: Path, root: Path, session: str, env: dict[str, str], **drive: str) -> dict[str, Any]:
    """What a session saw, configured as ``doctor --editor emacs`` says."""
    out = folder / "seen.json"
    path = f"{server_script(folder).parent}:{os.environ['PATH']}"
    given = json.dumps({"configuration": SNIPPETS["emacs"], "out": str(out), **drive})
    done = subprocess.run(
        ["emacs", "--batch", "-q", "-l", str(HERE / session)],
        env=environment(folder, **env, DRIVE=given, PATH=path), cwd=root,
        stdin=subprocess.DEVNULL, capture_output=True, timeout=400, check=False,
    )  # fmt: skip
    assert out.exists(), done.stderr.decode()
    seen = json.loads(out.read_text(encoding="utf-8"))
    assert "failure" not in seen, f"{seen}\n{done.stderr.decode()}"
    return seen
