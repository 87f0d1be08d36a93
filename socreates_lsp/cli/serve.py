"""``socreates-lsp serve``, which is also what runs without a command: the language server."""

from __future__ import annotations

import argparse
import gc
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from socreates_lsp.server.transport import Connection

HELP = """Speak the Language Server Protocol, on standard input and output unless told
otherwise."""
EPILOG = "Example: socreates-lsp --log-file socreates.log --log-level info"

_PORTS = 65536


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.usage = """%(prog)s [--stdio | --tcp HOST:PORT | --socket PORT |
                            --pipe NAME] [--log-file FILE] [--log-level LEVEL]
                           [--set KEY=VALUE]"""
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument("--stdio", action="store_true", help="standard input and output (the default)")
    ways.add_argument("--tcp", metavar="HOST:PORT", type=_address, help="wait there for one client")
    ways.add_argument("--socket", metavar="PORT", type=_port, help="connect to a client that listens, as VS Code does")
    ways.add_argument("--pipe", metavar="NAME", help="connect to a named pipe or Unix socket")
    parser.add_argument("--log-file", metavar="FILE", type=Path, help="where to log (default: standard error)")
    parser.add_argument(
        "--log-level",
        metavar="LEVEL",
        choices=("debug", "info", "warning", "error"),
        default="warning",
        help="debug, info, warning (the default) or error",
    )
    # vscode-languageclient (9.0, 11.0) adds it to every server's arguments; initialize says the same.
    parser.add_argument("--clientProcessId", type=int, help=argparse.SUPPRESS)
    parser.add_argument(
        "--set", metavar="KEY=VALUE", action="append", default=[], help="a setting, such as model.name=x"
    )


def run(options: argparse.Namespace) -> int:
    """Serve until the client ends or vanishes; then the process ends, whatever still runs."""
    # lsprotocol makes half a million objects that live for ever: looking through them for garbage takes as long as
    # a third of the start.
    gc.disable()
    try:
        from socreates_lsp.server import logs
        from socreates_lsp.server.server import leave, run
    finally:
        gc.freeze()
        gc.enable()
    logs.set_up(options.log_file, options.log_level)
    code = run(_way_in(options), options.set)
    leave(code)
    return code


def _way_in(options: argparse.Namespace) -> Callable[[], Awaitable[Connection]]:
    from socreates_lsp.server import transport

    if options.tcp is not None:
        return partial(transport.listen_tcp, *options.tcp)
    if options.socket is not None:
        return partial(transport.connect_socket, options.socket)
    if options.pipe is not None:
        return partial(transport.connect_pipe, options.pipe)
    return transport.open_stdio


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon:
        raise argparse.ArgumentTypeError(f"{text!r} is no HOST:PORT, such as 127.0.0.1:4000")
    return host.strip("[]") or "127.0.0.1", _port(port)


def _port(text: str) -> int:
    if not text.isdigit() or int(text) >= _PORTS:
        raise argparse.ArgumentTypeError(f"{text!r} is no port, a number from 0 to {_PORTS - 1}")
    return int(text)
