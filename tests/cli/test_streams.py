"""Streams that are closed, full or of few characters, and a folder that is gone: one sentence, and exit code 2."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ENVIRONMENT = {**os.environ, "SOCREATES_MODEL__PROVIDER": "examiner", "PYTHONPATH": str(Path(__file__).parents[2])}
HELD = "import requests\n\n\ndef f(u):\n    return requests.get(u, '\U0001f468\u200d\U0001f469\u200d\U0001f467é')\n"


def shell(folder: Path, line: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which ``@`` is our executable."""
    command = f"{shlex.quote(sys.executable)} -m socreates_lsp"
    return subprocess.run(
        ["sh", "-c", line.replace("@", command)],
        cwd=folder,
        env=ENVIRONMENT | variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.py").write_text(HELD, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("command", ["review", "doctor", "serve", "--stdio", "review --changes", "review a.py"])
def test_a_folder_that_is_gone(folder: Path, command: str) -> None:
    done = shell(folder, f"mkdir gone && cd gone && rmdir ../gone && @ {command}")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "socreates-lsp: the current folder is gone: change to one that is there.\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
@pytest.mark.parametrize("command", ["review a.py", "review a.py --format json", "doctor", "--help", "review --help"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_device(folder: Path, command: str, unbuffered: str) -> None:
    done = shell(folder, f"@ {command} >/dev/full", PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 2
    assert done.stderr == "socreates-lsp: standard output: No space left on device.\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_standard_error_that_is_full_stops_nothing(folder: Path, unbuffered: str) -> None:
    done = shell(folder, "@ review a.py missing.py 2>/dev/full", PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 0
    assert "python-no-timeout" in done.stdout


@pytest.mark.parametrize("command", ["review a.py", "doctor"])
def test_a_closed_output(folder: Path, command: str) -> None:
    done = shell(folder, f"@ {command} >&-")
    assert done.returncode == 2
    assert done.stderr == "socreates-lsp: standard output is closed: there is nowhere to write to.\n"


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("@ review a.py 2>&- >/dev/null", 0),
        ("@ review a.py missing.py 2>&- >/dev/null", 0),
        ("@ review missing.py 2>&- >/dev/null", 2),
        ("@ review missing.py 2>&- >&-", 2),
        ("@ review a.py <&- 2>&-", 0),
        ("@ doctor <&- 2>&- >/dev/null", 0),
        ("@ serve <&- 2>&- >/dev/null", 1),
    ],
)
def test_closed_streams(folder: Path, line: str, code: int) -> None:
    done = shell(folder, line)
    assert (done.returncode, done.stderr) == (code, "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "ascii:strict", "cp1252", "utf-8", "utf-16"])
@pytest.mark.parametrize("form", ["text", "json"])
def test_every_encoding_shows_every_line(folder: Path, encoding: str, form: str) -> None:
    done = shell(folder, f"@ review a.py --format {form} >out", PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, "")
    written = (folder / "out").read_bytes().decode(encoding.partition(":")[0])
    assert "python-no-timeout" in written
    assert "\\u200d" in written or encoding.startswith("utf")
