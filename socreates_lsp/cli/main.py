"""``socreates-lsp``: finds the command, runs it, turns what goes wrong into one sentence and an exit code."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

from socreates_lsp import __version__
from socreates_lsp.errors import SocreatesError

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMANDS = ("review", "doctor", "serve")
"""Each is a module beside this one with ``add_arguments(parser)``, ``run(options) -> int``, ``HELP`` and ``EPILOG``."""

COULD_NOT_RUN = 2
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0, what the command says, 2 if it could not run."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    name, rest = _command(given)
    try:
        if name is None:
            _overview().parse_args(rest)
            return COULD_NOT_RUN
        command = import_module(f"socreates_lsp.cli.{name}")
        parser = argparse.ArgumentParser(
            prog=f"socreates-lsp {name}",
            description=command.HELP,
            epilog=command.EPILOG,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        command.add_arguments(parser)
        return command.run(parser.parse_args(rest))
    except SocreatesError as error:
        sys.stderr.write(f"socreates-lsp: {error}\n")
        return COULD_NOT_RUN
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0


def _command(given: list[str]) -> tuple[str | None, list[str]]:
    """The command and its arguments; without one, editors start the server with its flags alone."""
    if not given:
        return "serve", []
    if given[0] in COMMANDS:
        return given[0], given[1:]
    if given[0] in {"-h", "--help", "--version"} or not given[0].startswith("-"):
        return None, given
    return "serve", given


def _overview() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="socreates-lsp",
        description="A reviewer that asks, and never touches your code.",
        epilog="Example: socreates-lsp review src/  (each command has its own --help)",
    )
    parser.add_argument("--version", action="version", version=f"socreates-lsp {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", title="commands", required=True)
    commands.add_parser("review", help="review files, folders or changes, and print the questions")
    commands.add_parser("doctor", help="what would review, which settings hold, what was found here")
    commands.add_parser("serve", help="the language server on standard input and output (the default)")
    return parser
