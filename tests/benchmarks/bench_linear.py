"""Time grows as the text does: everything that reads what a model or a stranger wrote, on texts made to be slow.

Each work is done on a text of some size and on one four times as large, side by side; quadratic work takes sixteen
times as long. Run by hand: ``python -m tests.benchmarks.bench_linear [NAME...]``. ``--smoke`` takes smaller texts.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.agent.definitions import defines
from socreates_lsp.model.answer_text import AnswerText
from socreates_lsp.model.calls import Fragments, Ids
from socreates_lsp.model.sse import EventReader
from socreates_lsp.review.citations import Citation, find_citations
from socreates_lsp.review.comment_syntax import SYNTAX
from socreates_lsp.review.comments import comments
from socreates_lsp.review.file_index import FileIndex
from socreates_lsp.review.grounding import ground, quotation_within
from socreates_lsp.review.items import items_of, remainder
from socreates_lsp.review.outline import outline
from socreates_lsp.review.short_message import shortened
from socreates_lsp.review.suppression import Suppressions
from socreates_lsp.review.voice import voiced
from socreates_lsp.workspace.globs import Globs
from socreates_lsp.workspace.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MOST_TIMES = 10
"""How much longer four times as much may take: linear work takes 4, quadratic work 16."""
TOO_SHORT_S = 0.2
"""What takes less of the processor's time than this is not judged, it is too near to noise."""


@dataclass(frozen=True)
class Work:
    """``on`` returns what is done on a text of about so many characters; ``size`` is the smaller number."""

    name: str
    on: Callable[[int], Callable[[], object]]
    size: int = 20_000


SAID = (
    *("`", "` ", "```\n", "[", "[](", "![a](", ">", "> ", "<", "<a ", "<pre>", "<!--", "- ", "(", "{", "a = ", "a: "),
    *("\\`", "&#", "*_", "| a ", "[a]: ", "\n", "\u200d", '"', "\"a' ", "f(", "a.", "a/", "if ", "a -b", "````md\n"),
    *("x = 1\n", "-a", " -a", "A=b ", "a`", "<T>", "@@ -1 +1 @@\n", "&lt;", "a, ", "; ", "a\n\n", "a b c\n", "|a\n"),
)
FRAMES = ("{}", "`{}`", "x = {}", "[a]({})", "- {}")
IN_LINES = ('[a":', "for in ", "FROM - ", "a{a:", "x) ", "awk - '", "1 | ", "a: b=c ")
WRAPPED = ("*", "_", " ", "(", "[", "{", "“", "`x`\n", "1\t", "<br>", "<br ", "x:", "; ", "if ")
STATEMENTS = (
    "if ",
    "x; ",
    "{x;} ",
    "if {",
    ": return ",
    ": a(",
    "with x: a(b",
    "x = [",
    "let x = ",
    "SELECT a ",
    "**a",
    "“a b",
    "' a",
    "? ",
    "(",
    "*",
    "_ ",
)
COMMENTED = (
    '"',
    "'",
    '"\\',
    "'\\",
    "/[",
    "/",
    "//",
    "/*",
    "<!--",
    "<script ",
    "<script>",
    '"${',
    "{",
    "}",
    '"$(',
    "<<A ",
    "<<A{}\n",
    'R"x{}(',
    'r#"',
    "[==[",
    "--[[",
    "{-",
    "(*",
    '"""',
    "$$",
    "$a{}$",
    "%q(",
    "{#",
    "`",
    "~~~\n",
    "..\n",
    "=begin\n",
    "$",
    "#",
    "#|",
    "url(",
    "={}\n",
    '="',
    "<?",
    "?>",
    "\\begin{comment}",
    "{a|",
    "@",
    "rem ",
    "::",
)
SLOW_ONCE = (
    ("javascript", "/["),
    ("ruby", "/["),
    (None, "/*"),
    (None, "<!--"),
    ("html", "{# "),
    ("html", "<script "),
    ("swift", "#"),
    ("csharp", "$"),
    ("css", "url("),
    ("vim", '\\"'),
    ("yaml", ' "\\"'),
    ("bash", "<<A{}\n"),
    ("bash", "<<A "),
    ("cpp", 'R"x{}('),
    ("sql", "$a{}$"),
    ("c", "/* */ "),
)
CITED = (
    "1",
    ":",
    "/",
    "\\",
    "[",
    "(",
    "]",
    "#L",
    "line ",
    "a/",
    "1:",
    "-",
    "`",
    " ",
    "\n",
    "x",
    "é",
    "%20",
    "file:/",
    "第",
    "line 1 ",
    "src/app.py:",
    "src/app.py:1 ",
    "app.py/",
    "1 and ",
    "mod1/__init__.py:1 ",
    "src/app.py\nline 1\n",
    "L42 ",
)
ITEMS = (
    "> a\n",
    "- src/app.py:42 x\n",
    "```\n",
    "| a | b |\n",
    "**File:** x\n",
    "\n",
    "[question] ",
    "x ",
    "src/app.py:4 ",
)
SIGNATURES = ("a ", "a<", "(", "run(", "run: ", "@a(", "*& ", "x::", "async ")
OUTLINED = ("={}\n", "a = {} =\n", "throws A throws A\n", "x: <><>\n", "__A1 __A2\n", ": a\n")
SHORTENED = ("*", "_", " ", "(", "[", "`", ">", ".", "- ", "?)", "\n", "1) ")
QUOTED = ("`", "*", "_", " ", "`a", "``a`")
PATTERNS = (("*a", "a"), ("**/a/", "a/"), ("**/*a*a/", "aaaa/"))
FILES = {f"pkg{number}/mod{number % 50}/__init__.py": 9 for number in range(3000)} | {"src/app.py": 120}
INDEX = FileIndex.of(FILES, "/ws")


def repeated(piece: str, size: int) -> str:
    """As many pieces as fit; braces in one are replaced by its number."""
    if "{}" not in piece:
        return piece * (size // len(piece))
    return "".join(piece.replace("{}", str(number)) for number in range(size // len(piece)))


def no_quotation(_: str) -> bool:
    """Nothing that is said stands in a file."""
    return False


def of_voice() -> Iterator[Work]:
    """What a model says, before it reaches the reader."""
    for piece in SAID:
        for frame in FRAMES:
            yield Work(
                f"voice {frame!r} {piece!r}",
                lambda size, piece=piece, frame=frame: (
                    lambda: voiced(frame.replace("{}", piece * (size // len(piece))), no_quotation)
                ),
                10_000,
            )
    for piece in (*SAID, *IN_LINES):
        line = (piece * 2000)[:1990]
        yield Work(
            f"voice, lines of {piece!r}",
            lambda size, line=line: lambda: voiced("\n".join([line] * (size // 1990)), no_quotation),
        )
    for piece in WRAPPED:
        yield Work(f"voice {piece!r}", lambda size, piece=piece: lambda: voiced(repeated(piece, size), no_quotation))
    for piece in STATEMENTS:
        line = (piece * 4000)[:3900]
        yield Work(
            f"voice, paragraphs of {piece!r}",
            lambda size, line=line: lambda: voiced("\n\n".join([line] * (size // 3900)), no_quotation),
        )


def of_answers() -> Iterator[Work]:
    """Citations, items, quotations and short messages in what a model says."""
    for piece in CITED:
        yield Work(
            f"citations {piece!r}",
            lambda size, piece=piece: lambda: find_citations(repeated(piece, size), INDEX, "src/app.py"),
            100_000,
        )
    for piece in ITEMS:

        def items(size: int, piece: str = piece) -> Callable[[], object]:
            answer = "[question] src/app.py:42\n" + repeated(piece, size)
            return lambda: remainder(answer, items_of(answer, INDEX))

        yield Work(f"items {piece!r}", items)
    app = Text("def load(path):\n    return open(path).read()\n")
    for piece in QUOTED:
        yield Work(
            f"quotation {piece!r}",
            lambda size, piece=piece: (
                lambda: quotation_within(repeated(piece, size), Citation("app.py", 0, 0, 0, 1), app)
            ),
        )
    for piece in SHORTENED:
        yield Work(f"short {piece!r}", lambda size, piece=piece: lambda: shortened(repeated(piece, size), ""))


def of_files() -> Iterator[Work]:
    """Comments, functions, directives and lines in files that somebody wrote."""
    for language in [*sorted(SYNTAX), None]:
        for piece in COMMENTED:
            yield Work(
                f"comments {language} {piece!r}",
                lambda size, piece=piece, language=language: lambda: comments(Text(repeated(piece, size)), language),
                2_000,
            )
    for language, piece in SLOW_ONCE:
        yield Work(
            f"comments {language} {piece!r}",
            lambda size, piece=piece, language=language: lambda: comments(Text(repeated(piece, size)), language),
            40_000,
        )
    for language in ("cpp", "java", "typescript", "python"):
        for piece in SIGNATURES:
            yield Work(
                f"definition {language} {piece!r}",
                lambda size, piece=piece, language=language: lambda: defines(repeated(piece, size), "run", language),
            )
    for language in ("typescript", "java", "cpp", "go"):
        for piece in OUTLINED:
            yield Work(
                f"outline {language} {piece!r}",
                lambda size, piece=piece, language=language: (
                    lambda: outline(Text(repeated(piece, size) + "f() {\n}\n"), language)
                ),
            )
    yield Work(
        "directives",
        lambda size: lambda: Suppressions.of(Text("# socreates: ignore[naming]\n" * (size // 28)), "python"),
        100_000,
    )
    for pattern, path in PATTERNS:
        yield Work(
            f"glob {pattern!r}",
            lambda size, pattern=pattern, path=path: (
                lambda: Globs([pattern * 20 + "b"], below=True).match(repeated(path, size) + "c")
            ),
            1_000,
        )


def of_grounding() -> Iterator[Work]:
    """A quotation that stands nowhere, in a large file."""
    for quote in ("value = compute()", "}", "a" * 5000, "x " * 3000):

        def grounded(size: int, quote: str = quote) -> Callable[[], object]:
            lines = "".join(f"value_{at} = compute({at})\n" for at in range(size // 25))
            files = {"a.py": Text(lines + "a" * size)}
            return lambda: ground(quote, Citation("a.py", 70, 70, 0, 1), files, files.get)

        yield Work(f"grounding {quote[:20]!r}", grounded, 500_000)


def fed(text: str, size: int) -> None:
    """An answer that arrives in pieces of some characters."""
    answer = AnswerText({"read_file"}, Ids())
    for at in range(0, len(text), size):
        list(answer.feed(text[at : at + size]))
    list(answer.end(calls=False))


def received(body: bytes, size: int) -> None:
    """A stream of events that arrives in pieces of some bytes."""
    reader = EventReader()
    for at in range(0, len(body), size):
        reader.feed(body[at : at + size])
    reader.end()


def called(count: int) -> None:
    """A call whose arguments arrive in so many pieces."""
    calls = Fragments()
    for number in range(count):
        calls.add({"index": 0, "function": {"name": "x"}}, "x}}" if number else '{"a": "')
    for number in range(count):
        calls.add({"id": f"{number}", "function": {"name": "x"}}, "")
    calls.calls(Ids(), cut=False)


def of_wires() -> Iterator[Work]:
    """Answers of a server, as they arrive."""
    yield Work("answer of line ends", lambda size: lambda: fed("\n" * size, 8), 100_000)
    yield Work("thought of line ends", lambda size: lambda: fed("<think>a" + "\n" * size, 8), 100_000)
    call = '{"name": "read_file", "arguments": {"a": "'
    yield Work("call of braces", lambda size: lambda: fed(call + "{" * size + '"}}', 1), 2_000)
    yield Work("answer of lines", lambda size: lambda: fed("a line\n" * (size // 7), 8), 100_000)
    yield Work("events", lambda size: lambda: received(b"data: x\n\n" * (size // 9), 1_000_000), 200_000)
    yield Work("ends of events", lambda size: lambda: received(b"\n" * size, size), 100_000)
    yield Work("one long event", lambda size: lambda: received(b"data: x\n" * (size // 8), 1000), 500_000)
    yield Work("pieces of a call", lambda size: lambda: called(size), 10_000)


def all_work() -> Iterator[Work]:
    """Everything that is measured."""
    for part in (of_voice, of_answers, of_files, of_grounding, of_wires):
        yield from part()


def seconds(work: Callable[[], object]) -> float:
    """Of the processor's time."""
    began = time.process_time()
    work()
    return time.process_time() - began


def times(work: Work, shrink: int = 1) -> float:
    """How much longer four times as much takes; 0 if that is too short to be judged. The best of three."""
    small, large = (work.on(size // shrink) for size in (work.size, 4 * work.size))
    found: list[float] = []
    for _ in range(3):
        short, long = seconds(small), seconds(large)
        if long < TOO_SHORT_S:
            return 0
        found.append(long / max(short, 0.001))
        if found[-1] < MOST_TIMES:
            break
    return min(found)


def main() -> int:
    """Measure and tell; 1 if something takes too long."""
    smoke = "--smoke" in sys.argv
    wanted = [one for one in sys.argv[1:] if one != "--smoke"]
    began, judged, slow = time.perf_counter(), 0, []
    for work in all_work():
        if wanted and not any(one in work.name for one in wanted):
            continue
        judged += 1
        if (found := times(work, 4 if smoke else 1)) >= MOST_TIMES:
            slow.append(f"{work.name}: {found:.1f} times as long on four times as much")
    print(f"{judged} kinds of work, {len(slow)} not linear, {time.perf_counter() - began:.0f} s")
    print("\n".join(slow))
    return int(bool(slow))


if __name__ == "__main__":
    sys.exit(main())
