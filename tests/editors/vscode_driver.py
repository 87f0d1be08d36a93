"""Real VS Code, as code-server in a headless browser, with our extension: one for all that is asked of it."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, Queue
from typing import TYPE_CHECKING, Any

from tests.bare_client import COMMAND

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

REPOSITORY = Path(__file__).parents[2]
DRIVER = Path(__file__).with_name("vscode") / "serve.mjs"
VSIX = REPOSITORY / "editors" / "vscode" / "socreates.vsix"
WAIT_S, WHOLE_S = int(os.environ.get("EDITORS_SECONDS", "300")), 900
"""How long a wait on the screen, and a scenario, may take before they count as hanging."""


def parts() -> Path:
    """Where ``.ci/editors`` puts what it installs."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(os.environ.get("EDITORS_FOLDER") or Path(cache) / "socreates-editors")


def missing() -> str | None:
    """What keeps it from starting, in words; None if everything is there."""
    if shutil.which("chromium") is None:
        return "chromium is not installed"
    if not (parts() / "node_modules" / "code-server").is_dir():
        return "code-server is not installed"
    return None if VSIX.is_file() else "the extension is not built"


@dataclass(frozen=True)
class Seen:
    """What each step of a scenario saw, by its name."""

    steps: dict[str, Any]

    def __getitem__(self, step: str) -> Any:
        return self.steps[step]


class VSCode:
    """The driver (``serve.mjs``), to which scenarios are given one after the other."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._ended: Queue[str] = Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._ended.put(line.strip())
        self._ended.put("")

    def drive(self, scenario: str, root: Path, tmp_path: Path, settings: Mapping[str, Any] | None = None) -> Seen:
        """Carry out a scenario on a folder; every step of it was done. ``settings`` are the user's, in VS Code."""
        pictures = os.environ.get("EDITORS_PICTURES")
        out = Path(pictures or tmp_path) / scenario
        given = {
            "name": scenario, "root": str(root), "out": str(out), "pictures": bool(pictures),
            "settings": {"socreates.server.command": list(COMMAND), **(settings or {})},
        }  # fmt: skip
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(given) + "\n")
        self._process.stdin.flush()
        with contextlib.suppress(Empty):
            self._ended.get(timeout=WHOLE_S)
        report = json.loads((out / "report.json").read_text("utf-8"))
        print(*(f"{one['milliseconds']:7} ms  {one['name']}" for one in report["steps"]), sep="\n")
        assert report["failure"] is None, report["failure"]
        return Seen({one["name"]: one["seen"] for one in report["steps"]})


@contextlib.contextmanager
def running(home: Path) -> Iterator[VSCode]:
    """VS Code with its files in ``home``, an empty folder."""
    given = {
        "parts": str(parts()), "chromium": shutil.which("chromium"), "vsix": str(VSIX), "home": str(home),
        "seconds": WAIT_S,
    }  # fmt: skip
    process = subprocess.Popen(
        [parts() / "bin" / "node", DRIVER, json.dumps(given)],
        cwd=home, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True,
    )  # fmt: skip
    try:
        yield VSCode(process)
    finally:
        assert process.stdin is not None
        process.stdin.close()  # it then takes the browser along, which is in no group of ours
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(30)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
