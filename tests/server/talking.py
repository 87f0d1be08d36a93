"""A server in this process that talks to a scripted model over a real wire, and what the model was asked."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from socreates_lsp.app import App
from socreates_lsp.testkit.script import Reply
from socreates_lsp.testkit.server import ScriptedServer
from tests.server.servers import check_manners, inside

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from pathlib import Path

    from socreates_lsp.testkit.script import Asked
    from tests.bare_client import BareClient

PROGRESS = {"window": {"workDoneProgress": True}}

QUESTION = """[question] app.py:2 error-handling
> return open(path).read()
Who closes what `open` opens in `load` when `read` raises?
Why: the descriptor stays open until the collector comes.
"""


def settings(scripted: ScriptedServer, wire: str = "openai", **more: Any) -> dict[str, Any]:
    """``initializationOptions`` that name a scripted model. One look and no leads, unless ``review`` says so."""
    url = scripted.openai_url if wire == "openai" else scripted.url
    model = {"provider": wire, "baseUrl": url, "name": "m", "retries": 0, **more.pop("model", {})}
    review = {"leads": False, "verify": False, **more.pop("review", {})}
    return {"model": model, "review": review, **more}


@asynccontextmanager
async def talking(
    root: Path,
    *replies: Reply | str | Callable[[Asked], Reply],
    wire: str = "openai",
    models: Mapping[str, Mapping[str, Any]] | None = None,
    options: Mapping[str, Any] | None = None,
    capabilities: Mapping[str, Any] | None = None,
) -> AsyncIterator[tuple[BareClient, ScriptedServer]]:
    """An initialized client of a server whose model says these things."""
    script = [Reply(text=reply) if isinstance(reply, str) else reply for reply in replies]
    answers = iter(script)

    def answer(asked: Asked) -> Reply:
        reply = next(answers, Reply(status=500, error="the script is over"))
        return reply(asked) if callable(reply) else reply

    with ScriptedServer(answer, models=models) as model:
        async with inside(App) as client:
            await client.initialize(
                rootUri=root.as_uri(),
                capabilities=capabilities or {},
                initializationOptions=settings(model, wire, **(options or {})),
            )
            yield client, model
            check_manners(client)


def app_py(root: Path) -> str:
    """A file to review; its URI."""
    path = root / "app.py"
    path.write_text("def load(path):\n    return open(path).read()\n")
    return path.as_uri()


def said(chat: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The messages of a request without the first, as role and content."""
    return [(message["role"], message["content"] or "") for message in chat["messages"][1:]]
