"""What comments in the code ask not to see: ``socreates: ignore`` and ``socreates: ignore-file``. Pure.

The rule, for whoever writes a directive:

- ``socreates: ignore`` hides everything, ``socreates: ignore[error-handling, no-timeout]`` the categories and
  rules named. A rule may be named with or without its language (``python-no-timeout``, ``no-timeout``). Case and
  white space don't matter; whatever follows is the reason. Several may stand in one comment.
- A directive begins its line of the comment, or stands behind ``;``, ``|``, ``#``, ``//``, ``--`` or a dash, or behind
  the directive of this or another tool (``# noqa: E501  socreates: ignore``). Prose that mentions one is none.
- A comment on a line with code speaks of the lines it stands on. A comment alone speaks of itself and of the first
  line of code directly below, past other comments alone on their lines and past attributes (a decorator or
  annotation of one line). A blank line ends its reach.
- A finding is hidden when a directive speaks of any of its lines.
- ``socreates: ignore-file`` and ``socreates: ignore-file[...]`` speak of the whole file, in whichever comment.
- A directive in a string is none. An empty or unclosed bracket hides nothing: a slip must not hide everything.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.review.comment_syntax import SYNTAX
from socreates_lsp.review.comments import comments, syntax_of
from socreates_lsp.review.finding import Category

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from socreates_lsp.review.comments import Comment
    from socreates_lsp.workspace.text import Text

_DIRECTIVE = re.compile(
    r"(?<![\w-])socreates[ \t]*:[ \t]*ignore(?P<file>-file)?(?![\w-])"
    r"[ \t]*(?P<bracket>\[(?P<names>[^\[\]\r\n]*+)(?P<end>\])?)?",
    re.IGNORECASE,
)
_SEPARATOR = re.compile(r"[;|#—–]|//|--")
_OPENER = re.compile(r"\A(?:[^\w@]|(?:rem|dnl|c|comment)\b)*", re.IGNORECASE)
"""What a comment, or a line of it, begins with."""
_TOOL = re.compile(
    r"@?(?:socreates|noqa|nosec|no ?lint\w*|nosonar|nopmd|noinspection|type: ?ignore|pylint|mypy|pyright|ruff|flake8"
    r"|pragma|fmt|isort|yapf|eslint|ts-|tslint|jshint|jslint|prettier|biome|oxlint|istanbul|c8|v8|codingstandards|phpcs|phpstan"
    r"|psalm|phan|clang|cppcheck|checkstyle|suppress|rubocop|standard|shellcheck|hadolint|swiftlint|ktlint|detekt"
    r"|golangci|lint|coverage|skipcq|cspell|spell|codespell|yamllint|sqlfluff|tflint|checkov|tfsec|trivy|semgrep"
    r"|nosemgrep|deepcode|codeql|lgtm|sonar)",
    re.IGNORECASE,
)
"""How the directives of other tools begin."""
_NAME = re.compile(r"[^\s,;]+")
_FURTHEST = 500  # characters of a line that are looked at before a directive
_LONGEST_ATTRIBUTE = 500  # characters; a longer line is code


@dataclass(frozen=True, slots=True)
class Directive:
    """One directive: it speaks of the lines ``first`` to ``last`` (from 0, both included).

    ``names`` are the categories and rules it hides, in lower case; None means all.
    """

    first: int
    last: int
    names: frozenset[str] | None

    def hides(self, names: Collection[str]) -> bool:
        """Whether it hides a finding that goes by these names."""
        return self.names is None or not self.names.isdisjoint(names)


@dataclass(frozen=True, slots=True)
class Suppressions:
    """All directives of one text, for some of its lines and for the whole file.

    ``lines`` are in the order of the text, so both ends of what they speak of only ever grow.
    """

    lines: tuple[Directive, ...] = ()
    file: tuple[Directive, ...] = ()

    @classmethod
    def of(
        cls, text: Text, language: str | None, is_comment: Callable[[Text], Callable[[int], bool]] | None = None
    ) -> Suppressions:
        """Read the directives of a text. Never raises; a text that names none costs one search.

        ``is_comment`` is asked, where a text names one, for what knows by an offset whether a comment stands there:
        a parser knows better than we do what is text between the tags of JSX.
        """
        if not _DIRECTIVE.search(text.content):
            return cls()
        found = comments(text, language)
        if is_comment is not None:
            known = is_comment(text)
            found = [comment for comment in found if known(comment.start)]
        reach = _reach_of(found, text, language)
        lines: list[Directive] = []
        file: list[Directive] = []
        for comment in found:
            for whole_file, names in _directives(comment.text):
                directive = Directive(comment.first_line, reach(comment), names)
                (file if whole_file else lines).append(directive)
        return cls(tuple(lines), tuple(file))

    def hides(self, first: int, last: int, category: Category | str, rule: str | None = None) -> bool:
        """Whether a finding on the lines ``first`` to ``last`` (from 0, both included) is hidden."""
        names = _names_of(str(category), rule)
        start = bisect_left(self.lines, first, key=lambda directive: directive.last)
        end = bisect_right(self.lines, last, key=lambda directive: directive.first)
        return any(directive.hides(names) for directive in (*self.file, *self.lines[start:end]))

    def unknown(self, rules: Iterable[str]) -> tuple[tuple[int, str], ...]:
        """The names that are neither a category nor one of these rules, each with its directive's first line."""
        known = {name for rule in rules for name in _names_of("", rule)} | set(Category)
        written = {(each.first, name) for each in (*self.file, *self.lines) for name in each.names or ()}
        return tuple(sorted((line, name) for line, name in written if name not in known))


def _names_of(category: str, rule: str | None) -> frozenset[str]:
    """What a finding goes by: its category, its rule, and the rule without its language."""
    names = {category.lower()}
    if rule:
        language, _, short = rule.lower().partition("-")
        names |= {rule.lower(), short if language in SYNTAX and short else rule.lower()}
    return frozenset(names)


def _directives(comment: str) -> Iterator[tuple[bool, frozenset[str] | None]]:
    """The directives of one comment: whether it is for the whole file, and the names (None: all)."""
    for found in _DIRECTIVE.finditer(comment):
        if not _may_stand(comment, found.start()):
            continue
        names = frozenset(name.lower() for name in _NAME.findall(found["names"] or ""))
        if found["bracket"] is None:
            yield found["file"] is not None, None
        elif found["end"]:
            yield found["file"] is not None, names


def _may_stand(comment: str, start: int) -> bool:
    """Whether what stands before it in its line of the comment is no prose."""
    line = max(comment.rfind("\n", 0, start), comment.rfind("\r", 0, start)) + 1
    before = comment[max(line, start - _FURTHEST) : start]
    last = _SEPARATOR.split(before)[-1]
    lead = _OPENER.sub("", last, count=1)
    return not lead or _TOOL.match(lead) is not None


def _reach_of(found: list[Comment], text: Text, language: str | None) -> Callable[[Comment], int]:
    """What gives the last line that a comment speaks of; every line is passed once for all comments together."""
    attribute = re.compile(syntax_of(language).attribute or r"(?!)")
    alone: dict[int, int] = {}
    for comment in found:
        if comment.alone:
            alone[comment.first_line] = max(comment.last_line, alone.get(comment.first_line, 0))
    known: dict[int, int] = {}

    def is_attribute(line: int) -> bool:
        code = text.line(line)
        return len(code) <= _LONGEST_ATTRIBUTE and attribute.fullmatch(code) is not None

    def code_from(line: int) -> int:
        passed: list[int] = []
        while line not in known and (line in alone or is_attribute(line)):
            passed.append(line)
            line = alone.get(line, line) + 1
        end = known.get(line, line if text.line(line).strip() else line - 1)
        known.update(dict.fromkeys(passed, end))
        return end

    return lambda comment: code_from(comment.first_line) if comment.alone else comment.last_line
