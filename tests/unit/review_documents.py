"""A generator of whole reviews as models and people write them: prose of every shape with code of every shape. Seeded.

Of each it is known which sentences stand outside code and which lines stand within, so that what leaks and what is
lost can be counted. The single comments of ``review_comments`` are its bricks.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.unit.review_comments import CODE, FENCED, INLINE, LEADS, SENTENCES, framed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

MORE_SENTENCES = """\
Nit: `count` shadows the field of the same name.
Is `std::move` needed here, or does the compiler elide the copy anyway?
LGTM apart from the two questions below.
I'd rather keep this private until somebody needs it; what do you think?
@alice, weren't you about to remove this flag?
The call `retry(3)` hides that the third attempt is the last one.
For older versions: does the fallback still work?
Python >= 3.11 is assumed; is that written down anywhere?
print() calls are left in, or is that the log?
This is O(n^2) in the number of rows, which is fine for 50 and not for 50,000.
`KeyError: 'id'` is what the guest sees.
See https://example.org/docs/limits#retries for what the service promises.
When i == n - 1, is arr[i + 1] out of bounds?
Did you measure it? Before: 12 ms; after: 3 ms would surprise me.
HTTP 429 comes with `Retry-After`; who reads that header?
The test passes because `sleep(5)` is longer than the timeout, doesn't it?
(Optional) could this be split into two functions?
`SELECT ... FOR UPDATE` would block the readers as well, I believe.
The type says `Optional[str]`, and yet nobody checks for `None`.
Ist das Verhalten bei einem leeren Warenkorb gewollt?
Что произойдёт, если соединение оборвётся между двумя записями?
この関数は何回呼ばれますか？
اگر فهرست خالی باشد چه می‌شود؟
""".splitlines()

PROSE = (*SENTENCES, *MORE_SENTENCES)
HEADINGS = (
    "## Correctness",
    "### 1. The retry",
    "**Question 2**",
    "### src/pool.go:42-45",
    "#### Nits",
    "## Zusammenfassung",
)
TAGS = (
    "[question] src/pool.go:42 concurrency",
    "[warning] src/cart.py:4-7 correctness",
    "**src/api.ts:12**",
    "Line 42:",
)

MORE_CODE = {
    "css": ".total{0} {{\n  color: red;\n  margin: 0 auto{0};\n}}",
    "toml": '[tool.zz{0}]\nstrict{0} = true\npackages = ["a{0}"]',
    "dockerfile": 'FROM python:3.11-slim{0}\nRUN pip install -r requirements{0}.txt\nCMD ["python", "app{0}.py"]',
    "proto": "message Item{0} {{\n  optional int64 price{0} = 1;\n}}",
    "graphql": "type Query{0} {{\n  item(id: ID!): Item{0}\n}}",
    "haskell": "total{0} :: [Item] -> Int\ntotal{0} = sum . map price{0}",
    "elixir": "items{0} |> Enum.map(& &1.price) |> Enum.sum()",
    "lua": "local total{0} = item.price or 0\nreturn total{0}",
    "perl": "my $total{0} = $item->{{price}} // 0;\nprint $total{0};",
    "scala": "val total{0} = items.map(_.price.getOrElse(0)).sum",
    "swift": "guard let price{0} = item.price else {{ return 0 }}\nlet total{0} = price{0} * 2",
    "dart": "final total{0} = items.fold(0, (a, b) => a + (b.price ?? 0));",
    "r": "total{0} <- sum(items$price, na.rm = TRUE)",
    "clojure": "(reduce + (map #(or (:price{0} %) 0) items))",
    "hcl": 'resource "aws_s3_bucket" "logs{0}" {{\n  acl = "private{0}"\n}}',
    "vue": '<li v-for="item in items{0}" :key="item.id">{{{{ item.price{0} }}}}</li>',
    "powershell": "Get-ChildItem $dir{0} | Where-Object {{ $_.Length -gt 0 }} | Remove-Item",
    "makefile": "test{0}: build\n\tpytest -q $(ARGS{0})",
    "gherkin": "Given an empty cart{0}\nWhen the total is asked for{0}\nThen it is zero{0}",
    "log": "The price of item {0} could not be read from the table.\nIt is tried again in five seconds{0}.",
    "latex": "\\begin{{align}}\n  total{0} &= \\sum_i p_i\n\\end{{align}}",
    "diff": "-    total{0} = 0\n+    total{0} = Decimal(0)",
    "pseudo": "take the first price{0}\nthen add the tax to it{0}\nand give it back{0}",
}
MARKED_ONLY = frozenset(
    {"makefile", "gherkin", "log", "latex", "pseudo", "haskell", "text", "yaml", "json", "html", "vue"}
)
"""What only a frame around it makes code: it has to be in one."""


LOOSE = frozenset({"tab", "no blank before", "bbcode", "jira"})
"""Frames that no Markdown knows: what is in them is seen to be code by itself."""


@dataclass(frozen=True)
class Document:
    """A review, the pieces of its prose that stand outside code, and the lines within its blocks."""

    text: str
    prose: tuple[str, ...]
    lines: tuple[str, ...]
    shapes: tuple[str, ...]


def _indented(text: str, margin: str, first: str | None = None) -> str:
    head, *rest = text.split("\n")
    return "\n".join([(margin if first is None else first) + head, *((margin + line).rstrip() for line in rest)])


def _fence(code: str, language: str) -> str:
    return f"```{language}\n{code}\n```"


FRAMES: dict[str, Callable[[str, str], str]] = {
    "nested item": lambda code, language: (
        "- the outer point\n  - the inner one\n" + _indented(_fence(code, language), "    ")
    ),
    "quoted item": lambda code, language: _indented(_fence(code, language), ">   ", "> - "),
    "task": lambda code, language: _indented(_fence(code, language), "  ", "- [ ] "),
    "braces": lambda code, language: f"``` {{.{language} .numberLines}}\n{code}\n```",
    "path": lambda code, language: f"```{language}:src/x.py\n{code}\n```",
    "range": lambda code, language: f"```suggestion:-0+3\n{code}\n```",
    "longer end": lambda code, language: f"```{language}\n{code}\n``````",
    "glued end": lambda code, language: f"```{language}\n{code.rstrip('.')};```",
    "right of the margin": lambda code, language: _indented(_fence(code, language), "   "),
    "blank lines": lambda code, language: _fence("\n" + code.replace("\n", "\n\n") + "\n", language),
    "spaces behind": lambda code, language: f"```{language}   \n{code}\n```   ",
    "invisible before": lambda code, language: f"\u200b```{language}\n{code}\n```",
    "markdown": lambda code, language: f"````markdown\nA remark.\n\n{_fence(code, language)}\n````",
    "pre": lambda code, _: f'<pre lang="x">\n{code}\n</pre>',
    "div": lambda code, _: f'<div class="highlight"><pre>{code}\n</pre></div>',
    "table": lambda code, language: f"<table><tr><td>\n\n{_fence(code, language)}\n\n</td></tr></table>",
    "committable": lambda code, _: (
        "<details>\n<summary>📝 Committable suggestion</summary>\n\n> ‼️ **IMPORTANT**\n\n"
        f"```suggestion\n{code}\n```\n\n</details>"
    ),
    "search and replace": lambda code, _: f"<<<<<<< SEARCH\n{code}\n=======\n{code}\n>>>>>>> REPLACE",
    "patch": lambda code, _: f"*** Begin Patch\n*** Update File: a.py\n{_indented(code, '+')}\n*** End Patch",
    "tab": lambda code, _: "\n" + _indented(code, "\t") + "\n",
    "fix in details": lambda code, language: (
        "<details>\n<summary>🔎 Proposed fix</summary>\n\n"
        f"````diff\n@@ -4,2 +4,2 @@\n{_indented(code, '+')}\n````\n</details>"
    ),
    "tools in details": lambda code, language: (
        "<details>\n<summary>🧰 Tools</summary>\n\n<details>\n<summary>🪛 Linter</summary>\n\n"
        f"{_fence(code, language)}\n\n</details>\n\n</details>"
    ),
    "prompt": lambda code, _: (
        "<!-- start -->\n\n<details>\n<summary>🤖 Prompt for agents</summary>\n\n"
        f"```\n{code}\n```\n\n</details>\n\n<!-- end -->"
    ),
    "comment": lambda code, _: f"<!--\n{code}\n-->",
    "comment of a fence": lambda code, language: f"<!-- {_fence(code, language)} -->",
    "two": lambda code, language: f"{_fence(code, language)}\nor\n{_fence(code, language)}",
    "side by side": lambda code, language: f"{_fence(code, language)}\n{_fence(code, 'text')}",
    "mail": lambda code, language: _indented(_fence(code, language), "> > "),
    "in bold item": lambda code, language: (
        "1. **First**:\n\n" + _indented(_fence(code, language), "   ") + "\n\n2. **Second**"
    ),
    "tilde in item": lambda code, language: _indented(f"~~~{language}\n{code}\n~~~", "  ", "* "),
    "no blank before": lambda code, _: "Such as:\n" + _indented(code, "    ") + "\n",
    "code tag": lambda code, _: "<code>" + code.replace("\n", "<br>") + "</code>",
    "cell tag": lambda code, _: (
        "| a | b |\n|---|---|\n| <pre>" + code.replace("\n", "<br>").replace("|", "\\|") + "</pre> | no |"
    ),
    "tool call": lambda code, _: f"<tool_call>\n{code}\n</tool_call>",
    "bbcode": lambda code, _: f"[code]\n{code}\n[/code]",
    "jira": lambda code, _: f"{{code:java}}\n{code}\n{{code}}",
    "note": lambda code, language: "> [!NOTE]\n" + _indented(_fence(code, language), "> "),
}
"""Frames that the single comments don't have."""


class _Writer:
    """Writes one review."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.seed = seed
        self.parts: list[str] = []
        self.prose: list[str] = []
        self.lines: list[str] = []
        self.shapes: list[str] = []

    def sentences(self, most: int) -> list[str]:
        some = self.dice.sample(PROSE, self.dice.randint(1, most))
        self.prose += some
        return some

    def paragraph(self) -> None:
        text = " ".join(self.sentences(4))
        if self.dice.random() < 0.3 and "`" not in text:
            text = re.sub(r"(.{60,80}?) (?=[\w(])", r"\1\n", text)
        self.parts.append(text)

    def listed(self) -> None:
        mark = self.dice.choice(("- ", "* ", "1. ", "> ", "- [ ] ", "+ "))
        self.parts.append("\n".join(mark + one for one in self.sentences(3)))

    def table(self) -> None:
        rows = "\n".join(f"| {number} | {one} |" for number, one in enumerate(self.sentences(3)))
        self.parts.append(f"| no. | question |\n|---|---|\n{rows}")

    def heading(self) -> None:
        self.parts.append(self.dice.choice((*HEADINGS, *TAGS)))

    def inline(self) -> None:
        piece = self.dice.choice(INLINE).format(self._mark())
        before, after = self.dice.sample(PROSE, 2)
        ticks = self.dice.choice(("`", "`", "``"))
        self.prose += [before, after]
        self.lines.append(piece)
        self.shapes.append("inline")
        self.parts.append(f"{before} Would {ticks}{piece}{ticks} do? {after}")

    def code(self) -> None:
        every = CODE | MORE_CODE
        language = self.dice.choice(list(every))
        code = self.dice.choice(every[language].split("\n---\n")).format(self._mark())
        shape = self.dice.choice((*FENCED, *FENCED, *FRAMES))
        if shape == "unclosed" or (shape in LOOSE and language in MARKED_ONLY):
            shape = "fence"
        if shape in {"bare diff", "diff"} and language == "diff":
            shape = "tilde"
        text = FRAMES[shape](code, language) if shape in FRAMES else framed(shape, code, language, self.dice)
        lead = " ".join([*self.sentences(2), self.dice.choice(LEADS) if self.dice.random() < 0.4 else ""]).rstrip()
        tight = shape not in {
            "indented",
            "cell",
            "details",
            "div",
            "table",
            "committable",
            "tab",
            "late",
            "cell tag",
            "prompt",
        }
        tight = tight and not shape.endswith("details")
        between = " " if shape == "late" else "\n" if tight and self.dice.random() < 0.4 else "\n\n"
        self.parts.append(f"{lead}{between}{text}")
        self.lines += [line for line in code.split("\n") if re.search(r"\w{2}.*\W|\W.*\w{2}", line.strip())]
        self.shapes.append(shape)

    def _mark(self) -> str:
        return f"Zq{self.seed}x{len(self.shapes)}z"


def document_of(seed: int) -> Document:
    """One review that the seed chooses."""
    writer = _Writer(seed)
    steps = (writer.paragraph, writer.paragraph, writer.listed, writer.table, writer.heading, writer.inline)
    for _ in range(writer.dice.randint(2, 6)):
        writer.dice.choice((*steps, writer.code, writer.code, writer.code))()
    text = "\n\n".join(writer.parts)
    if writer.dice.random() < 0.1:
        text = text.replace("\n", "\r\n")
    return Document(text, tuple(writer.prose), tuple(writer.lines), tuple(writer.shapes))


@dataclass(frozen=True)
class Measured:
    """How many lines of code there were and which of them leaked; how many words of prose there were and stayed."""

    documents: int
    lines: int
    leaked: tuple[tuple[int, str], ...]
    words: int
    kept: int
    lost: tuple[tuple[int, str], ...]

    @property
    def share(self) -> float:
        """The share of the words of prose that stayed."""
        return self.kept / max(self.words, 1)


def measured(seeds: Iterable[int], say: Callable[[str], str]) -> Measured:
    """What of these reviews is said. A line leaks if it is said anywhere; a sentence that is not said whole is lost."""
    documents, lines, words, kept = 0, 0, 0, 0
    leaked: list[tuple[int, str]] = []
    lost: list[tuple[int, str]] = []
    for seed in seeds:
        document = document_of(seed)
        said = " ".join(say(document.text).split())
        documents += 1
        for line in document.lines:
            lines += 1
            if " ".join(line.split()) in said:
                leaked.append((seed, line))
        for sentence in document.prose:
            count = len(sentence.split())
            words += count
            if sentence in said:
                kept += count
            else:
                lost.append((seed, sentence))
    return Measured(documents, lines, tuple(leaked), words, kept, tuple(lost))
