"""A function, a class or a section of a text: which lines it takes, and which blocks are around some lines. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class Kind(Enum):
    """What a block is; a class is also a trait, a module, a namespace."""

    FUNCTION = auto()
    CLASS = auto()
    SECTION = auto()


@dataclass(frozen=True, slots=True)
class Block:
    """Lines from 0, both ends included.

    ``begin`` counts the decorators and comments above in; ``first`` to ``head`` are the lines of its signature.
    """

    name: str
    kind: Kind
    begin: int
    first: int
    head: int
    last: int

    def starting(self, begin: int) -> Block:
        """The same block with more lines above it."""
        return replace(self, begin=begin)

    def contains(self, first: int, last: int) -> bool:
        """Whether all these lines belong to it."""
        return self.begin <= first and last <= self.last

    def overlaps(self, first: int, last: int) -> bool:
        """Whether one of these lines belongs to it."""
        return self.begin <= last and first <= self.last

    @property
    def height(self) -> int:
        """How many lines it has."""
        return self.last - self.begin + 1


def chain(blocks: Sequence[Block], first: int, last: int) -> list[Block]:
    """The blocks around all these lines, the outermost first. ``blocks`` are in the order of ``outline``."""
    return sorted((one for one in blocks if one.contains(first, last)), key=lambda one: (one.begin, -one.last))
