"""Standard input, output and error as whoever started us left them: closed, full, or of few characters."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path


def make_ready() -> bool:
    """Put the null device where a stream is closed; whether there was an output.

    The descriptors are filled as well: the next file that is opened would get number 1 or 2, and what a library
    prints would land in it.
    """
    there = sys.stdout is not None  # pyright: ignore[reportUnnecessaryComparison]  (None where it is closed)
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A net under printable(): what slips through is spelled, and ends nothing.
            stream.reconfigure(errors="backslashreplace")
    return there


def give_up_output() -> None:
    """Nothing more can be written to standard output: nor is anything at exit, which would only fail again."""
    _give_up("stdout")


def give_up_errors() -> None:
    """The same for standard error."""
    _give_up("stderr")


def _give_up(name: str) -> None:
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), getattr(sys, name).fileno())
    except (OSError, ValueError):
        setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
