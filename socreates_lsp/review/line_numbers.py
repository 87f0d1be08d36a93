"""How line numbers are written: one, a range, a list of both, in digits that a text holds somewhere. Pure.

Every pattern is matched at a place, and what it may skip is bounded, so that reading costs the same everywhere.
Numbers are as written, so they count from 1 and may be out of order; nothing here knows a file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

LINE_WORD = (
    r"(?:(?:start|first|begin)[ _]?)?lines?|lns?\.?|ll?\.|Zeilen?|lignes?|l[ií]neas?|linhas?|righ?[ae]|linee|regels?"
    r"|rad(?:en|er|erna)?|linje(?:r|n|rne)?|lini[aięey]|wiersz(?:[eyau]|em|ach|ami)?|řád(?:ek|ky|ku|cích)|satır(?:lar)?|строк(?:[аиеу]|ами?|ах)?"
    r"|ряд(?:ок|к[иіу])|baris|dòng|rivi(?:[tn]|llä|ltä|eillä)?|γραμμ(?:ή|ές|ής)|sor(?:ok)?|บรรทัดที่|บรรทัด|(?:ال)?سطر|(?:ال)?أسطر|خط|سطور|पंक्ति|लाइन|שור(?:ה|ות)|行|줄|라인"
)
"""The words for a line that stand before its number."""

NUMBER_GAP = (
    r"[ \t]?[ \t*_`:：#=№~≈.\"'(\[]{0,5}"
    r"(?:(?:[Nn]umbers?|[Rr]anges?|[Nn]os?\b|[Nn]r\b|n°|номер)[ \t*_`:：#=.\"']{0,4})?(?:第[ \t]?)?"
)
"""What may stand between such a word and the number."""

_SUFFIX = r"[ \t]?(?:行目?|줄|행(?!렬)|번째[ \t]?(?:줄|행|라인)|번[ \t]?줄)"
_NUMBER = re.compile(
    r"[`*]{0,3}(?:第[ \t]?)?(?:(?:L|l|[Ll]ines?|Zeilen?|[#:]L?|№)[ \t.]?)?"
    r"(?P<number>\d{1,9})(?!\d)(?:ff?\b)?(?:C\d{1,6}\b)?"
    rf"(?P<suffix>{_SUFFIX})?(?![A-Za-z%°$€]|_+[A-Za-z0-9]|[.]\d)[`*]{{0,3}}"
)
_TO = re.compile(
    r"[ \t]?(?:-{1,2}>?|[‐-―−~〜～→]|\.{2,3}=?|…)[ \t]?"
    r"|[ \t]{1,2}(?:to|through|thru|until|till|up to|bis|à|au|a|hasta|até|tot|til|до|по)[ \t]{1,2}"
    r"|[ \t]?(?:至|到|から|부터)[ \t]?"
    r"|[\"'`*]{0,3},?[ \t]{0,2}(?:\r?\n[ \t>*-]{0,12})?[\"'*_`]{0,3}(?:end|last)[ _-]?[Ll]ines?[\"'*_`]{0,3}"
    r"[ \t]?[:=][ \t*_]{0,3}[\"'`]?"
    r"|</[\w-]{1,16}>\s{0,12}<(?:end|last|to)[_-]?[Ll]ine>"
)
_AND = re.compile(
    r"[ \t]?(?P<loose>(?:,[ \t]?)?(?:and|or|und|oder|sowie|et|ou|y|o"
    r"|e|en|i|och|og|ja|ve|và|és|και|и|или|і|та|和|及|と|및)|[,;、，&+])[ \t]{1,2}"
    r"|(?P<mark>,|;|、|，|&|\+|/)[ \t]?"
    r"|[ \t]?(?:和|及|と)[ \t]?"
)
_COLUMN = re.compile(
    r":\d{1,6}(?!\d)(?::(?!\d))?"
    r"|[`*]{0,2}[,:]?[ \t]?\(?[`*]{0,2}(?:columns?|cols?\.?|characters?|chars?|Spalte|colonne|columna|列|столбец)"
    r"[ \t:#]{0,2}[`*]{0,2}\d{1,6}(?!\d)(?:-\d{1,6})?\)?",
    re.IGNORECASE,
)
_COLON_NUMBER = re.compile(r":(\d{1,6})")
_COLUMN_RANGE = re.compile(r"-(?P<end>\d{1,9}):\d{1,6}(?!\d)")
_SAME_LINE = re.compile(r"-\d{1,6}(?![\d:])")
_MORE_DATE = re.compile(r"-\d")
_NEXT_WORD = re.compile(r"[`*]{0,2}[ \t]{1,2}([^\W\d_]+)")
_VERBS_IN_S = frozenset(
    {"is", "was", "has", "does", "as", "this", "its", "us", "thus", "vs", "shares", "always", "across"}
)
_COUNTED = frozenset({"other", "more", "different", "separate", "new", "percent", "ms", "seconds", "times"})


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines as written, from 1, both ends included; ``begin`` and ``finish`` (exclusive) are the place in the text."""

    start: int
    end: int
    begin: int
    finish: int
    suffix: bool = False
    """Whether a word for a line stands behind the number."""


def range_at(text: str, at: int, *, spaced: bool = True) -> Lines | None:
    """One number or range at this place, columns left out. ``spaced`` lets a range have spaces and words in it."""
    first = _NUMBER.match(text, at)
    if first is None:
        return None
    start, finish = int(first["number"]), first.end()
    lines = Lines(start, start, at, finish, first["suffix"] is not None)
    column = _COLUMN.match(text, finish)
    if column is not None:
        finish = column.end()
        upto = _COLON_NUMBER.fullmatch(column[0]) if spaced else None
        if upto is not None and int(upto[1]) > start:
            return replace(lines, end=int(upto[1]), finish=finish)
        both = _COLUMN_RANGE.match(text, finish)
        if both is not None:
            return replace(lines, end=int(both["end"]), finish=both.end())
        same = _SAME_LINE.match(text, finish) if text[column.start()] == ":" else None
        if same is not None:
            return replace(lines, finish=same.end())
        lines = replace(lines, finish=finish)
    return _to_end(text, lines, spaced=spaced)


def _to_end(text: str, lines: Lines, *, spaced: bool) -> Lines | None:
    to = _TO.match(text, lines.finish)
    last = _NUMBER.match(text, to.end()) if to else None
    if to is None or last is None or (to[0].strip() == "a" and not spaced):
        return lines
    loose = to[0] != to[0].strip()
    end = int(last["number"])
    if loose and not spaced and (end < lines.start or counts(text, last.end())):
        return lines
    if _MORE_DATE.match(text, last.end()):
        return None
    column = _COLUMN.match(text, last.end())
    finish = column.end() if column else last.end()
    return replace(lines, end=end, finish=finish, suffix=lines.suffix or last["suffix"] is not None)


def list_at(text: str, at: int, *, plural: bool) -> list[Lines]:
    """The numbers and ranges from this place on, as many as are lines; none if there is no number.

    ``plural`` where a word in the plural stood before, so that more numbers are to be expected; otherwise what
    comes behind an ``and`` may be a count of something else, and must not be smaller.
    """
    first = range_at(text, at, spaced=plural)
    found = [] if first is None else [first]
    while found:
        joint = _AND.match(text, found[-1].finish)
        again = range_at(text, joint.end(), spaced=plural) if joint else None
        if joint is None or again is None or counts(text, again.finish):
            break
        tight = joint["mark"] is not None and not joint[0].endswith((" ", "\t"))
        if not (plural or tight) and again.start <= found[-1].end:
            break
        found.append(again)
    return found


def counts(text: str, at: int) -> bool:
    """Whether the word behind a number makes it a count: ``3 tests``, ``2 more``."""
    word = _NEXT_WORD.match(text, at)
    if word is None:
        return False
    following = word[1].lower()
    return following in _COUNTED or (following.endswith("s") and following not in _VERBS_IN_S and len(following) > 2)
