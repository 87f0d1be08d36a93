"""What of a turn goes into the task state: the loop writes it down as it happens. Nothing here asks a model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from socreates_lsp.agent.events import Failed, Read
from socreates_lsp.agent.source_labels import Origin, labels
from socreates_lsp.memory.turns import APART, TEAM

if TYPE_CHECKING:
    from collections.abc import Callable

    from socreates_lsp.agent.events import TurnEvent
    from socreates_lsp.agent.hearing import Heard
    from socreates_lsp.agent.targets import Task
    from socreates_lsp.agent.task_state import TaskState
    from socreates_lsp.tools.tool import ReadLines


class Notes:
    """Of one turn. A turn that runs while the conversation begins anew notes what nobody sees any more."""

    def __init__(self, state: TaskState, kind: str, path: Callable[[str], str]) -> None:
        """``kind`` as in the transcript; ``path`` names a document."""
        self._state = state
        self._kind = kind
        self._path = path

    def began(self, task: Task) -> None:
        """The turn begins, with what its task tells."""
        if task.request:
            self._state.begin(task.request)
        for one in task.facts:
            source = f", from {one.source}" if one.source else ""
            self._state.source(Origin.MEMORY, one.text, f"{one.category}, {one.date}{source}")
        for lines in task.read:
            self._read(lines)

    def heard(self, event: TurnEvent) -> None:
        """Something happened in it."""
        match event:
            case Read(lines):
                self._read(lines)
            case Failed(tool, path, told):
                self._state.observed(f"{' '.join(filter(None, (tool, path)))}: {told or 'it failed.'}")
            case _:
                pass

    def ended(self, heard: Heard, outcome: str) -> None:
        """It has ended so."""
        if heard.finished is not None:
            by = f"the {self._kind}" if self._kind in TEAM else "the answer"
            self._state.cited(labels(heard.finished.text), by)
        if self._kind not in APART:
            rounds = f" after {heard.rounds} rounds" if heard.rounds > 1 else ""
            self._state.progressed(f"{self._state.request or self._kind}: {outcome}{rounds}")

    def _read(self, lines: ReadLines) -> None:
        self._state.read(self._path(lines.uri), lines.range.start.line, lines.range.end.line)
