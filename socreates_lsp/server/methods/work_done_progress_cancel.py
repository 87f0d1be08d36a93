"""``window/workDoneProgress/cancel``: end the job behind a progress."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from socreates_lsp.server.protocol import is_id

if TYPE_CHECKING:
    from lsprotocol import types

    from socreates_lsp.server.session import Session

log = logging.getLogger(__name__)


async def work_done_progress_cancel(session: Session, params: types.WorkDoneProgressCancelParams) -> None:
    """The user pressed Cancel. Async, so that a request which came just before has its job by then."""
    if not is_id(params.token) or not session.jobs.cancel_progress(params.token):
        log.debug("Nothing to cancel under the token %r.", params.token)
