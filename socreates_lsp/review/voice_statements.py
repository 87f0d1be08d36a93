"""Statements that a sentence holds and nothing marks, as far as their shape is plain. Pure; of no one language.

Blocks in braces behind a keyword, pieces that a semicolon ends, heads of Python with what they do behind the colon,
comprehensions, declarations, queries, and what stands in emphasis or quotation marks and is code as a whole.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.review.voice_lines import SPAN, is_code_line, sentence
from socreates_lsp.review.voice_pieces import is_code

if TYPE_CHECKING:
    from collections.abc import Iterator

_MOST = 4000
_BACK = 80
"""Characters before a brace or a colon in which its keyword is looked for."""
_BRACES = re.compile(r"\{([^{}\n]{1,200})\}[;)]{0,2}")
_BRACED = re.compile(
    r"(?<![\w.-])(?:if|for|while|match|switch|func|fn|function|try|finally|catch|do|loop|unsafe|class|const|let|var|else)\b"
)
_DOES = re.compile(r";|=>|\breturn\b|\w\(|[^=!<>]=[^=]|\b(?:break|continue|throw)\b")
_HEAD = re.compile(r"(?<![\w.-])(?:async )?(?:with|if|elif|for|while|try|except|else|def|finally)\b")
_TELLS = re.compile(r"[(\[=<>!]|\w\.\w|\b(?:is|in|as|not)\b|\A\w+\s*\Z")
_CALL = r"\([^()\n]{0,80}\)"
_BODY = re.compile(
    r":[ ]{1,2}(?:(?:return|raise|yield|await|del|pass|continue|break)\b(?!\s(?:the|a|an|it|on|early)\b)"
    r"|(?=[\w.]{1,40}\(|[\w.]{1,40} [-+*/]?= \S))"
    rf"[ ]?[\w.]{{0,40}}(?:{_CALL}){{0,3}}"
    rf"(?:\s?(?:[-+*/|&=]|==|\bor\b|\band\b)\s?[\w.\"']{{1,40}}(?:{_CALL})?){{0,4}}"
)
_STOP = re.compile(
    r"\b(?:the|an?|this|that|these|those|it|its|we|you|they|there|does|do|did|are|was|were|what|when|where|which|who|why"
    r"|how|would|should|could|can|will|be|also|only|every|each|of|to)\b",
    re.IGNORECASE,
)
_PIECE = re.compile(r"[^;\n]{1,300};")
_SURE = re.compile(
    r"(?:return|const|let|var|if|for|while|throw|raise|await|del|try|match|defer|SELECT|DROP|DELETE|INSERT|UPDATE)\b.*"
    r"|[A-Za-z_$][\w.$\[\]]{0,60}(?:\s[\w.*&]{1,30})?\s(?:=|:=|[-+]=)\s.*|[\w.$>:!-]{1,60}\(.*\)\s*;|[})].*"
)
"""A piece before a semicolon that is a statement and no part of a sentence."""
_AFTER = re.compile(r"(?<=[.?!:])\s+")
_SHAPED = re.compile(
    r"(?<![\w.])[\w.]{1,40}\s(?:=|:=|\+=)\s[\[({][^\n\[\]{}]{1,80}\sfor\s[^\n\[\]{}]{1,40}\sin\s[^\n\[\]{}]{1,80}[\])}]"
    r"|(?<![\w.])(?:const|let|var)\s(?:mut\s)?(?:\w{1,40}|[{\[][\w, ]{1,40}[}\]])(?:: ?[\w<>]{1,40})?\s=\s"
    r"[^;\n]{1,120}?(?:;|(?=[?.](?:\s|\Z))|(?=\n)|\Z)"
    r"|(?<!\w)SELECT\s[\w*.,() ]{1,80}\sFROM\s\w{1,40}(?:\sWHERE\s[\w.]{1,40}\s?(?:=|<|>|LIKE|IN)\s?[^\s;]{1,40})?"
    r"(?:\sORDER BY\s[\w.]{1,40})?;?"
    r"|(?<!\w)(?:DROP TABLE|DELETE FROM|INSERT INTO)\s\w{1,40}[^;\n]{0,80};"
)
_WITHIN = re.compile(
    r"\*\*(?=\S)([^*\n]{4,200})\*\*|“([^”\n]{4,200})”|\"([^\"\n]{4,200})\"|(?<!\w)'([^'\n]{4,200})'(?!\w)"
    r"|<(?:kbd|q|b|strong|em|i|mark|suggestion)>([^<\n]{4,200})</"
)
_GAP = re.compile(r"[\s;?})\]]{0,6}")
_REST = re.compile(r"[;})\]]*(?:\s*--(?=\s|\Z))?(?:\?;)?")


def statements(text: str) -> list[tuple[int, int]]:
    """Statements in a paragraph, outside of backticks: from, to (code points), in order, apart from each other.

    Args:
        text: a paragraph; one of more than 4,000 code points is not looked at.
    """
    if len(text) > _MOST or not re.search(r"[;{(=:]|SELECT|FROM", text):
        return []
    plain = SPAN.sub(lambda found: "\0" * len(found[0]), text) if "`" in text else text
    found = sorted([*_braced(plain), *_ended(plain), *_headed(plain), *_shaped(plain), *_within(plain)])
    joined: list[tuple[int, int]] = []
    for start, finish in found:
        rest = _REST.match(plain, finish)
        end = rest.end() if rest else finish
        if joined and (start <= joined[-1][1] or _GAP.fullmatch(plain, joined[-1][1], start)):
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _back(plain: str, at: int, keyword: re.Pattern[str]) -> tuple[int, str] | None:
    """Where the code that ends at ``at`` begins with a keyword, and what stands between."""
    for found in keyword.finditer(plain, max(0, at - _BACK), at):
        head = plain[found.end() : at]
        if not _STOP.search(head) and not re.search(r"[.?!]\s|\0|\n", head):
            return found.start(), head
    return None


def _braced(plain: str) -> Iterator[tuple[int, int]]:
    for found in _BRACES.finditer(plain):
        if _DOES.search(found[1]) and (begun := _back(plain, found.start(), _BRACED)):
            yield begun[0], found.end()


def _headed(plain: str) -> Iterator[tuple[int, int]]:
    for found in _BODY.finditer(plain):
        begun = _back(plain, found.start(), _HEAD)
        if begun and _TELLS.search(begun[1] or "x") and (begun[1].strip() or "(" in found[0]):
            yield begun[0], found.start() + len(found[0].rstrip())


def _ended(plain: str) -> Iterator[tuple[int, int]]:
    for found in _PIECE.finditer(plain):
        begins = [found.start(), *(one.end() for one in _AFTER.finditer(plain, found.start(), found.end()))]
        for begin in begins[:-3:-1]:
            piece = plain[begin : found.end()].lstrip()
            sure = "\0" not in piece and len(piece) > 2 and _SURE.fullmatch(piece) and not sentence(piece)
            if sure and is_code_line(piece):
                yield found.end() - len(piece), found.end()
                break


def _shaped(plain: str) -> Iterator[tuple[int, int]]:
    for found in _SHAPED.finditer(plain):
        if "\0" not in found[0] and not _STOP.search(found[0]):
            yield found.start(), found.start() + len(found[0].rstrip())


def _within(plain: str) -> Iterator[tuple[int, int]]:
    for found in _WITHIN.finditer(plain):
        at = found.lastindex or 0
        piece = found[at]
        if (
            re.search(r"[(\[{;]", piece)
            and "\0" not in piece
            and " " in piece.strip()
            and not sentence(piece)
            and is_code_line(piece)
            and is_code(piece)
        ):
            yield found.span(at)
