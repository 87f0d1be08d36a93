"""What was talked about a finding, and what it came to: kept so that it is there again when the finding is. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from socreates_lsp.review.answers import Anchor
from socreates_lsp.review.finding import Reply, Source, Status
from socreates_lsp.review.ledger_fields import dismissal_of, fields_of, spot_fields, spot_of
from socreates_lsp.review.verdict import Verdict
from socreates_lsp.review.wishes import Wish, asks, wish_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from socreates_lsp.review.ledger import Dismissal

SETTLED = frozenset({Status.ANSWERED, Status.WITHDRAWN, Status.RESOLVED})
"""What a talk may come to; such a finding has left the editor."""

USER, MODEL, EXAMINER, OURSELVES, OTHER = "user", "model", "examiner", "socreates", "other"
"""Authors in a thread. ``OTHER`` is whoever wrote what was not written on this machine."""

_MOST_REPLIES, _MOST_ANCHORS = 200, 20
_LONGEST = 20_000
"""Characters of an entry of a thread."""

_LARGEST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Talk:
    """A thread. ``about`` is the finding as it was when it was last talked about, ``status`` what that came to
    (``open`` for nothing yet), ``stood`` whether its quotation stood then."""

    about: Dismissal
    status: Status = Status.OPEN
    thread: tuple[Reply, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    stood: bool = True

    @property
    def id(self) -> str:
        """That of the finding."""
        return self.about.id

    @property
    def at(self) -> str:
        """When the last word was said (ISO 8601)."""
        return self.thread[-1].at if self.thread else self.about.at

    @property
    def said(self) -> str:
        """The user's last word in it."""
        return next((one.text for one in reversed(self.thread) if one.author == USER), "")

    @property
    def status_when_found(self) -> Status:
        """The status of the finding when it is found again. What was mended and is there once more is open, and so is
        what a rule did not find any more."""
        if self.status is Status.RESOLVED and not (self.stood and self.about.source is Source.MODEL):
            return Status.OPEN
        return self.status


def status_after(verdict: Verdict, text: str, before: Status, *, anchored: bool) -> Status:
    """What a finding comes to by a reply: what the verdict says; where it stands, a claim that cites code answers it,
    and a word that it is intended. A question, or a claim without ground, leaves it as it was."""
    if verdict is Verdict.WITHDRAWN:
        return Status.WITHDRAWN
    if verdict is Verdict.RESOLVED:
        return Status.RESOLVED
    if wish_of(text) is Wish.INTENDED or (anchored and not asks(text)):
        return Status.ANSWERED
    return before if before in SETTLED else Status.OPEN


def fields_of_talk(talk: Talk) -> dict[str, Any]:
    """The talk as a JSON object."""
    return {
        **fields_of(talk.about),
        "status": talk.status.value,
        "stood": talk.stood,
        "thread": [{"author": one.author, "text": one.text, "at": one.at} for one in talk.thread],
        "anchors": [
            {"path": one.path, "line": one.line + 1, "quote": one.quote, "said": one.said, **spot_fields(one.spot)}
            for one in talk.anchors
        ],
    }


def talk_of(fields: Mapping[str, Any]) -> Talk | None:
    """The talk that an object says; None if it lacks what one needs. What somebody else wrote there is checked."""
    about = dismissal_of(fields)
    if about is None:
        return None
    status = next((one for one in SETTLED if one.value == fields.get("status")), Status.OPEN)
    replies = [reply for one in _objects(fields.get("thread")) if (reply := _reply(one)) is not None]
    anchors = [anchor for one in _objects(fields.get("anchors")) if (anchor := _anchor(one)) is not None]
    stood = fields.get("stood") is not False
    return Talk(about, status, tuple(replies[-_MOST_REPLIES:]), tuple(anchors[:_MOST_ANCHORS]), stood)


def bounded(thread: Sequence[Reply]) -> tuple[Reply, ...]:
    """The newest entries of a thread."""
    return tuple(thread[-_MOST_REPLIES:])


def as_others(thread: Sequence[Reply]) -> tuple[Reply, ...]:
    """A thread that was not written on this machine: nobody in it is the user."""
    return tuple(Reply(OTHER, one.text, one.at) for one in thread)


def _objects(value: object) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        return []
    return [cast("dict[str, Any]", one) for one in cast("list[object]", value) if isinstance(one, dict)]


def _reply(fields: Mapping[str, Any]) -> Reply | None:
    author, text, at = (fields.get(name) for name in ("author", "text", "at"))
    if not isinstance(author, str) or not isinstance(text, str) or not isinstance(at, str) or not text.strip():
        return None
    return Reply(author[:40], text[:_LONGEST], at[:40])


def _anchor(fields: Mapping[str, Any]) -> Anchor | None:
    path, quote, said, line = (fields.get(name) for name in ("path", "quote", "said", "line"))
    if not (isinstance(path, str) and isinstance(quote, str) and isinstance(said, str)) or not quote.strip():
        return None
    at = line - 1 if type(line) is int and 1 <= line <= _LARGEST else 0
    return Anchor(path[:4000], quote[:100_000], at, said[:_LONGEST], spot_of(fields))
