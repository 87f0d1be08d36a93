"""``Dockerfile`` (docs.docker.com/reference/dockerfile)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.survey.facts import Entry, Image, Manifest, Warned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socreates_lsp.survey.where import Lines

_FROM = re.compile(r"(?:--\S+\s+)*(\S+)(?:\s+as\s+(\S+))?", re.IGNORECASE)
_UNPRIVILEGED = re.compile(r"nonroot|rootless|unprivileged|distroless\S*:debug-nonroot")
_HEREDOC = re.compile(r"<<-?[\"']?(\w+)")


def read(lines: Lines) -> Manifest:
    """What it is built from, what it starts, and as whom."""
    images: list[Image] = []
    entries: list[Entry] = []
    user: tuple[int, str] | None = None
    stages: set[str] = set()
    for number, word, rest in _instructions(lines):
        if word == "FROM" and (match := _FROM.match(rest)):
            image, stage = match[1], match[2] or ""
            if image.lower() in stages:
                user = user if images and images[-1].name.lower() == image.lower() else None
            else:
                user = None
            images.append(Image(image, lines.place(number, image), stage, image.lower() in stages or pinned(image)))
            entries.clear()
            stages |= {stage.lower()} if stage else set()
        elif word == "USER" and rest:
            user = (number, rest.split()[0])
        elif word in {"CMD", "ENTRYPOINT"}:
            entries = [one for one in entries if one.what != f"what the container starts ({word})"]
            entries.append(Entry(f"what the container starts ({word})", lines.place(number, rest)))
    return Manifest(
        lines.path,
        "Docker",
        images=tuple(images),
        entries=tuple(entries),
        risks=tuple(_risks(lines, images, user)),
    )


def pinned(image: str) -> bool:
    """Whether an image has a tag other than ``latest``, or a digest; one that a variable names may have."""
    name = image.rpartition("/")[2]
    return image.lower() == "scratch" or "$" in image or "@" in name or (":" in name and not name.endswith(":latest"))


def _risks(lines: Lines, images: list[Image], user: tuple[int, str] | None) -> Iterator[Warned]:
    for one in images:
        if not one.pinned:
            yield Warned(
                "the image {0} has no fixed tag: a build next month may use another one", (one.image,), one.place
            )
    if not images or _UNPRIVILEGED.search(images[-1].image):
        return
    if user is None:
        sentence = "the last stage sets no USER, so what it starts runs as that of {0}, mostly root"
        yield Warned(sentence, (images[-1].image,), images[-1].place)
    elif user[1].partition(":")[0] in {"root", "0"}:
        yield Warned("what the container starts runs as {0}", (user[1],), lines.place(user[0], user[1]))


def _instructions(lines: Lines) -> Iterator[tuple[int, str, str]]:
    """Each instruction with its line (from 1), its word in capitals and what follows on that line and its
    continuations, joined by blanks."""
    number, total = 0, len(lines.lines)
    while number < total:
        number += 1
        begin, line = number, lines.lines[number - 1].strip()
        if not line or line.startswith("#"):
            continue
        parts = [line.removesuffix("\\")]
        while line.endswith("\\") and number < total:
            number += 1
            line = lines.lines[number - 1].strip()
            if not line.startswith("#"):
                parts.append(line.removesuffix("\\"))
            else:
                line = "\\"
        for mark in _HEREDOC.findall(parts[0]) if parts[0][:4].upper() in {"RUN ", "COPY", "ADD "} else []:
            while number < total and lines.lines[number].strip() != mark:
                number += 1
            number += 1
        word, _, rest = parts[0].partition(" ")
        yield (
            begin,
            word.upper(),
            rest.strip()
            if len(parts) == 1 or word.upper() in {"CMD", "ENTRYPOINT"}
            else " ".join([rest, *parts[1:]]).strip(),
        )
