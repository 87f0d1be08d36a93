"""The inline Markdown of one paragraph: pieces of code, links, pictures and HTML, each where it stands. Pure.

markdown-it reads the text; its rules are watched, so that every piece is known by its place in the source, and all
that is none of our business stays as it was written.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from socreates_lsp.review.voice_html import hidden_parts, pieces_of_code, tags
from socreates_lsp.review.voice_links import LINK_WITHHELD, deceives, is_safe, without_alarming
from socreates_lsp.review.voice_pieces import fragments, is_code
from socreates_lsp.review.voice_statements import statements

if TYPE_CHECKING:
    from collections.abc import Callable

    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline

CODE_WITHHELD = "[code withheld]"
IMAGE_WITHHELD = "[image withheld]"
_MOST = 20_000
_MARKS = 400
"""Characters and brackets of a paragraph that are read as Markdown; a longer one is read as plain text."""


@dataclass(frozen=True, slots=True)
class _Piece:
    kind: str
    start: int
    end: int
    content: str = ""
    label_end: int = 0


@dataclass(slots=True)
class _Edits:
    """Replacements in one text; what lies within an earlier one is not looked at again."""

    text: str
    made: list[tuple[int, int, str]] = field(default_factory=list[tuple[int, int, str]])
    withheld: int = 0

    def free(self, start: int, end: int) -> bool:
        return all(end <= one or start >= other for one, other, _ in self.made)

    def put(self, start: int, end: int, instead: str) -> None:
        if self.free(start, end):
            self.made.append((start, end, instead))

    def withhold(self, start: int, end: int) -> None:
        if self.free(start, end):
            joined = self.text[end : end + 1] in {"(", "[", ":"}
            self.made.append((start, end, CODE_WITHHELD + " " * joined))
            self.withheld += 1


@dataclass(frozen=True, slots=True)
class Spoken:
    """A paragraph without code, and how many pieces were withheld."""

    text: str
    withheld: int


def inline_voiced(text: str, quoted: Callable[[str], bool]) -> Spoken:
    """A paragraph (lines without marks of containers) without code and without dangerous Markdown.

    Args:
        text: the paragraph.
        quoted: whether a snippet stands in a file.
    """
    if not re.search(r"[`<\[\]!:=(;{]|SELECT|\*\*", text):
        return Spoken(text, 0)
    if len(text) > _MOST or sum(map(text.count, "[<`")) > _MARKS:
        return _flat(text, quoted)
    edits = _Edits(text)
    pieces = _pieces(text)
    spans = [piece for piece in pieces if piece.kind == "backticks"]
    _html(edits, spans, quoted)
    for piece in spans:
        if _withheld(piece.content, quoted):
            edits.withhold(piece.start, piece.end)
    for start, end in statements(text):
        if not quoted(text[start:end]):
            edits.withhold(start, end)
    for piece in pieces:
        _link(edits, piece)
    for start, end, instead in tags(text):
        if not any(one.start <= start < one.end for one in pieces if one.kind in {"backticks", "autolink"}):
            edits.put(start, end, instead)
    for start, end in fragments(text):
        if not quoted(text[start:end]) and not any(one.start < end and start < one.end for one in pieces):
            edits.withhold(start, end)
    kept = [span for span in spans if edits.free(span.start, span.end)]
    _stray(edits, spans, quoted)
    return Spoken(_applied(edits, kept), edits.withheld)


def _withheld(content: str, quoted: Callable[[str], bool]) -> bool:
    return (is_code(content) or bool(re.search(r"<br\b", content, re.IGNORECASE))) and not quoted(content)


def _html(edits: _Edits, spans: list[_Piece], quoted: Callable[[str], bool]) -> None:
    def in_span(at: int) -> bool:
        return any(span.start <= at < span.end for span in spans)

    for start, end in hidden_parts(edits.text):
        if not in_span(start):
            edits.put(start, end, " ")
    for start, end, content, block in pieces_of_code(edits.text):
        if in_span(start):
            continue
        if content is None or "`" in content or (not quoted(content) if block else _withheld(content, quoted)):
            edits.withhold(start, end)
        else:
            words = " ".join(content.split())
            edits.put(start, end, f"`{words}`" if words else " ")


def _link(edits: _Edits, piece: _Piece) -> None:
    if piece.kind == "image":
        edits.put(piece.start, piece.end, IMAGE_WITHHELD)
    elif piece.kind == "autolink" and not is_safe(piece.content) and not _is_address(piece.content):
        edits.put(piece.start, piece.end, LINK_WITHHELD)
    elif piece.kind == "link":
        words = edits.text[piece.start + 1 : piece.label_end]
        if not is_safe(piece.content) or deceives(words, piece.content):
            edits.put(piece.start, piece.start + 1, "")
            edits.put(piece.label_end, piece.end, "")


def _is_address(target: str) -> bool:
    return bool(re.fullmatch(r"mailto:[\w.+-]+@[\w.-]+", target))


def _stray(edits: _Edits, spans: list[_Piece], quoted: Callable[[str], bool]) -> None:
    """Backticks that nothing closes, as where an answer was cut: what follows them on the line may be code."""
    for found in re.finditer(r"(?<![`\\])`+([^`\n]*)(?![^\n]*`)", edits.text):
        if not any(span.start <= found.start() < span.end for span in spans):
            rest = found[1].strip()
            if rest and _withheld(rest, quoted):
                edits.withhold(found.start(), found.end())


def _applied(edits: _Edits, kept: list[_Piece]) -> str:
    """The text with its edits; between pieces of code that stay, no dangerous target is left."""
    parts: list[str] = []
    stops = sorted([*edits.made, *((span.start, span.end, edits.text[span.start : span.end]) for span in kept)])
    loose, at = "", 0
    for start, end, instead in stops:
        if start < at:
            continue
        loose += edits.text[at:start]
        if instead.startswith(("`", "[")):
            parts += [_disarmed(loose), instead]
            loose = ""
        else:
            loose += instead
        at = end
    return "".join([*parts, _disarmed(loose + edits.text[at:])])


def _disarmed(text: str) -> str:
    text = re.sub(r"(?<!\w)!\[([^\[\]\n]*)\](?:\[[^\[\]\n]*\])?", IMAGE_WITHHELD, text) if "![" in text else text
    return without_alarming(text)


def _flat(text: str, quoted: Callable[[str], bool]) -> Spoken:
    """A paragraph too long or too tangled to be read as Markdown, without any mark that could make it so."""
    withheld = 0
    parts = re.split(r"(`+)", text)
    said: list[str] = []
    for at in range(0, len(parts), 2):
        part = parts[at]
        if at // 2 % 2 and part.strip() and _withheld(part, quoted):
            withheld += 1
            part = " (code withheld) "
        said.append(re.sub(r"[\[\]<>!]+", " ", part))
    return Spoken(without_alarming("".join(said)), withheld)


@cache
def _markdown() -> MarkdownIt:
    """The parser of inline Markdown, whose rules note what they found."""
    from markdown_it import MarkdownIt

    markdown = MarkdownIt("commonmark")
    ruler = markdown.inline.ruler
    rules = {rule.name: rule.fn for rule in ruler.__rules__}
    for kind in ("backticks", "link", "image", "autolink", "html_inline"):
        ruler.at(kind, _watched(kind, rules[kind]))
    markdown.disable(["emphasis", "entity"])
    markdown.validateLink = _any_target  # pyright: ignore[reportAttributeAccessIssue]
    return markdown


def _any_target(url: str) -> bool:
    """Every target makes a link to us; `is_safe` judges where it leads."""
    return len(url) >= 0


def _watched(kind: str, rule: Callable[[StateInline, bool], bool]) -> Callable[[StateInline, bool], bool]:
    token_type = {"backticks": "code_inline", "link": "link_open", "autolink": "link_open"}.get(kind, kind)

    def watching(state: StateInline, silent: bool) -> bool:  # noqa: FBT001 (a rule of markdown-it)
        start, before = state.pos, len(state.tokens)
        muted = state.env["muted"]
        if kind == "image":
            state.env["muted"] = True
        done = rule(state, silent)
        state.env["muted"] = muted
        if not done or silent or muted:
            return done
        made = next((token for token in state.tokens[before:] if token.type == token_type), None)
        if made is not None:
            content = made.content if kind == "backticks" else str(made.attrGet("href") or "")
            label_end = state.md.helpers.parseLinkLabel(state, start, disableNested=True) if kind == "link" else 0
            state.env["pieces"].append(_Piece(kind, start, state.pos, content, label_end))
        return done

    return watching


def _pieces(text: str) -> list[_Piece]:
    """What markdown-it finds in a text, in order of where it starts."""
    markdown = _markdown()
    pieces: list[_Piece] = []
    markdown.inline.parse(text, markdown, {"pieces": pieces, "muted": False}, [])
    return sorted(pieces, key=lambda piece: (piece.start, -piece.end))
