"""``socreates-lsp doctor``: what would review here and why, which settings hold, what was found, and what to paste."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from socreates_lsp.cli.printable import printable
from socreates_lsp.cli.snippets import SNIPPETS

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

HELP = """Tell what would review here and why, where each setting comes from, and what
was found on this machine."""
EPILOG = "Example: socreates-lsp doctor --editor neovim"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument(
        "--editor",
        metavar="NAME",
        choices=sorted(SNIPPETS),
        help=f"show what goes into the configuration of {', '.join(sorted(SNIPPETS))}",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting")


def run(options: argparse.Namespace) -> int:
    """Print it all; 0, also where something is wrong with the settings, which is told."""
    from socreates_lsp.app import App

    async def status_here() -> dict[str, Any]:
        app = App.for_command_line(options.set)
        try:
            return await app.status()
        finally:
            await app.close()

    status = asyncio.run(status_here())
    if options.format == "json":
        sys.stdout.write(json.dumps(status, indent=2) + "\n")
        return 0
    for line in _told(status, options.editor):
        sys.stdout.write(printable(line, sys.stdout.encoding or "utf-8") + "\n")
    return 0


def _told(status: dict[str, Any], editor: str | None) -> Iterator[str]:
    packages = ", ".join(f"{name} {version}" for name, version in status["packages"].items())
    yield f"socreates-lsp {status['version']} on Python {status['python']} ({packages})"
    yield ""
    model = f" with {status['reviewer']['model']}" if status["reviewer"]["model"] else ""
    yield f"Reviewer  {status['reviewer']['provider']}{model}"
    yield f"          {status['reviewer']['why']}"
    if status["endpoint"]:
        yield f"Endpoint  {status['endpoint']}"
    for one in status["skipped"]:
        yield f"Skipped   {one['model']}: {one['reason']}"
    yield ""
    for name, path in status["tools"].items():
        yield f"{name:<9} {path or 'not found outside this workspace: ' + _WITHOUT[name]}"
    for one in status.get("plugins", ()):
        if one["state"] != "not enabled":
            yield f"Plugin    {one['name']}: {one.get('problem') or one['state']}"
    yield ""
    yield from settings_lines(status)
    yield ""
    if editor is not None:
        yield from SNIPPETS[editor].splitlines()
    else:
        yield f"For your editor's configuration: socreates-lsp doctor --editor {{{','.join(sorted(SNIPPETS))}}}"


_WITHOUT = {
    "git": "changes cannot be reviewed",
    "rg": "files are listed and searched more slowly",
}


def settings_lines(status: dict[str, Any]) -> Iterator[str]:
    """What is set otherwise than it comes, where, and what is wrong with it."""
    there = "" if Path(status["config"]).is_file() else "  (not there)"
    yield f"Your file {status['config']}{there}"
    changed = {name: one for name, one in status["settings"].items() if one["source"] != "default"}
    if not changed:
        yield "Settings  all as they come"
    for name, one in changed.items():
        yield f"Setting   {name} = {json.dumps(one['value'])}  ({one['source']})"
    for problem in status["problems"]:
        yield f"Problem   {problem}"
