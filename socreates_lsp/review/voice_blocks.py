"""The blocks of a model's text, line by line: fences, stretches of HTML, diffs, and prose. Pure.

More forgiving than Markdown, because what counts is what the model meant: a fence may begin after words, its content
may stand left of the list item that it opened in, and it may never be closed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from socreates_lsp.review.voice_html import OPENING, SPANNING, closing
from socreates_lsp.review.voice_lines import CONTAINER, is_code_line, text_of
from socreates_lsp.review.voice_pieces import is_code

_SPAN = re.compile(r"(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)")
_FENCE = re.compile(r"(`{3,})([^`]*)\Z|(~{3,})(.*)\Z")
_LATE_FENCE = re.compile(r"(?<!`)(`{3,})(?!`)([^`]*)\Z")
_DIFF = re.compile(r"(?:diff --git |index [0-9a-f]{4,}\.\.|(?:---|\+\+\+) (?:[ab]/|/dev/null|\S+\.\w+\s*\Z)|@@ -\d)")
_PATCH = re.compile(r"(<{5,})(?:\s|\Z)|\*\*\* Begin Patch")
_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@")
_SENTENCE = re.compile(r"[A-Z\"'(\[].*\w.*|\w+\W+\w+\W+\w+.*")
_DEEPEST = 8
"""Marks of containers before a line that are kept; no answer quotes a list in a quotation in a list any deeper."""

Kind = Literal["prose", "fence", "html", "diff"]


@dataclass(slots=True)
class Block:
    """Consecutive lines of one kind.

    Attributes:
        kind: what the lines are.
        lines: the lines; of a fence, what stands within it.
        opener: of a fence, what stands before its mark (marks of containers, or nothing).
        mark: the run of backticks or tildes.
        info: what stands after the mark.
        late: whether the fence began after words.
        proper: whether the content stands within the container that the fence was opened in.
    """

    kind: Kind
    lines: list[str] = field(default_factory=list[str])
    opener: str = ""
    mark: str = ""
    info: str = ""
    late: bool = False
    proper: bool = True


class Scanner:
    """Reads lines one at a time into blocks; what is read is never read again."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._fence: Block | None = None
        self._ends: re.Pattern[str] | None = None
        self._until_blank = False
        self._diff: list[int] | None = None

    @property
    def is_open(self) -> bool:
        """Whether a block is open that a blank line doesn't end."""
        return self._fence is not None or self._ends is not None

    def push(self, line: str) -> None:
        """Read the next line, without its end."""
        if self._fence is not None:
            self._within_fence(self._fence, line)
        elif self._ends is not None:
            self._within_html(line, self._ends)
        elif self._diff is not None and self._goes_on(line, self._diff):
            self.blocks[-1].lines.append(line)
        else:
            self._diff = None
            self._outside(_less_deep(line))

    def _add(self, kind: Kind, line: str) -> None:
        if not self.blocks or self.blocks[-1].kind != kind or kind == "fence":
            self.blocks.append(Block(kind))
        self.blocks[-1].lines.append(line)

    def _outside(self, line: str) -> None:
        opener = CONTAINER.match(line)
        assert opener is not None
        text = line[opener.end() :]
        if self._opens_fence(line, opener[0], text):
            return
        if _DIFF.match(text):
            hunk = _HUNK.match(text)
            self._diff = [int(hunk[1] or 1), int(hunk[2] or 1)] if hunk else []
            self.blocks.append(Block("diff", [line]))
            return
        patch = _PATCH.match(text)
        if patch:
            self._ends, self._until_blank = re.compile(r">{5,}.*" if patch[1] else r"\*\*\* End Patch.*"), False
            self.blocks.append(Block("diff", [line]))
            return
        if "<" in text and self._opens_html(line, text):
            return
        self._add("prose", line)

    def _opens_fence(self, line: str, opener: str, text: str) -> bool:
        fence = _FENCE.match(text)
        if fence:
            mark, info = fence[1] or fence[3], fence[2] or fence[4] or ""
            self._fence = Block("fence", [], opener, mark, info.strip())
        elif "```" in text and (late := _LATE_FENCE.search(_SPAN.sub(lambda found: "\0" * len(found[0]), line))):
            rest = line[late.end(1) :].strip()
            if rest and not re.fullmatch(r"[\w+#.-]+", rest) and not is_code(rest) and not is_code_line(rest):
                return False
            self._add("prose", line[: late.start()].rstrip(" |"))
            lines = [rest] if re.search(r"\W", rest) else []
            self._fence = Block("fence", lines, "", late[1], "" if lines else rest, late=True)
        else:
            return False
        self.blocks.append(self._fence)
        return True

    def _within_fence(self, fence: Block, line: str) -> None:
        text = line.lstrip("> \t")
        mark = f"{fence.mark[0]}{{{len(fence.mark)},}}"
        end = re.match(rf"{mark}[ \t|]*(?P<rest>.*)\Z", text) if text.startswith(fence.mark) else None
        if fence.late and not end and fence.mark in line:
            before, _, after = line.partition(fence.mark)
            fence.lines.append(before)
            self._close(after.lstrip("`").strip(" |"))
        elif end and (not end["rest"] or fence.late or _closes(end["rest"], end[0])):
            self._close(end["rest"].strip(" |"))
        elif line.endswith(fence.mark) and re.search(rf"[\w)\]}};:,\"'.>]{mark}\Z", line):
            fence.lines.append(line.rstrip(fence.mark[0]))
            self._close("")
        elif self._left_container(fence, line):
            self._fence = None
            self.push(line)
        else:
            fence.lines.append(line)

    def _close(self, rest: str) -> None:
        self._fence = None
        if rest:
            self._outside(rest)

    def _left_container(self, fence: Block, line: str) -> bool:
        """Whether a line ends the container that the fence stands in, and thereby the fence."""
        if not fence.opener.strip() or not fence.proper:
            return False
        if ">" in fence.opener:
            inside = line.lstrip().startswith(">")
        else:
            inside = not line.strip() or len(line) - len(line.lstrip()) >= min(len(fence.opener), 2)
        if not inside and not any(one.strip() for one in fence.lines):
            fence.proper = False
            return False
        return not inside

    def _opens_html(self, line: str, text: str) -> bool:
        bare = _SPAN.sub(lambda found: "\0" * len(found[0]), text)
        spanning, opening = SPANNING.match(bare), OPENING.search(bare)
        if spanning:
            self._ends, self._until_blank = closing(spanning), False
        elif opening:
            self._ends = re.compile(rf"</{opening[1]}\s*>", re.IGNORECASE)
            self._until_blank = True
        elif "<!--" in bare:
            self._ends, self._until_blank = re.compile("-->"), True
        else:
            return False
        if self._ends.search(bare):
            self._ends = None
            return False
        self.blocks.append(Block("html", [line]))
        return True

    def _within_html(self, line: str, ends: re.Pattern[str]) -> None:
        if self._until_blank and not line.strip():
            self._ends = None
            self._outside(line)
            return
        end = ends.search(line)
        if end is None:
            self.blocks[-1].lines.append(line)
            return
        self.blocks[-1].lines.append(line[: end.end()])
        self._ends = None
        rest = line[end.end() :]
        if rest.strip():
            self._outside(rest.strip())

    def _goes_on(self, line: str, left: list[int]) -> bool:
        """Whether a line belongs to the diff: what its header announced, and what looks like more of it."""
        if _DIFF.match(line):
            hunk = _HUNK.match(line)
            left[:] = [int(hunk[1] or 1), int(hunk[2] or 1)] if hunk else []
            return True
        sign = line[:1]
        if sum(left) > 0 and sign in {"+", "-", " ", ""} and (sign or sum(left) > 1):
            left[0] -= sign != "+" and left[0] > 0
            left[1] -= sign != "-" and left[1] > 0
            return True
        return bool(re.match(r"[+-](?! [A-Z\w]+ [\w]+ \w+)|  +\S|\\ No newline", line)) or is_code_line(text_of(line))


def _closes(rest: str, whole: str) -> bool:
    """Whether a fence's mark with words after it closes the fence: the words are a sentence, not a language."""
    return "`" not in rest and bool(re.match(r"[`~]+[ \t]", whole)) and bool(_SENTENCE.fullmatch(rest))


def _less_deep(line: str) -> str:
    """A line without marks of containers beyond the deepest that is kept."""
    prefix = CONTAINER.match(line)
    assert prefix is not None
    marks = list(re.finditer(r">|[-*+•]|\d{1,9}[.)]", prefix[0]))
    return line[: marks[_DEEPEST - 1].end()] + " " + line[prefix.end() :] if len(marks) > _DEEPEST else line
