"""Every message that a server under test has sent, and what in it could change a document (law 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

SENT: list[dict[str, Any]] = []
"""Messages from servers, as JSON objects, in the order in which this process saw them."""

REQUESTS = {
    *("client/registerCapability", "window/workDoneProgress/create", "workspace/configuration"),
    *("workspace/diagnostic/refresh", "window/showMessageRequest"),
    "socreates/input",
}
NOTIFICATIONS = {
    *("textDocument/publishDiagnostics", "$/progress", "window/showMessage", "window/logMessage", "$/logTrace"),
    "socreates/didChangeFindings",
}
EDITING = {
    *("edit", "edits", "newText", "documentChanges", "changes", "changeAnnotations", "textEdit", "textEdits"),
    *("additionalTextEdits", "insertText", "insertTextFormat", "snippet", "resourceOperations"),
}
"""Names under which LSP 3.18 carries a change of a document, wherever they stand."""


def nested(value: Any) -> Iterator[Any]:
    """A JSON value and every value in it."""
    yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from nested(inner)


def breaches(message: dict[str, Any]) -> list[str]:
    """What in a message from the server could change a document."""
    found: list[str] = []
    method = message.get("method")
    if method is not None and method not in (REQUESTS if "id" in message else NOTIFICATIONS):
        found.append(f"the method {method}")
    for value in nested(message):
        if not isinstance(value, dict):
            continue
        found += [f"the member {name}" for name in sorted(EDITING & set(value))]
        if "range" in value and "text" in value:
            found.append("a text for a range")
        command = value.get("command")
        if isinstance(command, str) and not command.startswith("socreates/"):
            found.append(f"the command {command}")
        kind = str(value.get("kind", ""))
        only_runs = kind == "quickfix" and set(value) <= {"title", "kind", "command", "diagnostics"}
        if kind.startswith(("quickfix", "refactor", "source")) and not only_runs:
            found.append(f"an action of kind {value['kind']}")
    return found
