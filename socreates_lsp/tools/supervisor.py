"""The parent of a command: ``python -I -S`` this file, with the number of a pipe and the words of the command.

A process can read the environment of its parent (``/proc/$PPID/environ``), and that of our server may hold keys. So
it is not the parent: this process is, which has nothing in its environment that the command has not. Writes into the
pipe how the command ended: ``exit`` and its code, negative for a signal, or ``errno`` and the number of the error
that kept it from being started. Imports nothing of the package, so that it starts at once.
"""

from __future__ import annotations

import os
import signal
import sys

LOADING = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""What our Python may need to be started, and is not passed on."""

_SET_BY_PYTHON = "LC_CTYPE"


def main() -> None:
    """Run the command."""
    assert sys.platform != "win32", "there is no /proc on Windows, and nothing to stand between"
    pipe, command = int(sys.argv[1]), sys.argv[2:]
    os.set_inheritable(pipe, False)  # noqa: FBT003  (by position only)
    environment = {name: value for name, value in os.environ.items() if name not in {*LOADING, _SET_BY_PYTHON}}
    # What a command sends to its whole group is not meant for us. SIGXFSZ is ignored by Python itself.
    signals = {signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2}
    for one in signals:
        signal.signal(one, signal.SIG_IGN)
    defaults = [*signals, signal.SIGPIPE, signal.SIGXFSZ]
    try:
        process = os.posix_spawnp(command[0], command, environment, setsigdef=defaults)
    except OSError as error:
        said = f"errno {error.errno}"
    else:
        _, status = os.waitpid(process, 0)
        said = f"exit {os.waitstatus_to_exitcode(status)}"
    os.write(pipe, said.encode())


if __name__ == "__main__":
    main()
