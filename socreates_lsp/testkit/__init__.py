"""A model server that says what a script has it say, over both wires: for tests, demonstrations and ``eval``."""

from __future__ import annotations

from socreates_lsp.testkit.script import Asked, Reply, read_script
from socreates_lsp.testkit.server import ScriptedServer

__all__ = ["Asked", "Reply", "ScriptedServer", "read_script"]
