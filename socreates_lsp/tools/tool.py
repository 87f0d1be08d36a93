"""What a tool is: a name, a schema, and a function from arguments to text that the model reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from socreates_lsp.workspace.text import Range


@dataclass(frozen=True, slots=True)
class ReadLines:
    """Lines of a document that a result holds. ``uri`` is canonical; lines from 0, in code points."""

    uri: str
    range: Range


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What the model gets. ``failed`` results are sentences that it can act on."""

    text: str
    read: tuple[ReadLines, ...] = ()
    failed: bool = False


class Tool(Protocol):
    """A tool of one root."""

    @property
    def name(self) -> str:
        """Its name for the model."""
        ...

    @property
    def description(self) -> str:
        """What it does, for the model."""
        ...

    @property
    def parameters(self) -> Mapping[str, Any]:
        """The JSON schema of its arguments, of type object."""
        ...

    @property
    def read_only(self) -> bool:
        """Whether it only reads, or does something for the reader; any other one needs leave."""
        ...

    @property
    def asks(self) -> bool:
        """Whether it asks for leave itself, by what its arguments say: as ``run_command`` does."""
        ...

    async def run(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        """Run it; the text is at most ``limit`` characters, and says where it was cut.

        What the model did wrong (a missing file, a wrong type) is a failed result, not an error. Cancelling the
        task ends at once all that it started.
        """
        ...
