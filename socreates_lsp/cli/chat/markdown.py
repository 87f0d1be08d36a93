"""Markdown as a terminal shows it: plain to copy from, nothing of it a link or a command of the terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.markdown import CodeBlock, Heading, Markdown
from rich.padding import Padding
from rich.text import Text
from rich.theme import Theme

from socreates_lsp.cli.printable import printable

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.markdown import MarkdownElement
    from rich.segment import Segment

_WIDEST = 100
"""Cells of a line of prose."""

_NARROWEST = 20
"""Below it the terminal wraps as it can."""


class _Heading(Heading):
    """At the left, and no box around it."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        self.text.justify = "left"
        self.text.stylize("bold")
        yield self.text


class _Quotation(CodeBlock):
    """A quotation of a file within an item: indented."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        text = Text(str(self.text).rstrip("\n"), style="cyan", overflow="fold")
        yield Padding(text, (0, 0, 0, 2), expand=False)


class _Markdown(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": _Heading,
        "fence": _Quotation,
        "code_block": _Quotation,
    }


_STYLES = {
    "markdown.code": "cyan",
    "markdown.item.bullet": "none",
    "markdown.item.number": "none",
    "markdown.block_quote": "dim",
    "markdown.link": "none",
    "markdown.link_url": "dim",
    **{f"markdown.h{level}": "bold" for level in range(1, 7)},
}


_FENCED = re.compile(r"(?P<mark>`{3,}|~{3,})[^\n]*\n(?P<code>.*?)\n?(?P=mark)[`~]*[ \t]*", re.DOTALL)
_PLAIN_SIGNS = str.maketrans({"•": "-", "▌": "|", "─": "-"})


def lines_of(markdown: str, console: Console) -> list[Text]:
    """The lines of a block, with nothing behind their ends; they are not to be wrapped again.

    The lines of a quotation are as they are, for the terminal to wrap: so they can be copied.
    """
    plain = "\n".join(printable(line.expandtabs(4), console.encoding) for line in markdown.split("\n"))
    if fenced := _FENCED.fullmatch(plain):
        return [Text(f"  {line}", style="cyan") for line in fenced["code"].split("\n")]
    if plain.startswith("|") and max(map(cell_len, plain.split("\n"))) > console.width:
        return [Text(line) for line in plain.split("\n")]  # a table would lose what does not fit
    options = console.options.update(width=max(min(console.width, _WIDEST), _NARROWEST))
    with console.use_theme(Theme(_STYLES)):
        shown = console.render_lines(_Markdown(plain, hyperlinks=False), options, pad=False)
    lines = [_line(segments, console.encoding) for segments in shown]
    while lines and not lines[-1].plain:
        lines.pop()
    while lines and not lines[0].plain:
        lines.pop(0)
    return lines


def _line(segments: list[Segment], encoding: str) -> Text:
    """One line. What an entity stands for comes out only here, so that it is looked at again."""
    line = Text()
    for text, style, control in segments:
        if not control:
            signs = text if encoding.startswith("utf") else text.translate(_PLAIN_SIGNS)
            line.append(printable(signs, encoding), style)
    line.rstrip()
    return line
