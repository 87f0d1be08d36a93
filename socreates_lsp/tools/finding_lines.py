"""Where an expression matches, in files and in texts that are no files: by rg, else by Python in a process.

rg reads UTF-8 only, and ends lines at a line feed only. Files that are something else are found first, by their
bytes, and searched as the text that our own decoder reads; so are the texts of open buffers.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from socreates_lsp.tools.refusal import ToolRefusalError
from socreates_lsp.workspace.files import repository_around
from socreates_lsp.workspace.leash import go_on
from socreates_lsp.workspace.reading import LARGEST_FILE
from socreates_lsp.workspace.text import without_ending
from socreates_lsp.workspace.tools import Ran, find_tool, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from socreates_lsp.workspace.text import Text

_MOST_BYTES = 2_000_000
"""Bytes of output beyond which the search is cut: some 40,000 matches."""

_MOST_ANSWER = 32_000_000

_MOST_ODD_FILES = 500

_ODD = r"(?-u)\x00|[\xC0\xC1\xF5-\xFF]|[\xC2-\xF4](?:[\x00-\x7F\xC0-\xFF]|$)|(?:^|[\x00-\x7F])[\x80-\xBF]|\r[^\r\n]"
"""Bytes that no UTF-8 has, or that need our own decoder: NUL of UTF-16, one byte a character, CR as a line end."""

_FOUND = re.compile(rb"([^\0]+)\0(\d+):(\d+):[^\n]*\n")


class Hit(NamedTuple):
    """A line that matches. ``path`` is relative to the root; ``line`` from 0, ``column`` in bytes of UTF-8."""

    path: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Hits:
    """Lines that match, in no order. ``cut``: there are more than were looked at."""

    found: list[Hit]
    cut: bool = False


class InvalidPatternError(ToolRefusalError):
    """The expression is none."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to search: the files at and below ``start`` that ``files`` lists, and ``texts`` instead of them.

    ``root`` and ``start`` are real paths; ``files`` maps a relative path to its real one, ``named`` gives the
    relative path of a real one, ``decoded`` the text at a relative one. ``type_globs`` are patterns of names that
    narrow what is read; none reads all.
    """

    root: str
    start: str
    pattern: str
    files: Callable[[], Mapping[str, str]]
    named: Callable[[str], str]
    texts: Mapping[str, Text]
    decoded: Callable[[str], Text | None]
    type_globs: Sequence[str]
    seconds: float


def search(job: Job) -> Hits:
    """Search. Raises InvalidPatternError, or ToolRefusalError when the time is over."""
    try:
        program = find_tool("rg", job.root)
        if program is not None:
            try:
                return _Rg(job, program).hits()
            except InvalidPatternError as error:
                # rg has no look-around and no references back, which Python has.
                return _by_python(job, error)
        return _by_python(job)
    except TimeoutError:
        raise ToolRefusalError(
            f"The search took longer than {job.seconds:g} seconds: search below a path, with a glob, or for something "
            "simpler."
        ) from None


class _Rg:
    """One search by rg, which may take several runs."""

    def __init__(self, job: Job, program: str) -> None:
        self._job = job
        self._program = program
        self._end = time.monotonic() + job.seconds

    def hits(self) -> Hits:
        job = self._job
        found, cut = self._run(["-e", job.pattern], job.start)
        if cut:
            # Which ones came first was chance; in order, they are always the same.
            found, _ = self._run(["--sort=path", "-e", job.pattern], job.start)
        names = {path: job.named(path) for path in {hit.path for hit in found}}
        by_path = [(names[path], line, column) for path, line, column in found]
        odd = {name for path in self._odd() if (name := job.named(path)) not in job.texts}
        files: Mapping[str, str] = job.files() if by_path or odd else {}
        hits = [
            Hit(path, line, column)
            for path, line, column in by_path
            if path in files and path not in job.texts and path not in odd
        ]
        texts = dict(job.texts)
        for path in sorted(odd & set(files))[:_MOST_ODD_FILES]:
            go_on()
            text = job.decoded(path)
            if text is not None:
                texts[path] = text
        return Hits(hits + self._in_texts(texts), cut)

    def _odd(self) -> list[str]:
        """The files that rg would not read as we do."""
        options = ["--encoding=none", "--text", "--files-with-matches", "--null", "-e", _ODD]
        try:
            ran = self._ran(options, self._job.start)
        except InvalidPatternError:  # an rg that does not know these options
            return []
        names = {name for name in ran.output.split(b"\0")[: -1 if ran.cut else None] if name}
        return list(_absolute(names, _folder(self._job.start)).values())

    def _in_texts(self, texts: Mapping[str, Text]) -> list[Hit]:
        """Search texts, as files with the same names in a folder of their own."""
        if not texts:
            return []
        with tempfile.TemporaryDirectory(prefix="socreates-") as folder:
            names = {str(number): name for number, name in enumerate(texts)}
            for number, name in names.items():
                lines = "\n".join(without_ending(line) for line in texts[name].lines)
                Path(folder, number).write_bytes(lines.encode("utf-8", "replace"))
            found, _ = self._run(["--no-ignore", "--text", "-e", self._job.pattern], folder, every_name=True)
            return [Hit(names[Path(path).name], line, column) for path, line, column in found]

    def _run(self, options: Sequence[str], start: str, *, every_name: bool = False) -> tuple[list[Hit], bool]:
        # Lines are left out of the output: the text that is shown is that of our own decoder.
        ran = self._ran(
            ["--line-number", "--column", "--max-columns=1", "--null", "--crlf", *options], start, every_name=every_name
        )
        found = _FOUND.findall(ran.output)
        paths = _absolute({name for name, _, _ in found}, _folder(start))
        return [Hit(paths[name], int(line) - 1, int(column) - 1) for name, line, column in found], ran.cut

    def _ran(self, options: Sequence[str], start: str, *, every_name: bool = False) -> Ran:
        """Raises TimeoutError, InvalidPatternError."""
        folder = _folder(start)
        command = [
            self._program, "--no-config", "--color=never", "--no-heading", "--with-filename", "--hidden",
            "--glob=!.git", "--no-ignore-dot", "--no-require-git", "--no-messages", f"--max-filesize={LARGEST_FILE}",
        ]  # fmt: skip
        if repository_around(Path(folder)) is None:
            command.append("--no-ignore-parent")
        if self._job.type_globs and not every_name:
            command += [*(f"--type-add=wanted:{glob}" for glob in self._job.type_globs), "--type=wanted"]
        target = "." if folder == start else f".{os.sep}{os.path.basename(start)}"  # noqa: PTH119
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        try:
            ran = run([*command, *options, "--", target], Path(folder), seconds=left, most=_MOST_BYTES)
        except TimeoutError:
            raise
        except (OSError, ValueError) as error:
            raise InvalidPatternError(str(error)) from error
        if ran.code == 2 and not ran.output and ran.complaints:
            raise InvalidPatternError(_reason(ran.complaints))
        return ran


def _folder(start: str) -> str:
    """The folder that rg runs in: the start itself, or the one that holds the file."""
    return start if os.path.isdir(start) else os.path.dirname(start)  # noqa: PTH112, PTH120


def _absolute(names: Iterable[bytes], folder: str) -> dict[bytes, str]:
    """The absolute paths of names as rg prints them."""
    return {name: os.path.normpath(f"{folder}{os.sep}{os.fsdecode(name)}") for name in names}


def _reason(complaints: str) -> str:
    """What rg says is wrong with an expression, in its last words."""
    found = re.findall(r"^error: (.+)$", complaints, re.MULTILINE)
    return found[-1] if found else complaints.strip().splitlines()[0]


def _by_python(job: Job, cause: InvalidPatternError | None = None) -> Hits:
    """Raises TimeoutError; InvalidPatternError with the reason that rg gave, if it did."""
    files = {name: path for name, path in job.files().items() if name not in job.texts}
    request = {
        "pattern": job.pattern,
        "files": files,
        "texts": {name: text.content for name, text in job.texts.items()},
    }
    command = [sys.executable, "-P", "-m", "socreates_lsp.tools.matcher"]
    given = json.dumps(request).encode()
    ran = run(command, Path(tempfile.gettempdir()), given=given, seconds=job.seconds, most=_MOST_ANSWER)
    if ran.code != 0 or ran.cut:
        raise ToolRefusalError("The search broke off: search below a path, with a glob, or for something simpler.")
    answer = json.loads(ran.output)
    if "invalid" in answer:
        raise InvalidPatternError(str(cause or answer["invalid"]))
    return Hits([Hit(*one) for one in answer["hits"]], answer["cut"])
