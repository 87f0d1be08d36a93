"""``python -m socreates_lsp.testkit``: the scripted server for demonstrations. Prints its address, then answers."""

from __future__ import annotations

import argparse
import sys
from itertools import chain, repeat
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.testkit.script import Reply, read_script
from socreates_lsp.testkit.server import ScriptedServer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until interrupted; 2 for a script that cannot be used."""
    parser = argparse.ArgumentParser(prog="python -m socreates_lsp.testkit", description=__doc__)
    parser.add_argument("--wire", choices=("openai", "ollama"), default="openai", help="whose address is printed")
    parser.add_argument("--script", type=Path, required=True, help="JSON Lines, one reply a line")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--model", default="scripted", help="the model's name")
    parser.add_argument("--loop", action="store_true", help="begin the script again after its end")
    chosen = parser.parse_args(arguments)
    try:
        replies = read_script(chosen.script.read_text("utf-8"))
    except (OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    script: Iterable[Reply] = chain.from_iterable(repeat(replies)) if chosen.loop and replies else replies
    with ScriptedServer(script, models={chosen.model: {}}, loaded=[chosen.model], port=chosen.port) as server:
        sys.stdout.write(f"{server.openai_url if chosen.wire == 'openai' else server.url}\n")
        sys.stdout.flush()
        try:
            server.wait()
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
