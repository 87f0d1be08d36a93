"""What the loop adds to a model's own time, and how much of each prompt repeats the one before.

    python -m tests.benchmarks.bench_loop [--smoke]

A scripted model answers over a real wire, in a process of its own. Aims: with 50 ms a round and 8 calls of tools in
each, a review takes at most 1.05 times rounds x 50 ms; over 20 turns at least 85 % of the characters of the prompts
repeat the prompt before, and no request is over its budget, at contexts of 4k, 8k and 32k tokens.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from socreates_lsp.app import App
from socreates_lsp.review.reviewer import Question, ReviewRequest, Scope
from socreates_lsp.testkit.script import Asked, Reply
from socreates_lsp.testkit.server import ScriptedServer
from socreates_lsp.workspace import uris

if TYPE_CHECKING:
    from collections.abc import Iterator

LATENCY_S = 0.05
CALLS = 8
TURNS = 20
BYTES_A_TOKEN = 3.5

ANSWER = """[question] module0.py:3 correctness
> total = 3
What does `total` count when `values` is empty?
Why: the caller divides by it.
"""


def workspace(folder: Path) -> None:
    """A workspace of 40 small files."""
    for number in range(40):
        body = "".join(f"    total = {line}\n" for line in range(60))
        (folder / f"module{number}.py").write_text(f"def run{number}(values):\n    total = 3\n    total = 3\n{body}")


def round_of_calls(turn: int) -> list[dict[str, Any]]:
    """Calls of one round: reading different files."""
    return [
        {"name": "read_file", "arguments": {"path": f"module{(turn * CALLS + n) % 40}.py", "end": 30}}
        for n in range(CALLS)
    ]


@contextmanager
def scripted(folder: Path, replies: list[dict[str, Any]]) -> Iterator[str]:
    """A scripted server in a process of its own; its address."""
    script = folder / "script.jsonl"
    script.write_text("".join(json.dumps(reply) + "\n" for reply in replies))
    command = [
        sys.executable,
        "-m",
        "socreates_lsp.testkit",
        "--wire",
        "openai",
        "--script",
        str(script),
        "--port",
        "0",
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        try:
            yield line.split()[-1].strip()
        finally:
            process.terminate()


def app_for(root: Path, url: str, *settings: str) -> App:
    """The services, talking to a scripted server; summaries would take replies of the script, and are not measured."""
    flags = [
        "model.provider=openai",
        "model.name=m",
        f"model.baseUrl={url}",
        "session.store=false",
        "limits.dayTokens=1000000000",
        "review.verify=false",
        "review.leads=false",
        "history.summariseAfterMessages=0",
        *settings,
    ]
    return App([uris.from_path(str(root))], flags=flags)


async def overhead(rounds: int, reviews: int) -> list[float]:
    """How many times rounds x latency each of some reviews took."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "root"
        root.mkdir()
        workspace(root)
        calls = [{"calls": round_of_calls(turn), "delay_s": LATENCY_S, "piece": 4096} for turn in range(rounds - 1)]
        script = [*calls, {"text": ANSWER, "delay_s": LATENCY_S, "piece": 4096}] * (reviews + 1)
        with scripted(Path(name), script) as url:
            app = app_for(root, url, f"review.maxSteps={rounds + 2}", "model.contextTokens=200000")
            ratios: list[float] = []
            for _ in range(reviews + 1):
                request = ReviewRequest(Scope.FILE, str(root), uris.from_path(str(root / "module0.py")))
                started = time.perf_counter()
                outcome = await app.review(request)
                ratios.append((time.perf_counter() - started) / (rounds * LATENCY_S))
                assert outcome.closed.rounds == rounds, outcome.closed
                assert len(outcome.findings) == 1
            await app.close()
            return ratios[1:]


def characters(asked: Asked) -> str:
    """A prompt as one string: the tools and the messages, in their order."""
    return json.dumps(asked.body.get("tools")) + "".join(json.dumps(message) for message in asked.body["messages"])


def size(asked: Asked) -> int:
    """The characters that a model reads: contents, arguments of calls, schemas of tools."""
    messages = asked.body["messages"]
    calls = sum(len(json.dumps(message.get("tool_calls", ""))) for message in messages)
    return len(json.dumps(asked.body.get("tools"))) + calls + sum(len(one["content"] or "") for one in messages)


def common_prefix(one: str, other: str) -> int:
    """How many characters two strings begin with alike."""
    if other.startswith(one):
        return len(one)
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if one[:middle] == other[:middle] else (low, middle - 1)
    return low


async def repeated(context: int) -> tuple[float, float, int]:
    """Over a conversation: the share of characters that repeat, how full the fullest request is, and how many came."""
    replies: list[Reply] = []
    for turn in range(TURNS):
        calls = tuple((call["name"], call["arguments"]) for call in round_of_calls(turn)[:3])
        replies += [Reply(calls=calls, prompt_tokens=None), Reply(text=ANSWER, prompt_tokens=None)]
    with tempfile.TemporaryDirectory() as name, ScriptedServer(replies, models={"m": {"context": context}}) as server:
        root = Path(name)
        workspace(root)
        app = app_for(root, server.openai_url)
        for turn in range(TURNS):
            if turn % 4 == 0:
                uri = uris.from_path(str(root / f"module{turn}.py"))
                await app.review(ReviewRequest(Scope.FILE, str(root), uri))
            else:
                await app.ask(Question(f"What else can go wrong in run{turn}?", str(root)))
        await app.close()
        prompts = [characters(asked) for asked in server.asked if "messages" in asked.body]
    fullest = max(map(size, (asked for asked in server.asked if "messages" in asked.body)))
    same = sum(common_prefix(one, other) for one, other in pairwise(prompts))
    budget = (context - min(context // 4, 4096)) * BYTES_A_TOKEN
    return same / sum(map(len, prompts[1:])), fullest / budget, len(prompts)


async def measure(*, smoke: bool) -> None:
    """Measure and print."""
    ratios = await overhead(rounds=6 if smoke else 10, reviews=3 if smoke else 10)
    print(
        f"a review of rounds with {CALLS} calls: median {statistics.median(ratios):.3f}, "
        f"longest {max(ratios):.3f} times rounds x {LATENCY_S * 1000:.0f} ms (aim: 1.05)"
    )
    for context in (4096, 8192, 32_768):
        share, fullest, requests = await repeated(context)
        print(
            f"context {context:,}: {share:.1%} of the characters of {requests} prompts repeat the one before "
            f"(aim: 85 %), the fullest takes {fullest:.0%} of its budget"
        )


def main() -> None:
    """Measure and print. What is measured does not count as usage of the user's day."""
    os.environ["SOCREATES_STATE_DIR"] = tempfile.mkdtemp()
    parser = argparse.ArgumentParser()
    parser.add_argument("--smoke", action="store_true")
    asyncio.run(measure(smoke=parser.parse_args().smoke))


if __name__ == "__main__":
    main()
