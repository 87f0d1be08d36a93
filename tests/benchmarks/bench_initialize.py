"""How long until ``initialize`` is answered, beside an empty pygls server, the two in turn.

    python -m tests.benchmarks.bench_initialize [--smoke] [--runs N]

Prints the median of each and of the ratio pair by pair. Aim: a ratio of at most 1.2.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time

EMPTY = "from pygls.lsp.server import LanguageServer; LanguageServer('empty', '1').start_io()"
OURS = (sys.executable, "-P", "-m", "socreates_lsp")
THEIRS = (sys.executable, "-P", "-c", EMPTY)
PARAMS = {"processId": None, "rootUri": None, "capabilities": {}}


def seconds_to_initialize(command: tuple[str, ...]) -> float:
    """Start a server, send ``initialize``, wait for the whole answer, kill it."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": PARAMS}).encode()
    started = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        server.stdin.flush()
        length = 0
        while (line := server.stdout.readline()).strip():
            if line.lower().startswith(b"content-length"):
                length = int(line.split(b":")[1])
        answer = json.loads(server.stdout.read(length))
        elapsed = time.perf_counter() - started
        assert "result" in answer, answer
        server.kill()
    return elapsed


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--smoke", action="store_true")
    parser.add_argument("--runs", type=int, default=15)
    options = parser.parse_args()
    runs = 2 if options.smoke else options.runs
    seconds_to_initialize(OURS), seconds_to_initialize(THEIRS)
    pairs = [(seconds_to_initialize(OURS), seconds_to_initialize(THEIRS)) for _ in range(runs)]
    ours, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
    ratio = statistics.median(one / other for one, other in pairs)
    print(f"initialize: ours {ours * 1000:.0f} ms, an empty pygls server {theirs * 1000:.0f} ms, ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
