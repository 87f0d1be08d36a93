"""A process that has a model answer, names the process of the server, and stays. ``python llamacpp_parent.py FILE``."""

from __future__ import annotations

import asyncio
import os
import sys

from socreates_lsp.model.llamacpp import llamacpp
from socreates_lsp.settings.schema import ModelSettings
from tests.model.talk import ask, talk


async def main() -> None:
    model = await llamacpp(ModelSettings(path=sys.argv[1], context_tokens=512), os.environ)
    answered = await talk(model, ask("Hi", tools=(), max_output_tokens=2))
    assert answered.error is None, answered
    assert model.pid is not None
    print(model.pid, flush=True)
    await asyncio.sleep(600)


if __name__ == "__main__":
    asyncio.run(main())
