"""Whether a server took less of a prompt than it was sent. Pure."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from socreates_lsp.model.types import ChatRequest, TokenUsage

_WORD = re.compile(r"\w+")
_LEAST_WORDS = 400
_SHARE = 0.8


def cut_warning(request: ChatRequest, usage: TokenUsage | None, model: str) -> str | None:
    """The sentence for a prompt that the server cut without a word; None if it did not, or did not count.

    No tokeniser makes one token of two words, so a prompt has at least as many tokens as words. Only the
    content of messages counts: what a template makes of tools and thoughts is its own affair.
    """
    if usage is None or usage.prompt == 0:
        return None
    least = sum(_words_in(message.content) for message in request.messages)
    if least < _LEAST_WORDS or usage.prompt >= least * _SHARE:
        return None
    return (
        f"The server read only {usage.prompt} tokens of a prompt of at least {least}, so {model} did not see all "
        "of it: give the model a larger context, or set model.contextTokens to the one that it has."
    )


@lru_cache(maxsize=1024)
def _words_in(content: str) -> int:
    """Counted once: every request of a turn holds the messages of the one before."""
    return len(_WORD.findall(content))
