"""How a command ends: its exit codes, and the sentence on standard error."""

from __future__ import annotations

import sys

from socreates_lsp.cli import streams
from socreates_lsp.cli.printable import prose

FOUND = 1
"""Findings at or over what ``--fail-on`` says."""

COULD_NOT_RUN = 2
"""Nothing of what was asked for could be done."""

INTERRUPTED = 130
"""Ctrl-C, as shells have it: 128 and the number of the signal."""


def complain(sentence: str) -> None:
    """Say one sentence on standard error. Names of files are in it, which may hold anything.

    Where standard error cannot be written to, nobody is told.
    """
    try:
        sys.stderr.write(f"socreates-lsp: {prose(sentence, sys.stderr.encoding or 'utf-8')}\n")
        sys.stderr.flush()
    except OSError:
        streams.give_up_errors()
