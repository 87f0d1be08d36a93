"""What a request is about, as the task of a turn: the documents, the lines attached, what stands, what the user set."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.agent.attaching import MOST_FILES, Attacher
from socreates_lsp.agent.attachment import Attachment
from socreates_lsp.agent.conventions import Conventions, share_of
from socreates_lsp.agent.dismissed import settled_of, told_of
from socreates_lsp.agent.leads import Leads, fitting
from socreates_lsp.agent.linting import lint_leads
from socreates_lsp.agent.remembered import Remembered
from socreates_lsp.agent.rule_files import is_rule_file
from socreates_lsp.agent.task import (
    REVIEWED,
    asked,
    candidates_section,
    leads_section,
    left_section,
    question_task,
    questions_section,
    review_task,
    rules_section,
    selection,
    standing_section,
    target,
)
from socreates_lsp.errors import SocreatesError
from socreates_lsp.model.types import Message, Role
from socreates_lsp.review.finding import Source
from socreates_lsp.review.outcome import Examined
from socreates_lsp.review.question_labels import labelled
from socreates_lsp.review.questions import left_out, path_of, standing_questions
from socreates_lsp.review.readings import still_read
from socreates_lsp.review.reviewer import UNREAD, Scope
from socreates_lsp.review.store import SHOWN
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.globs import Globs

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from socreates_lsp.agent.candidates import Candidates
    from socreates_lsp.agent.looked import Looked
    from socreates_lsp.memory.fact import Fact
    from socreates_lsp.memory.project import ProjectMemory
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.ledger import Dismissal
    from socreates_lsp.review.questions import ProjectQuestion
    from socreates_lsp.review.reviewer import Question, ReviewRequest
    from socreates_lsp.review.store import FindingStore
    from socreates_lsp.review.talks import Talk
    from socreates_lsp.settings import Settings
    from socreates_lsp.tools.tool import ReadLines
    from socreates_lsp.workspace.text import Range
    from socreates_lsp.workspace.workspace import Workspace

_LEADS_SHARE = 8
"""One part in so many of the room is what leads may take beside it."""

_TELLING = 3
"""Lines from which on a stretch that was read is more than a hit of a search."""

_UNKNOWN = 200
"""Lines that a target is taken for of which nothing is attached."""


@dataclass(frozen=True, slots=True)
class Task:
    """The newest message, the lines in it, and a sentence about each thing that could not be read.

    ``what`` names the target, ``attached`` is what the message brings along, ``lines`` how many lines the target has
    as far as they are attached, ``house`` what the project's files state, ``memory`` what is remembered, in the words
    of ``facts``, ``request`` what the developer wants, in a sentence.
    """

    message: Message
    read: tuple[ReadLines, ...]
    skipped: tuple[str, ...] = ()
    what: str = ""
    attached: Attachment = field(default_factory=lambda: Attachment(0))
    lines: int = 0
    house: str = ""
    memory: str = ""
    facts: tuple[Fact, ...] = ()
    request: str = ""


@dataclass(frozen=True, slots=True)
class First:
    """What the first look came to: its task, its candidates, the lines that it read."""

    task: Task
    candidates: Candidates
    read: Sequence[ReadLines]

    def telling(self, path: Callable[[str], str]) -> list[ReadLines]:
        """What was read beside the target and is worth to be shown again: what the candidates cite first, no hit of a
        search, no rules. ``path`` names a document."""
        cited = {
            (one.uri, line) for found in self.candidates.findings for one in found.related for line in one.range.lines
        }
        stretches = [one for one in self.read if len(one.range.lines) >= _TELLING and not is_rule_file(path(one.uri))]
        return sorted(stretches, key=lambda one: not any((one.uri, line) in cited for line in one.range.lines))


class Targets:
    """Makes tasks. Reads the disk and runs git: not for the event loop."""

    def __init__(
        self, workspace: Workspace, store: FindingStore, settings: Settings, memory: ProjectMemory | None = None
    ) -> None:
        """Take what there is to look at."""
        self._memory = memory
        self._workspace = workspace
        self._store = store
        self._settings = settings
        self.attacher = Attacher(workspace, settings.policy)
        self.may_be_read = self.attacher.may_be_read
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
        looked: Looked | None = None,
    ) -> Task:
        """The task of a review, with at most ``room`` characters of lines. Raises TargetError.

        ``how`` says what to look for in so many lines. To the ``leads`` come those of linters. ``looked`` is what
        earlier reviews of the same target have read and left out.
        """
        leads = Leads() if leads is None else leads
        given = [*filter(None, [request.uri]), *map(uris.from_path, request.paths)]
        remembered = self._remembered(request.root, room)
        attached = Attachment(room - len(self._house(request.root, given, room).text) - remembered.share)
        unread = looked if request.ask == UNREAD else None
        span, skipped = self._attach(request, attached, looked)
        skipped += filter(None, [left_out(self._settings.questions)])
        what = self._target(request, span)
        if self._settings.review.leads:
            leads.add(lint_leads(attached.read, request.uri, span, self._workspace, request.root))
        house = self._house(request.root, given, room, attached)
        lines = len(span.lines) if span is not None else sum(len(one.range.lines) for one in attached.read)
        words = " ".join(filter(None, [request.ask, what, attached.text]))
        memory = remembered.section(words, self._paths(given, attached))
        sections = (
            asked(None if request.ask == UNREAD else request.ask),
            *([left_section(unread.left.described(self._workspace.display_path))] if unread is not None else []),
            rules_section(self._settings.rules),
            house.text,
            memory,
            questions_section(self._questions(attached)),
            standing_section(self._standing(request)),
            *told_of(self._dismissed(request)),
            *settled_of(self._settled(request)),
            leads_section(leads.described(room // _LEADS_SHARE)),
        )
        opening = f"{REVIEWED}{what}.\n\n{how(lines or _UNKNOWN)}".rstrip()
        content = review_task(opening, attached, sections, recent)
        read = (*attached.read, *house.read)
        message = Message(Role.USER, content)
        wish = f": {request.ask}" if request.ask and request.ask != UNREAD else "."
        facts, wanted = remembered.told, f"{REVIEWED}{what}{wish}"
        return Task(message, read, tuple(skipped), what, attached, lines or _UNKNOWN, house.text, memory, facts, wanted)

    def _attach(
        self, request: ReviewRequest, attached: Attachment, looked: Looked | None
    ) -> tuple[Range | None, list[str]]:
        """Attach a target: the selection as it lies in its text, and a sentence about each thing that is left out."""
        span = request.range if request.scope is Scope.SELECTION else None
        if request.ask == UNREAD and looked is not None:
            self.attacher.unread(request, attached, looked)
            return span, []
        if request.scope is Scope.CHANGES:
            return None, self.attacher.changes(request, attached, looked, unread=False)
        if request.uri is not None and request.scope is not Scope.WORKSPACE:
            return self.attacher.document(attached, request.uri, span), []
        return None, self.attacher.paths(request, attached)

    def _target(self, request: ReviewRequest, span: Range | None) -> str:
        """How a target is called."""
        if request.paths and request.scope is Scope.WORKSPACE:
            what = ", ".join(map(self._name, request.paths[:MOST_FILES]))
        else:
            path = None if request.uri is None else self._workspace.display_path(request.uri)
            what = target(request.scope, path, span, request.base)
        return f"{what}, what the last review did not read" if request.ask == UNREAD else what

    def record(self, request: ReviewRequest, looked: Looked, read: Sequence[ReadLines]) -> tuple[Examined, ...]:
        """Remember what a review has read; the lines of its target that nobody has read yet."""
        spans: dict[str, list[Range]] = {}
        for lines in read:
            spans.setdefault(lines.uri, []).extend(self._as_now(lines))
        for uri, ranges in spans.items():
            with contextlib.suppress(SocreatesError):
                looked.take(uri, self._workspace.text(uri), ranges)
        try:
            left = self.attacher.left_unread(request, looked)
            return tuple(Examined(uri, ranges, 0) for uri, ranges in left)
        except SocreatesError:
            return ()

    def _as_now(self, lines: ReadLines) -> list[Range]:
        """What of some lines that were read is as it was, where it is now."""
        buffer = self._workspace.buffers.get(lines.uri)
        if buffer is None or lines.version is None:
            return [lines.range]
        shifts = buffer.shifts_since(lines.version)
        return [] if shifts is None else still_read([lines.range], shifts, buffer.text)

    def second(self, first: First, request: ReviewRequest, how: str, leads: Leads, room: int) -> Task:
        """The task of the second look at what the first one found, with at most ``room`` characters of lines.

        The lines of the target come along, those around the candidates, and as many as fit of what the first look read.
        """
        task = first.task
        attached = replace(task.attached, most=room, read=list(task.attached.read), left_out=[])
        for finding in first.candidates.findings:
            self.attacher.around(attached, finding)
        for lines in first.telling(self._workspace.display_path):
            self.attacher.lines(attached, lines)
        attached.left_out.clear()
        sections = (
            asked(None if request.ask == UNREAD else request.ask),
            candidates_section(fitting(first.candidates.described(self._workspace.display_path), room)),
            task.house,
            task.memory,
            questions_section(self._questions(attached)),
            *told_of(self._dismissed(request)),
            *settled_of(self._settled(request)),
            leads_section(leads.described(room // _LEADS_SHARE)),
        )
        content = review_task(f"The target: {task.what}.\n\n{how}", attached, sections, ())
        return Task(Message(Role.USER, content), tuple(attached.read), what=task.what, attached=attached)

    def question(self, question: Question, room: int, recent: Sequence[str]) -> Task:
        """The task of a question of the user's own. Raises TargetError."""
        named = [] if question.uri is None else [question.uri]
        house = self._house(question.root, named, room // 2)
        remembered = self._remembered(question.root, room)
        attached = Attachment(room - len(house.text) - remembered.share)
        what = None
        if question.uri is not None:
            span = self.attacher.document(attached, question.uri, question.range)
            what = selection(self._workspace.display_path(question.uri), span)
            house = self._house(question.root, named, room // 2, attached)
        memory = remembered.section(f"{question.text} {attached.text}", self._paths(named, attached))
        content = question_task(question.text, what, attached, recent, house=house.text, memory=memory)
        return Task(
            Message(Role.USER, content),
            (*attached.read, *house.read),
            attached=attached,
            facts=remembered.told,
            request=question.text,
        )

    def _remembered(self, root: str | None, room: int) -> Remembered:
        return Remembered(self._memory, root, room, self.may_be_read)

    def _paths(self, given: Sequence[str], attached: Attachment) -> list[str]:
        """The paths that a task names or brings along."""
        found = [*given, *(lines.uri for lines in attached.read)]
        return list(dict.fromkeys(map(self._workspace.display_path, found)))

    def _house(self, root: str | None, named: list[str], room: int, attached: Attachment | None = None) -> Attachment:
        """The conventions that hold for what is attached, or for what is named as long as nothing is."""
        shown = [] if attached is None else [lines.uri for lines in attached.read]
        most = share_of(room) if attached is None else min(share_of(room), room - len(attached.text))
        return self._conventions.about(root, shown or named, most, frozenset(shown))

    def _name(self, path: str) -> str:
        return self._workspace.display_path(uris.from_path(path))

    def _questions(self, attached: Attachment) -> list[str]:
        """The standing questions whose files are attached; with nothing attached, all of them."""
        paths = {path_of(self._workspace.display_path(lines.uri)) for lines in attached.read}
        if not paths:
            return labelled(self.questions, with_globs=True)
        return labelled([one for one in self.questions if any(map(Globs([one.glob]).match, paths))])

    def _dismissed(self, request: ReviewRequest) -> list[Dismissal]:
        """What the developer dismissed, but for what is about files that a model does not see."""
        root = Path(request.root or ".")
        return [one for one in request.dismissed if self.may_be_read(uris.from_path(str(root / one.path)))]

    def _settled(self, request: ReviewRequest) -> list[Talk]:
        """What the developer has answered, but for what is about files that a model does not see."""
        root = Path(request.root or ".")
        return [one for one in request.settled if self.may_be_read(uris.from_path(str(root / one.about.path)))]

    def _standing(self, request: ReviewRequest) -> list[tuple[str, Finding]]:
        return [
            (self._workspace.display_path(finding.uri), finding)
            for finding in self._store
            if finding.status in SHOWN
            and finding.source is Source.MODEL
            and (request.uri is None or finding.uri == request.uri)
            and self._workspace.root_of(finding.uri) == request.root
        ]
