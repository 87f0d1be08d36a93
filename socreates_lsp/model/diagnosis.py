"""From what a server answered to the failure it means, with the sentence that the reader gets. Pure.

Nothing of a server's answer is shown but its own words: one line, without markup, without the key, cut.
"""

from __future__ import annotations

import html
import math
import re
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from socreates_lsp.model import failures
from socreates_lsp.model.untyped import count, items, parsed, table, words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from socreates_lsp.model.place import Place

MOST_WORDS = 300
MOST_WAIT_S = 60.0
_NAMES = 8

_THROTTLED = re.compile(r"per minute|per day|please wait|rate.?limit|quota|throttl|too many requests", re.IGNORECASE)
_OVERFLOW = re.compile(
    r"context[ _-]?(length|size|window)|maximum context|prompt (is )?too long|input (is )?too long|"
    r"too many (input )?tokens|reduce the length|longer than the (maximum|context)|"
    r"(exceeds?|beyond|over)\b.{0,40}\b(tokens|context)",
    re.IGNORECASE,
)
_NO_TOOLS = re.compile(
    r"(does not|doesn't|do not|don't|not) support (the )?(use of )?(tool|function)|support tool use|"
    r"(tools?|functions?|tool_choice|function calling|tool calling)\W+(is|are|was)? ?not (supported|available)|"
    r"requires? --(jinja|enable-auto-tool-choice)",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model.{0,200}(not found|does not exist|doesn't exist|not exist|no such|unknown|not available)|"
    r"(no such|unknown|invalid) model|model_not_found|try pulling it",
    re.IGNORECASE | re.DOTALL,
)
_NO_MONEY = re.compile(r"insufficient.(quota|balance|funds|credit)|billing|exceeded your current quota", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reply:
    """A whole answer of a server. ``headers`` have small names; ``tools``: the request offered some."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    tools: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """What a server says of its failure: its words for the reader, and all of them with its codes, to judge by."""

    words: str
    hints: str
    code: int


def failure_of(reply: Reply, place: Place, now_s: float) -> failures.ModelError:
    """The failure that an answer with an error status means. ``now_s``: seconds since 1970."""
    said = said_in(reply.body, place)
    status = reply.status
    early = _about_the_key(status, said, place) or _about_time(status, said, reply.headers, place, now_s)
    if early is not None:
        return early
    if 300 <= status < 400:
        return failures.RefusedRequestError(_redirected(reply.headers, place))
    return _about_the_request(status, said, place, tools=reply.tools)


def failure_in_answer(error: object, place: Place, *, tools: bool, now_s: float) -> failures.ModelError:
    """The failure that an ``error`` inside an answer with status 200 means; without a code it is the server's."""
    said = _said(error, place)
    told = 400 <= said.code < 600
    status = said.code if told else 500
    early = _about_the_key(status, said, place) or _about_time(status, said, {}, place, now_s)
    return early or _about_the_request(status, said, place, tools=tools, told=told)


def unfinished(place: Place, *, fed: bool, begun: bool) -> failures.ModelError:
    """The failure of an answer with status 200 that came to its end without being one.

    ``fed``: there was something in it that could be read; ``begun``: it had begun as an answer does.
    """
    if begun:
        return failures.InterruptedStreamError(f"The answer of {place.endpoint} broke off.")
    sentence = f"{place.endpoint} answered nothing that a model's server would answer"
    if fed:
        return failures.RefusedRequestError(f"{sentence}: is model.baseUrl right?")
    # A server that is overloaded may say nothing once, and answer the next time.
    return failures.ServerFailedError(f"{sentence}.")


def _about_the_key(status: int, said: Said, place: Place) -> failures.ModelError | None:
    if status not in {401, 403}:
        return None
    if place.key is None:
        return failures.WrongKeyError(
            f"{place.endpoint} wants a key: put it into the variable {place.variable}, "
            "or name another variable in model.apiKeyEnv."
        )
    reason = f" ({said.words})" if status == 403 and said.words else ""
    return failures.WrongKeyError(
        f"{place.endpoint} does not accept the key in the variable {place.variable}{reason}: check it, "
        "or name another variable in model.apiKeyEnv."
    )


def _about_time(
    status: int, said: Said, headers: Mapping[str, str], place: Place, now_s: float
) -> failures.ModelError | None:
    if status == 402 or (status == 429 and _NO_MONEY.search(said.hints)):
        return failures.RefusedRequestError(f"The account at {place.endpoint} has no credit left{_quoted(said)}.")
    wait_s = wait_of(headers, now_s)
    if status == 429 or (status in {503, 529} and wait_s is not None):
        return failures.RateLimitedError(f"{place.endpoint} takes no more requests for now{_quoted(said)}.", wait_s)
    return None


def _about_the_request(status: int, said: Said, place: Place, *, tools: bool, told: bool = True) -> failures.ModelError:
    """``told``: the status is one that the server sent."""
    hints = said.hints
    if tools and _NO_TOOLS.search(hints):
        return failures.NoToolsError(f"The model {place.model} takes no tools{_quoted(said)}.")
    if status == 413 or (status in {400, 422, 500} and _OVERFLOW.search(hints) and not _THROTTLED.search(hints)):
        return failures.ContextOverflowError(f"The request is longer than the context of {place.model}{_quoted(said)}.")
    if status in {400, 404, 422} and _NO_MODEL.search(hints):
        return no_such_model(place, ())
    if status == 404:
        return failures.RefusedRequestError(
            f"{place.endpoint} has nothing at the address in model.baseUrl{_quoted(said)}: does it end as it should?"
        )
    if status in {408, 425} or (status >= 500 and status not in {501, 505}):
        number = f" (status {status})" if told else ""
        return failures.ServerFailedError(f"{place.endpoint} failed{number}{_quoted(said)}.")
    return failures.RefusedRequestError(f"{place.endpoint} does not take the request (status {status}){_quoted(said)}.")


def no_such_model(place: Place, there: Sequence[str]) -> failures.NoSuchModelError:
    """The failure of a missing model, with the models that there are."""
    if place.provider == "ollama":
        cure = f"get it with `ollama pull {place.model}`, or set model.name"
    else:
        cure = "set model.name"
    names = [clean(name, place)[:80] for name in there[:_NAMES]]
    more = f" and {len(there) - _NAMES} more" if len(there) > _NAMES else ""
    choice = f" to one of: {', '.join(names)}{more}" if names else ""
    return failures.NoSuchModelError(f"{place.endpoint} has no model {place.model}: {cure}{choice}.")


def wait_of(headers: Mapping[str, str], now_s: float) -> float | None:
    """How many seconds the server says to wait, at most ``MOST_WAIT_S``; None if it does not say so readably.

    RFC 9110, section 10.2.3: seconds, or a date. ``retry-after-ms`` is OpenAI's own.
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    told = headers.get("retry-after", "").strip()
    seconds = milliseconds / 1000 if milliseconds is not None else _number(told)
    if seconds is None and told:
        try:
            date = parsedate_to_datetime(told)
        except (ValueError, IndexError, TypeError, OverflowError):
            return None
        seconds = (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - now_s
    return None if seconds is None else min(max(seconds, 0.0), MOST_WAIT_S)


def said_in(body: bytes, place: Place) -> Said:
    """What a server says in the body of an error."""
    try:
        return _said(parsed(body), place)
    except ValueError:
        return _said(body[:20_000].decode("utf-8", "replace"), place)


def clean(text: str, place: Place) -> str:
    """A server's words for the reader: one line, no markup, no control characters, no key, at most 300 characters."""
    text = place.redacted(text[:20_000])
    text = re.sub(r"(?is)<(script|style|head)\b.*?</\1\s*>", " ", text)
    text = html.unescape(re.sub(r"</?[A-Za-z!?][^>]*>?", " ", text))
    text = re.sub(r"</?[A-Za-z!?][^>]*>?", " ", text)
    text = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return text if len(text) <= MOST_WORDS else f"{text[: MOST_WORDS - 1]}…"


def _said(value: object, place: Place) -> Said:
    """Read the shapes in use: ``{"error": {"message", "code", "type"}}``, ``{"error": "..."}``, ``{"message"}``,
    ``{"detail"}``, a list of one of them (Gemini), or bare text."""
    first = items(value)[:1]
    value = first[0] if first else value
    outer = table(value)
    inner = table(outer.get("error")) or outer
    message = words(inner.get("message")) or words(outer.get("error")) or words(inner.get("detail"))
    message = message or words(outer.get("message")) or words(value)
    marks = [str(part) for part in (inner.get("code"), inner.get("type"), inner.get("status")) if part is not None]
    # OpenRouter passes what the provider behind it said along in "metadata".
    raw = words(table(inner.get("metadata")).get("raw"))
    shown = clean(message, place).rstrip(" .")
    return Said(shown, f"{message[:20_000]} {' '.join(marks)} {raw[:2_000]}", count(_number(marks[0])) if marks else 0)


def _quoted(said: Said) -> str:
    return f": {said.words}" if said.words else ""


def _redirected(headers: Mapping[str, str], place: Place) -> str:
    host = "/".join(headers.get("location", "").partition("?")[0].split("/")[:3])
    target = f" to {clean(host, place)[:100]}" if "://" in host else ""
    return (
        f"{place.endpoint} sends us elsewhere{target}, which is not followed: put the right address into model.baseUrl."
    )


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
