"""``socreates-lsp chat``: the conversation about the code of this folder, in a terminal or through a pipe."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

HELP = """Talk with the model about the code in this folder. It reads and answers; it
never touches a file. The conversation is the same that ask and your editor
have, and goes on where it ended."""
EPILOG = """examples:
  socreates-lsp chat
  echo "review my error handling" | socreates-lsp chat

In it: /help tells what can be done, Ctrl+C ends an answer, Ctrl+D leaves.
exit code: 0, 2 (something could not be asked), 130 (interrupted in a pipe)"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the flags."""
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting")


def run(options: argparse.Namespace) -> int:
    """Talk until the user leaves or the input ends. Raises SocreatesError where it cannot begin."""
    from socreates_lsp.cli.chat.tty import is_for_people, unheard

    if is_for_people():
        with unheard():
            from socreates_lsp.cli.chat.seated import talk

            return asyncio.run(talk(options.set))
    from socreates_lsp.cli.chat.piped import talk

    return asyncio.run(talk(options.set))
