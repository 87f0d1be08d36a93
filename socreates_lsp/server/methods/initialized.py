"""``initialized``: ask for settings, register for what changes, start a worker. All in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from socreates_lsp.server.session import Session


def initialized(session: Session, _params: types.InitializedParams) -> None:
    """The client is ready to be asked."""
    if session.client.configuration:
        session.spawn(session.ask_configuration())
    registrations = list(_registrations(session))
    if registrations:
        params = types.RegistrationParams(registrations=registrations)
        session.spawn(session.request(types.CLIENT_REGISTER_CAPABILITY, params))
    session.spawn(session.app.examiner.warm_up())
    session.recalling = session.spawn(session.app.recall())


def _registrations(session: Session) -> list[types.Registration]:
    found: list[types.Registration] = []
    if session.client.configuration_registration:
        options = types.DidChangeConfigurationRegistrationOptions(section="socreates")
        found.append(_registration(types.WORKSPACE_DID_CHANGE_CONFIGURATION, options))
    if session.client.watched_files_registration:
        # Everything, as there may be findings in any file that git or another program changes.
        watchers = [types.FileSystemWatcher(glob_pattern="**/*")]
        options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
        found.append(_registration(types.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
    return found


def _registration(method: str, options: object) -> types.Registration:
    return types.Registration(id=f"socreates {method}", method=method, register_options=options)
