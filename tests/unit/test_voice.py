"""No code: what a model says reaches the reader without code of its own, and without Markdown that does something."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from socreates_lsp.review.voice import voiced

CASES = [
    json.loads(line) for line in (Path(__file__).parents[1] / "cases" / "voice.jsonl").read_text("utf-8").splitlines()
]


def quotes_of(files: dict[str, str]):
    packed = ["".join(text.split()) for text in files.values()]

    def quoted(snippet: str) -> bool:
        short = "".join(snippet.split())
        return bool(short) and any(short in text for text in packed)

    return quoted


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_case(case: dict[str, object]) -> None:
    said = voiced(case["answer"], quotes_of(case["files"]))
    for kept in case["must_keep"]:
        assert kept in said.text
    for lost in case["must_lose"]:
        assert lost not in said.text
