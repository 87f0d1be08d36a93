"""Every way in which a model fails to answer. The text of each is one sentence that says what to do."""

from __future__ import annotations

from socreates_lsp.errors import SocreatesError


class ModelError(SocreatesError):
    """A model did not answer. ``passing``: the same request may succeed a little later."""

    passing = False


class CannotConnectError(ModelError):
    """Nobody listens there, or the connection was refused or lost before an answer began."""

    passing = True


class NoSuchModelError(ModelError):
    """The server does not have this model."""


class WrongKeyError(ModelError):
    """The server does not accept the key, or wants one."""


class RateLimitedError(ModelError):
    """Too many requests. ``wait_s``: how long the server says to wait; None if it does not."""

    passing = True

    def __init__(self, message: str, wait_s: float | None = None) -> None:
        """Take the sentence and the seconds."""
        super().__init__(message)
        self.wait_s = wait_s


class ContextOverflowError(ModelError):
    """The request is longer than the model's context."""


class ServerFailedError(ModelError):
    """The server says that something went wrong on its side."""

    passing = True


class RefusedRequestError(ModelError):
    """The server does not take the request; asking again would change nothing."""


class NoToolsError(RefusedRequestError):
    """The model takes no tools; the same request without them may be answered."""


class InterruptedStreamError(ModelError):
    """The answer broke off."""

    passing = True


class TimedOutError(ModelError):
    """No connection, no first byte, or no next byte, in the time that the settings allow."""


class NotAllowedError(ModelError):
    """The endpoint is one to which nothing may be sent without the user's word."""
