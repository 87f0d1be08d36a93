"""Where a link of a model's text may lead. Pure.

Kept are links to pages of the web and to places inside the workspace. Anything that a client would run, or that leads
to a file elsewhere or to another machine's share, is taken out; the words of the link stay.
"""

from __future__ import annotations

import html
import re

LINK_WITHHELD = "[link withheld]"
_PERCENT = re.compile(r"%([0-7][0-9a-fA-F])")
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):(?!\d+(?:[-:,]\d+)*\Z)")
_WEB = re.compile(r"https?://(?![^/?#]*@)[^\s/?#\\@:]+(?::\d{1,5})?(?:[/?#][^\s\\<>\"`]*)?\Z", re.IGNORECASE)
_INSIDE = re.compile(
    r"(?:#[\w.:/-]*|[\w@][\w@ .,+()\[\]-]*(?:/[\w@ .,+()\[\]-]+)*(?::\d+(?:[-:,]\d+)*)?(?:#[\w.:-]*)?)\Z"
)
_ALARMING = re.compile(
    r"(?<![\w.-])(?:(?:javascript|vbscript|livescript):\S+|command:[\w-]+\.\S+|data:[\w.+-]*/[\w.+-]*[;,]\S*|file:/\S*"
    r"|(?:vscode(?:-\w+)*|cursor|zed|jetbrains|idea|ms-[\w-]+|smb|ssh|steam|slack|itms-\w+|chrome|about|blob|view-source"
    r"|jar|res|intent|app|x-[\w-]+):(?://|[\w-]+[./])\S*|data:;base64,\S*)",
    re.IGNORECASE,
)
_LOOSE = re.compile(r"\]\([ \t\n]*<?([^\s)>]*)[^)\n]*\)?")
_DEFINITION = re.compile(r"\[(?:\\.|[^\[\]\\])+\]:[ \t]*(\S*)(?:[ \t]+(?:\"[^\"]*\"?|'[^']*'?|\([^)]*\)?))?[ \t]*\Z")


def is_safe(target: str) -> bool:
    """Whether a link may lead there.

    Args:
        target: the link's target as written, or as a parser normalised it.
    """
    plain = _undone(target)
    if ".." in plain.split("/") or re.search(r"[\x00-\x1f\x7f\\]", plain):
        return False
    return bool(_WEB.match(plain)) or (not _SCHEME.match(plain) and bool(_INSIDE.match(plain)))


def _undone(target: str) -> str:
    for _ in range(3):
        plain = _PERCENT.sub(lambda found: chr(int(found[1], 16)), html.unescape(target))
        if plain == target:
            break
        target = plain
    return target.strip()


def is_definition(text: str) -> bool:
    """Whether a line defines the target of a link elsewhere, and is seen by no reader.

    Args:
        text: a line without marks of containers.
    """
    found = _DEFINITION.match(text)
    return bool(found) and not text.startswith("[^") and not re.fullmatch(r"[\w'’-]+[.,!?]?|", found[1])  # type: ignore[index]


def starts_definition(text: str) -> bool:
    """Whether a line defines a target that stands on the next line."""
    return bool(re.fullmatch(r"\[(?:\\.|[^\[\]\\^])(?:\\.|[^\[\]\\])*\]:\s*", text))


def without_alarming(text: str) -> str:
    """Text outside of pieces of code: targets that a client could follow are taken out, links or not.

    Args:
        text: text that holds no code span.
    """
    if "](" in text:
        text = _LOOSE.sub(lambda found: found[0] if not found[1] or is_safe(found[1]) else "]", text)
    return _ALARMING.sub(LINK_WITHHELD, text) if ":" in text else text


def deceives(words: str, target: str) -> bool:
    """Whether a link's words name another host than the link leads to."""
    shown = re.match(r"\s*(?:https?://|www\.)([^\s/?#:]+)", words, re.IGNORECASE)
    host = re.match(r"https?://([^\s/?#:]+)", target, re.IGNORECASE)
    return bool(shown) and (
        host is None or host[1].lower().removeprefix("www.") != shown[1].lower().removeprefix("www.")
    )
