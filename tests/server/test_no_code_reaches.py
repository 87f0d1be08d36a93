"""Whole generated reviews as answers of a scripted model: no line of their code reaches the editor by any message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.server.talking import app_py, talking
from tests.unit.review_documents import document_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

OPTIONS = {
    "model": {"contextTokens": 200_000},
    "review": {"leads": False, "verify": False, "maxFindings": 0, "minConfidence": 0},
}
HEAD = "[question] app.py:2 error-handling\n> return open(path).read()\nWho closes what `open` opens in `load`?\n"


def strings_of(value: Any) -> Iterator[str]:
    """Every string in a message."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from strings_of([*value, *value.values()])
    elif isinstance(value, list):
        for one in value:
            yield from strings_of(one)


async def test_no_line_of_code_reaches_the_editor(root: Path) -> None:
    uri = app_py(root)
    documents = [document_of(seed) for seed in range(2_000_000, 2_000_020)]
    answers = [f"{HEAD}{one.text}\n" for one in documents]
    async with talking(root, *answers, options=OPTIONS) as (client, _):
        client.open(uri, (root / "app.py").read_text())
        before = 0
        for document in documents:
            result = await client.request("socreates/review", {"uri": uri, "partialResultToken": "p"})
            assert result["findings"], document.text
            assert result["findings"][0]["message"].startswith("Who closes what `open` opens in `load`?")
            hover = await client.request(
                "textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 6}}
            )
            told = [one for one in client.messages[before:] if one.get("method") != "window/logMessage"]
            before = len(client.messages)
            reached = " ".join(" ".join(strings_of([*told, result, hover])).split())
            for line in document.lines:
                assert " ".join(line.split()) not in reached, document.text
