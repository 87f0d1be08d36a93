"""Files of CI: GitHub's (and Gitea's, Forgejo's) workflows and GitLab's: the jobs, and the lines that they run."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from socreates_lsp.survey.facts import Command, Fact, Manifest, Purpose, Warned
from socreates_lsp.survey.purposes import purpose_of_line
from socreates_lsp.survey.where import bare
from socreates_lsp.survey.yaml_lines import read_yaml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from socreates_lsp.survey.where import Lines
    from socreates_lsp.survey.yaml_lines import Yaml

_MOST_JOBS, _MOST_STEPS = 100, 100
_GITLAB_WORDS = frozenset(
    {
        "default",
        "include",
        "stages",
        "variables",
        "workflow",
        "image",
        "services",
        "cache",
        "before_script",
        "after_script",
        "pages",
        "spec",
    }
)
_HEAD = re.compile(r"\s*(?:ref|repository):\s*([^#]*github\.(?:event\.pull_request\.head|head_ref)[^#]*?)\s*(?:#.*)?$")
_MOVING = re.compile(r"([\w.-]+/[\w./-]+)@(main|master|develop|HEAD)\Z")


def read_workflow(lines: Lines) -> Manifest:
    """A workflow of GitHub's. Raises BrokenError."""
    top = read_yaml(lines.content)
    facts: list[Fact] = []
    commands: list[Command] = []
    risks: list[Warned] = []
    name = top.get("name")
    if name.text:
        facts.append(Fact("name", name.text, lines.place(name.line, name.text)))
    for job, value in islice(top.get("jobs").pairs(), _MOST_JOBS):
        facts.append(Fact("job", job, lines.place(value.line, job)))
        for step in value.get("steps").items()[:_MOST_STEPS]:
            run, uses = step.get("run"), step.get("uses")
            if run.text:
                commands += _commands(run, lines, job)
            if uses.text and (match := _MOVING.match(uses.text)):
                place = lines.place(uses.line, uses.text)
                risks.append(
                    Warned("the action {0} is taken from a branch: what it does can change", (match[0],), place)
                )
    trigger = top.get("on")
    named = [key for key, _ in trigger.pairs()] + [one.text for one in trigger.items() if one.text]
    if "pull_request_target" in named or trigger.text == "pull_request_target":
        risks += _foreign(lines)
    return Manifest(
        lines.path,
        "GitHub Actions",
        facts=(*facts, *_triggers(trigger, named, lines)),
        commands=tuple(commands),
        risks=tuple(risks),
    )


def _foreign(lines: Lines) -> Iterator[Warned]:
    """Where a workflow that has the rights of the repository takes the code of whoever asks to merge."""
    for number, line in enumerate(lines.lines, start=1):
        if (match := _HEAD.match(line)) is not None:
            sentence = "it runs on pull_request_target, with the rights of the repository, and checks out {0} of others"
            yield Warned(sentence, (match[1],), lines.place(number, match[1]))


def _triggers(trigger: Yaml, named: list[str], lines: Lines) -> Iterator[Fact]:
    for one in [*named, *([trigger.text] if trigger.text else [])]:
        place = next(
            (found for line in range(trigger.line, trigger.last_line + 1) if (found := lines.place(line, one)).line),
            None,
        )
        if place is not None:
            yield Fact("trigger", one, place)


def read_gitlab(lines: Lines) -> Manifest:
    """``.gitlab-ci.yml``. Raises BrokenError."""
    facts: list[Fact] = []
    commands: list[Command] = []
    for job, value in islice(read_yaml(lines.content).pairs(), _MOST_JOBS):
        script = value.get("script")
        if job in _GITLAB_WORDS or job.startswith(".") or not script.is_there:
            continue
        facts.append(Fact("job", job, lines.place(value.line, job)))
        for one in script.items()[:_MOST_STEPS] or [script]:
            if one.text:
                commands += _commands(one, lines, job)
    return Manifest(lines.path, "GitLab CI", facts=tuple(facts), commands=tuple(commands))


def _commands(value: Yaml, lines: Lines, job: str) -> Iterator[Command]:
    """The lines of a script that do something, each where it stands."""
    wanted = [line.strip() for line in (value.text or "").split("\n")]
    start, last = value.first_line, value.last_line
    for line in filter(None, wanted):
        purpose = purpose_of_line(line)
        if line.startswith("#") or purpose is Purpose.OTHER:
            continue
        at = next(
            (n for n in range(start, last + 1) if n <= len(lines.lines) and bare(line) in bare(lines.lines[n - 1])),
            None,
        )
        if at is not None:
            yield Command(line, "", purpose, lines.place(at, line), job)
