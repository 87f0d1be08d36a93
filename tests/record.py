"""Every message that a server under test has sent, for the test that walks them all (test_laws.py)."""

from __future__ import annotations

from typing import Any

SENT: list[dict[str, Any]] = []
"""Messages from servers, as JSON objects, in the order in which the suite saw them."""
