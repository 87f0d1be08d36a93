"""The files of settings: config.toml of the user, socreates.toml of a workspace. The one module here with I/O."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.settings.consent import EMBEDDINGS_URL, MODEL_URL
from socreates_lsp.settings.sources import Layer, Problem, Source, from_environment, from_table

if TYPE_CHECKING:
    from collections.abc import Mapping

CONFIG_FILE = "config.toml"
WORKSPACE_FILE = "socreates.toml"
_MOST_BYTES = 256 * 1024


class _UnreadableError(Exception):
    """Why a file is not used, in a few words."""


def config_folder(environ: Mapping[str, str] | None = None) -> Path:
    """The folder of the user's settings: ``SOCREATES_CONFIG_DIR``, else where the system keeps such things."""
    named = (os.environ if environ is None else environ).get("SOCREATES_CONFIG_DIR", "").strip()
    if named:
        return Path(os.path.expanduser(named))  # noqa: PTH111  (Path.expanduser raises without a home)
    from platformdirs import user_config_dir

    return Path(user_config_dir("socreates-lsp", appauthor=False))


def user_layers(environ: Mapping[str, str] | None = None) -> tuple[Layer, Layer]:
    """What config.toml and the environment say (``os.environ`` if None). A missing file says nothing."""
    environ = os.environ if environ is None else environ
    return config_layer(config_folder(environ)), from_environment(environ)


def config_layer(folder: Path) -> Layer:
    """What ``config.toml`` in the user's folder says. Never raises: what cannot be used is a problem."""
    layer = _layer(folder / CONFIG_FILE, Source.CONFIG)
    unread = [problem.message for problem in layer.problems if not problem.key]
    if layer.entries or not unread:
        return layer
    # Nobody knows which address it names.
    return layer._replace(doubts=tuple((key, unread[0]) for key in (MODEL_URL, EMBEDDINGS_URL)))


def workspace_layer(root: Path) -> Layer:
    """What ``socreates.toml`` in the root of a workspace says; nothing by way of a link that leaves the workspace."""
    path = root / WORKSPACE_FILE
    try:
        real, real_root = Path(os.path.realpath(path)), Path(os.path.realpath(root))
    except (OSError, ValueError):
        return Layer(Source.WORKSPACE)
    if not real.is_relative_to(real_root):
        return _unused(Source.WORKSPACE, "it is a link that leaves the workspace")
    return _layer(real, Source.WORKSPACE)


def _layer(path: Path, source: Source) -> Layer:
    try:
        content = _read(path)
        return Layer(source) if content is None else from_table(_parsed(_decoded(content)), source)
    except _UnreadableError as problem:
        return _unused(source, str(problem))


def _unused(source: Source, why: str) -> Layer:
    return Layer(source, problems=(Problem(source.value, "", f"{source.value}: {why}; nothing in it is used."),))


def _read(path: Path) -> bytes | None:
    """The content of a regular file of bounded size; None if there is no file."""
    try:
        # Without O_NONBLOCK a named pipe would hold the server up for ever.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise _UnreadableError(_reason(error)) from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise _UnreadableError("it is not a regular file")
        with open(descriptor, "rb", closefd=False) as file:
            content = file.read(_MOST_BYTES + 1)
    except OSError as error:
        raise _UnreadableError(_reason(error)) from error
    finally:
        os.close(descriptor)
    if len(content) > _MOST_BYTES:
        raise _UnreadableError(f"it is larger than {_MOST_BYTES // 1024} KiB")
    return content


def _reason(error: OSError | ValueError) -> str:
    said = error.strerror if isinstance(error, OSError) and error.strerror else "its path is not valid"
    return f"it cannot be read ({said})"


def _decoded(content: bytes) -> str:
    """The text: UTF-8, or UTF-16 by its mark or, as TOML is mostly ASCII, by where the NULs of its start are."""
    encoding = "utf-8-sig"
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        encoding = "utf-16"
    elif b"\0" in content[:2]:
        encoding = "utf-16-be" if content[:1] == b"\0" else "utf-16-le"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise _UnreadableError(f"line {line}: it is neither UTF-8 nor UTF-16") from error


def _parsed(text: str) -> dict[str, object]:
    """The table that a TOML text holds."""
    import tomllib

    try:
        # TOML 1.0 ends lines at \n and \r\n; what an old editor ended with \r alone is read as well.
        return tomllib.loads(re.sub(r"\r(?!\n)", "\n", text))
    except tomllib.TOMLDecodeError as error:
        raise _UnreadableError(_with_line(str(error), text)) from error
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits, brackets 1,000 deep
        raise _UnreadableError("a value in it is too large or too deep") from error


def _with_line(message: str, text: str) -> str:
    """The parser's words with the line (from 1) first. tomllib has it only in its message before Python 3.14."""
    match = re.fullmatch(r"(.*) \(at (?:line (\d+), column \d+|end of document)\)", message, re.DOTALL)
    if match is None:
        return message
    return f"line {match[2] or text.count(chr(10)) + 1}: {match[1]}"
