"""What a request is about, as the task of a turn: the documents, the lines attached, what stands, what the user set."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.agent.task import Attachment, around, question_task, review_task, selection, target
from socreates_lsp.errors import TargetError
from socreates_lsp.model.types import Message, Role
from socreates_lsp.review.counting import counted
from socreates_lsp.review.finding import Source
from socreates_lsp.review.reviewer import Scope
from socreates_lsp.review.store import SHOWN
from socreates_lsp.tools.readable import Readable
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.changes import shown_changes
from socreates_lsp.workspace.globs import Globs
from socreates_lsp.workspace.text import Position, Range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.ledger import Dismissal
    from socreates_lsp.review.reviewer import Question, ReviewRequest
    from socreates_lsp.review.store import FindingStore
    from socreates_lsp.settings import Settings
    from socreates_lsp.tools.tool import ReadLines
    from socreates_lsp.workspace.changed_file import ChangedFile
    from socreates_lsp.workspace.text import Text
    from socreates_lsp.workspace.workspace import Workspace

_MOST_FILES = 20
"""Files named on the command line that are attached."""


@dataclass(frozen=True, slots=True)
class Task:
    """The newest message, the lines in it, and a sentence about each thing that could not be read."""

    message: Message
    read: tuple[ReadLines, ...]
    skipped: tuple[str, ...] = ()


class Targets:
    """Makes tasks. Reads the disk and runs git: not for the event loop."""

    def __init__(self, workspace: Workspace, store: FindingStore, settings: Settings) -> None:
        """Take what there is to look at."""
        self._workspace = workspace
        self._store = store
        self._settings = settings
        self.may_be_read = Readable(workspace, settings.policy.read_deny)
        """Which documents may be given to the model."""

    def review(self, request: ReviewRequest, room: int, recent: Sequence[str]) -> Task:
        """The task of a review, with at most ``room`` characters of lines. Raises TargetError."""
        attached = Attachment(room)
        path = None if request.uri is None else self._workspace.display_path(request.uri)
        span = request.range if request.scope is Scope.SELECTION else None
        skipped: list[str] = []
        if request.scope is Scope.CHANGES:
            skipped += self._attach_changes(request, attached)
        elif request.uri is not None and request.scope is not Scope.WORKSPACE:
            span = self._attach_document(attached, request.uri, span)
        else:
            skipped += self._attach_paths(request, attached)
        what = target(request.scope, path, span, request.base)
        if request.paths and request.scope is Scope.WORKSPACE:
            what = ", ".join(map(self._name, request.paths[:_MOST_FILES]))
        content = review_task(
            what,
            attached,
            ask=request.ask,
            rules=self._settings.rules,
            questions=self._questions(attached),
            standing=self._standing(request),
            dismissed=self._dismissed(request),
            recent=recent,
        )
        return Task(Message(Role.USER, content), tuple(attached.read), tuple(skipped))

    def question(self, question: Question, room: int, recent: Sequence[str]) -> Task:
        """The task of a question of the user's own. Raises TargetError."""
        attached = Attachment(room)
        what = None
        if question.uri is not None:
            span = self._attach_document(attached, question.uri, question.range)
            what = selection(self._workspace.display_path(question.uri), span)
        content = question_task(question.text, what, attached, recent)
        return Task(Message(Role.USER, content), tuple(attached.read))

    def _name(self, path: str) -> str:
        return self._workspace.display_path(uris.from_path(path))

    def _text(self, uri: str) -> Text:
        refusal = self.may_be_read.refusal(uri)
        if refusal is not None:
            raise TargetError(refusal)
        return self._workspace.text(uri)

    def _attach_document(self, attached: Attachment, uri: str, span: Range | None) -> Range | None:
        """Attach a document, or a selection with what is around it; the selection as it lies in the text."""
        path, text = self._workspace.display_path(uri), self._text(uri)
        if not text.content.strip():
            raise TargetError(f"{path} is empty: there is nothing to review.")
        if span is None or span.start == span.end:
            attached.document(path, uri, text, 0, text.last_line)
            return None
        if span.start.line > text.last_line:
            lines = counted(text.last_line + 1, "line")
            raise TargetError(f"{path} has {lines}; the selection starts at line {span.start.line + 1}.")
        within = Range(span.start, min(span.end, Position(text.last_line, len(text.line(text.last_line)))))
        first, last = around(within, text)
        attached.document(path, uri, text, min(first, within.start.line), last)
        return within

    def _attach_paths(self, request: ReviewRequest, attached: Attachment) -> list[str]:
        """Attach the files that were named, as far as there is room; folders are for the model to look into."""
        skipped: list[str] = []
        open_only = [] if request.root is not None else list(dict(self._workspace.buffers))
        if request.root is None and not open_only:
            raise TargetError("There is nothing to review: no folder is open, and no file.")
        files = [uris.from_path(path) for path in request.paths if not Path(path).is_dir()]
        for uri in [*files, *open_only][:_MOST_FILES]:
            try:
                self._attach_document(attached, uri, None)
            except TargetError as error:
                skipped.append(str(error))
        return skipped

    def _attach_changes(self, request: ReviewRequest, attached: Attachment) -> list[str]:
        if request.root is None:
            raise TargetError("There are no changes to review: no folder is open.")
        root = Path(request.root)
        opened = {
            self._workspace.display_path(uri): buffer.text.content
            for uri, buffer in dict(self._workspace.buffers).items()
            if self._workspace.root_of(uri) == request.root and buffer.in_step
        }
        changes = shown_changes(root, request.base, tuple(map(Path, request.paths)), opened)
        if not changes:
            raise TargetError(f"There are no changes against {request.base or 'HEAD'}.")
        for change in changes:
            # A renamed file shows lines of the old one.
            if all(self.may_be_read(uris.from_path(str(root / path))) for path in (change.path, *_old(change))):
                attached.change(change, uris.from_path(str(root / change.path)))
            else:
                attached.left_out.append(change.path)
        return [f"{path}: its changes were not attached." for path in attached.left_out]

    def _questions(self, attached: Attachment) -> list[str]:
        """The standing questions whose files are attached; with nothing attached, all of them."""
        paths = {self._workspace.display_path(lines.uri) for lines in attached.read}
        return [
            f"{one.question} (for {one.glob})" if not paths else one.question
            for one in self._settings.questions
            if not paths or any(map(Globs([one.glob]).match, paths))
        ]

    def _dismissed(self, request: ReviewRequest) -> list[Dismissal]:
        """What the developer dismissed, but for what is about files that a model does not see."""
        root = Path(request.root or ".")
        return [one for one in request.dismissed if self.may_be_read(uris.from_path(str(root / one.path)))]

    def _standing(self, request: ReviewRequest) -> list[tuple[str, Finding]]:
        return [
            (self._workspace.display_path(finding.uri), finding)
            for finding in self._store
            if finding.status in SHOWN
            and finding.source is Source.MODEL
            and (request.uri is None or finding.uri == request.uri)
            and self._workspace.root_of(finding.uri) == request.root
        ]


def _old(change: ChangedFile) -> tuple[str, ...]:
    return () if change.old_path is None else (change.old_path,)
