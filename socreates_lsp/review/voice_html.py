"""What HTML in a model's text becomes: its words. Pure."""

from __future__ import annotations

import html
import re

CODE_TAGS = (
    r"pre|code|samp|tt|xmp|listing|plaintext|script|style|textarea|template|iframe|object|svg|math|noscript"
    r"|tool_calls?|tool_use|tool_code|function_calls?|invoke|artifact"
)
OPENING = re.compile(rf"<({CODE_TAGS})(?=[\s>/])[^>\n]*>?", re.IGNORECASE)
SPANNING = re.compile(
    r"<(?:(pre|xmp|listing|script|style|textarea)"
    r"(?=[\s>]|\Z)|(!--)|(\?)|(!\[CDATA\[))",
    re.IGNORECASE,
)
"""What goes on over blank lines until it is closed, if it stands at the start of a line."""
_PIECE = re.compile(rf"<({CODE_TAGS})(?=[\s>/])[^>]*>(.*?)(?:</\1\s*>|\Z)", re.IGNORECASE | re.DOTALL)
_QUOTING = re.compile(r"pre|code|samp|tt|xmp|listing", re.IGNORECASE)
_BLOCK = re.compile(r"pre|xmp|listing", re.IGNORECASE)
_HIDDEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|<![A-Za-z][^>]*(?:>|\Z)", re.DOTALL
)
_TAG = re.compile(r"</?([A-Za-z][\w:.-]*)((?:\s|/)[^<>]*)?/?>")
_CUT = re.compile(
    r"<(?:[a-z]+[1-6]?\s+[\w:-]+\s*=[^<>]*"
    r"|/?(?:img|a|iframe|script|svg|video|audio|object|embed|link|style)(?:\s[^<>]*)?)\Z"
)
_BEFORE = re.compile(r"[\w.:]*\Z")
_KNOWN = re.compile(
    r"(?:a|abbr|address|area|article|aside|audio|b|base|bdi|bdo|blockquote|body|br|button|canvas|caption|center|"
    r"cite|code|col|colgroup|data|datalist|dd|del|details|dfn|dialog|dir|div|dl|dt|em|embed|fieldset|"
    r"figcaption|figure|font|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hgroup|hr|html|i|iframe|"
    r"image|img|input|ins|isindex|kbd|label|legend|li|link|listing|main|map|mark|marquee|math|menu|meta|meter|"
    r"nav|noembed|noframes|noscript|object|ol|optgroup|option|output|p|param|picture|plaintext|portal|pre|"
    r"progress|q|rp|rt|ruby|s|samp|script|search|section|select|slot|small|source|span|strike|strong|style|"
    r"sub|summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|time|title|tr|track|tt|u|ul|var|"
    r"video|wbr|xmp)"
)
_BREAKING = re.compile(r"(?:blockquote|br|dd|details|div|dt|h1|h2|h3|h4|h5|h6|hr|li|ol|p|pre|summary|table|tr|ul)")


def closing(opened: re.Match[str]) -> re.Pattern[str]:
    """What ends the stretch of HTML that a match of `SPANNING` begins."""
    tag, comment, instruction, _ = opened.groups()
    if tag:
        return re.compile(rf"</{tag}\s*>", re.IGNORECASE)
    return re.compile("-->" if comment else r"\?>" if instruction else r"\]\]>")


def pieces_of_code(text: str) -> list[tuple[int, int, str | None, bool]]:
    """The stretches of a text within tags of code: from, to (code points), what stands within (None where that is for
    a machine), and whether it is a block of lines, which stays only as a quotation whatever it holds."""
    if "<" not in text:
        return []
    return [
        (
            found.start(),
            found.end(),
            html.unescape(words_of(found[2])) if _QUOTING.fullmatch(found[1]) else None,
            _BLOCK.fullmatch(found[1]) is not None or "<br" in found[2].lower(),
        )
        for found in _PIECE.finditer(text)
    ]


def hidden_parts(text: str) -> list[tuple[int, int]]:
    """Comments, instructions and declarations: from, to (code points)."""
    return [found.span() for found in _HIDDEN.finditer(text)] if "<" in text else []


def tags(text: str) -> list[tuple[int, int, str]]:
    """The tags of a text that a client could take for HTML: from, to (code points), and what to put there.

    Markup goes. A bare name in angles is no markup but a type or a component, which is put between backticks.
    """
    if "<" not in text:
        return []
    found = [_instead(one, text) for one in _TAG.finditer(text)]
    cut = _CUT.search(text)
    return [*found, (cut.start(), cut.end(), "")] if cut else found


def _instead(found: re.Match[str], text: str) -> tuple[int, int, str]:
    name, rest = found[1], (found[2] or "").strip(" \t\n/")
    component = name[:1].isupper() and not name.isupper()
    typed = "=" not in rest and not _KNOWN.fullmatch(name.lower())
    if (rest and not typed) or ":" in name or (_KNOWN.fullmatch(name.lower()) and not component):
        return found.start(), found.end(), " " if _BREAKING.fullmatch(name.lower()) else ""
    if text[: found.start()].endswith("\\"):
        return found.start(), found.end(), found[0]
    if "`" in text or "\n" in found[0]:
        return found.start(), found.end(), found[0].replace("<", "\\<")
    before = _BEFORE.search(text[max(0, found.start() - 60) : found.start()])
    start = found.start() - len(before[0] if before else "")
    return start, found.end(), f"`{text[start : found.end()]}`"


def words_of(text: str) -> str:
    """A text without any tag."""
    return _TAG.sub("", _HIDDEN.sub("", text)) if "<" in text else text
