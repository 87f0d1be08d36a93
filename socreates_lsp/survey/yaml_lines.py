"""YAML with the line of every value: aliases are not expanded, tags build nothing. Raises BrokenError alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from socreates_lsp.survey.where import BrokenError

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST = 100_000
"""Characters that are read: the parser is slow."""


class Yaml:
    """One value. ``line`` is from 1: of a value of a mapping that of its key."""

    def __init__(self, node: Any, line: int) -> None:
        """Take a node of the parser, or None."""
        self._node = node
        self.line = line

    @property
    def text(self) -> str | None:
        """A scalar as it stands; None for any other value."""
        value = getattr(self._node, "value", None)
        return value if isinstance(value, str) else None

    @property
    def first_line(self) -> int:
        """The line on which the value itself begins."""
        return self._node.start_mark.line + 1 if self._node is not None else self.line

    @property
    def last_line(self) -> int:
        """The last line of the value."""
        if self._node is None:
            return self.line
        end = self._node.end_mark
        return max(end.line + (1 if end.column else 0), self.first_line)

    def pairs(self) -> Iterator[tuple[str, Yaml]]:
        """The keys that are texts, with their values; nothing for what is no mapping."""
        if getattr(self._node, "id", "") != "mapping":
            return
        for key, value in cast("list[tuple[Any, Any]]", self._node.value):
            if isinstance(key.value, str):
                yield key.value, Yaml(value, key.start_mark.line + 1)

    def items(self) -> list[Yaml]:
        """The items of a sequence; nothing for any other value."""
        if getattr(self._node, "id", "") != "sequence":
            return []
        return [Yaml(one, one.start_mark.line + 1) for one in cast("list[Any]", self._node.value)]

    def get(self, name: str) -> Yaml:
        """The value of a key; an empty one where there is none."""
        return next((value for key, value in self.pairs() if key == name), Yaml(None, self.line))

    @property
    def is_there(self) -> bool:
        """Whether there is a value."""
        return self._node is not None


def read_yaml(content: str) -> Yaml:
    """The first document of a text. Raises BrokenError."""
    import yaml

    if len(content) > _LONGEST:
        raise BrokenError(f"it has more than the {_LONGEST:,} characters that are read of such a file")
    try:
        loader = yaml.SafeLoader(content)
        loader.check_node()
        return Yaml(loader.get_node(), 1)
    except RecursionError:
        raise BrokenError("it is nested too deeply") from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise BrokenError("it is no YAML", mark.line + 1 if mark else None) from None
    except (yaml.YAMLError, ValueError, IndexError, KeyError) as error:
        raise BrokenError("it is no YAML") from error
