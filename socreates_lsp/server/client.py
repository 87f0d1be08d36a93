"""What the client can do, resolved once at ``initialize`` into a frozen record.

The capabilities are read as they came: lsprotocol 2025.0.0 refuses all of them for one value that it does not know,
such as a symbol kind of a newer LSP.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from socreates_lsp.workspace.text import Encoding


@dataclass(frozen=True, slots=True)
class Client:
    """The client's capabilities, as far as anything here depends on them."""

    name: str
    encoding: Encoding
    work_done_progress: bool
    configuration: bool
    configuration_registration: bool
    watched_files_registration: bool
    code_action_literals: bool
    hover_markdown: bool
    publish_diagnostics: bool
    related_information: bool
    pull_diagnostics: bool
    diagnostic_refresh: bool
    notebooks: bool
    findings: bool
    writes: bool
    diagnostic_in_hover: bool
    """Whether it tells by itself, in the hover of a diagnostic, what that says."""

    @classmethod
    def of(cls, params: Mapping[str, Any]) -> Client:
        """Read the params of ``initialize``. Never raises: what is not as it should be is not there."""
        name = member(params, "clientInfo", "name")

        def can(*path: str) -> bool:
            return member(params, "capabilities", *path) is True

        def has(*path: str) -> bool:
            return isinstance(member(params, "capabilities", *path), Mapping)

        publish, pull = has("textDocument", "publishDiagnostics"), has("textDocument", "diagnostic")
        return cls(
            name=name if isinstance(name, str) else "unknown",
            encoding=_encoding(params),
            work_done_progress=can("window", "workDoneProgress"),
            configuration=can("workspace", "configuration"),
            configuration_registration=can("workspace", "didChangeConfiguration", "dynamicRegistration"),
            watched_files_registration=can("workspace", "didChangeWatchedFiles", "dynamicRegistration"),
            code_action_literals=has("textDocument", "codeAction", "codeActionLiteralSupport"),
            hover_markdown="markdown" in _listed(params, "textDocument", "hover", "contentFormat"),
            publish_diagnostics=publish or not pull,
            related_information=can("textDocument", "publishDiagnostics", "relatedInformation"),
            pull_diagnostics=pull and not publish,
            diagnostic_refresh=can("workspace", "diagnostics", "refreshSupport"),
            notebooks=has("notebookDocument", "synchronization"),
            findings=can("experimental", "socreates", "findings"),
            writes=can("experimental", "socreates", "input"),
            diagnostic_in_hover=can("experimental", "socreates", "diagnosticInHover"),
        )


def member(value: Any, *path: str) -> Any:
    """What stands under a path of names in a JSON value; None if there is no such path."""
    for name in path:
        value = cast("Mapping[str, Any]", value).get(name) if isinstance(value, Mapping) else None
    return value


def _listed(params: Mapping[str, Any], *path: str) -> list[Any]:
    value = member(params, "capabilities", *path)
    return cast("list[Any]", value) if isinstance(value, list) else []


def _encoding(params: Mapping[str, Any]) -> Encoding:
    """The client's first encoding that we know; UTF-16 if it names none (LSP 3.17, ``positionEncodings``)."""
    known = {encoding.value: encoding for encoding in Encoding}
    offered = _listed(params, "general", "positionEncodings")
    return next((known[name] for name in offered if isinstance(name, str) and name in known), Encoding.UTF16)
