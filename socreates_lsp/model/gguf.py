"""The head of a GGUF file, as its specification has it: enough to know the kind of a model before it is loaded."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO

from socreates_lsp.model.failures import ModelError, NoSuchModelError

if TYPE_CHECKING:
    from pathlib import Path

_VERSIONS = (2, 3)
_MOST_KEYS = 4096
_MOST_TEXT = 16 * 1024 * 1024
_MOST_WORDS = 1024
"""Of an array of texts; longer ones are vocabularies, and what is looked for comes before those."""

_NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_TEXT, _ARRAY = 8, 9


@dataclass(frozen=True, slots=True)
class Head:
    """``architecture`` is empty and ``trained_tokens`` None where the file does not tell them early."""

    architecture: str = ""
    trained_tokens: int | None = None


class _EndError(Exception):
    """Nothing more is to be read."""


def head_of(path: Path) -> Head:
    """Read the head of a file. Raises ModelError, in one sentence, where it is missing or no GGUF file."""
    try:
        with path.open("rb") as file:
            return _head(file, path)
    except FileNotFoundError:
        raise NoSuchModelError(f"The file in model.path is not there: {path}.") from None
    except IsADirectoryError:
        raise NoSuchModelError(f"model.path is a folder, and has to be a GGUF file: {path}.") from None
    except OSError as error:
        raise ModelError(f"The file in model.path cannot be read: {path} ({error.strerror or error}).") from None
    except (struct.error, _EndError):
        raise ModelError(f"The file in model.path is cut off or damaged: {path}.") from None


def _head(file: BinaryIO, path: Path) -> Head:
    if file.read(4) != b"GGUF":
        raise ModelError(f"The file in model.path is no GGUF file, which is what llama.cpp loads: {path}.")
    (version,) = _numbers(file, "I")
    if version not in _VERSIONS:
        raise ModelError(f"The file in model.path is of a kind of GGUF that is not known (version {version}): {path}.")
    _, keys = _numbers(file, "QQ")
    found: dict[str, object] = {}
    for _ in range(min(int(keys), _MOST_KEYS)):
        name = _text(file)
        (kind,) = _numbers(file, "I")
        if kind == _ARRAY:
            if not _passed(file):
                break
            continue
        found[name] = _value(file, int(kind))
        architecture = found.get("general.architecture")
        trained = found.get(f"{architecture}.context_length")
        if isinstance(architecture, str) and isinstance(trained, int):
            return Head(architecture, trained or None)
    architecture = found.get("general.architecture")
    return Head(architecture if isinstance(architecture, str) else "")


def _value(file: BinaryIO, kind: int) -> object:
    if kind == _TEXT:
        return _text(file)
    if kind not in _NUMBERS:
        raise _EndError
    return _numbers(file, _NUMBERS[kind])[0]


def _passed(file: BinaryIO) -> bool:
    """Whether an array could be read past."""
    kind, length = _numbers(file, "IQ")
    if kind in _NUMBERS:
        file.seek(int(length) * struct.calcsize(_NUMBERS[int(kind)]), 1)
        return True
    if kind != _TEXT or length > _MOST_WORDS:
        return False
    for _ in range(int(length)):
        _text(file)
    return True


def _text(file: BinaryIO) -> str:
    (length,) = _numbers(file, "Q")
    if length > _MOST_TEXT:
        raise _EndError
    data = file.read(int(length))
    if len(data) < length:
        raise _EndError
    return data.decode("utf-8", "replace")


def _numbers(file: BinaryIO, form: str) -> tuple[float, ...]:
    layout = struct.Struct(f"<{form}")
    return layout.unpack(file.read(layout.size))
