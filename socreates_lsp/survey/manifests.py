"""Which files are manifests, and who reads which. Pure; never raises."""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING

from socreates_lsp.survey.facts import Manifest
from socreates_lsp.survey.where import BrokenError, Lines

if TYPE_CHECKING:
    from collections.abc import Iterable

_READERS = (
    (r"composer\.json", "Composer", "composer", "read"),
    (r"package\.json", "npm", "package_json", "read"),
    (r"pyproject\.toml", "Python", "pyproject", "read"),
    (r"(?:[\w.-]*requirements[\w.-]*|requirements/[\w.-]+)\.txt", "pip", "requirements", "read"),
    (r"Cargo\.toml", "Cargo", "cargo", "read"),
    (r"go\.(?:mod|work)", "Go", "go_mod", "read"),
    (r"pom\.xml", "Maven", "pom", "read"),
    (r"(?:build|settings)\.gradle(?:\.kts)?", "Gradle", "others", "read_gradle"),
    (
        r"(?:Dockerfile|Containerfile)(?:\.(?!dockerignore)[\w.-]+)?|[\w.-]+\.[Dd]ockerfile",
        "Docker",
        "dockerfile",
        "read",
    ),
    (r"(?:docker-)?compose(?:\.[\w-]+)*\.ya?ml", "Compose", "compose", "read"),
    (r"(?:GNUm|M|m)akefile|\.?[Jj]ustfile", "Make", "makefile", "read"),
    (r"pnpm-workspace\.yaml", "pnpm", "others", "read_pnpm"),
    (r"lerna\.json", "Lerna", "others", "read_lerna"),
)
_CI = (
    (r"\.(?:github|gitea|forgejo)/workflows/[^/]+\.ya?ml", "GitHub Actions", "ci", "read_workflow"),
    (r"\.gitlab-ci\.ya?ml", "GitLab CI", "ci", "read_gitlab"),
)
_BY_NAME = tuple((re.compile(rf"(?:.*/)?(?:{name})\Z"), *rest) for name, *rest in _READERS)
_BY_PATH = tuple((re.compile(rf"{path}\Z"), *rest) for path, *rest in _CI)

_OTHER_CI = re.compile(
    r"(?:\.circleci/config\.ya?ml|azure-pipelines\.ya?ml|(?:.*/)?Jenkinsfile|\.travis\.ya?ml|bitbucket-pipelines\.ya?ml"
    r"|\.?appveyor\.ya?ml|\.drone\.ya?ml|\.cirrus\.ya?ml|\.buildkite/.+|\.woodpecker(?:/.+|\.ya?ml)|\.ci/.+|\.builds/.+"
    r"|cloudbuild\.ya?ml|\.semaphore/.+|buildspec\.ya?ml)\Z"
)
LOCKS = {
    "composer.lock": "Composer",
    "package-lock.json": "npm",
    "npm-shrinkwrap.json": "npm",
    "yarn.lock": "npm",
    "pnpm-lock.yaml": "npm",
    "bun.lock": "npm",
    "bun.lockb": "npm",
    "deno.lock": "npm",
    "poetry.lock": "Python",
    "uv.lock": "Python",
    "pdm.lock": "Python",
    "Pipfile.lock": "Python",
    "pylock.toml": "Python",
    "requirements.lock": "Python",
    "Cargo.lock": "Cargo",
    "go.sum": "Go",
    "gradle.lockfile": "Gradle",
}
"""Lock files, and the kind of manifest that each belongs to."""


def is_manifest(path: str) -> bool:
    """Whether a file is read as a manifest."""
    return _reader_of(path) is not None


def is_ci(path: str) -> bool:
    """Whether a file belongs to CI, read or not."""
    return any(pattern.match(path) for pattern, *_ in _BY_PATH) or _OTHER_CI.match(path) is not None


def order_of(paths: Iterable[str]) -> list[str]:
    """Manifests, those nearest to the root first."""
    return sorted(paths, key=lambda path: (0 if path.startswith(".") else path.count("/"), path.count("/"), path))


def read_manifest(path: str, content: str) -> Manifest:
    """What a manifest says; why it could not be read is in its ``problem``."""
    reader = _reader_of(path)
    assert reader is not None, "only manifests are read"
    kind, module, name = reader
    empty = Manifest(path, kind)
    if not content.strip():
        return empty.broken("it is empty")
    read = getattr(import_module(f"socreates_lsp.survey.readers.{module}"), name)
    try:
        return read(Lines(path, content))
    except BrokenError as error:
        return empty.broken(str(error), error.line)
    except RecursionError:
        return empty.broken("it is nested too deeply")


def _reader_of(path: str) -> tuple[str, str, str] | None:
    for pattern, kind, module, name in (*_BY_PATH, *_BY_NAME):
        if pattern.match(path):
            return kind, module, name
    return None
