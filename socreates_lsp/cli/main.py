"""``socreates-lsp``: finds the command, runs it, turns what goes wrong into one sentence and an exit code."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING

from socreates_lsp import __version__
from socreates_lsp.cli.exits import COULD_NOT_RUN, INTERRUPTED, complain
from socreates_lsp.errors import SocreatesError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

COMMANDS = ("review", "doctor", "serve")
"""Each is a module beside this one with ``add_arguments(parser)``, ``run(options) -> int``, ``HELP`` and ``EPILOG``."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0, what the command says, 2 if it could not run."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        code = _run(given)
        sys.stdout.flush()
    except SocreatesError as error:
        complain(str(error))
        return COULD_NOT_RUN
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read us has enough; nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def _run(given: list[str]) -> int:
    name, rest = _command(given)
    if name is None:
        _overview().parse_args(rest)
        return COULD_NOT_RUN
    command = import_module(f"socreates_lsp.cli.{name}")
    parser = _Parser(
        prog=f"socreates-lsp {name}",
        description=command.HELP,
        epilog=command.EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.add_arguments(parser)
    return command.run(parser.parse_args(rest))


def _command(given: list[str]) -> tuple[str | None, list[str]]:
    """The command and its arguments; without one, editors start the server with its flags alone."""
    if not given:
        return "serve", []
    if given[0] in COMMANDS:
        return given[0], given[1:]
    if given[0] in {"-h", "--help", "--version"}:
        return None, given
    if given[0].startswith("-"):
        return "serve", given
    raise SocreatesError(_unknown(given[0]))


def _unknown(name: str) -> str:
    from difflib import get_close_matches

    alike = get_close_matches(name, COMMANDS, n=1)
    if alike:
        return f"there is no command {name!r}: did you mean {alike[0]}?"
    if os.path.lexists(name):
        return f"there is no command {name!r}: to review it, say socreates-lsp review {name}"
    return f"there is no command {name!r}: the commands are {', '.join(COMMANDS)}."


class _Parser(argparse.ArgumentParser):
    """A parser that says in one sentence what is wrong."""

    def error(self, message: str) -> NoReturn:
        complain(f"{message}. See {self.prog} --help.")
        raise SystemExit(COULD_NOT_RUN)


def _overview() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="socreates-lsp",
        description="A reviewer that asks, and never touches your code.",
        epilog="Example: socreates-lsp review src/  (each command has its own --help)",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"socreates-lsp {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", title="commands", required=True)
    commands.add_parser("review", help="review files, folders or changes, and print the questions")
    commands.add_parser("doctor", help="what would review, which settings hold, what was found here")
    commands.add_parser("serve", help="the language server on standard input and output (the default)")
    return parser
