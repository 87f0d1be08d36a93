"""A notebook on disk is read as its code, each line where it stands in the file."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.workspace.notebook_file import code_in_place

LINES = st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=12), max_size=4)


def notebook(*cells: tuple[str, list[str]], **metadata) -> dict:
    return {
        "cells": [
            {"cell_type": kind, "metadata": {}, "outputs": [], "source": [f"{line}\n" for line in lines]}
            for kind, lines in cells
        ],
        "metadata": metadata,
    }


@given(st.lists(st.tuples(st.sampled_from(["code", "markdown"]), LINES), max_size=4), st.integers(0, 4), st.booleans())
def test_every_line_of_code_stands_on_the_line_of_the_file_that_holds_it(cells, indent, ascii_only) -> None:
    written = json.dumps(notebook(*cells), indent=indent, ensure_ascii=ascii_only)
    code = code_in_place(written)
    assert code is not None
    lines, file = code.split("\n"), written.split("\n")
    assert len(lines) == len(file)
    assert [line for line in lines if line] == [line for kind, some in cells if kind == "code" for line in some if line]
    for line, raw in zip(lines, file, strict=True):
        assert not line or json.loads(raw.strip().removesuffix(",")) == line + "\n"


OTHERS = [
    "",
    "[]",
    "{}",
    '{"cells": 5}',
    json.dumps(notebook(("code", ["x = 1"]))),
    json.dumps(notebook(("code", ["x <- 1"]), language_info={"name": "R"}), indent=1),
    json.dumps({"cells": [{"cell_type": "code", "source": "x = 1\ny = 2"}]}, indent=1),
    json.dumps({"cells": [{"cell_type": "code", "source": ["x = 1\ny = 2"]}]}, indent=1),
    "[" * 100_000,
]


@pytest.mark.parametrize("content", OTHERS)
def test_what_cannot_be_told_line_by_line_is_read_as_it_is(content: str) -> None:
    assert code_in_place(content) is None
