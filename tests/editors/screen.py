"""A terminal that a test types into and reads: tmux on a socket of its own."""

from __future__ import annotations

import subprocess
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

_GUARD_S = 120
_LOOK_S = 0.03


class Screen:
    """A program in a terminal of 100 columns and 30 rows. A context manager; ``shots`` is where captures go."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        shots: Path,
        size: tuple[int, int] = (100, 30),
    ) -> None:
        self._socket = shots / "tmux"
        self._shots = shots
        self._count = 0
        shots.mkdir(exist_ok=True)
        start = ["new-session", "-d", "-s", "t", "-x", "100", "-y", "30", "-c", str(cwd)]
        # No status line: the screen is the program's alone.
        self._tmux("-f", "/dev/null", "start-server", ";", "set-option", "-g", "status", "off", ";",
                   "set-option", "-g", "default-terminal", "tmux-256color", ";",
                   "set-option", "-sg", "escape-time", "0", ";", *start, *command, env=env)  # fmt: skip

    def _tmux(self, *args: str, env: Mapping[str, str] | None = None) -> str:
        done = subprocess.run(
            ["tmux", "-S", str(self._socket), *args], env=None if env is None else dict(env),
            capture_output=True, text=True, timeout=_GUARD_S, check=True,
        )  # fmt: skip
        return done.stdout

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        subprocess.run(
            ["tmux", "-S", str(self._socket), "kill-server"], capture_output=True, timeout=_GUARD_S, check=False
        )

    def keys(self, *keys: str) -> None:
        """Press keys by their names of tmux, such as ``Escape``."""
        self._tmux("send-keys", "-t", "t", *keys)

    def type(self, text: str) -> None:
        """Type a text."""
        self._tmux("send-keys", "-t", "t", "-l", text)

    @property
    def text(self) -> str:
        """What stands on the screen."""
        return self._tmux("capture-pane", "-t", "t", "-p")

    def wait(self, wanted: str | Callable[[str], object], name: str | None = None) -> str:
        """Wait until a text is on the screen, or something is true of it; then take a shot of that name."""
        until = time.monotonic() + _GUARD_S
        while not _is_there(wanted, text := self.text):
            assert time.monotonic() < until, f"waited in vain for {wanted}:\n{text}"
            time.sleep(_LOOK_S)
        if name is not None:
            self.shot(name)
        return text

    def gone(self) -> None:
        """Wait until the program has ended, and the terminal with it."""
        until = time.monotonic() + _GUARD_S
        look = ["tmux", "-S", str(self._socket), "has-session", "-t", "t"]
        while subprocess.run(look, capture_output=True, timeout=_GUARD_S, check=False).returncode == 0:
            assert time.monotonic() < until, f"it is still there:\n{self.text}"
            time.sleep(_LOOK_S)

    def shot(self, name: str) -> None:
        """Keep what is on the screen, for people to look at."""
        self._count += 1
        (self._shots / f"{self._count:02} {name}.txt").write_text(self.text, encoding="utf-8")


def _is_there(wanted: str | Callable[[str], object], text: str) -> bool:
    return wanted in text if isinstance(wanted, str) else bool(wanted(text))
