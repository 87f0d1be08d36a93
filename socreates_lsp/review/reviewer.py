"""The one interface behind which every reviewer stands: a request in, a stream of events out.

The examiner and the agent are both a ``Reviewer``. Whoever asks (server, command line) knows no more of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.ledger import Dismissal
    from socreates_lsp.review.outcome import Examined, Preview
    from socreates_lsp.review.talks import Talk
    from socreates_lsp.review.verdict import Verdict
    from socreates_lsp.workspace.text import Range


UNREAD = "unread"
"""The ``ask`` of a review that goes on with what the last review of its target did not read."""


class Scope(StrEnum):
    """What a review looks at."""

    SELECTION = "selection"
    FILE = "file"
    CHANGES = "changes"
    WORKSPACE = "workspace"


class Stop(StrEnum):
    """Why a review ended."""

    ANSWERED = "answered"
    STEP_LIMIT = "step-limit"
    LIMIT = "limit"
    LOOPING = "looping"
    TRUNCATED = "truncated"
    CANCELLED = "cancelled"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """What to review.

    ``root`` is the folder the review belongs to (an absolute path, or None without one), ``uri`` the document
    for ``selection`` and ``file``, ``range`` the selection in code points. ``paths`` narrows ``workspace`` and
    ``changes`` to these files and folders (absolute). ``base`` is a git revision for ``changes`` (HEAD when
    None). ``max_findings`` 0 means no cap; ``suppress`` False shows what comments in the code hide. ``leads`` are
    what the examiner asked about the same target, for a model to confirm or to drop. ``dismissed`` are the newest
    dismissals that concern the target, for a reviewer that can be told, and ``settled`` the newest answers of the
    user's that stand; ``room`` is how many findings may turn out to
    be dismissed.
    """

    scope: Scope
    root: str | None = None
    uri: str | None = None
    range: Range | None = None
    paths: tuple[str, ...] = ()
    base: str | None = None
    ask: str | None = None
    max_findings: int = 12
    min_confidence: float = 0.0
    suppress: bool = True
    leads: tuple[Finding, ...] = ()
    dismissed: tuple[Dismissal, ...] = ()
    room: int = 0
    settled: tuple[Talk, ...] = ()

    @property
    def most_sent(self) -> int:
        """How many findings are to be sent at most, so that enough are left without those that were dismissed."""
        return self.max_findings + self.room if self.max_findings else 0


@dataclass(frozen=True, slots=True)
class Reading:
    """The reviewer reads these lines of a document (code points, lines from 0). ``done`` of ``total`` files.

    ``version`` is that of the buffer that was read; None: the one of this moment, or none.
    """

    uri: str
    range: Range
    rules: int = 0
    done: int = 0
    total: int = 0
    version: int | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """A finding, complete and grounded. ``version`` is the buffer version that it was born in, if open."""

    finding: Finding
    version: int | None = None


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A finding of this review that no longer holds."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something that could not be read: one sentence for the reader, the document if it is one."""

    reason: str
    uri: str | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """What the model took since the last ``Usage`` event."""

    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        """What two took together."""
        return Usage(
            self.input_tokens + other.input_tokens,
            self.cached_tokens + other.cached_tokens,
            self.output_tokens + other.output_tokens,
            self.cost_usd + other.cost_usd,
        )


@dataclass(frozen=True, slots=True)
class Doing:
    """What is done at this moment, for the progress: ``round 3 of 10``, ``loading qwen3:8b (cold)``."""

    message: str


@dataclass(frozen=True, slots=True)
class Using:
    """A tool is used, for a reader who wants to see each call: its name, and of what (a path, a pattern, a command)."""

    tool: str
    about: str = ""


@dataclass(frozen=True, slots=True)
class Stage:
    """What follows, and what it takes, belongs to this stage of the review: ``review`` or ``verify``."""

    name: str


@dataclass(frozen=True, slots=True)
class Said:
    """The next piece of an answer to the user's own question."""

    text: str


@dataclass(frozen=True, slots=True)
class Judged:
    """What a reply about a finding comes to."""

    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Closed:
    """The end of every stream that is not cancelled; exactly one, the last event.

    ``suppressed``, ``dismissed``, ``capped``, ``ungrounded``, ``withheld`` and ``refuted`` count what the
    reader does not see, and why. ``unread`` are lines of the target, as it is now, that no review has read, and
    ``left`` counts points that were left out, which a review of the unread goes on with.
    """

    stop: Stop
    summary: str
    rounds: int = 0
    suppressed: int = 0
    capped: int = 0
    ungrounded: int = 0
    withheld: int = 0
    refuted: int = 0
    unread: tuple[Examined, ...] = ()
    left: int = 0


Event = Reading | Found | Withdrawn | Skipped | Usage | Doing | Using | Stage | Said | Judged | Closed


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the user's own. ``uri`` and ``range`` say what it is about, as in ``ReviewRequest``."""

    text: str
    root: str | None = None
    uri: str | None = None
    range: Range | None = None

    def as_request(self) -> ReviewRequest:
        """The review of what it is about, without a cap: for whoever hears of findings in the answer."""
        scope = Scope.WORKSPACE if self.uri is None else Scope.FILE
        return ReviewRequest(scope, self.root, self.uri, self.range, max_findings=0)


@dataclass(frozen=True, slots=True)
class Discussion:
    """A reply of the user's about a finding, which stands where it stands now (``stale`` if nowhere) with the thread
    before this reply. ``root`` is that of its document; ``cited`` are the lines that the reply names, with their path.
    """

    finding: Finding
    text: str
    root: str | None = None
    cited: tuple[str, ...] = ()


class Named(Protocol):
    """Whoever the outcome of a review names."""

    @property
    def provider(self) -> str:
        """The provider's name as in the settings, ``examiner`` for the embedded one."""
        ...

    @property
    def model(self) -> str | None:
        """The model's name; None for the examiner."""
        ...


class Reviewer(Named, Protocol):
    """Whoever can review. Cancelling the task that iterates ends all work at once."""

    def review(self, request: ReviewRequest) -> AsyncGenerator[Event, None]:
        """Review, streaming events. Raises TargetError where nothing can be done."""
        ...

    def answer(self, question: Question) -> AsyncGenerator[Event, None]:
        """Answer a question of the user's own, which ends up whole in the summary. Raises ReviewError."""
        ...

    def reply(self, discussion: Discussion) -> AsyncGenerator[Event, None]:
        """Answer a reply about a finding: the answer ends up whole in the summary, and one ``Judged`` comes before.

        Raises TargetError or ReviewError.
        """
        ...

    async def preview(self, request: ReviewRequest) -> Preview:
        """What the first request of a review would send. Raises TargetError or ReviewError."""
        ...
