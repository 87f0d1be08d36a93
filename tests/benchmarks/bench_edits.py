"""How long ``didChange`` takes in a file of 10,000 lines with 200 findings, beside an empty pygls server, in turn.

    python -m tests.benchmarks.bench_edits [--smoke] [--edits N]

Both servers are sent the same random edits; after each comes a hover over nothing, whose answer says that
the edit was taken. At the end every finding has to stand on its own line. Aim: at most 5 ms more in the median.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.bare_client import BareClient, serving

LINES, FINDINGS, AIM_MS = 10_000, 200, 5.0
EMPTY = """
from lsprotocol import types
from pygls.lsp.server import LanguageServer
server = LanguageServer('empty', '1', text_document_sync_kind=types.TextDocumentSyncKind.Incremental)
server.feature(types.TEXT_DOCUMENT_DID_CHANGE)(lambda *_: None)
server.feature(types.TEXT_DOCUMENT_HOVER)(lambda *_: None)
server.start_io()
"""
NOTHING = {"textDocument": {"uri": "untitled:nothing"}, "position": {"line": 0, "character": 0}}
MANY = {"review": {"maxFindings": FINDINGS}}
SCRIPTED = (sys.executable, "-P", str(Path(__file__).parents[1] / "server" / "scripted.py"))
INSERTED = ["x", "y = 1\n", "\n\n", "", "# 😀 \f\n", "a\r\nb\n"]


def edits(count: int, lines: list[str]) -> list[dict[str, Any]]:
    """Random edits, and ``lines`` as they are after them. None touches a line about which there is a question."""
    chance = random.Random(7)
    made: list[dict[str, Any]] = []
    while len(made) < count:
        first = chance.randrange(len(lines) - 3)
        last = first + chance.choice([0, 0, 0, 1])
        if any("question" in line for line in lines[first : last + 1]):
            continue
        column = chance.choice([0, 1, 99])
        end = 99 if first == last else 0
        text = chance.choice(INSERTED)
        made.append(
            {
                "range": {"start": {"line": first, "character": column}, "end": {"line": last, "character": end}},
                "text": text,
            }
        )
        head, tail = lines[first][:column], "" if first == last else lines[last]
        lines[first : last + 1] = (head + text.replace("\r\n", "\n") + tail).split("\n")
    return made


async def timed(client: BareClient, uri: str, version: int, change: dict[str, Any]) -> float:
    """Send an edit; the seconds until the hover behind it is answered."""
    started = time.perf_counter()
    document = {"uri": uri, "version": version}
    client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
    assert await client.request("textDocument/hover", NOTHING) is None
    return time.perf_counter() - started


async def measure(count: int) -> tuple[float, float, int]:
    """Medians in seconds of ours and of the empty server, and how many findings stand on their lines at the end."""
    import json

    lines = [f"    step_{number}()" for number in range(LINES)]
    step = LINES // FINDINGS
    for number in range(0, LINES, step):
        lines[number] = f"    question_{number}()"
    text, after = "\n".join(lines), list(lines)
    changes = edits(count, after)
    with tempfile.TemporaryDirectory() as folder:
        uri = (Path(folder) / "big.py").as_uri()
        async with serving(command=SCRIPTED) as ours, serving(command=(sys.executable, "-P", "-c", EMPTY)) as theirs:
            for client in (ours, theirs):
                await client.initialize(rootUri=Path(folder).as_uri(), initializationOptions=MANY)
                client.open(uri, text)
            steps = [{"find": {"uri": uri, "line": number}} for number in range(0, LINES, step)]
            await ours.request("socreates/review", {"uri": uri, "ask": json.dumps(steps)}, 60)
            taken = [
                (await timed(ours, uri, version, change), await timed(theirs, uri, version, change))
                for version, change in enumerate(changes, 2)
            ]
            found = (await ours.request("socreates/findings", {"uri": uri}))["findings"]
    right = sum(
        one["status"] == "open" and after[one["range"]["start"]["line"]].strip() == one["quote"] for one in found
    )
    mine, other = (statistics.median(side) for side in zip(*taken, strict=True))
    return mine, other, right


def main() -> None:
    """Measure and print; an exit code of 1 if a finding is not on its line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--edits", type=int, default=1000)
    options = parser.parse_args()
    mine, other, right = asyncio.run(measure(50 if options.smoke else options.edits))
    print(
        f"didChange: ours {mine * 1000:.1f} ms, an empty pygls server {other * 1000:.1f} ms, "
        f"{(mine - other) * 1000:+.1f} ms (aim: at most {AIM_MS:.0f} more); {right} of {FINDINGS} findings right"
    )
    sys.exit(0 if right == FINDINGS else 1)


if __name__ == "__main__":
    main()
