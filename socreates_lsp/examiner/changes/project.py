"""The project around a change, as it is now: where a word stands, what a file holds, which files are tests."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Protocol

from socreates_lsp.errors import TargetError
from socreates_lsp.workspace.files import list_files, read_text
from socreates_lsp.workspace.search import Occurrence, occurrences_of, whole_words
from socreates_lsp.workspace.text import Text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_MOST = 20_000
"""Lines that one search may give back."""

_TEST_PATH = re.compile(
    r"(?:^|/)(?:tests?|testing|specs?|__tests__|e2e|testdata|t)/"
    r"|(?:^|/)(?:test_|spec_|conftest)[^/]*$|[._-](?:test|tests|spec|specs|cy|e2e)\.\w+$"
    r"|(?:^|/)[^/]*(?:Test|Tests|TestCase|IT|Spec)\.(?:java|kt|kts|cs|php|scala|swift|groovy)$",
)
_SIDE_PATH = re.compile(
    r"(?:^|/)(?:docs?|examples?|samples?|demos?|benchmarks?|vendor|vendored|_vendor|third_party|thirdparty|fixtures|"
    r"node_modules|dist|min|generated|migrations|site-packages|\.yarn|__snapshots__)/"
    r"|\.min\.|[._-](?:pb2|pb|generated|gen|bundle)\b|(?:^|/)(?:package-lock|yarn\.lock|pnpm-lock|versioneer)",
    re.IGNORECASE,
)


def is_test(path: str) -> bool:
    """Whether a path looks like a test, by the habits of the usual languages."""
    return bool(_TEST_PATH.search(path))


def is_side(path: str) -> bool:
    """Whether a path is no code that somebody maintains here: examples, generated or vendored code."""
    return bool(_SIDE_PATH.search(path))


_GENERATED = re.compile(r"@generated|\b(?:auto-?)?generated (?:by|from|with|file|code)\b|do not edit", re.IGNORECASE)


def is_generated(text: Text) -> bool:
    """Whether the first lines of a file say that a program wrote it."""
    return any(_GENERATED.search(text.line(line)) for line in range(min(len(text), 8)))


class Project(Protocol):
    """The files as they are now. Paths are relative to the root with forward slashes."""

    def find(self, words: Sequence[str]) -> list[Occurrence]:
        """The lines that hold any of the words, by path and line."""
        ...

    def text(self, path: str) -> Text | None:
        """The text of a file; None if it is not there or can't be read."""
        ...

    def paths(self) -> Sequence[str]:
        """All files."""
        ...


class TextProject:
    """A project of texts in memory."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        """Take the texts by path."""
        self._texts = {path: Text(content) for path, content in texts.items()}

    def find(self, words: Sequence[str]) -> list[Occurrence]:
        """The lines that hold any of the words."""
        whole = whole_words(words)
        return (
            [hit for path, text in sorted(self._texts.items()) for hit in _in_text(path, text, whole)] if words else []
        )

    def text(self, path: str) -> Text | None:
        """The text of a file."""
        return self._texts.get(path)

    def paths(self) -> Sequence[str]:
        """All files."""
        return sorted(self._texts)


class DiskProject:
    """The project on disk, with open buffers in the place of their files."""

    def __init__(self, root: Path, opened: Mapping[str, str]) -> None:
        """Take the root and the texts of open documents by path."""
        self._root = root.absolute()
        self._opened = TextProject(opened)
        self._paths: Sequence[str] | None = None

    def find(self, words: Sequence[str]) -> list[Occurrence]:
        """The lines that hold any of the words: by search on disk, and in the open buffers."""
        opened = set(self._opened.paths())
        on_disk = [hit for hit in occurrences_of(self._root, words, _MOST) if hit.path not in opened]
        return sorted([*on_disk, *self._opened.find(words)])

    def text(self, path: str) -> Text | None:
        """The text of a file."""
        text = self._opened.text(path)
        if text is not None:
            return text
        try:
            return read_text(self._root / path)
        except TargetError:
            return None

    def paths(self) -> Sequence[str]:
        """All files, listed once."""
        if self._paths is None:
            start = len(str(self._root)) + 1
            files = (str(file)[start:].replace(os.sep, "/") for file in list_files(self._root).files)
            self._paths = sorted({*files, *self._opened.paths()})
        return self._paths


def _in_text(path: str, text: Text, whole: re.Pattern[str]) -> list[Occurrence]:
    if not whole.search(text.content):
        return []
    return [Occurrence(path, line, text.line(line)) for line in range(len(text)) if whole.search(text.line(line))]
