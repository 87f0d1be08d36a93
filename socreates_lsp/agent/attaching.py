"""Reads what a task brings along: documents, selections with what belongs to them, changes, what was not read yet."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.agent.callers import Callers, CallSites
from socreates_lsp.errors import SocreatesError, TargetError
from socreates_lsp.review.counting import counted
from socreates_lsp.review.reviewer import Scope
from socreates_lsp.review.surroundings import own_sites, selected_lines, surroundings
from socreates_lsp.tools.paths import named
from socreates_lsp.tools.readable import Readable
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.changes import shown_changes
from socreates_lsp.workspace.files import list_files
from socreates_lsp.workspace.languages import language_of
from socreates_lsp.workspace.text import Position, Range

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from socreates_lsp.agent.attachment import Attachment
    from socreates_lsp.agent.looked import Looked
    from socreates_lsp.review.finding import Finding
    from socreates_lsp.review.reviewer import ReviewRequest
    from socreates_lsp.settings import PolicySettings
    from socreates_lsp.tools.tool import ReadLines
    from socreates_lsp.workspace.changed_file import ChangedFile
    from socreates_lsp.workspace.text import Text
    from socreates_lsp.workspace.workspace import Workspace

MOST_FILES = 20
"""Files named on the command line that are attached."""

_MOST_NAMES = 100
"""Files that are named of those that were not read."""

_AROUND = 12
"""Lines before and after a finding that come along with it."""


class Attacher:
    """Attaches lines of a workspace. Reads the disk and runs git: not for the event loop."""

    def __init__(self, workspace: Workspace, policy: PolicySettings) -> None:
        """Take what there is to read, and what may not be."""
        self._workspace = workspace
        self._policy = policy
        self.may_be_read = Readable(workspace, policy.read_deny)
        """Which documents may be given to the model."""

    def text(self, uri: str) -> Text:
        """The text of a document as the editor shows it. Raises TargetError."""
        refusal = self.may_be_read.refusal(uri)
        if refusal is not None:
            raise TargetError(refusal)
        return self._workspace.text(uri)

    # Documents

    def document(self, attached: Attachment, uri: str, span: Range | None) -> Range | None:
        """Attach a document, or a selection with what is around it; the selection as it lies in the text.

        Raises TargetError where there is nothing to read.
        """
        path, text = self._workspace.display_path(uri), self.text(uri)
        within = self._within(path, text, span)
        if within is None:
            attached.document(path, uri, text, 0, text.last_line)
        else:
            self._selection(attached, uri, text, within)
        return within

    def _within(self, path: str, text: Text, span: Range | None) -> Range | None:
        """A selection as it lies in a text; None for all of it."""
        if not text.content.strip():
            raise TargetError(f"{path} is empty: there is nothing to review.")
        if span is None or span.start == span.end:
            return None
        if span.start.line > text.last_line:
            lines = counted(text.last_line + 1, "line")
            raise TargetError(f"{path} has {lines}; the selection starts at line {span.start.line + 1}.")
        return Range(span.start, min(span.end, Position(text.last_line, len(text.line(text.last_line)))))

    def _selection(self, attached: Attachment, uri: str, text: Text, within: Range) -> None:
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
            callers = Callers(root, self._workspace, self._policy.read_deny, self.may_be_read)
            return callers.of(names, uri, room)

        attached.selection(path, uri, text, (first, last), around, own_sites(text, around), sites)

    def around(self, attached: Attachment, finding: Finding) -> None:
        """Attach the lines around a finding, unless it is there."""
        self.around_place(attached, finding.uri, finding.range)

    def around_place(self, attached: Attachment, uri: str, place: Range) -> None:
        """Attach the lines around a place, unless it is there or can't be read."""
        if not _is_there(attached, uri, place):
            self._stretch(attached, uri, place.start.line - _AROUND, place.end.line + _AROUND)

    def lines(self, attached: Attachment, lines: ReadLines) -> None:
        """Attach some lines, unless part of them is there or they have no room."""
        if not _is_there(attached, lines.uri, lines.range):
            self._stretch(attached, lines.uri, lines.range.start.line, lines.range.end.line)

    def _stretch(self, attached: Attachment, uri: str, first: int, last: int) -> None:
        with contextlib.suppress(SocreatesError):
            text = self.text(uri)
            path = self._workspace.display_path(uri)
            first = max(min(first, text.last_line), 0)
            attached.document(path, uri, text, first, max(min(last, text.last_line), first))

    def paths(self, request: ReviewRequest, attached: Attachment) -> list[str]:
        """Attach the files that were named, as far as there is room; folders are for the model to look into.

        Returns a sentence about each that can't be read. Raises TargetError where there is nothing at all.
        """
        skipped: list[str] = []
        open_only = [] if request.root is not None else list(dict(self._workspace.buffers))
        if request.root is None and not open_only:
            raise TargetError("There is nothing to review: no folder is open, and no file.")
        files = [uris.from_path(path) for path in request.paths if not Path(path).is_dir()]
        for uri in [*files, *open_only][:MOST_FILES]:
            try:
                self.document(attached, uri, None)
            except TargetError as error:
                skipped.append(str(error))
        return skipped

    # Changes

    def changes(
        self, request: ReviewRequest, attached: Attachment, looked: Looked | None, *, unread: bool
    ) -> list[str]:
        """Attach what changed: first what a review of it has not read yet, and the rest unless only that is wanted.

        Returns a sentence about each file that was left out. Raises TargetError where nothing changed.
        """
        shown, kept = self._changed(request)
        if looked is None:
            attached.changes(shown)
        else:
            fresh, known = _parted(shown, looked)
            attached.changes(fresh)
            if known and not unread:
                attached.text += "\n\nWhat follows was read in the last review already:" if fresh else ""
                attached.changes(known)
        attached.left_out += kept
        return [f"{named(path)}: its changes were not attached." for path in attached.left_out]

    def _changed(self, request: ReviewRequest) -> tuple[list[tuple[ChangedFile, str]], list[str]]:
        """The files that changed with their URIs, and the paths of those that may not be read."""
        if request.root is None:
            raise TargetError("There are no changes to review: no folder is open.")
        root = Path(request.root)
        opened = {
            self._workspace.display_path(uri): buffer.text.content
            for uri, buffer in dict(self._workspace.buffers).items()
            if self._workspace.root_of(uri) == request.root and buffer.in_step
        }
        changes = [
            one
            for one in shown_changes(root, request.base, tuple(map(Path, request.paths)), opened)
            if self._workspace.is_of(uris.from_path(str(root / one.path)), request.root)
        ]
        if not changes:
            raise TargetError(f"There are no changes against {request.base or 'HEAD'}.")
        shown: list[tuple[ChangedFile, str]] = []
        kept: list[str] = []
        for change in changes:
            # A renamed file shows lines of the old one.
            if all(self.may_be_read(uris.from_path(str(root / path))) for path in (change.path, *_old(change))):
                shown.append((change, self._workspace.known(uris.from_path(str(root / change.path)))))
            else:
                kept.append(change.path)
        return shown, kept

    # What was not read

    def unread(self, request: ReviewRequest, attached: Attachment, looked: Looked) -> None:
        """Attach what earlier reviews of the target have not read, and the lines around what they left out."""
        if request.scope is Scope.CHANGES:
            self.changes(request, attached, looked, unread=True)
        elif request.uri is not None and request.scope is not Scope.WORKSPACE:
            path, text = self._workspace.display_path(request.uri), self.text(request.uri)
            for first, last in looked.unread(request.uri, text, self._within(path, text, _span(request))):
                attached.document(path, request.uri, text, first, last)
        else:
            attached.text += self._unread_files(request, looked)
        for finding in looked.left.findings:
            self.around(attached, finding)

    def _unread_files(self, request: ReviewRequest, looked: Looked) -> str:
        """The names of files of which nothing was read."""
        if request.root is None:
            return ""
        files = list_files(Path(request.root), tuple(map(Path, request.paths))).files
        known = looked.documents()
        listed = [uris.from_path(str(file)) for file in files if language_of(str(file)) is not None]
        paths = [self._workspace.known(uri) for uri in listed if self._workspace.is_of(uri, request.root)]
        names = [self._workspace.display_path(uri) for uri in paths if uri not in known and self.may_be_read(uri)]
        more = f", and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        return f"\n\nNothing was read yet of {', '.join(names[:_MOST_NAMES])}{more}." if names else ""

    def left_unread(self, request: ReviewRequest, looked: Looked) -> Iterator[tuple[str, tuple[Range, ...]]]:
        """The documents of a target with the lines that were not read; nothing for a whole workspace."""
        if request.scope is Scope.CHANGES:
            fresh, _ = _parted(self._changed(request)[0], looked)
            for change, uri in fresh:
                if change.new is not None and change.hunks:
                    yield uri, tuple(_hunk_range(change.new, hunk.new_start, len(hunk.added)) for hunk in change.hunks)
        elif request.uri is not None and request.scope is not Scope.WORKSPACE:
            text = self.text(request.uri)
            within = self._within(self._workspace.display_path(request.uri), text, _span(request))
            stretches = looked.unread(request.uri, text, within)
            if stretches:
                yield request.uri, tuple(_whole_lines(text, first, last) for first, last in stretches)


def _is_there(attached: Attachment, uri: str, span: Range) -> bool:
    return any(one.uri == uri and one.range.overlaps_lines(span) for one in attached.read)


def _span(request: ReviewRequest) -> Range | None:
    return request.range if request.scope is Scope.SELECTION else None


def _parted(
    changed: Sequence[tuple[ChangedFile, str]], looked: Looked
) -> tuple[list[tuple[ChangedFile, str]], list[tuple[ChangedFile, str]]]:
    """Changed files with the hunks that were not read, and with those that were."""
    fresh: list[tuple[ChangedFile, str]] = []
    known: list[tuple[ChangedFile, str]] = []
    for change, uri in changed:
        new = change.new
        if new is None or not change.hunks:
            (known if uri in looked.documents() else fresh).append((change, uri))
            continue
        unread = tuple(looked.unread_parts(uri, new, change.hunks))
        read = tuple(hunk for hunk in change.hunks if not any(True for _ in looked.unread_parts(uri, new, [hunk])))
        fresh += [(replace(change, hunks=unread), uri)] if unread else []
        known += [(replace(change, hunks=read), uri)] if read else []
    return fresh, known


def _hunk_range(text: Text, start: int, count: int) -> Range:
    first = min(start, text.last_line)
    return _whole_lines(text, first, max(first, min(start + count - 1, text.last_line)))


def _whole_lines(text: Text, first: int, last: int) -> Range:
    return Range(Position(first, 0), Position(last, len(text.line(last))))


def _old(change: ChangedFile) -> tuple[str, ...]:
    return () if change.old_path is None else (change.old_path,)
