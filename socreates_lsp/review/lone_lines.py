"""Line numbers that have a word for a line, wherever they stand in a text: "line 42", "L42-45", "42行目". Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.review.line_numbers import LINE_WORD, NUMBER_GAP, Lines, list_at

if TYPE_CHECKING:
    from collections.abc import Iterator

_ORDER = (
    r"(?:[.ªº°]|er|e|re|ère|ème)[ \t]{1,2}(?:Zeilen?|lignes?|l[ií]neas?|linhas?|righ?[ae]|satır\w{0,6}"
    r"|sor\w{0,4}|řád\w{1,3}|rivi\w{0,3}|linj\w{1,3})\b"
)
"""What stands behind the number where the word for a line comes last, as in "12. Zeile"."""
_WORD = re.compile(
    rf"(?<![\w\-])(?P<word>{LINE_WORD})(?P<gap>{NUMBER_GAP})(?=L?\d)"
    r"|(?<![\w.#\-/&])#?L(?=\d{1,6}(?:C\d{1,6})?(?!\w|\.\w|-(?!L\d)[A-Za-z]))"
    r"|(?P<east>第)[ \t]?(?=\d)"
    r"|(?<=\n)(?P<report>[ \t]{1,8})(?=\d{1,6}:\d{1,6}[ \t]{1,8}(?:error|warning|warn|info|note|hint)\b)"
    r"|(?<![\w.,:/\-–])(?=\d{1,9}(?:[ \t]?[-–~〜～至到][ \t]?\d{1,9})?"
    rf"(?:(?:st|nd|rd|th)[ \t]lines?\b|{_ORDER}|[ \t]?(?:行目|번째[ \t]?(?:줄|행|라인)|번[ \t]?줄|행(?!렬)|[行줄])"
    r"|-?(?:я|й|ю|ей|ой)[ \t]строк))",
    re.IGNORECASE,
)
_ORDINAL = re.compile(
    rf"(\d{{1,9}})(?:(?:st|nd|rd|th)[ \t]lines?|{_ORDER}|-?(?:я|й|ю|ей|ой)[ \t]строк[аиеуой]{{0,2}})", re.IGNORECASE
)
_CLEAR = re.compile(r"[ \t]?(?:行目|번째|번|행)")
_BETWEEN = re.compile(r"(?:between|zwischen|entre|между)[ \t](?:the[ \t])?\Z", re.IGNORECASE)
_L_IS_NO_LINE = re.compile(
    r"(?:[ \t]?(?:,|/|&|and|or)[ \t]?(?:and |or )?(?:the )?L?\d{1,2}){0,4}[ \t-]?"
    r"(?:cache|caches|norm|norms|regulari[sz]ation|regulari[sz]er|penalty|loss|distance|network|switch|switching"
    r"|load|proxy|proxies|support|data|miss|misses|hit|hits|chain|rollup|error)\b",
    re.IGNORECASE,
)
_BRIDGE = re.compile(
    r"[\"']?,\s{0,12}[\"']?(?:path|file|file_?name|file_?path|uri)[\"']?[ \t]?[:=][ \t]?[\"']?(?=\S)"
    r"|[`*_\"'”’)\]]{0,4}(?:[ \t]{0,2}\r?\n)?[ \t]{0,3}[,(\[@:]?[ \t]{0,2}"
    r"(?:(?:of|in|from|at|inside|within|on|the|this|file|module|script|von|der|des|dem|Datei|aus|du|de|del|della|do|da|dans"
    r"|le|la|el|il|les|fichier|archivo|fichero|en|em|no|na|di|su|nel|arquivo|ficheiro|van|het|bestand|i|av|filen|filer?|fil"
    r"|файла?|файле|файлу|файлі|в|у|из|з|za|z|w|we|của|tiedostossa|tiedoston|pliku|souboru|v"
    r"|trong|tệp|του|στο|αρχείου|في|من|ملف|الملف|در|فایل|ใน|ไฟล์)"
    r"[ \t]{1,2}(?:\r?\n[ \t]{0,4})?|l'){0,4}[`*_\"'“‘«([<]{0,5}(?:\.[/\\])?(?=[^\s])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class LoneLines:
    """Lines named together. ``bridge`` is where a path has to begin to be theirs although it follows them.

    ``needs_path`` where the number may as well be a count of lines.
    """

    lines: tuple[Lines, ...]
    begin: int
    finish: int
    bridge: int
    needs_path: bool


def lone_lines(text: str) -> Iterator[LoneLines]:
    """Every group of line numbers with a word for a line, in order."""
    done = 0
    for word in _WORD.finditer(text):
        group = _group(text, word) if word.start() >= done else None
        if group is not None:
            done = group.finish
            yield group


def _group(text: str, word: re.Match[str]) -> LoneLines | None:
    latin = word["word"] is not None
    if latin and not word["gap"] and word["word"] not in ("行", "줄", "라인"):
        return None
    ordinal = _ORDINAL.match(text, word.end())
    if ordinal is not None:
        number = int(ordinal[1])
        return _of(text, [Lines(number, number, ordinal.start(), ordinal.end())], word.start(), needs_path=False)
    found = list_at(text, word.end(), plural=latin and word["word"].lower().endswith(("s", "en", "nhas")))
    if not found:
        return None
    bare_l = not latin and text[word.end() - 1 : word.end()] in ("L", "l")
    if bare_l and (text[word.end() - 1] == "l" or _L_IS_NO_LINE.match(text, found[0].finish)):
        return None
    if word["east"] is not None and not found[-1].suffix:
        return None
    marked = latin or bare_l or word["east"] is not None or word["report"] is not None
    counted = not marked and not _CLEAR.search(text[word.end() : found[0].finish])
    if len(found) == 2 and latin and _BETWEEN.search(text[max(0, word.start() - 14) : word.start()]):
        found = [Lines(found[0].start, found[1].end, found[0].begin, found[1].finish)]
    return _of(text, found, word.start(), needs_path=counted)


def _of(text: str, found: list[Lines], begin: int, *, needs_path: bool) -> LoneLines:
    finish = found[-1].finish
    bridge = _BRIDGE.match(text, finish)
    return LoneLines(tuple(found), begin, finish, bridge.end() if bridge else finish, needs_path)
