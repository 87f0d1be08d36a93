"""What every test of the server has at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.server.servers import Gate, scripted

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from tests.bare_client import BareClient


@pytest.fixture
async def client(root: Path) -> AsyncIterator[BareClient]:
    """A client that announces next to nothing, in an empty workspace."""
    async with scripted(rootUri=root.as_uri()) as client:
        yield client


@pytest.fixture
def gate(tmp_path: Path) -> Callable[[str], Gate]:
    """Places where a scripted reviewer waits."""
    return lambda name: Gate(tmp_path / f"gate-{name}")
