"""What was used today, by all processes of the user: lines in a file for each day, in the state folder."""

from __future__ import annotations

import contextlib
import math
import os
import re
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from socreates_lsp.memory.encoding import NotJsonError, as_line, json_object
from socreates_lsp.memory.files import AppendFile, opened
from socreates_lsp.memory.folders import prepare
from socreates_lsp.memory.held import reason

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_MOST = 10**15
"""More tokens or dollars than anybody uses; a line that says so is damaged."""
_NAME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}\.jsonl")


def _today() -> date:
    """The date where the user is."""
    return datetime.now().astimezone().date()


class DayUsage:
    """Tokens and cost of the day. Nothing here raises: what cannot be written counts in this process alone."""

    def __init__(self, state: Path, today: Callable[[], date] = _today) -> None:
        """``state`` is the user's state folder. Nothing is read or made yet."""
        self._folder = state / "usage"
        self._today = today
        self._warning: str | None = None
        self._start(today())

    @property
    def warnings(self) -> tuple[str, ...]:
        """At most one sentence."""
        return () if self._warning is None else (self._warning,)

    def spent(self) -> tuple[int, float]:
        """What was used since midnight, local time: tokens, and the cost in US dollars."""
        self._turn_the_page()
        try:
            self._read_on()
        except FileNotFoundError:
            pass
        except OSError as error:
            self._warning = f"{self._path} cannot be read ({reason(error)}): the day's limits may be passed."
        return self._tokens, self._cost

    def add(self, tokens: int, cost_usd: float) -> None:
        """Add what a request took. Nothing, less than nothing and what is no number are passed over."""
        line = as_line({"tokens": tokens, "costUsd": cost_usd}) if math.isfinite(cost_usd) else b"{}"
        used = _used(line)
        if used == (0, 0):
            return
        self._turn_the_page()
        try:
            prepare(self._folder)
            file = AppendFile(self._path)
            new = not self._path.exists()
            try:
                file.append(b"\n" + line)  # what a kill tore before it ends here
            finally:
                file.close()
            if new:
                self._remove_old()
        except OSError as error:
            self._warning = f"{self._path} cannot be written ({reason(error)}): other processes do not see it."
            self._tokens += used[0]
            self._cost += used[1]

    def _turn_the_page(self) -> None:
        today = self._today()
        if today != self._day:
            self._start(today)

    def _start(self, day: date) -> None:
        self._day = day
        self._path = self._folder / f"{day.isoformat()}.jsonl"
        self._offset, self._tokens, self._cost = 0, 0, 0.0

    def _read_on(self) -> None:
        """Add up the whole lines behind those that are added up already."""
        with os.fdopen(opened(self._path, os.O_RDONLY), "rb") as file:
            file.seek(self._offset)
            data = file.read()
        whole = data[: data.rfind(b"\n") + 1]
        self._offset += len(whole)
        for line in whole.split(b"\n"):
            tokens, cost = _used(line)
            self._tokens += tokens
            self._cost += cost

    def _remove_old(self) -> None:
        """Remove the files of days before yesterday: in another time zone it may still be yesterday."""
        oldest = f"{(self._day - timedelta(days=1)).isoformat()}.jsonl"
        for path in list(self._folder.iterdir()):
            if _NAME.fullmatch(path.name) and path.name < oldest:
                with contextlib.suppress(OSError):
                    path.unlink()


def _used(line: bytes) -> tuple[int, float]:
    """What a line adds; nothing, if it is torn or says something else."""
    try:
        fields = json_object(line) or {}
    except NotJsonError:
        return 0, 0.0
    tokens, cost = fields.get("tokens"), fields.get("costUsd")
    if isinstance(cost, bool) or not isinstance(cost, int | float) or not 0 < cost < _MOST:
        cost = 0.0
    return tokens if type(tokens) is int and 0 < tokens < _MOST else 0, float(cost)
