"""What a tool answers when it won't: one sentence that the model can act on."""

from __future__ import annotations

from socreates_lsp.errors import SocreatesError


class ToolRefusalError(SocreatesError):
    """The model asked for something that it can't have; its text says what it can ask for instead."""
