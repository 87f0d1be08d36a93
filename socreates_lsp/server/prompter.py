"""Prompts to the user by ``window/showMessageRequest``, one at a time. Whatever is no answer means no."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types

from socreates_lsp.workspace.text import Encoding, units

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session

INPUT = "socreates/input"
"""Our own request to clients with ``experimental.socreates.input``: {``prompt``} -> {``text``}."""

LONGEST = 1000
"""UTF-16 units of a question. VS Code 1.139 cuts a notification off behind them, and what is cut off nobody allowed."""

_LINE_BREAK = " ⏎ "
"""What our extension for VS Code shows for a line break, as notifications have none."""


class EditorPrompter:
    """Asks in the editor. A client need not announce the request (LSP 3.17, window/showMessageRequest)."""

    def __init__(self) -> None:
        """There is nobody to ask yet."""
        self._session: Session | None = None
        self._one = asyncio.Lock()

    def serve(self, session: Session) -> None:
        """From here on this session's client is asked."""
        self._session = session

    def present(self) -> bool:
        """See ``Prompter``: whoever uses an editor is there, even if the client answers with an error."""
        return True

    async def ask(self, question: str, choices: tuple[str, ...]) -> str | None:
        """See ``Prompter``. No answer in ``policy.promptSeconds`` is None; a cancel ends the wait.

        What no client would show as a whole is not asked, and the answer is None.
        """
        session = self._session
        message = _inert(question)
        if session is None or units(message.replace("\n", _LINE_BREAK), Encoding.UTF16) > LONGEST:
            return None
        params = types.ShowMessageRequestParams(
            type=types.MessageType.Warning,
            message=message,
            actions=[types.MessageActionItem(title=choice) for choice in choices],
        )
        title = _member(await self._answer(session, types.WINDOW_SHOW_MESSAGE_REQUEST, params), "title")
        return title if title in choices else None

    def can_write(self) -> bool:
        """See ``Prompter``: clients that serve ``socreates/input`` say so."""
        return self._session is not None and self._session.client.writes

    async def write(self, question: str) -> str | None:
        """See ``Prompter``. As for ``ask``."""
        session = self._session
        if session is None or not session.client.writes:
            return None
        text = _member(await self._answer(session, INPUT, {"prompt": question}), "text")
        return text if text is not None and text.strip() else None

    async def _answer(self, session: Session, method: str, params: Any) -> Any:
        """The client's answer; None if there is none in time."""
        async with self._one:
            try:
                async with asyncio.timeout(session.app.settings.policy.prompt_seconds):
                    return await session.request(method, params)
            except TimeoutError:
                return None


def _member(answer: Any, name: str) -> str | None:
    """A text in an answer, typed or as it came."""
    value: Any = cast("dict[str, Any]", answer).get(name) if isinstance(answer, dict) else getattr(answer, name, None)
    return value if isinstance(value, str) else None


def _inert(question: str) -> str:
    """The question without links: VS Code 1.139 makes one of ``[a](b "c")`` in a notification, and hides b and c."""
    return question.replace("](", "]\u2060(")
