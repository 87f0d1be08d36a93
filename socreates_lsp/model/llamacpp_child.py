"""The process in which llama.cpp's own server runs. Run as a script, away from the rest of the package.

One line of JSON comes in: ``folder`` (where the package xllamacpp is), and what the server is to be. One goes out when
the model is loaded: ``port``; or ``error``. The process ends when its input does.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import sys
import threading
from importlib.machinery import PathFinder
from importlib.util import module_from_spec
from typing import Any, BinaryIO

_DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG of <linux/prctl.h>."""

_CACHE_MIB = 1024
"""How much of earlier prompts is kept, so that conversations which alternate are not read anew each time."""

_WARNINGS = 2
_PROCESSOR = 0
_FEW = 4


def main() -> None:
    """Serve, until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent()
    line = sys.stdin.buffer.readline()
    if not line:
        os._exit(0)
    config = json.loads(line)
    answer = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    # xllamacpp (2026.10) lets no other thread run while it loads a model: until then, only Linux ends us at once.
    watch = threading.Thread(target=end_with, args=(sys.stdin.buffer,), daemon=True)
    watch.start()
    server = serve(config, answer)
    watch.join()
    del server


def die_with_parent() -> None:
    """Let the kernel end this process with its parent, where it can (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
        poll = select.poll()
        poll.register(sys.stdin.fileno(), select.POLLHUP)
        if any(event & select.POLLHUP for _, event in poll.poll(0)):
            # The parent had ended before it could be said what is to happen then.
            os._exit(0)


def end_with(stream: BinaryIO) -> None:
    """End this process when a stream ends; nothing more is said on it."""
    while stream.read(1):
        pass
    os._exit(0)


def serve(config: dict[str, Any], answer: BinaryIO) -> object:
    """Load and serve; say where, or what was wrong. Ends the process if nothing is served."""
    try:
        library = library_in(config["folder"])
        server = library.Server(params_of(library, config))
        said: dict[str, object] = {"port": int(server.listening_address.rpartition(":")[2])}
    except Exception as error:
        # Whatever it is, the other process tells it.
        answer.write(json.dumps({"error": f"{type(error).__name__}: {error}"}).encode() + b"\n")
        sys.stderr.flush()
        os._exit(1)
    answer.write(json.dumps(said).encode() + b"\n")
    answer.close()
    return server


def library_in(folder: str) -> Any:
    """The package xllamacpp of a folder, which is not put before the standard library. Raises ImportError."""
    sys.path.append(folder)
    spec = PathFinder.find_spec("xllamacpp", [folder])
    if spec is None or spec.loader is None:
        raise ImportError("the package xllamacpp is gone")
    library = sys.modules["xllamacpp"] = module_from_spec(spec)
    spec.loader.exec_module(library)
    return library


def params_of(library: Any, config: dict[str, Any]) -> Any:
    """What the server is to be: one conversation at a time, this machine only, nothing but what a chat needs."""
    params = library.CommonParams()
    params.model.path = config["path"]
    params.model_alias = {config["name"]}
    params.n_ctx = config["context"]
    params.n_parallel = 1
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [config["key"]]
    params.warmup = False
    params.offline = True
    params.verbosity = _WARNINGS
    params.cache_ram_mib = _CACHE_MIB
    # Looks at the model a first time, to share it out between memories: of use where there are several.
    params.fit_params = any(int(device["type"]) != _PROCESSOR for device in library.get_device_info())
    threads = threads_for(_usable(), os.cpu_count() or 1)
    if threads is not None:
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.ui = False
    params.endpoint_slots = False
    if config["template"] is not None:
        params.chat_template = config["template"]
    return params


def threads_for(usable: int, processors: int) -> int | None:
    """How many threads compute, where llama.cpp's own choice (all cores) does harm.

    They wait for each other by spinning, so that one which does not get its processor holds all of them up: where
    processors are few, or not all of them are ours (llama.cpp does not look), one stays free for the editor.
    """
    return max(usable - 1, 1) if usable <= _FEW or usable < processors else None


def _usable() -> int:
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


if __name__ == "__main__":
    main()
