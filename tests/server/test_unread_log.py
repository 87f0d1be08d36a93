"""Nobody reads our standard error: the server answers all the same. Over stdio, as a pipe is what fills up."""

from __future__ import annotations

import pytest

from tests.bare_client import serving
from tests.server.servers import until

PIPES = 2_000_000
"""More characters than a pipe and its reader hold."""


@pytest.mark.parametrize("unbuffered", ["", "1"])
async def test_a_client_that_never_reads_standard_error_is_answered(root, unbuffered: str) -> None:
    uri = f"file:///{'x' * 2000}.py"
    async with serving(env={"PYTHONUNBUFFERED": unbuffered}) as client:
        await client.initialize(rootUri=root.as_uri())
        for version in range(PIPES // len(uri)):
            document = {"textDocument": {"uri": uri, "version": version}, "contentChanges": []}
            client.notify("textDocument/didChange", document)  # of a document that is not open: a warning
        assert (await client.request("socreates/status", seconds=60))["reviewer"]
        assert await client.request("shutdown") is None
        client.notify("exit")
        await until(lambda: client.process.returncode == 0, 60)
