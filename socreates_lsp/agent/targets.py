"""What a request is about, as the task of a turn: the documents, the lines attached, what stands, what the user set."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.agent.attachment import Attachment
from socreates_lsp.agent.callers import Callers, CallSites
from socreates_lsp.agent.conventions import Conventions, share_of
from socreates_lsp.agent.dismissed import told_of
from socreates_lsp.agent.leads import Leads, fitting
from socreates_lsp.agent.linting import lint_leads
from socreates_lsp.agent.task import (
    asked,
    candidates_section,
    leads_section,
    question_task,
    questions_section,
    review_task,
    rules_section,
    selection,
    standing_section,
    target,
)
from socreates_lsp.errors import SocreatesError, TargetError
from socreates_lsp.model.types import Message, Role
from socreates_lsp.review.counting import counted
from socreates_lsp.review.finding import Source
from socreates_lsp.review.question_labels import labelled
from socreates_lsp.review.questions import left_out, path_of, standing_questions
from socreates_lsp.review.reviewer import Scope
from socreates_lsp.review.store import SHOWN
from socreates_lsp.review.surroundings import own_sites, selected_lines, surroundings
from socreates_lsp.tools.paths import named
from socreates_lsp.tools.readable import Readable
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.changes import shown_changes
from socreates_lsp.workspace.globs import Globs
from socreates_lsp.workspace.languages import language_of
from socreates_lsp.workspace.text import Position, Range

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from socreates_lsp.agent.candidates import Candidates
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.ledger import Dismissal
    from socreates_lsp.review.questions import ProjectQuestion
    from socreates_lsp.review.reviewer import Question, ReviewRequest
    from socreates_lsp.review.store import FindingStore
    from socreates_lsp.settings import Settings
    from socreates_lsp.tools.tool import ReadLines
    from socreates_lsp.workspace.changed_file import ChangedFile
    from socreates_lsp.workspace.text import Text
    from socreates_lsp.workspace.workspace import Workspace

_MOST_FILES = 20
"""Files named on the command line that are attached."""

_LEADS_SHARE = 8
"""One part in so many of the room is what leads may take beside it."""

_UNKNOWN = 200
"""Lines that a target is taken for of which nothing is attached."""

_AROUND = 12
"""Lines before and after a candidate that come along with it."""


@dataclass(frozen=True, slots=True)
class Task:
    """The newest message, the lines in it, and a sentence about each thing that could not be read.

    ``what`` names the target, ``attached`` is what the message brings along, ``lines`` how many lines the target has
    as far as they are attached.
    """

    message: Message
    read: tuple[ReadLines, ...]
    skipped: tuple[str, ...] = ()
    what: str = ""
    attached: Attachment = field(default_factory=lambda: Attachment(0))
    lines: int = 0


class Targets:
    """Makes tasks. Reads the disk and runs git: not for the event loop."""

    def __init__(self, workspace: Workspace, store: FindingStore, settings: Settings) -> None:
        """Take what there is to look at."""
        self._workspace = workspace
        self._store = store
        self._settings = settings
        self.may_be_read = Readable(workspace, settings.policy.read_deny)
        """Which documents may be given to the model."""
        self._conventions = Conventions(workspace, self.may_be_read)

    @cached_property
    def questions(self) -> tuple[ProjectQuestion, ...]:
        """The standing questions of the project."""
        return standing_questions(self._settings.questions)

    def review(
        self,
        request: ReviewRequest,
        room: int,
        recent: Sequence[str],
        *,
        how: Callable[[int], str] = lambda _: "",
        leads: Leads | None = None,
    ) -> Task:
        """The task of a review, with at most ``room`` characters of lines. Raises TargetError.

        ``how`` says what to look for in so many lines. To the ``leads`` come those of linters.
        """
        leads = Leads() if leads is None else leads
        given = [*filter(None, [request.uri]), *map(uris.from_path, request.paths)]
        attached = Attachment(room - len(self._house(request.root, given, room).text))
        path = None if request.uri is None else self._workspace.display_path(request.uri)
        span = request.range if request.scope is Scope.SELECTION else None
        skipped: list[str] = []
        if request.scope is Scope.CHANGES:
            skipped += self._attach_changes(request, attached)
        elif request.uri is not None and request.scope is not Scope.WORKSPACE:
            span = self._attach_document(attached, request.uri, span)
        else:
            skipped += self._attach_paths(request, attached)
        skipped += filter(None, [left_out(self._settings.questions)])
        what = target(request.scope, path, span, request.base)
        if request.paths and request.scope is Scope.WORKSPACE:
            what = ", ".join(map(self._name, request.paths[:_MOST_FILES]))
        if self._settings.review.leads:
            leads.add(lint_leads(attached.read, span, self._workspace, request.root))
        house = self._house(request.root, given, room, attached)
        lines = len(span.lines) if span is not None else sum(len(one.range.lines) for one in attached.read)
        sections = (
            asked(request.ask),
            rules_section(self._settings.rules),
            house.text,
            questions_section(self._questions(attached)),
            standing_section(self._standing(request)),
            *told_of(self._dismissed(request)),
            leads_section(leads.described(room // _LEADS_SHARE)),
        )
        opening = f"Review {what}.\n\n{how(lines or _UNKNOWN)}".rstrip()
        content = review_task(opening, attached, sections, recent)
        read = (*attached.read, *house.read)
        return Task(Message(Role.USER, content), read, tuple(skipped), what, attached, lines or _UNKNOWN)

    def second(
        self, task: Task, request: ReviewRequest, how: str, leads: Leads, candidates: Candidates, room: int
    ) -> Task:
        """The task of the second look at what the first one found, with at most ``room`` characters of lines."""
        attached = replace(task.attached, most=room, read=list(task.attached.read), left_out=[])
        for finding in candidates.findings:
            self._attach_around(attached, finding)
        sections = (
            asked(request.ask),
            candidates_section(fitting(candidates.described(self._workspace.display_path), room)),
            questions_section(self._questions(attached)),
            *told_of(self._dismissed(request)),
            leads_section(leads.described(room // _LEADS_SHARE)),
        )
        content = review_task(f"The target: {task.what}.\n\n{how}", attached, sections, ())
        return Task(Message(Role.USER, content), tuple(attached.read), what=task.what, attached=attached)

    def _attach_around(self, attached: Attachment, finding: Finding) -> None:
        """Attach the lines around a candidate, unless they are there."""
        there = [one.range for one in attached.read if one.uri == finding.uri]
        if any(span.overlaps_lines(finding.range) for span in there):
            return
        with contextlib.suppress(SocreatesError):
            text = self._text(finding.uri)
            first = max(finding.range.start.line - _AROUND, 0)
            last = min(finding.range.end.line + _AROUND, text.last_line)
            attached.document(self._workspace.display_path(finding.uri), finding.uri, text, first, last)

    def question(self, question: Question, room: int, recent: Sequence[str]) -> Task:
        """The task of a question of the user's own. Raises TargetError."""
        named = [] if question.uri is None else [question.uri]
        house = self._house(question.root, named, room // 2)
        attached = Attachment(room - len(house.text))
        what = None
        if question.uri is not None:
            span = self._attach_document(attached, question.uri, question.range)
            what = selection(self._workspace.display_path(question.uri), span)
            house = self._house(question.root, named, room // 2, attached)
        content = question_task(question.text, what, attached, recent, house=house.text)
        return Task(Message(Role.USER, content), (*attached.read, *house.read))

    def _house(self, root: str | None, named: list[str], room: int, attached: Attachment | None = None) -> Attachment:
        """The conventions that hold for what is attached, or for what is named as long as nothing is."""
        shown = [] if attached is None else [lines.uri for lines in attached.read]
        most = share_of(room) if attached is None else min(share_of(room), room - len(attached.text))
        return self._conventions.about(root, shown or named, most, frozenset(shown))

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
        self._attach_selection(attached, uri, text, within)
        return within

    def _attach_selection(self, attached: Attachment, uri: str, text: Text, within: Range) -> None:
        """Attach a selection with the function around it, its imports, and where it is called from."""
        first, last = selected_lines(within)
        buffer = self._workspace.buffers.get(uri)
        path = self._workspace.display_path(uri)
        around = surroundings(
            text, language_of(path, text.line(0), None if buffer is None else buffer.language_id), first, last
        )
        root = self._workspace.root_of(uri)

        def sites(room: int) -> CallSites:
            # A name that starts so is for its own file; the same one elsewhere is another's.
            names = [name for name in around.names if not name.startswith("_")]
            if not names or root is None:
                return CallSites()
            callers = Callers(root, self._workspace, self._settings.policy.read_deny, self.may_be_read)
            return callers.of(names, uri, room)

        attached.selection(path, uri, text, (first, last), around, own_sites(text, around), sites)

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
        shown: list[tuple[ChangedFile, str]] = []
        kept: list[str] = []
        for change in changes:
            # A renamed file shows lines of the old one.
            if all(self.may_be_read(uris.from_path(str(root / path))) for path in (change.path, *_old(change))):
                shown.append((change, uris.from_path(str(root / change.path))))
            else:
                kept.append(change.path)
        attached.changes(shown)
        attached.left_out += kept
        return [f"{named(path)}: its changes were not attached." for path in attached.left_out]

    def _questions(self, attached: Attachment) -> list[str]:
        """The standing questions whose files are attached; with nothing attached, all of them."""
        paths = {path_of(self._workspace.display_path(lines.uri)) for lines in attached.read}
        if not paths:
            return [
                f"{words} (for {one.glob})" for words, one in zip(labelled(self.questions), self.questions, strict=True)
            ]
        return labelled([one for one in self.questions if any(map(Globs([one.glob]).match, paths))])

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
