"""How long the reader waits: the first finding of a 1,000-line file, and hover while a huge file is examined.

    python -m tests.benchmarks.bench_review [--smoke]

Aims: the first diagnostics at most 300 ms after the request; a hover, asked again and again while a file of 100,000
lines is examined, never waits long (its longest wait is printed beside the same hover on an idle server).
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time

from tests.bare_client import BareClient, serving

FAULT = "def f{n}(url):\n    import requests\n    return requests.get(url + '{n}')\n\n\n"
CLEAN = "def g{n}(values):\n    total = {n}\n    for value in values:\n        total += value\n    return total\n\n\n"


def source(lines: int, faults: int) -> str:
    """A Python file of about so many lines with so many faults, spread evenly."""
    blocks = lines // 7
    every = max(blocks // max(faults, 1), 1)
    return "".join((FAULT if n % every == 0 else CLEAN).format(n=n) for n in range(blocks))


async def first_finding(client: BareClient, number: int) -> float:
    """Seconds from the request (wait: false) to the first diagnostics of a fresh file of 1,000 lines."""
    uri = f"file:///bench/first{number}.py"
    client.open(uri, source(1000, 5))
    started = time.perf_counter()
    await client.request("workspace/executeCommand", command({"uri": uri, "wait": False}))
    assert await client.diagnostics(uri, 1)
    return time.perf_counter() - started


def command(params: dict[str, object]) -> dict[str, object]:
    """Params of executeCommand for a review."""
    return {"command": "socreates/review", "arguments": [params]}


async def hovers(client: BareClient, uri: str, until: asyncio.Future[object]) -> list[float]:
    """Ask for hover until something else is done; the seconds that each took."""
    taken: list[float] = []
    while not until.done() or len(taken) < 20:
        started = time.perf_counter()
        position = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 5}}
        assert await client.request("textDocument/hover", position)
        taken.append(time.perf_counter() - started)
        await asyncio.sleep(0.01)
    return taken


async def measure(*, smoke: bool) -> None:
    """Measure and print."""
    async with serving() as client:
        await client.initialize(capabilities={"textDocument": {"publishDiagnostics": {}}})
        await asyncio.sleep(1)
        firsts = [await first_finding(client, number) for number in range(3 if smoke else 15)]
        print(
            f"first finding of 1,000 lines: median {statistics.median(firsts) * 1000:.0f} ms, "
            f"longest {max(firsts) * 1000:.0f} ms"
        )
        small, large = "file:///bench/small.py", "file:///bench/large.py"
        client.open(small, source(100, 5))
        await client.request("socreates/review", {"uri": small})
        done: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        done.set_result(None)
        idle = await hovers(client, small, done)
        client.open(large, source(20_000 if smoke else 100_000, 200))
        _, answer = client.begin("socreates/review", {"uri": large})
        started = time.perf_counter()
        busy = await hovers(client, small, answer)  # type: ignore[arg-type]
        result = (await answer)["result"]
        lines = result["examined"][0]["ranges"][0]["end"]["line"] + 1
        print(
            f"hover: idle {statistics.median(idle) * 1000:.1f} ms; while {lines} lines are examined "
            f"({time.perf_counter() - started:.1f} s): median {statistics.median(busy) * 1000:.1f} ms, "
            f"longest {max(busy) * 1000:.0f} ms of {len(busy)}"
        )


def main() -> None:
    """Run."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--smoke", action="store_true")
    asyncio.run(measure(smoke=parser.parse_args().smoke))


if __name__ == "__main__":
    main()
