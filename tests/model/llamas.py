"""Files and processes of llama.cpp, for the tests of the provider llamacpp."""

from __future__ import annotations

import os
import struct
import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.model import llamacpp_process
from socreates_lsp.model.llamacpp import llamacpp

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from socreates_lsp.model.llamacpp import LlamaCpp
    from socreates_lsp.settings.schema import ModelSettings

CHILD = Path(llamacpp_process.__file__).with_name("llamacpp_child.py")


def text(value: str) -> bytes:
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def word(key: str, value: str) -> bytes:
    return text(key) + struct.pack("<I", 8) + text(value)


def number(key: str, value: int) -> bytes:
    return text(key) + struct.pack("<II", 4, value)


def array(key: str, kind: int, length: int, data: bytes) -> bytes:
    return text(key) + struct.pack("<IIQ", 9, kind, length) + data


def gguf(*keys: bytes, version: int = 3, more: int = 0) -> bytes:
    return b"GGUF" + struct.pack("<IQQ", version, 0, len(keys) + more) + b"".join(keys)


LLAMA = (word("general.architecture", "llama"), number("llama.context_length", 4096))


def model_in(folder: Path, kind: str, *keys: bytes) -> Path:
    path = folder / f"{kind}.gguf"
    path.write_bytes(gguf(*(keys or LLAMA)))
    return path


@asynccontextmanager
async def opened(settings: ModelSettings) -> AsyncIterator[LlamaCpp]:
    model = await llamacpp(settings, os.environ | {"SECRET_KEY": "hush"})
    try:
        yield model
    finally:
        await model.close()


def lives(pid: int) -> bool:
    """Whether a process runs; one that has ended and that nobody has waited for does not."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


def gone(pid: int) -> bool:
    """Whether a process ends soon: at once on an idle machine."""
    until = time.monotonic() + 5
    while lives(pid) and time.monotonic() < until:
        time.sleep(0.02)
    return not lives(pid)
