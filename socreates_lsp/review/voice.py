"""What of a model's text reaches the reader: its prose, without code that the model wrote. Pure.

The text is read line by line into segments that a blank line ends; each is voiced on its own, again and again until
nothing changes, so that what is said once is said the same when it is read again. A segment is the unit of a stream:
nothing of it is said before it is decided.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from socreates_lsp.review.voice_blocks import Block, Scanner
from socreates_lsp.review.voice_characters import cleaned
from socreates_lsp.review.voice_html import words_of
from socreates_lsp.review.voice_inline import CODE_WITHHELD, IMAGE_WITHHELD
from socreates_lsp.review.voice_lines import is_code_line, sentence, text_of
from socreates_lsp.review.voice_links import LINK_WITHHELD
from socreates_lsp.review.voice_paragraphs import prose_voiced
from socreates_lsp.review.voice_wrapped import parted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    Quoted = Callable[[str], bool]

_MOST = 150_000
"""Characters of a text that are said; no answer of a model is that long, and what is longer is no answer."""
_ROUNDS = 6
_NESTED = 2
"""Texts within a fence that says it holds Markdown, within each other, that are read as text."""


@dataclass(frozen=True, slots=True)
class Voiced:
    """What may be said of a text, and how many pieces of code were withheld from it."""

    text: str
    withheld: int

    @property
    def is_empty(self) -> bool:
        """Whether no prose is left."""
        text = self.text
        for marker in (CODE_WITHHELD, IMAGE_WITHHELD, LINK_WITHHELD):
            text = text.replace(marker, "")
        return not re.search(r"[^\W\d_]{2}", text)


def voiced(text: str, quoted: Quoted) -> Voiced:
    """A model's text without code that the model wrote, and without Markdown that a client would fetch or run.

    Args:
        text: what the model wrote.
        quoted: whether a snippet stands verbatim in the files at hand, white space aside; such snippets stay.
    """
    stream = VoicedStream(quoted)
    said = stream.feed(text) + stream.end()
    return Voiced(said, stream.withheld)


class VoicedStream:
    """The same for a text that arrives in pieces: what was said is never taken back, and all of it together is what
    `voiced` says of the whole, wherever the pieces are cut."""

    def __init__(self, quoted: Quoted) -> None:
        self.withheld = 0
        """Pieces of code withheld so far."""
        self._quoted = quoted
        self._partial: list[str] = []
        self._left = _MOST
        self._segments = _Segments()
        self._said = False

    def feed(self, piece: str) -> str:
        """The next piece of the model's text; what may be said now, often nothing.

        Args:
            piece: the piece, of any length.
        """
        if len(piece) > self._left:
            self.withheld += self._left > 0
            piece = piece[: self._left]
        self._left -= len(piece)
        *whole, rest = piece.split("\n")
        said: list[str] = []
        for line in whole:
            self._partial.append(line)
            said += self._line("".join(self._partial))
            self._partial.clear()
        if rest:
            self._partial.append(rest)
        return "".join(said)

    def end(self) -> str:
        """What is left to say, when the text has ended or was cut."""
        said = self._line("".join(self._partial)) if self._partial else []
        self._partial.clear()
        said += self._say(self._segments.rest())
        return "".join(said)

    def _line(self, line: str) -> list[str]:
        said: list[str] = []
        for one in line.removesuffix("\r").split("\r"):
            for part in self._segments.parted(cleaned(one).rstrip()):
                said += self._say(self._segments.push(part))
        return said

    def _say(self, blocks: list[Block]) -> list[str]:
        if not blocks:
            return []
        segment = _settled(blocks, self._quoted, opening=not self._said and not self.withheld)
        self.withheld += segment.withheld
        if not segment.text:
            return []
        said = ["\n\n", segment.text] if self._said else [segment.text]
        self._said = True
        return said


class _Segments:
    """Cuts a text where a blank line is followed by a line that starts at the margin, outside of any open block."""

    def __init__(self) -> None:
        self._scanner = Scanner()
        self._blank = False

    def parted(self, line: str) -> list[str]:
        """The lines that tags make of a line, where no block is open."""
        return [line] if self._scanner.is_open else parted(line)

    def push(self, line: str) -> list[Block]:
        """Read a line; the blocks of the segment that it ends, if it ends one."""
        if not line and self._blank and not self._scanner.is_open:
            return []
        done: list[Block] = []
        if line and self._blank and not line[0].isspace() and not self._scanner.is_open:
            done = self.rest()
        self._scanner.push(line)
        self._blank = not line
        return done

    def rest(self) -> list[Block]:
        """The blocks of the segment that was not ended."""
        blocks, self._scanner = self._scanner.blocks, Scanner()
        return blocks


def _settled(blocks: Sequence[Block], quoted: Quoted, *, opening: bool) -> Voiced:
    """A segment as it is said: read again until it stays as it is; if it never does, its bare words.

    ``opening`` if nothing stands before it: a fence of Markdown may then hold the whole answer.
    """
    first = _segment(blocks, quoted, 0, opening=opening)
    text, withheld = first.text, first.withheld
    if len(blocks) == 1 and blocks[0].kind == "prose" and text == "\n".join(blocks[0].lines).rstrip("\n"):
        return first
    for _ in range(_ROUNDS):
        again = _once(text, quoted, 0)
        if again.text == text:
            return Voiced(text, withheld)
        text, withheld = again.text, withheld + again.withheld
    words = " ".join(re.findall(r"[\w',.?!]+", text.replace("[", "").replace("]", "")))
    return Voiced(words, withheld) if _once(words, quoted, 0).text == words else Voiced("", withheld + 1)


def _once(text: str, quoted: Quoted, depth: int) -> Voiced:
    """A text voiced by one reading of its segments."""
    segments, said, withheld = _Segments(), list[str](), 0
    lines = text.split("\n")
    for blocks in (*(segments.push(cleaned(line).rstrip()) for line in lines), segments.rest()):
        if blocks:
            one = _segment(blocks, quoted, depth, opening=bool(depth) and not said)
            said += [one.text] if one.text else []
            withheld += one.withheld
    return Voiced("\n\n".join(said), withheld)


def _segment(blocks: Sequence[Block], quoted: Quoted, depth: int, *, opening: bool) -> Voiced:
    lines: list[str] = []
    withheld = 0
    for block in blocks:
        one = _block(block, quoted, depth, opening=opening and not any(lines))
        lines += one.text.split("\n") if one.text else [""]
        withheld += one.withheld
    checked = _structured(_tidy(lines), quoted)
    return Voiced(_tidy(checked.text.split("\n")), withheld + checked.withheld)


def _tidy(lines: list[str]) -> str:
    """Lines with single blank lines between, none at the ends, the first at the margin; empty items are gone."""
    kept: list[str] = []
    for line in lines:
        bare = bool(line.strip()) and not text_of(line) and not line.strip().startswith("--")
        if (line and not bare) or (kept and kept[-1]):
            kept.append("" if bare else line)
    text = "\n".join(kept).rstrip()
    return text.lstrip()


def _block(block: Block, quoted: Quoted, depth: int, *, opening: bool) -> Voiced:
    if block.kind == "prose":
        said = prose_voiced(block.lines, quoted)
        return Voiced(said.text, said.withheld)
    if block.kind == "diff":
        return Voiced("", 1)
    if block.kind == "html":
        words = [words_of(line).strip() for line in "\n".join(block.lines).split("\n")]
        return _html(block, words, quoted)
    return _fence(block, quoted, depth, opening=opening)


def _html(block: Block, words: list[str], quoted: Quoted) -> Voiced:
    """A stretch of HTML: what stands before its first tag is prose, the rest stays only as a quotation."""
    head, _, _ = block.lines[0].partition("<")
    before = prose_voiced([head.rstrip()], quoted) if text_of(head) else None
    content = "\n".join(words).strip()
    inner = content.removeprefix(text_of(head)).strip()
    said, withheld = (before.text, before.withheld) if before else ("", 0)
    if inner and quoted(inner):
        return Voiced(f"{said}\n```\n{inner}\n```".lstrip("\n"), withheld)
    return Voiced(said, withheld + bool(inner))


def _fence(block: Block, quoted: Quoted, depth: int, *, opening: bool) -> Voiced:
    language = re.match(r"[\w+#.-]*", block.info)
    if language and language[0].lower() in {"md", "markdown", "text/markdown"} and opening and depth < _NESTED:
        return _once("\n".join(block.lines), quoted, depth + 1)
    bare = [re.sub(r"\A[ \t]*(?:>[ \t]?)+", "", line) if ">" in block.opener else line for line in block.lines]
    content = "\n".join(bare).strip("\n")
    if not content.strip():
        return Voiced("", 0)
    if not _is_quotation(content, quoted):
        return Voiced("", 1)
    inside = re.sub(r"[^>\s]", " ", block.opener)
    mark = max([*re.findall(r"`+", content), "``"], key=len) + "`"
    lines = [line if block.proper else inside + line for line in block.lines] if block.opener else bare
    head = f"{block.opener}{mark}{language[0] if language else ''}"
    return Voiced("\n".join([head, *lines, inside + mark]).strip("\n"), 0)


def _is_quotation(content: str, quoted: Quoted) -> bool:
    """Whether a block quotes a file, with or without the numbers of its lines."""
    if quoted(content):
        return True
    lines = [line for line in content.split("\n") if line.strip()]
    numbered = [re.match(r"\s*\d+\s*[:|│→]?\s", line) for line in lines]
    return all(numbered) and quoted(
        "\n".join(line[found.end() :] for line, found in zip(lines, numbered, strict=True) if found)
    )


@cache
def _markdown() -> MarkdownIt:
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark")
    markdown.core.ruler.disable(["inline"])
    return markdown


def _structured(text: str, quoted: Quoted) -> Voiced:
    """A segment without the blocks that Markdown still takes for code or HTML."""
    if not re.search(r"^(?:[ \t>]|[-*+\d]).*[ \t]{2}|^[ \t]|```|~~~|<", text, re.MULTILINE):
        return Voiced(text, 0)
    lines: list[str | None] = list(text.split("\n"))
    withheld = 0
    for token in _markdown().parse(text):
        if token.type in {"fence", "code_block", "html_block"} and token.map:
            withheld += _replace(lines, token, quoted)
    return Voiced("\n".join(line for line in lines if line is not None), withheld)


def _replace(lines: list[str | None], token: Token, quoted: Quoted) -> int:
    """Put what may be said of a block in its place; how many pieces were withheld."""
    start, end = token.map or (0, 0)
    content = token.content.strip("\n")
    if token.type == "html_block":
        lines[start:end] = [words_of(line or "").replace("<", "‹") for line in lines[start:end]]
        return 0
    if _is_quotation(content, quoted):
        return 0
    listed = token.level > 0 or text_of(content.split("\n")[0]) != content.split("\n")[0].strip()
    if token.type == "code_block" and listed and all(map(_reads_as_prose, content.split("\n"))):
        margin = re.match(r"[ \t]*(?:>[ \t]?)*", lines[start] or "")
        marks = margin[0].rstrip() + " " if margin and ">" in margin[0] else "  " if token.level else ""
        said = [marks + line for line in _dedented(content.split("\n"))]
        lines[start:end] = [*said, *[None] * (end - start)][: end - start]
        return 0
    lines[start:end] = ["", *[None] * (end - start - 1)]
    return int(bool(content.strip()))


def _reads_as_prose(line: str) -> bool:
    """Whether a line of an indented block is an item of a list or a sentence that only stands far to the right."""
    text = text_of(line)
    if not text:
        return True
    item = text != line.strip()
    return not is_code_line(text) and (sentence(text) or (item and bool(re.match(r"[^\W\d_]|[`\"'(\[*]", text))))


def _dedented(lines: list[str]) -> list[str]:
    margin = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return [line[margin:] for line in lines]
