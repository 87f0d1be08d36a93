"""What is said to a model and what it says, whatever the wire. Values only; no I/O, nothing heavy is imported."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping


class Role(StrEnum):
    """Who says a message."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that the model wants run.

    ``id`` is unique in a conversation (made by the adapter where the wire has none). ``arguments`` is None where
    ``raw``, the arguments as they came, is no JSON object: the model is told, and nothing is guessed.
    """

    id: str
    name: str
    arguments: Mapping[str, Any] | None
    raw: str


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation.

    ``calls`` and ``reasoning`` only of an assistant; ``call_id`` and ``tool`` (the name of the tool) only of a
    tool's result, which always follows the message with its call.
    """

    role: Role
    content: str
    calls: tuple[ToolCall, ...] = ()
    reasoning: str = ""
    call_id: str | None = None
    tool: str | None = None


@dataclass(frozen=True, slots=True)
class ToolSchema:
    """A tool as the model is told of it. ``parameters`` is a JSON schema of type object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One request. ``must_answer``: the tools stay in the request, and are not to be called.

    ``max_output_tokens`` and ``temperature`` None leave it to the server.
    """

    messages: tuple[Message, ...]
    tools: tuple[ToolSchema, ...] = ()
    must_answer: bool = False
    max_output_tokens: int | None = None
    temperature: float | None = None


class Finish(StrEnum):
    """Why an answer ended: it was complete, tools are to be run, its length was over, the server withheld it."""

    STOP = "stop"
    CALLS = "calls"
    LENGTH = "length"
    FILTERED = "filtered"


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """What one request took, in tokens, as the server counts. ``cached`` of the prompt's tokens were not new."""

    prompt: int = 0
    cached: int = 0
    completion: int = 0


@dataclass(frozen=True, slots=True)
class Loading:
    """The server loads the model first, which may take minutes. At most once, before all else."""

    model: str


@dataclass(frozen=True, slots=True)
class InLine:
    """Others ask the endpoint at the moment, so the request waits for its turn; ``waits`` False: no longer."""

    waits: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """A request failed in a way that may pass; it is sent again in so many seconds. ``reason``: one sentence."""

    reason: str
    seconds: float


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """The next piece of what the model thinks aloud; never shown as an answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Called:
    """A whole call of a tool."""

    call: ToolCall


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of an answer: exactly one, the last event. ``usage`` None where the server did not tell.

    ``model`` is the model that answered (a fallback may have). ``warning``: a sentence for the reader, such as
    that the server cut the prompt.
    """

    finish: Finish
    usage: TokenUsage | None = None
    model: str = ""
    warning: str | None = None


ModelEvent = Loading | InLine | Waiting | TextDelta | ReasoningDelta | Called | Ended


class ChatModel(Protocol):
    """A model that can be talked to. Closing the generator closes the connection at once."""

    @property
    def provider(self) -> str:
        """The provider's name as in the settings."""
        ...

    @property
    def name(self) -> str:
        """The model's name at the provider."""
        ...

    @property
    def endpoint(self) -> str:
        """Where the text goes: scheme, host and port."""
        ...

    async def context_tokens(self) -> int:
        """The size of the context in tokens: as the server tells, else as the settings say, else a safe guess."""
        ...

    def chat(self, request: ChatRequest) -> AsyncGenerator[ModelEvent, None]:
        """Answer, streaming events. Raises ModelError (``model.failures``)."""
        ...

    async def close(self) -> None:
        """Let go of connections."""
        ...
