"""Messages and settings that the tests of memory share."""

from __future__ import annotations

from socreates_lsp.model.types import Message, Role, ToolCall
from socreates_lsp.settings.schema import SessionSettings

SETTINGS = SessionSettings()
OFF = SessionSettings(store=False)


def user(text: str) -> Message:
    return Message(Role.USER, text)


def said(text: str, *calls: str) -> Message:
    return Message(
        Role.ASSISTANT,
        text,
        tuple(ToolCall(call, "read_file", {"path": call}, f'{{"path": "{call}"}}') for call in calls),
    )


def result(call: str, text: str = "1 | x") -> Message:
    return Message(Role.TOOL, text, call_id=call, tool="read_file")


TURN = (user("Why?"), said("", "a", "b"), result("a"), result("b"), said("Because.\nIs it?"))


def write_turn(transcript, messages=TURN, outcome="answered", kind="ask"):
    turn = transcript.begin(kind)
    for message in messages:
        transcript.write(turn, message)
    transcript.end(turn, outcome)
