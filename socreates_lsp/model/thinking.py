"""The thoughts of a model that writes them into its answer between think tags, told apart from the answer. Pure."""

from __future__ import annotations

_MOST_BLANK = 1024
"""How much white space is held back for a tag that may follow, in characters."""
_TAGS = (("<think>", "</think>"), ("<thinking>", "</thinking>"))


class ThinkTags:
    """Feed it the answer's text in any pieces; it gives (thought, text) pairs of what is certain so far.

    Only tags at the very beginning of an answer count: further down they are words about tags.
    """

    def __init__(self) -> None:
        """Begin before the first character."""
        self._held = ""
        self._end: str | None = None
        self._fresh = True
        self._state = self._before

    def feed(self, piece: str) -> tuple[str, str]:
        """What this piece makes certain: thoughts and text."""
        self._held += piece
        return self._state()

    def end(self) -> tuple[str, str]:
        """What was held back, when no more comes. Thoughts without an end are thoughts all the same."""
        held, self._held = self._held, ""
        return (held, "") if self._end else ("", held)

    def _before(self) -> tuple[str, str]:
        start = self._held.lstrip()
        for begin, end in _TAGS:
            if start.startswith(begin):
                self._held, self._end, self._state = start[len(begin) :], end, self._inside
                return self._inside()
        if len(self._held) <= _MOST_BLANK and (not start or any(begin.startswith(start) for begin, _ in _TAGS)):
            return "", ""
        self._state = self._after
        return self._after()

    def _inside(self) -> tuple[str, str]:
        tag = self._end or ""
        if self._fresh:
            self._held = self._held.lstrip("\r\n")
            self._fresh = not self._held
        thought, found, rest = self._held.partition(tag)
        if found:
            self._held, self._end, self._state = rest, None, self._between
            return thought.rstrip("\r\n"), self._between()[1]
        keep = _overlap(thought, tag)
        if not keep:
            # White space may turn out to stand before the end tag, where it is no thought.
            keep = len(thought) - len(thought.rstrip("\r\n"))
        elif thought[:-keep].endswith("\n"):
            keep += len(thought[:-keep]) - len(thought[:-keep].rstrip("\r\n"))
        keep = 0 if keep > _MOST_BLANK else keep
        self._held = thought[len(thought) - keep :]
        return thought[: len(thought) - keep], ""

    def _between(self) -> tuple[str, str]:
        """The white space that separates the thoughts from the answer belongs to neither."""
        self._held = self._held.lstrip()
        if self._held:
            self._state = self._after
        return self._after()

    def _after(self) -> tuple[str, str]:
        text, self._held = self._held, ""
        return "", text


def _overlap(text: str, tag: str) -> int:
    """How many characters at the end of a text may be the beginning of a tag."""
    return next((size for size in range(min(len(tag) - 1, len(text)), 0, -1) if text.endswith(tag[:size])), 0)
