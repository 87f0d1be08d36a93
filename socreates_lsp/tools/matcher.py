"""A search with Python's expressions, in a process of its own that can be killed: ``python -m`` this module.

Reads one JSON object {"pattern", "files", "texts"} and writes one line {"hits"} or {"invalid"}. ``files`` maps a
name to a path on disk, ``texts`` a name to a text. A hit is [name, line, column]: the line from 0, the column in
bytes of UTF-8.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from socreates_lsp.errors import TargetError
from socreates_lsp.workspace.reading import LARGEST_FILE, read_text
from socreates_lsp.workspace.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

_MOST_HITS = 20_000


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """What to write for a request."""
    try:
        regex = re.compile(request["pattern"])
    except (re.error, OverflowError, RecursionError) as error:
        return {"invalid": str(error)}
    hits: list[tuple[str, int, int]] = []
    for name, text in _texts(request):
        hits += ((name, line, column) for line, column in matching_lines(regex, text))
        if len(hits) >= _MOST_HITS:
            return {"hits": hits[:_MOST_HITS], "cut": True}
    return {"hits": hits, "cut": False}


def matching_lines(regex: re.Pattern[str], text: Text) -> Iterable[tuple[int, int]]:
    """The lines that match, from 0, each with the bytes of UTF-8 before the match."""
    for number in range(text.last_line + 1):
        line = text.line(number)
        found = regex.search(line)
        if found is not None:
            yield number, len(line[: found.start()].encode("utf-8", "replace"))


def _texts(request: Mapping[str, Any]) -> Iterator[tuple[str, Text]]:
    for name, content in request["texts"].items():
        yield name, Text(content)
    for name, path in request["files"].items():
        try:
            yield name, read_text(Path(path), LARGEST_FILE)
        except TargetError:
            continue


def main() -> None:
    """Answer the one request on the input."""
    request = json.loads(sys.stdin.buffer.read())
    sys.stdout.write(json.dumps(answer(request)) + "\n")


if __name__ == "__main__":
    main()
