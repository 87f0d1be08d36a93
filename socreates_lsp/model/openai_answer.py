"""An answer as the OpenAI wire brings it: bytes to values, values to events. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from socreates_lsp.model import failures
from socreates_lsp.model.answer_text import AnswerText
from socreates_lsp.model.calls import Fragments, Ids, raw_of
from socreates_lsp.model.cut_prompt import cut_warning
from socreates_lsp.model.diagnosis import failure_in_answer, unfinished
from socreates_lsp.model.sse import MOST_BYTES, EventReader
from socreates_lsp.model.types import Called, Ended, Finish, TokenUsage
from socreates_lsp.model.untyped import count, items, parsed, table, words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from socreates_lsp.model.place import Place
    from socreates_lsp.model.types import ChatRequest, ModelEvent

_DONE = "[DONE]"
_FRAGMENT = 16
"""What a fragment of a call counts for besides its arguments, in characters: a million empty ones are too many."""
_LENGTH = {"length", "max_tokens", "model_length", "max_output_tokens"}
_FILTERED = {"content_filter", "safety", "recitation", "refusal"}
_FAILED = {"error", "insufficient_system_resource", "network_error"}


class Body:
    """The body of an answer with status 200: events, or one JSON value from a server that does not stream.

    No line of an event stream begins with ``{``, ``[`` or ``<``, so the first character tells which it is.
    """

    def __init__(self) -> None:
        """Begin before the first byte."""
        self._start = bytearray()
        self._whole = False
        self._events: EventReader | None = None

    def feed(self, chunk: bytes) -> list[str]:
        """The data that these bytes complete. Raises ValueError for an endless event."""
        if self._events is not None:
            return self._events.feed(chunk)
        self._start += chunk
        if len(self._start) > MOST_BYTES:
            raise ValueError("an answer without an end")
        first = bytes(self._start[:64]).lstrip(b"\xef\xbb\xbf \t\r\n")[:1]
        self._whole = self._whole or first in {b"{", b"[", b"<"}
        if self._whole or not first:
            return []
        self._events = EventReader()
        return self._events.feed(bytes(self._start))

    def end(self) -> list[str]:
        """The data of what is left after the last byte."""
        if self._events is not None:
            return self._events.end()
        text = self._start.decode("utf-8-sig", "replace").strip()
        return [text] if text else []


class Answer:
    """One answer: feed it data, it gives events, and an end or a failure."""

    def __init__(self, request: ChatRequest, place: Place) -> None:
        """Begin before the first piece of data."""
        self._request, self._place = request, place
        self._ids = Ids(request.messages)
        self._text = AnswerText({tool.name for tool in request.tools}, self._ids)
        self._calls = Fragments()
        self._finish: str | None = None
        self._usage: TokenUsage | None = None
        self._model = ""
        self._done = False
        self._fed = self._begun = False

    @property
    def complete(self) -> bool:
        """Whether the answer is whole; usage may still come unless ``[DONE]`` has."""
        return self._finish is not None or self._done or self.full

    @property
    def full(self) -> bool:
        """Whether the answer is as long as any may be: nothing more is taken."""
        return self._text.full

    @property
    def said(self) -> int:
        """How many characters the model has said so far."""
        return self._text.said

    def take(self, data: str, now_s: float) -> Iterator[ModelEvent]:
        """The events of one piece of data. ``now_s``: seconds since 1970. Raises ModelError."""
        data = data.strip()
        if self._done or self.full:
            return
        self._fed = self._fed or bool(data)
        if data == _DONE:
            self._done = True
            return
        try:
            value = parsed(data)
        except ValueError:
            yield from self._unreadable(data)
            return
        chunk = table((items(value) or [value])[0])
        if chunk.get("error"):
            raise failure_in_answer(chunk, self._place, tools=bool(self._request.tools), now_s=now_s)
        self._count(chunk)
        for choice in filter(None, map(table, items(chunk.get("choices"))[:1])):
            self._begun = True
            yield from self._choice(choice)

    def end(self) -> Iterator[ModelEvent]:
        """The calls, and the end. Raises ModelError if the answer is not whole."""
        if not self.complete or not (self._begun or self._done):
            raise unfinished(self._place, fed=self._fed, begun=self._begun)
        if self._finish in _FAILED:
            raise failures.ServerFailedError(f"{self._place.endpoint} failed in the middle of its answer.")
        cut = self._finish in _LENGTH or self.full
        called = False
        for event in self._text.end(calls=bool(self._calls)):
            called = called or isinstance(event, Called)
            yield event
        for call in self._calls.calls(self._ids, cut=cut):
            called = True
            yield Called(call)
        finish = Finish.CALLS if called else Finish.STOP
        finish = Finish.LENGTH if cut else Finish.FILTERED if self._finish in _FILTERED else finish
        warning = cut_warning(self._request, self._usage, self._place.model)
        yield Ended(finish, self._usage, self._model or self._place.model, warning)

    def _choice(self, choice: Mapping[str, Any]) -> Iterator[ModelEvent]:
        delta = table(choice.get("delta")) or table(choice.get("message"))
        yield from self._text.reasoning(words(delta.get("reasoning_content")) or words(delta.get("reasoning")))
        content = delta.get("content")
        # Mistral's reasoning models send a list of parts.
        pieces = [words(table(part).get("text")) for part in items(content)] or [words(content)]
        for piece in filter(None, [*pieces, words(delta.get("refusal"))]):
            yield from self._text.feed(piece)
        for fragment in map(table, items(delta.get("tool_calls"))):
            raw = raw_of(table(fragment.get("function")).get("arguments"))
            self._calls.add(fragment, self._text.room(raw, besides=_FRAGMENT))
        self._finish = words(choice.get("finish_reason")) or self._finish

    def _count(self, chunk: Mapping[str, Any]) -> None:
        self._model = words(chunk.get("model")) or self._model
        choices = [table(choice) for choice in items(chunk.get("choices"))[:1]]
        places = (chunk, *choices, table(chunk.get("x_groq")))
        found = next((usage for place in places if (usage := table(place.get("usage")))), None)
        if found is not None:
            self._usage = usage_of(found)

    def _unreadable(self, data: str) -> Iterator[ModelEvent]:
        """A keep-alive inside a data field is skipped; JSON that cannot be read would be a hole in the answer."""
        if data.startswith("<"):
            raise failures.RefusedRequestError(
                f"{self._place.endpoint} answers with a web page, not as a model does: is model.baseUrl right?"
            )
        if data.startswith("{") and not self.complete:
            raise failures.InterruptedStreamError(f"The answer of {self._place.endpoint} broke off, or cannot be read.")
        yield from ()


def usage_of(usage: Mapping[str, Any]) -> TokenUsage:
    """The tokens: OpenAI's names, and those of DeepSeek and Moonshot for what was cached."""
    details = table(usage.get("prompt_tokens_details"))
    cached = details.get("cached_tokens") or usage.get("prompt_cache_hit_tokens") or usage.get("cached_tokens")
    prompt = count(usage.get("prompt_tokens"))
    return TokenUsage(prompt, min(count(cached), prompt), count(usage.get("completion_tokens")))
