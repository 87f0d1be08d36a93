"""How many tokens a text will be, as far as one can tell without the model's own tokenizer.

The first guess is one token for 3.5 bytes of UTF-8, which is on the safe side for code and prose in English and about
right for scripts of three bytes a character. Every answer of a server that counts its prompt corrects it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from socreates_lsp.model.types import Message, ToolSchema

BYTES_A_TOKEN = 3.5
_MESSAGE_BYTES = 16
"""What the wrapping of one message takes, in bytes."""

_FEWEST, _MOST = 1.5, 5.0
"""Bytes a token between which an observation is believed: outside, the server counts something else."""

_ENOUGH = 2000
"""Bytes of a prompt from which on its count says something about the text and not about the wrapping."""


def size_of(messages: Iterable[Message]) -> int:
    """The size of some messages in bytes of UTF-8, with what the wrapping takes."""
    return sum(map(size_of_message, messages))


def size_of_tools(tools: Iterable[ToolSchema]) -> int:
    """The size of the schemas of some tools, likewise."""
    return sum(
        _bytes(tool.name) + _bytes(tool.description) + _bytes(json.dumps(tool.parameters)) + _MESSAGE_BYTES
        for tool in tools
    )


def size_of_message(message: Message) -> int:
    """The size of one message, likewise."""
    calls = sum(_bytes(call.name) + _bytes(call.raw) + _MESSAGE_BYTES for call in message.calls)
    return _bytes(message.content) + calls + _MESSAGE_BYTES


def _bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


class Estimator:
    """Tokens from bytes for one model; it learns from what the server counts."""

    def __init__(self, bytes_a_token: float = BYTES_A_TOKEN) -> None:
        """Start with a guess."""
        self._ratio = bytes_a_token

    @property
    def bytes_a_token(self) -> float:
        """How many bytes a token has, as far as is known."""
        return self._ratio

    def tokens(self, size: int) -> int:
        """How many tokens so many bytes will be."""
        return int(size / self._ratio) + 1

    def bytes(self, tokens: int) -> int:
        """How many bytes fit into so many tokens."""
        return int(tokens * self._ratio)

    def learn(self, size: int, tokens: int) -> None:
        """A prompt of so many bytes was so many tokens. Bad news is believed at once, good news slowly."""
        if size < _ENOUGH or tokens <= 0:
            return
        seen = size / tokens
        if _FEWEST <= seen <= _MOST:
            self._ratio = seen if seen < self._ratio else self._ratio + (seen - self._ratio) / 8
