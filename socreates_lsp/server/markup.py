"""Findings as text for a hover: safe Markdown, or plain text. Nothing in it is fetched, run or rendered as HTML."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from socreates_lsp.review.finding import Finding, Related
    from socreates_lsp.review.ladder import Opened
    from socreates_lsp.wire import Wire

_SPECIAL = re.compile(r"([\\*\[\]<|~]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)|\$(?=\())")
_AT_LINE_START = re.compile(r"(?m)^([ \t]*(?:\d{1,9}(?=[.)](?:\s|$)))?)([#+\-=>]|:(?=-)|(?<=\d)[.)])")
"""What means something in Markdown: anywhere, and where a line starts. No more, as some clients (Neovim 0.11 among
them) show every backslash."""
_CODE = re.compile(r"(`[^`\n]*`)")
_ADDRESS = re.compile(
    r"(?i)((?:[a-z][a-z0-9+.\-]{0,30}://|www\.|(?:mailto|xmpp):)[^\s`<>]+|[\w.+\-]{1,64}@[\w\-]+(?:\.[\w\-]+)+)"
)
"""What a client turns into a link by itself (GitHub Flavored Markdown, section 6.9), and addresses of other schemes."""

_WHO = {
    "user": "You",
    "model": "The model",
    "examiner": "The examiner",
    "socreates": "Socreates",
    "other": "Not said on this machine",
}
_MOST_SAID, _LONGEST_SAID = 6, 1500
"""Entries of a thread that a hover shows, and characters of each."""


def escaped(text: str) -> str:
    """Text as Markdown that shows itself; pieces in backticks stay code, and no address becomes a link.

    An address becomes code: no client makes a link of that, and who copies it gets it as it was written.
    """
    shown = "".join(part if _CODE.fullmatch(part) else _prose(part.replace("`", "'")) for part in _CODE.split(text))
    return _AT_LINE_START.sub(r"\1\\\2", shown)


def _prose(text: str) -> str:
    """Text without backticks; what follows an address, such as a full stop, is not of it."""
    shown: list[str] = []
    for index, part in enumerate(_ADDRESS.split(text)):
        address = _bare(part) if index % 2 else ""
        rest = _SPECIAL.sub(r"\\\1", part[len(address) :])
        shown.append(f"`{address}`{rest}" if address else rest)
    return "".join(shown)


def _bare(address: str) -> str:
    """An address without the punctuation of the sentence that it ends, or the bracket that it stands in."""
    end = len(address)
    opened, closed = address.count("("), address.count(")")
    while end:
        last = address[end - 1]
        closing = last == ")" and closed > opened
        if not closing and last not in ".,;:!?]}'\"*_~|\\":
            break
        end, closed = end - 1, closed - closing
    return address[:end]


def markdown(findings: Sequence[Finding], wire: Wire, opened: Callable[[Finding], Opened]) -> str:
    """All findings of a line, joined by rules; of each, what is open."""
    return "\n\n---\n\n".join(_markdown(finding, wire, opened(finding)) for finding in findings)


def plain_text(findings: Sequence[Finding], wire: Wire, opened: Callable[[Finding], Opened]) -> str:
    """The same without markup."""
    return "\n\n".join(_plain(finding, wire, opened(finding)) for finding in findings)


def _markdown(finding: Finding, wire: Wire, opened: Opened) -> str:
    places = "\n".join(f"- {_link(one, wire)}: {escaped(one.message)}" for one in opened.places)
    lines = [f"**{escaped(finding.message)}**", escaped(finding.asked_again), *map(escaped, opened.before), places]
    lines += [*map(escaped, opened.after), f"*{_origin(finding, named=opened.named)}*"]
    lines += [f"**{who}:** {escaped(text)}" for who, text in thread_of(finding)]
    return "\n\n".join(line for line in lines if line.strip("*"))


def _link(place: Related, wire: Wire) -> str:
    line = place.range.start.line + 1
    name = f"{wire.path(place.uri)}:{line}"
    target = wire.spelled(place.uri)
    if not target.startswith("file:") or re.search(r"[\s()<>]", target):
        return escaped(name)
    return f"[{escaped(name)}]({target}#L{line})"


def _plain(finding: Finding, wire: Wire, opened: Opened) -> str:
    places = [f"{wire.path(one.uri)}:{one.range.start.line + 1}: {one.message}" for one in opened.places]
    lines = [finding.words, *opened.before, *places, *opened.after]
    said = [f"{who}: {text}" for who, text in thread_of(finding)]
    return "\n".join([*filter(None, lines), _origin(finding, named=opened.named), *said])


def beside_its_diagnostic(finding: Finding) -> Finding:
    """A finding without what its diagnostic says, for a client that shows that in the same hover."""
    thread = tuple(reply for reply in finding.thread if reply.text != finding.asked_again)
    return replace(finding, message="", asked_again="", thread=thread)


def thread_of(finding: Finding) -> list[tuple[str, str]]:
    """The newest of what was said about a finding, each with who said it; what is asked again stands elsewhere."""
    said = [reply for reply in finding.thread if reply.text != finding.asked_again]
    return [(_WHO.get(one.author, _WHO["other"]), _cut(one.text)) for one in said[-_MOST_SAID:]]


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_SAID else f"{text[: _LONGEST_SAID - 1]}…"


def _origin(finding: Finding, *, named: bool) -> str:
    """Kind, category and who asked; ``named``: by which rule, whose name may tell the answer."""
    who = "the examiner" if finding.source.value == "examiner" else "the model"
    rule = f", rule {finding.rule}" if finding.rule and named else ""
    stale = " The lines changed since it was asked." if finding.status.value == "stale" else ""
    return f"{finding.kind.value.capitalize()} on {finding.category.value}, asked by {who}{rule}.{stale}"
