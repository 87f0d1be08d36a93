"""A message as an editor shows it beside a line: one line, and no more of it than is read at a glance. Pure."""

from __future__ import annotations

import re

_MOST = 400
"""Characters of a message; what is beyond the end of a sentence goes to the why."""
_LEAST = 40
"""Characters that a message keeps where a sentence could end earlier."""
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(?=\S)")
_MARKS = re.compile(r"\A[ \t]*(?:>[ \t]?|#{1,6}[ \t]+(?=\S))")
_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})[\w+#.-]*[ \t]*")
_END = re.compile(r"[.?!…。？！][)\"”'`*_]{0,4}(?=\s|\Z)|[。？！]")


def one_line(text: str) -> str:
    """A text on one line: paragraphs follow each other, elements of a list are parted by semicolons."""
    said: list[str] = []
    listed = fenced = False
    for line in text.split("\n"):
        if not line.strip():
            continue
        if _FENCE.fullmatch(line):
            fenced = not fenced
            continue
        bare = line.strip() if fenced else _MARKS.sub("", line, count=1)
        item = None if fenced else _ITEM.match(bare)
        if fenced:
            bare = f"`{bare}`" if "`" not in bare else f"`` {bare} ``"
        words = " ".join((bare[item.end() :] if item else bare).split())
        if listed and item and said and said[-1][-1:] not in set(".?!:;,…。？！"):
            said[-1] += ";"
        listed = item is not None or (listed and line[:1].isspace())
        if words:
            said.append(words)
    return " ".join(said)


def shortened(message: str, why: str) -> tuple[str, str]:
    """A message on one line of at most so many characters, and a why that begins with what was too much of it.

    A sentence that is longer is kept whole where it stands first.
    """
    message = one_line(message)
    if len(message) <= _MOST:
        return message, why
    ends = [found.end() for found in _END.finditer(message)]
    within = [end for end in ends if _LEAST <= end <= _MOST]
    cut = within[-1] if within else next((end for end in ends if end > _MOST), len(message))
    rest = message[cut:].strip()
    return message[:cut].rstrip(), "\n\n".join(filter(None, (rest, why)))
