"""Where text for people is printed to."""

from __future__ import annotations

from typing import NoReturn

from rich.console import Console


class Terminal(Console):
    """Standard output. Rich (13 to 15) ends the process with 1 where the reader is gone; here main() decides."""

    def __init__(self) -> None:
        """Colours, width and encoding are found out; nothing is made a link or coloured by what it looks like."""
        super().__init__(highlight=False)

    def on_broken_pipe(self) -> NoReturn:
        """Say so to whoever printed."""
        raise BrokenPipeError
