"""A scripted model with right quotations on wrong lines is put right every time; with invented ones nothing stands on
a line. Several dozen of each, generated, over files in four languages, written in the answer and raised by the tool.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.testkit.script import Reply
from tests.server.talking import said, talking

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OPTIONS = {
    "model": {"contextTokens": 200_000},
    "review": {"leads": False, "verify": False, "maxFindings": 0, "minConfidence": 0},
}
"""One stage, and all of it shown."""

SHAPES = {
    "shop/prices.py": "    price_{0} = rates['k{0}'] * {0}  # of item \"{0}\"",
    "cmd/pool.go": '\tconns[{0}], err = dial(ctx, "host{0}", {0}*time.Second)',
    "web/cart.ts": "  const total{0} = await sum(items[{0}], {{ tax: {0} }});",
    "src/lib.rs": '    let value_{0} = parse(&line[{0}..])?.ok_or("none{0}")?;',
}
LINES = 90


@dataclass(frozen=True)
class Point:
    """What the model says: of lines from 1 of a file, with a quotation of ``at``, where it really stands."""

    path: str
    line: int
    quote: str
    at: tuple[str, int, int]
    name: str

    @property
    def question(self) -> str:
        return f"Who relies on `{self.name}` here?"

    @property
    def item(self) -> str:
        quoted = "\n".join(f"> {line}" for line in self.quote.split("\n"))
        return f"[question] {self.path}:{self.line} correctness\n{quoted}\n{self.question}\nWhy: it may change.\n"

    @property
    def call(self) -> tuple[str, dict[str, Any]]:
        return "raise_question", {
            "path": self.path,
            "line": self.line,
            "quote": self.quote,
            "kind": "question",
            "category": "correctness",
            "question": self.question,
            "why": "It may change.",
        }


def fill(root: Path) -> dict[str, list[str]]:
    """Files whose lines are all different, a blank one after every ninth."""
    files: dict[str, list[str]] = {}
    for base, (path, shape) in enumerate(SHAPES.items()):
        numbers = range(base * 1000, base * 1000 + LINES)
        files[path] = ["" if number % 10 == 9 else shape.format(number) for number in numbers]
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("\n".join(files[path]) + "\n", "utf-8")
    return files


def retyped(quote: str, dice: random.Random) -> str:
    """A quotation as models type it: other white space, other quotation marks."""
    change: Callable[[str], str] = dice.choice(
        (
            str,
            str.strip,
            lambda one: one.replace('"', "”"),
            lambda one: one.replace(" ", "  "),
            lambda one: one.replace("'", "’"),
        )
    )
    return "\n".join(change(line) for line in quote.split("\n"))


def points(files: dict[str, list[str]], number: int, seed: int) -> list[Point]:
    """Right quotations of one or two lines, each on a line where it does not stand."""
    dice = random.Random(seed)
    places = [(path, at) for path, lines in files.items() for at in range(1, len(lines) - 1, 3) if lines[at]]
    found: list[Point] = []
    for path, at in dice.sample(places, number):
        both = bool(files[path][at + 1]) and dice.random() < 0.3
        quote = "\n".join(files[path][at : at + 1 + both])
        wrong = dice.choice((0, 14342, LINES + 1, dice.randint(1, LINES), max(1, at + 1 + dice.choice((-3, -1, 3, 4)))))
        wrong = wrong if wrong not in (at + 1, at + 1 + both) else at + 4
        name = f"k{at}_{path.rpartition('.')[2]}"
        found.append(Point(path, wrong, retyped(quote, dice), (path, at, at + both), name))
    return found


def invented(files: dict[str, list[str]], number: int, seed: int) -> list[Point]:
    """Quotations that stand nowhere: of a real line with something else in it, of two lines that are no neighbours,
    or of nothing that is there."""
    dice = random.Random(seed)
    made: list[Point] = []
    for one in points(files, number, seed):
        path, at, _ = one.at
        line, other = files[path][at], files[path][(at + 31) % LINES or 1] or files[path][2]
        quote = dice.choice(
            (
                line.replace("(", "(not_there, ", 1).replace("[", "[not_there + ", 1),
                f"{line}\n{other}",
                f"{line.strip()} or not_there()",
                "if not_there is None: raise NotThereError(path)",
                "return not_there",
            )
        )
        made.append(replace(one, line=at + 1, quote=quote))
    return made


def stands(root: Path, finding: dict[str, Any]) -> tuple[str, int, int]:
    path = finding["uri"].removeprefix(root.as_uri() + "/")
    return path, finding["range"]["start"]["line"], finding["range"]["end"]["line"]


def replies(some: list[Point], way: str) -> list[Reply | str]:
    """The model's rounds: all items in the answer, or all raised by the tool, and raised again if that fails."""
    if way == "written":
        return ["\n".join(one.item for one in some)]
    calls = tuple(one.call for one in some)
    return [Reply(calls=calls), "That was all."]


@pytest.mark.parametrize("way", ["written", "raised"])
@pytest.mark.parametrize("seed", range(2))
async def test_every_right_quotation_lands_where_it_stands(root: Path, way: str, seed: int) -> None:
    some = points(fill(root), 40, seed)
    async with talking(root, *replies(some, way), options=OPTIONS) as (client, _):
        result = await client.request("socreates/review", {"scope": "workspace"})
        found = {one["message"]: stands(root, one) for one in result["findings"]}
        assert found == {one.question: one.at for one in some}
        assert result["ungrounded"] == 0
        assert (await client.request("socreates/status"))["grounding"]["ungrounded"] == 0
        told = (await client.request("socreates/status"))["grounding"]
        assert told["moved"] == len(some)


@pytest.mark.parametrize("way", ["written", "raised"])
async def test_a_right_quotation_of_another_file_that_was_read_is_refiled(root: Path, way: str) -> None:
    files = fill(root)
    paths = list(files)
    some = [
        replace(one, path=paths[(paths.index(one.path) + 1 + number % 3) % len(paths)])
        for number, one in enumerate(points(files, 36, 7))
    ]
    reading = Reply(calls=tuple(("read_file", {"path": path}) for path in paths))
    async with talking(root, reading, *replies(some, way), options=OPTIONS) as (client, _):
        result = await client.request("socreates/review", {"scope": "workspace"})
        found = {one["message"]: stands(root, one) for one in result["findings"]}
        assert found == {one.question: one.at for one in some}
        assert (await client.request("socreates/status"))["grounding"]["refiled"] == len(some)


@pytest.mark.parametrize("way", ["written", "raised"])
@pytest.mark.parametrize("seed", range(2))
async def test_no_invented_quotation_is_on_a_line(root: Path, way: str, seed: int) -> None:
    some = invented(fill(root), 40, seed)
    async with talking(root, *replies(some, way), options=OPTIONS) as (client, model):
        result = await client.request("socreates/review", {"scope": "workspace"})
        assert result["findings"] == []
        assert all(not one["diagnostics"] for one in client.seen("textDocument/publishDiagnostics"))
        assert result["ungrounded"] == len(some)
        for one in some:
            assert f"Without a line in the code: {one.question}" in result["summary"]
        if way == "raised":
            told = [content for role, content in said(model.chats[1]) if role == "tool"]
            assert len(told) == len(some)
            assert all("does not stand in" in one for one in told)


async def test_right_and_invented_ones_in_one_answer_are_told_apart(root: Path) -> None:
    files = fill(root)
    right = points(files, 30, 11)
    wrong = [replace(one, name=f"{one.name}_x") for one in invented(files, 30, 12)]
    both = [one for pair in zip(right, wrong, strict=True) for one in pair]
    async with talking(root, "\n".join(one.item for one in both), options=OPTIONS) as (client, _):
        result = await client.request("socreates/review", {"scope": "workspace"})
        assert {one["message"]: stands(root, one) for one in result["findings"]} == {
            one.question: one.at for one in right
        }
        assert result["ungrounded"] == len(wrong)
