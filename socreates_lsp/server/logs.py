"""Where the server's log goes, and that no text of a buffer gets into it at the default level."""

from __future__ import annotations

import logging
import sys
import traceback
from typing import TYPE_CHECKING, cast

from socreates_lsp.errors import SettingsError

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

LEVELS = ("debug", "info", "warning", "error")

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class Wordless(logging.Formatter):
    """Of an error only where it happened and of which kind it is: its words may be text of a buffer."""

    def formatException(self, ei: object) -> str:  # noqa: N802  (logging's name)
        """See ``logging.Formatter``."""
        kind, _, trace = cast("tuple[type[BaseException], BaseException, TracebackType | None]", ei)
        return "".join([*traceback.format_tb(trace), f"{kind.__qualname__} (its words are logged at level debug)"])

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  (logging's name)
        """See ``logging.Formatter``. asyncio tells of tasks with what they raised, from the second line on."""
        if record.name == "asyncio":
            record.message = record.message.partition("\n")[0]
        return super().formatMessage(record)


def set_up(file: Path | None, level: str) -> None:
    """Log to a file, else to standard error. Raises SettingsError if the file can't be written.

    pygls 2.1.1 logs whole message bodies at INFO, so it is heard below WARNING only at ``debug``.
    """
    handler: logging.Handler = logging.StreamHandler(sys.stderr)
    if file is not None:
        try:
            handler = logging.FileHandler(file, encoding="utf-8", errors="backslashreplace")
        except OSError as error:
            raise SettingsError(f"The log file {file} cannot be written: {error.strerror or error}.") from error
    handler.setFormatter(logging.Formatter(_FORMAT) if level == "debug" else Wordless(_FORMAT))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for name in ("pygls", "asyncio"):
        logging.getLogger(name).setLevel(logging.DEBUG if level == "debug" else logging.WARNING)
