"""What of a model's survey may stand: every section is there, every claim has a source that was read and exists. Pure.

A claim without a source, or with one that was not read, is marked; a path that does not exist is no source: its label
is taken out, and it is named as what it is, a word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

from socreates_lsp.agent.source_labels import Origin, labels
from socreates_lsp.review.outcome import Ground
from socreates_lsp.survey.claims import Section
from socreates_lsp.survey.markdown import words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from socreates_lsp.agent.source_labels import Label
    from socreates_lsp.survey.facts import Facts
    from socreates_lsp.survey.report import Report

UNVERIFIED = "[unverified]"
"""What stands behind a claim that rests on nothing that was read."""

READ_OFF = "*The model wrote nothing here; this was read off the files.*"

_HEADING = re.compile(
    r"\s{0,3}(?:#{1,6}\s*|\*\*|__)?(?:\d+[.)]\s*)?(Architecture|Dependencies|Risks|Commands)\b[^\w\n]*$", re.IGNORECASE
)
_TITLE = re.compile(r"\s{0,3}#{1,6}\s")
_ITEM = re.compile(r"(\s*)(?:[-*+]|\d{1,3}[.)])\s+\S")
_FENCE = re.compile(r"\s*(```|~~~)")
_RULE = re.compile(r"[\s|:-]+\Z")
_MARKED = re.compile(r"\s*[(\[]unverified[)\]]", re.IGNORECASE)
_PATH = re.compile(r"(?<![\w/.:@\\#-])((?:[\w.@+-]+/)+(?:[\w.@+-]*[\w@+-])?)(?![\w/:\\])")
_ENDING = re.compile(r"\.[A-Za-z]\w{0,5}\Z")
_NO_PATHS = frozenset({"application", "text", "image", "audio", "video", "multipart", "origin", "refs", "heads", "and"})
"""What stands before a slash in words that are no paths: types of media, branches."""

_MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class CheckedReport:
    """The report as it is shown, what its claims rest on, and how many of them rest on nothing that was read."""

    markdown: str
    sources: tuple[Ground, ...]
    unverified: int


class Known:
    """What there is in a project, and what was read of it."""

    def __init__(
        self, facts: Facts, report: Report, knows: Callable[[Label], bool], length: Callable[[str], int | None]
    ) -> None:
        """``knows``: whether a label names what was read in the conversation; ``length``: lines of a file."""
        self._files = facts.paths | {one.path for one in facts.documents}
        self._folders = {path[: end + 1] for path in self._files for end in _ends(path)} | {"", "./"}
        self._packages = {one.name.lower() for manifest in facts.manifests for one in manifest.dependencies}
        self._told = {
            (one.origin, one.reference.partition(":")[0], *_lines_of(one.reference)) for one in report.sources()
        }
        self._knows = knows
        self._length = length

    def exists(self, path: str) -> bool:
        """Whether there is such a file or folder."""
        return path in self._files or f"{path.rstrip('/')}/" in self._folders or path in self._folders

    def is_there(self, word: str) -> bool:
        """Whether a word that looks like a path is one, also seen from a folder within, or the name of a package."""
        bare = word.rstrip("/").removeprefix("./")
        if self.exists(bare) or bare.lower() in self._packages:
            return True
        return any(path.endswith(f"/{bare}") or f"/{bare}/" in path for path in self._files)

    def holds(self, label: Label) -> bool:
        """Whether what a label names exists."""
        if label.origin is Origin.DOCS:
            return self.exists(path_of(label))
        if label.origin is not Origin.REPO:
            return True
        path = path_of(label)
        if not self.exists(path):
            return False
        count = self._length(path) if label.last is not None else None
        return label.last is None or (count is not None and label.last < count)

    def was_read(self, label: Label) -> bool:
        """Whether what a label names was read, or stands in what the model was told."""
        if self._knows(label):
            return True
        path = path_of(label)
        if label.origin is Origin.DOCS:
            cited = label.reference if "#" in label.reference else None
            told = [known for origin, known, *_ in self._told if origin == "docs"]
            return cited in told or (cited is None and any(known.partition("#")[0] == path for known in told))
        if label.origin is not Origin.REPO:
            return False
        if label.line is None or label.last is None:
            return f"{path.rstrip('/')}/" in self._folders or any(known == path for _, known, *_ in self._told)
        return any(known == path and first <= label.line and label.last <= last for _, known, first, last in self._told)


def path_of(label: Label) -> str:
    """The path that a label names."""
    path = label.path if label.origin is Origin.REPO else label.reference.partition("#")[0]
    return re.sub(r"%(5[BbDd]|60)", lambda found: unquote(found[0]), path)


def check(text: str, report: Report, known: Known) -> CheckedReport:
    """A model's text as the body of a report, with the sections that it lacks as they were read off the files."""
    written = sections_of(text)
    parts: list[str] = []
    sources: list[Ground] = []
    unverified = 0
    for section in Section:
        body = written.get(section, "")
        if not body:
            parts.append(f"## {section.value}\n\n{READ_OFF}\n\n{report.body(section)}")
            sources += [one for claim in report.sections[section] for one in claim.sources()]
            continue
        lines: list[str] = []
        for claim in _claims(body.split("\n")):
            shown, found, holds = _checked(claim, known)
            lines += shown
            sources += found
            unverified += not holds
        parts.append(f"## {section.value}\n\n" + "\n".join(lines))
    return CheckedReport("\n\n".join(parts), tuple(dict.fromkeys(sources)), unverified)


def sections_of(text: str) -> dict[Section, str]:
    """The sections of a text; what stands before the first is no part of any, and the same heading again goes on."""
    found: dict[Section, list[str]] = {}
    here: list[str] | None = None
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark:
            fence = "" if fence == mark[1] else fence or mark[1]
        heading = None if fence else _HEADING.match(line)
        if heading and (line.lstrip().startswith(("#", "*", "_")) or line.strip().rstrip(":").istitle()):
            here = found.setdefault(Section(heading[1].capitalize()), [])
        elif here is not None:
            here.append(line)
    return {section: body for section, lines in found.items() if (body := "\n".join(lines).strip("\n")).strip()}


@dataclass(frozen=True, slots=True)
class _Claim:
    """Lines that say one thing; ``claims`` False: they only hold others together."""

    lines: tuple[str, ...]
    claims: bool


def _claims(lines: Sequence[str]) -> Iterator[_Claim]:
    number = 0
    while number < len(lines):
        begin = number
        line = lines[number]
        number += 1
        if mark := _FENCE.match(line):
            while number < len(lines) and not lines[number].lstrip().startswith(mark[1]):
                number += 1
            number += 1
            yield _Claim(tuple(lines[begin:number]), claims=False)
        elif not line.strip() or _TITLE.match(line) or _RULE.match(line):
            yield _Claim((line,), claims=False)
        elif line.lstrip().startswith("|"):
            heads = number < len(lines) and "-" in lines[number] and bool(_RULE.match(lines[number]))
            yield _Claim((line,), claims=not heads)
        else:
            while number < len(lines) and _goes_on(lines[number]):
                number += 1
            whole = tuple(lines[begin:number])
            following = next((one for one in lines[number:] if one.strip()), "")
            introduces = whole[-1].rstrip(" *_").endswith(":") and bool(_ITEM.match(following))
            yield _Claim(whole, claims=not introduces)


def _goes_on(line: str) -> bool:
    """Whether a line goes on with what the one before it says."""
    return bool(line.strip()) and not (
        _ITEM.match(line) or _TITLE.match(line) or _FENCE.match(line) or line.lstrip().startswith("|")
    )


def _checked(claim: _Claim, known: Known) -> tuple[list[str], list[Ground], bool]:
    """The lines of a claim as they are shown, what it rests on, and whether it may stand unmarked."""
    if not claim.claims:
        return list(claim.lines), [], True
    text = _MARKED.sub("", "\n".join(claim.lines))
    text, found, gone, doubtful = _with_labels(text, known)
    gone += [word for word in _paths(text) if not known.is_there(word)]
    if found and not gone and not doubtful:
        return text.split("\n"), found, True
    named = ", ".join(words(word, 80) for word in dict.fromkeys(gone[:_MOST_NAMED]))
    mark = f"{UNVERIFIED} (not there: {named})" if gone else UNVERIFIED
    if text.rstrip().endswith("|"):
        return [f"{text.rstrip()[:-1].rstrip()} {mark} |"], found, False
    return f"{text.rstrip()} {mark}".split("\n"), found, False


def _with_labels(text: str, known: Known) -> tuple[str, list[Ground], list[str], bool]:
    """A text without the labels of what does not exist; what the others name, the paths that went, and whether any of
    those that are left was not read."""
    pieces: list[str] = []
    found: list[Ground] = []
    gone: list[str] = []
    doubtful = False
    end = 0
    for label in labels(text):
        if not known.holds(label):
            pieces.append(text[end : label.span[0]].rstrip(" "))
            end = label.span[1]
            if known.exists(path_of(label)):
                doubtful = True
                pieces.append(f" ({words(label.reference, 80)} is past its end)")
            else:
                gone.append(path_of(label))
        elif known.was_read(label):
            found.append(Ground(label.origin.value, label.reference))
        else:
            doubtful = True
    return "".join([*pieces, text[end:]]), found, gone, doubtful


def _paths(text: str) -> Iterable[str]:
    """Words of a claim that look like paths, beside its labels."""
    spans = [label.span for label in labels(text)]
    bare = "".join(char for at, char in enumerate(text) if not any(start <= at < stop for start, stop in spans))
    for match in _PATH.finditer(bare):
        word = match[1]
        first, last = word.split("/")[0], word.rstrip("/").rpartition("/")[2]
        quoted = bare[: match.start()].endswith("`") and bare[match.end() :].startswith("`")
        looks = (
            quoted or word.endswith("/") or (bool(_ENDING.search(last)) and not first.endswith((".com", ".org", ".io")))
        )
        if looks and first.lower() not in _NO_PATHS and not bare[: match.start()].endswith("//"):
            yield word


def _ends(path: str) -> Iterator[int]:
    end = path.find("/")
    while end >= 0:
        yield end
        end = path.find("/", end + 1)


def _lines_of(reference: str) -> tuple[int, int]:
    """The lines of a reference, from 0; of one without lines none, as the first is behind the last."""
    match = re.search(r":(\d+)(?:-(\d+))?\Z", reference)
    return (int(match[1]) - 1, int(match[2] or match[1]) - 1) if match else (1, 0)
