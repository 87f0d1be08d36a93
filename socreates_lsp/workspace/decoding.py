"""Bytes to text, as an editor would read them: byte order marks, UTF-8, UTF-16, and one byte a character. Pure."""

from __future__ import annotations

import codecs
import re

from socreates_lsp.errors import TargetError

SAMPLE = 8192
"""Bytes at the start of a file that are enough to tell what it is."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    # The mark of UTF-32 in little order begins with that of UTF-16, so it is looked for first: UTF-16 text that
    # starts with NUL is no text anyway.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROLS = bytes(code for code in (*range(32), 127) if code not in b"\t\n\v\f\r\b\x1b")
"""Control characters that no text needs; tabs, line ends, backspace and escape sequences are in real text."""

_MOST_CONTROLS = 1 / 20
"""The share of control characters up to which something still counts as text."""

_CP1252 = {code: bytes((code,)).decode("cp1252", "ignore") or chr(code) for code in range(0x80, 0xA0)}
_MULTIBYTE = re.compile(rb"[\xc2-\xf4][\x80-\xbf]+")


class NotTextError(TargetError):
    """The bytes are no text in any encoding we read."""


def decode(data: bytes) -> str:
    """Decode a file. A byte order mark is not part of the text. Raises NotTextError for binary data.

    In order: a byte order mark; UTF-16 without one, by where its NUL bytes stand; UTF-8; else one byte a
    character (Windows-1252, and Latin-1 for the five bytes that it leaves open). A file that is UTF-8 but for
    a few bytes, or cut in the middle of a character, stays UTF-8. What can't be decoded becomes U+FFFD, and
    so do lone surrogates: the text can always be encoded again.
    """
    marked = _marked(data)
    if marked is not None:
        encoding, body = marked
        return _checked(body.decode(encoding, "replace"))
    if b"\0" in data:
        text = _unmarked_utf16(data)
        if text is None:
            raise NotTextError("It holds NUL bytes, so it is no text.")
        return text
    if _has_many_controls(data):
        raise NotTextError("It is full of control characters, so it is no text.")
    return data.decode("utf-8", "replace") if _is_utf8(data) else _one_byte_a_character(data)


def _marked(data: bytes) -> tuple[str, bytes] | None:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding, data[len(mark) :]
    return None


def _checked(text: str) -> str:
    if "\0" in text or _has_many_controls(text.encode("latin-1", "replace")):
        raise NotTextError("It holds NUL or control characters, so it is no text.")
    return text


def _unmarked_utf16(data: bytes) -> str | None:
    """UTF-16 text without a mark, or None. Text of code is mostly ASCII, so one byte of most pairs is NUL."""
    sample = data[:65536]
    high_first, low_first = sample[::2].count(0), sample[1::2].count(0)
    encoding = "utf-16-le" if low_first > high_first else "utf-16-be"
    more, fewer = max(high_first, low_first), min(high_first, low_first)
    if more * 8 < len(sample) or fewer * 8 > more:
        return None
    text = data.decode(encoding, "replace")
    broken = text.count("\ufffd")
    if "\0" in text or broken * 20 > len(text) or _has_many_controls(text.encode("latin-1", "replace")):
        return None
    return text


def _has_many_controls(data: bytes) -> bool:
    return len(data) - len(data.translate(None, _CONTROLS)) > len(data) * _MOST_CONTROLS


def _is_utf8(data: bytes) -> bool:
    """Whether the data is UTF-8, cut at the end or with a few bad bytes among many good characters at worst."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        good = sum(1 for _ in _MULTIBYTE.finditer(data))
        if error.reason == "unexpected end of data":
            # A single byte at the end of a short file is more likely a Latin-1 letter than a cut character.
            return good > 0 or len(data) >= SAMPLE
        bad = data.decode("utf-8", "replace").count("\ufffd") - data.count(b"\xef\xbf\xbd")
        return good > 4 * bad
    return True


def _one_byte_a_character(data: bytes) -> str:
    return data.decode("latin-1").translate(_CP1252)
