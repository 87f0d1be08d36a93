"""``socreates-lsp memory``: what is remembered of this folder; list, edit, forget, accept what others noted."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from socreates_lsp.cli.exits import complain
from socreates_lsp.cli.printable import printable
from socreates_lsp.errors import TargetError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from socreates_lsp.app import App

HELP = """List what is remembered of the project in this folder. A model is told
the facts that concern its task. What others noted has no effect until you
accept it."""
EPILOG = """examples:
  socreates-lsp memory
  socreates-lsp memory --forget 0c5a3f0e9d7b1a24
  socreates-lsp memory --edit 0c5a3f0e9d7b1a24 "Money is in cents."
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument("--forget", action="append", default=[], metavar="ID", help="forget a fact")
    parser.add_argument("--edit", nargs=2, metavar=("ID", "TEXT"), help="give a fact other words")
    parser.add_argument("--accept", action="store_true", help="let the facts count that others noted")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting")


def run(options: argparse.Namespace) -> int:
    """Do it, and print what is remembered then. Raises TargetError for a fact that is not there."""
    return asyncio.run(_run(options))


async def _run(options: argparse.Namespace) -> int:
    from socreates_lsp.app import App

    app = App.for_command_line(options.set)
    try:
        for problem in app.resolved.problems:
            complain(problem.message)
        root = str(Path.cwd())
        await _change(app, root, options)
        told = await app.memory.told(root)
    finally:
        await app.close()
    if options.format == "json":
        sys.stdout.write(json.dumps(told, indent=2) + "\n")
        return 0
    for line in memory_lines(told):
        sys.stdout.write(printable(line, sys.stdout.encoding or "utf-8") + "\n")
    for warning in told["warnings"]:
        complain(warning)
    return 0


async def _change(app: App, root: str, options: argparse.Namespace) -> None:
    if options.accept:
        await app.memory.accept(root)
    try:
        if options.edit is not None and await app.memory.edit(root, *options.edit) is None:
            raise TargetError(f"there is no fact with the id {options.edit[0]}.")
    except ValueError as error:
        raise TargetError(str(error)) from error
    if options.forget and await app.memory.forget(root, options.forget) < len(set(options.forget)):
        raise TargetError(f"there is no fact with the id {' or '.join(options.forget)}.")


def memory_lines(told: dict[str, Any], accept: str = "--accept") -> Iterator[str]:
    """What is remembered, for people; ``accept`` is how they let the facts of others count."""
    if not told["on"]:
        yield "Nothing is remembered: session.store is off."
        return
    kept = {category: facts for category, facts in told["memory"].items() if facts}
    if not kept and not told["foreign"]:
        yield f"Nothing is remembered yet ({told['file']})."
    for category, facts in kept.items():
        yield category.replace("_", " ")
        for one in facts:
            yield from _fact(one)
    if told["foreign"]:
        yield f"noted by others, without effect until you accept it ({accept})"
        for one in told["foreign"]:
            yield from _fact(one)


def _fact(one: dict[str, Any]) -> Iterator[str]:
    source = f", {one['source']}" if one["source"] else ""
    first, *rest = one["text"].split("\n")
    yield f"  {one['id']}  {first}  ({one['at'][:10]}{source})"
    for line in rest:
        yield f"  {'':16}  {line}"
