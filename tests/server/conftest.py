"""What every test of the server has at hand."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

from tests.server.servers import Gate, scripted

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from pathlib import Path

    from tests.bare_client import BareClient


@pytest.fixture
async def client(root: Path) -> AsyncIterator[BareClient]:
    """A client that announces next to nothing, in an empty workspace."""
    async with scripted(rootUri=root.as_uri()) as client:
        yield client


@pytest.fixture
def errors_are_meant() -> None:
    """For a test that makes the server log an error."""


@pytest.fixture(autouse=True)
def no_error_is_logged(request: pytest.FixtureRequest, caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """What a server in this process logs as an error is a fault, unless the test is about it."""
    yield
    errors = [record for record in caplog.get_records("call") if record.levelno >= logging.ERROR]
    assert "errors_are_meant" in request.fixturenames or errors == []


@pytest.fixture
def gate(tmp_path: Path) -> Callable[[str], Gate]:
    """Places where a scripted reviewer waits."""
    return lambda name: Gate(tmp_path / f"gate-{name}")
