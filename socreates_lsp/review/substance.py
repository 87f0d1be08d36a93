"""Whether a finding says something about the lines that it stands on, or would fit any file. Pure.

What is said is compared with the quotation: a name, a part of a name, a number or a word of a string. Failing that, it
must speak of something in particular: a name in the text's own words, or things that are not the small change of every
review. The list of that small change is English; of other languages only short, nameless remarks are called generic.
"""

from __future__ import annotations

import re

from socreates_lsp.review.generic_words import COMMON, GENERIC, KEYWORDS

_NAME = re.compile(r"[^\W\d][\w$]*")
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\dA-Za-z_]+|\d+")
_NUMBER = re.compile(r"(?<![\w.])(?:0[xX][0-9a-fA-F]+|\d+(?:\.\d+)?)")
_ENDING = re.compile(r"|s|es|ies|ed|d|ied|ing|er|r|y|e|ion")
_TICKED = re.compile(r"`+([^`\n]+)`+")
_SHAPED = re.compile(
    r"\b[A-Za-z]\w*_\w+|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\b\w+\(\)|\b[A-Za-z]\w*(?:\.|::|->)[A-Za-z_]\w*\b|\b\w*[A-Za-z]\w*\d\b"
)
_VALUES = KEYWORDS | {"none", "nil", "true", "false", "undefined", "nan", "str", "list", "dict"}

_ENOUGH = 2
"""Words that are nobody's small change, from which a remark is about something."""
_SHORT = 60
_SHORT_WITHOUT_SPACES = 24
"""Characters up to which a remark in another language that names nothing is called generic."""


def names_nothing(message: str, why: str, quote: str) -> bool:
    """Whether a finding names nothing of the code that it is about and would fit any file.

    Args:
        message: the question or warning.
        why: its reason, or nothing.
        quote: the quotation, or all text of the finding's lines.
    """
    said = f"{message}\n{why}"
    if (
        names_one_of(message, why, quote)
        or _names_of(said) & set(_NAME.findall(quote)) - COMMON - KEYWORDS
        or _numbers_named(said, quote)
    ):
        return False
    if _parts_named(said, quote) or _speaks_of_a_name(said):
        return False
    return _fits_any_file(said, quote)


def names_one_of(message: str, why: str, code: str) -> bool:
    """Whether a finding names, between backticks, something of some code, be it one letter or a common word.

    Args:
        message: the question or warning.
        why: its reason, or nothing.
        code: the quotation, or lines near it.
    """
    names = set(_NAME.findall(code))
    ticked = {name for piece in _TICKED.findall(f"{message}\n{why}") for name in _NAME.findall(piece)}
    return any(name in names and not _is_anywhere(name) for name in ticked)


def _is_anywhere(name: str) -> bool:
    """Whether a name belongs to a language more than to a file."""
    lower = name.lower()
    return lower in _VALUES or lower in KEYWORDS or (lower != name and lower.endswith(("error", "exception")))


def _names_of(text: str) -> set[str]:
    """Names that are no plain words, and any that stand between backticks."""
    ticked = {name for piece in _TICKED.findall(text) for name in _NAME.findall(piece)}
    plain = {
        name
        for name in _NAME.findall(text)
        if len(name) > 1 and (_SHAPED.fullmatch(name) or not _is_generic(name.lower()))
    }
    return {name for name in ticked | plain if name.lower() not in _VALUES}


def _numbers_named(said: str, quote: str) -> bool:
    return bool((set(_NUMBER.findall(said)) & set(_NUMBER.findall(quote))) - {"1", "2"})


def _parts_named(said: str, quote: str) -> bool:
    """Whether a word of what is said is a word of a name in the quotation, plural and other endings aside."""
    words = {word.lower() for word in _NAME.findall(said)}
    parts = {part.lower() for part in _PARTS.findall(quote)} - KEYWORDS
    return any(_alike(word, part) for word in words - COMMON for part in parts if not _is_generic(part))


def _alike(word: str, part: str) -> bool:
    """Whether a word is a part of a name, in another form of it, or what a part of four letters or more shortens."""
    if word == part:
        return len(part) > 2
    same = next(
        (at for at, (one, other) in enumerate(zip(word, part, strict=False)) if one != other), min(len(word), len(part))
    )
    if same < min(4, len(part)) or same < 3:
        return False
    return (same == len(part) and len(part) > 3) or (
        _ENDING.fullmatch(word[same:]) is not None and _ENDING.fullmatch(part[same:]) is not None
    )


def _is_generic(word: str) -> bool:
    if word in GENERIC or word in COMMON or word in _VALUES:
        return True
    for ending, instead in (
        ("ies", "y"),
        ("es", ""),
        ("s", ""),
        ("ing", ""),
        ("ing", "e"),
        ("ed", ""),
        ("ed", "e"),
        ("ly", ""),
        ("er", ""),
    ):
        if word.endswith(ending) and word.removesuffix(ending) + instead in GENERIC:
            return True
    return False


def _speaks_of_a_name(said: str) -> bool:
    """Whether what is said holds a name of some code, be it of the quotation or not."""
    ticked = [name.lower() for piece in _TICKED.findall(said) for name in _NAME.findall(piece)]
    if any(
        name not in _VALUES and not _is_generic(name) and not name.endswith(("error", "exception")) for name in ticked
    ):
        return True
    return any(
        not re.fullmatch(r"e\.g|i\.e|\w+Error|\w+Exception|try\.\w+|utf8|JavaScript|TypeScript", name)
        for name in _SHAPED.findall(said)
    )


def _fits_any_file(said: str, quote: str) -> bool:
    """Whether what is said holds little but the small change of every review; a word of the quotation and a number
    count as more."""
    words = [word.lower() for word in re.findall(r"[^\W\d_]+", said)]
    if not any(word in COMMON for word in words):
        letters = sum(map(len, words))
        spaced = len(words) > letters / 15
        return letters <= (_SHORT if spaced else _SHORT_WITHOUT_SPACES) or all(map(_is_generic, words))
    parts = {part.lower() for part in _PARTS.findall(quote)} - KEYWORDS - COMMON
    own = {word for word in words if len(word) > 2 and (not _is_generic(word) or word in parts)}
    return len(own) + bool(re.search(r"\d\d|#\d", said)) < _ENOUGH
