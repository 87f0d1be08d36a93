"""A progress bar on standard error: only on a terminal, and only for work of more than a second."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Self

from socreates_lsp.cli.printable import printable

if TYPE_CHECKING:
    from types import TracebackType

    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

_AFTER_S = 1.0


class Progress:
    """A context manager; ``update`` is cheap and may be called as often as one likes."""

    def __init__(self) -> None:
        """Wait for the first second to pass."""
        self._since = time.monotonic()
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        """Begin."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()

    def update(self, done: int, total: int, label: str) -> None:
        """``done`` of ``total`` files are read (0 of 0 where nobody can tell); ``label`` says what is done."""
        if self._bar is None and (not sys.stderr.isatty() or time.monotonic() - self._since < _AFTER_S):
            return
        description = printable(label, sys.stderr.encoding or "utf-8")
        if self._bar is None or self._task is None:
            self._bar = _bar(counts=total > 0)
            self._task = self._bar.add_task(description, completed=done, total=total or None)
            self._bar.start()
        else:
            self._bar.update(self._task, completed=done, total=total or None, description=description)


def _bar(*, counts: bool) -> RichProgress:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn
    from rich.progress import Progress as RichProgress
    from rich.table import Column

    name = TextColumn(
        "{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1)
    )
    columns = (BarColumn(bar_width=24), MofNCompleteColumn(), name) if counts else (SpinnerColumn(), name)
    return RichProgress(*columns, console=Console(stderr=True), transient=True, expand=True)
