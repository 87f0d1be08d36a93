"""What the client can do, resolved once at ``initialize`` into a frozen record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from lsprotocol import types

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
    diagnostic_data: bool
    pull_diagnostics: bool
    diagnostic_refresh: bool
    findings: bool

    @classmethod
    def of(cls, params: types.InitializeParams) -> Client:
        """Read the capabilities."""
        caps = params.capabilities
        document = caps.text_document or types.TextDocumentClientCapabilities()
        workspace = caps.workspace or types.WorkspaceClientCapabilities()
        window = caps.window or types.WindowClientCapabilities()
        publish = document.publish_diagnostics
        pull = document.diagnostic is not None
        watched = workspace.did_change_watched_files
        configuration = workspace.did_change_configuration
        return cls(
            name=params.client_info.name if params.client_info is not None else "unknown",
            encoding=_encoding(caps),
            work_done_progress=bool(window.work_done_progress),
            configuration=bool(workspace.configuration),
            configuration_registration=bool(configuration and configuration.dynamic_registration),
            watched_files_registration=bool(watched and watched.dynamic_registration),
            code_action_literals=bool(document.code_action and document.code_action.code_action_literal_support),
            hover_markdown=_knows_markdown(document),
            publish_diagnostics=publish is not None or not pull,
            related_information=bool(publish and publish.related_information),
            diagnostic_data=bool(publish and publish.data_support),
            pull_diagnostics=pull and publish is None,
            diagnostic_refresh=bool(workspace.diagnostics and workspace.diagnostics.refresh_support),
            findings=_experimental(caps, "findings"),
        )


def _encoding(caps: types.ClientCapabilities) -> Encoding:
    """The client's first encoding that we know; UTF-16 if it names none (LSP 3.17, ``positionEncodings``).

    pygls 2.1.1 gives them as text or as enumeration; both compare equal to the text.
    """
    offered = (caps.general.position_encodings if caps.general is not None else None) or []
    known = {encoding.value: encoding for encoding in Encoding}
    for one in offered:
        name = one.value if isinstance(one, types.PositionEncodingKind) else str(one)
        if name in known:
            return known[name]
    return Encoding.UTF16


def _knows_markdown(document: types.TextDocumentClientCapabilities) -> bool:
    formats = document.hover.content_format if document.hover is not None else None
    return bool(formats) and types.MarkupKind.Markdown in (formats or ())


def _experimental(caps: types.ClientCapabilities, name: str) -> bool:
    experimental: Any = caps.experimental
    ours = _member(experimental, "socreates")
    return _member(ours, name) is True


def _member(value: Any, name: str) -> Any:
    """A member of what the converter left as a dict or made a namedtuple."""
    if isinstance(value, Mapping):
        return cast("Mapping[str, Any]", value).get(name)
    return getattr(value, name, None)
