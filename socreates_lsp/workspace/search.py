"""Where a word stands in the files of a folder: by rg, else by git, else by reading the files. Bounded in time."""

from __future__ import annotations

import base64
import json
import os
import re
import time
from typing import TYPE_CHECKING, NamedTuple

from socreates_lsp.errors import TargetError
from socreates_lsp.workspace.files import list_files, repository_around
from socreates_lsp.workspace.git_process import git_command, git_environment
from socreates_lsp.workspace.ignore import NEVER
from socreates_lsp.workspace.reading import LARGEST_FILE, read_text
from socreates_lsp.workspace.tools import find_tool, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

_SECONDS = 10.0
_BYTES_A_HIT = 1000
"""How much output a hit may take on average before the search is cut."""

_LONGEST_LINE = 1000
"""Characters of a line that are given back."""


class Occurrence(NamedTuple):
    """A line that holds the word. ``path`` is relative to the root with forward slashes, ``line`` from 0."""

    path: str
    line: int
    text: str


def occurrences(root: Path, word: str, limit: int) -> list[Occurrence]:
    """The lines that hold ``word`` as a whole word, by path and line; at most ``limit``, within ten seconds.

    Ignored files, dependencies and binary files are left out. A search that is cut off by time or by the limit
    gives what it has.
    """
    return occurrences_of(root, (word,), limit)


def occurrences_of(root: Path, words: Sequence[str], limit: int) -> list[Occurrence]:
    """The lines that hold any of the words, in one pass; else as ``occurrences``."""
    wanted = [word for word in dict.fromkeys(words) if word.strip() and "\n" not in word and "\0" not in word]
    if not wanted or limit <= 0:
        return []
    whole = whole_words(wanted)
    found: list[Occurrence] = []
    for hit in _hits(root, wanted, whole, limit):
        # Each program has its own idea of a word; ours decides.
        if whole.search(hit.text) and NEVER.isdisjoint(hit.path.split("/")[:-1]):
            found.append(hit._replace(text=hit.text[:_LONGEST_LINE]))
            if len(found) >= limit:
                break
    return sorted(found)


def _hits(root: Path, words: Sequence[str], whole: re.Pattern[str], limit: int) -> Iterable[Occurrence]:
    """By the first means that works here, even if it finds nothing."""
    for search in (_by_rg, _by_git):
        hits = search(root, words, limit)
        if hits is not None:
            return hits
    return _by_reading(root, whole)


def whole_words(words: Iterable[str]) -> re.Pattern[str]:
    """An expression for any of the words, each with no letter, digit or underscore beside it."""
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, sorted(words, key=len, reverse=True))) + r")(?!\w)")


def _by_rg(root: Path, words: Sequence[str], limit: int) -> list[Occurrence] | None:
    program = find_tool("rg", root)
    if program is None:
        return None
    command = [
        program, "--no-config", "--json", "--fixed-strings", "--word-regexp", "--crlf", "--hidden", "--glob=!.git",
        "--no-ignore-dot", "--no-require-git", "--no-messages", f"--max-filesize={LARGEST_FILE}",
    ]  # fmt: skip
    if repository_around(root) is None:
        command.append("--no-ignore-parent")
    command += [f"--regexp={word}" for word in words]
    output = _output([*command, "--", "."], root, dict(os.environ), limit)
    return None if output is None else list(_from_json(output))


def _by_git(root: Path, words: Sequence[str], limit: int) -> list[Occurrence] | None:
    program, top = find_tool("git", root), repository_around(root)
    if program is None or top is None:
        return None
    command = [*git_command(program, top), "grep", "-n", "-z", "-I", "-F", "-w", "--untracked", "--no-textconv"]
    command += ["--no-recurse-submodules", "--no-color", "--no-full-name", "--no-column", "--no-heading"]
    for word in words:
        command += ["-e", word]
    output = _output([*command, "--", "."], root, {**git_environment(), "LC_ALL": "C.UTF-8"}, limit)
    return None if output is None else list(_from_git(output))


def _output(command: list[str], root: Path, environment: dict[str, str], limit: int) -> bytes | None:
    """What a program prints; None if it can't search here. Exit code 1 is no hit, rg's 2 a part not read."""
    most = max(limit * _BYTES_A_HIT, 1_000_000)
    try:
        ran = run(command, root, environment=environment, seconds=_SECONDS, most=most)
    except OSError:
        return None
    return ran.output if ran.code in {0, 1, 2} or ran.cut else None


def _from_json(output: bytes) -> Iterator[Occurrence]:
    """Read the ``match`` messages of ``rg --json``; the last line may be cut."""
    for line in output.split(b"\n")[:-1]:
        if line.startswith(b'{"type":"match"'):
            data = json.loads(line)["data"]
            text = _bytes(data["lines"]).decode("utf-8", "replace").partition("\n")[0]
            yield Occurrence(_slashed(_bytes(data["path"])), data["line_number"] - 1, text.rstrip("\r"))


def _bytes(value: dict[str, str]) -> bytes:
    return value["text"].encode() if "text" in value else base64.b64decode(value["bytes"])


def _from_git(output: bytes) -> Iterator[Occurrence]:
    """Read ``path NUL number NUL text``: a name may hold a line break, so NUL ends it."""
    for found in re.finditer(rb"([^\0]+)\0(\d+)\0([^\n]*)\n", output):
        text = found[3].decode("utf-8", "replace").rstrip("\r")
        yield Occurrence(_slashed(found[1]), int(found[2]) - 1, text)


def _slashed(path: bytes) -> str:
    return os.fsdecode(path).replace(os.sep, "/").removeprefix("./")


def _by_reading(root: Path, whole: re.Pattern[str]) -> Iterator[Occurrence]:
    end = time.monotonic() + _SECONDS
    for file in list_files(root).files:
        if time.monotonic() > end:
            return
        try:
            text = read_text(file)
        except TargetError:
            continue
        if whole.search(text.content):
            path = file.relative_to(root.absolute()).as_posix()
            yield from (Occurrence(path, n, text.line(n)) for n in range(len(text)) if whole.search(text.line(n)))
