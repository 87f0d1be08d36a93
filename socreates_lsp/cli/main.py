"""``socreates-lsp``: finds the command, runs it, turns what goes wrong into one sentence and an exit code."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING

from socreates_lsp import __version__
from socreates_lsp.cli import streams
from socreates_lsp.cli.exits import COULD_NOT_RUN, INTERRUPTED, complain
from socreates_lsp.errors import SocreatesError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

COMMANDS = ("review", "ask", "chat", "survey", "memory", "doctor", "serve")
"""Each is a module beside this one with ``add_arguments(parser)``, ``run(options) -> int``, ``HELP`` and ``EPILOG``."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code: 0, what the command says, 2 if it could not run."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    has_output = streams.make_ready()
    try:
        return _flushed(given, has_output=has_output)
    except SocreatesError as error:
        complain(str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read us has enough.
        streams.give_up_output()
        return 0
    except OSError as error:
        streams.give_up_output()
        complain(f"{_named(error)}: {error.strerror or error}.")
    except Exception as error:
        # 1 is for findings; a crash is 2.
        complain(_crash(error))
    return COULD_NOT_RUN


def _flushed(given: list[str], *, has_output: bool) -> int:
    """Run, and see that what was printed is out. Raises what the command raises, and OSError."""
    try:
        code = _run(given, has_output=has_output)
    except SystemExit:
        sys.stdout.flush()
        raise
    sys.stdout.flush()
    return code


def _named(error: OSError) -> str:
    name = error.filename
    return os.fsdecode(name) if isinstance(name, (str, bytes)) else "standard output"


def _crash(error: Exception) -> str:
    """The sentence on an error that nobody foresaw, with the last line of ours that it passed."""
    own = [frame for frame in extract_tb(error.__traceback__) if "socreates_lsp" in frame.filename]
    place = f" at {Path(own[-1].filename).name}:{own[-1].lineno}" if own else ""
    return f"this is a fault of socreates-lsp itself, please report it: {type(error).__name__}{place}: {error}"


def _run(given: list[str], *, has_output: bool) -> int:
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
    options = parser.parse_args(rest)
    _check_folder()
    if not has_output and name != "serve":
        raise SocreatesError("standard output is closed: there is nowhere to write to.")
    return command.run(options)


def _check_folder() -> None:
    try:
        Path.cwd()
    except OSError:
        raise SocreatesError("the current folder is gone: change to one that is there.") from None


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

    def _print_message(self, message: str, file: Any = None) -> None:
        """Write help and version. Raises OSError, which argparse would swallow."""
        (file or sys.stderr).write(message)


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
    commands.add_parser("ask", help="ask the model something about the code here")
    commands.add_parser("chat", help="talk with the model about the code here, review, dismiss")
    commands.add_parser("survey", help="report what this project is: structure, dependencies, risks, commands")
    commands.add_parser("memory", help="what is remembered of this folder: list, edit, forget")
    commands.add_parser("doctor", help="what would review, which settings hold, what was found here")
    commands.add_parser("serve", help="the language server on standard input and output (the default)")
    return parser
