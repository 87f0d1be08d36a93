"""What a user's reply about a finding wishes: the common ones are known by their words. Pure."""

from __future__ import annotations

import re
from enum import StrEnum

from socreates_lsp.review.finding import Kind, kind_of, normalised

INTENDED = "It is intended."
LOOK_AGAIN = "I changed it, look again."
TELL_MORE = "Tell me more."
"""The words of the code actions."""


class Wish(StrEnum):
    """A reply that is understood by its words; ``FREE`` is every other one."""

    INTENDED = "intended"
    LOOK_AGAIN = "look again"
    TELL_MORE = "tell me more"
    FREE = "free"


_WORDS = {
    "it is intended": Wish.INTENDED,
    "i changed it look again": Wish.LOOK_AGAIN,
    "look again": Wish.LOOK_AGAIN,
    "please look again": Wish.LOOK_AGAIN,
    "tell me more": Wish.TELL_MORE,
    "please tell me more": Wish.TELL_MORE,
}


def wish_of(text: str) -> Wish:
    """What a reply wishes; case and punctuation do not matter."""
    return _WORDS.get(normalised(re.sub(r"[^\w\s]", " ", text)).casefold(), Wish.FREE)


def asks(text: str) -> bool:
    """Whether a reply asks something rather than claims it."""
    return wish_of(text) in {Wish.LOOK_AGAIN, Wish.TELL_MORE} or kind_of(text) is Kind.QUESTION
