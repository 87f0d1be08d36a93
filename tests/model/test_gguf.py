"""The head of a GGUF file, and files that are none."""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.model.failures import (
    ModelError,
    NoSuchModelError,
)
from socreates_lsp.model.gguf import Head, head_of
from socreates_lsp.model.llamacpp import llamacpp
from socreates_lsp.settings.schema import ModelSettings
from tests.model.llamas import LLAMA, array, gguf, model_in, number, text, word

if TYPE_CHECKING:
    from pathlib import Path


def test_the_head_of_a_file_tells_its_kind_and_context(tmp_path: Path) -> None:
    tags = array("general.tags", 8, 2, text("a") + text("b"))
    scores = array("general.scores", 6, 3, bytes(12))
    path = model_in(tmp_path, "m", LLAMA[0], word("general.name", "x"), tags, scores, LLAMA[1], b"the rest is not read")
    assert head_of(path) == Head("llama", 4096)


@pytest.mark.parametrize(
    ("keys", "head"),
    [
        ((LLAMA[0],), Head("llama")),
        ((LLAMA[0], array("tokenizer.ggml.tokens", 8, 200_000, b""), LLAMA[1]), Head("llama")),
        ((LLAMA[0], array("x", 9, 1, b""), LLAMA[1]), Head("llama")),
        ((number("llama.context_length", 7), number("general.architecture", 1)), Head()),
        ((LLAMA[0], word("llama.context_length", "many")), Head("llama")),
    ],
)
def test_a_head_that_does_not_tell_the_context_is_no_failure(tmp_path: Path, keys: Any, head: Head) -> None:
    assert head_of(model_in(tmp_path, "m", *keys)) == head


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "no GGUF file"),
        (b"hello, I am a text", "no GGUF file"),
        (b"GGUF", "cut off or damaged"),
        (gguf(version=1), "a kind of GGUF that is not known (version 1)"),
        (gguf(version=0x03000000), "a kind of GGUF that is not known"),
        (gguf(LLAMA[0], more=1), "cut off or damaged"),
        (gguf(LLAMA[0][:-1]), "cut off or damaged"),
        (gguf(text("x") + struct.pack("<I", 77)), "cut off or damaged"),
        (gguf(struct.pack("<Q", 2**63)), "cut off or damaged"),
    ],
)
async def test_a_bad_file_is_one_sentence(tmp_path: Path, data: bytes, sentence: str) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(data)
    with pytest.raises(ModelError) as caught:
        await llamacpp(ModelSettings(path=str(path)), {})
    assert sentence in str(caught.value)
    assert str(path) in str(caught.value)
    assert not caught.value.passing


async def test_a_file_that_is_not_there_and_a_folder(tmp_path: Path) -> None:
    for path, sentence in ((tmp_path / "no.gguf", "is not there"), (tmp_path, "is a folder")):
        with pytest.raises(NoSuchModelError, match=sentence):
            await llamacpp(ModelSettings(path=str(path)), {})
    with pytest.raises(NoSuchModelError, match=r"set model\.path"):
        await llamacpp(ModelSettings(), {})


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = model_in(tmp_path, "m")
    path.chmod(0)
    with pytest.raises(ModelError, match="cannot be read"):
        head_of(path)
