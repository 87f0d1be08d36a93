"""What a survey knows of a project: values only. Paths are relative to the root with forward slashes, lines from 1."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands. ``line`` None: the whole file, or folder (its path ends in a slash).

    ``quote`` stands word by word on ``line`` (white space aside); ``last`` is the last line of several.
    """

    path: str
    line: int | None = None
    last: int | None = None
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A value of a manifest, such as its name, and where it stands."""

    key: str
    value: str
    place: Place


@dataclass(frozen=True, slots=True)
class Dependency:
    """Something that a manifest asks for. ``version`` is the constraint as it stands there; ``dev``: not to run it.

    ``bound`` False: the constraint lets in whatever is released next. ``local``: another part of the same repository.
    """

    name: str
    version: str
    place: Place
    dev: bool = False
    bound: bool = True
    local: bool = False
    managed: bool = False
    """Whether the version is set elsewhere: by a parent, a platform, a workspace."""


class Purpose(StrEnum):
    """What a command is for."""

    TEST = "test"
    LINT = "lint"
    BUILD = "build"
    RUN = "run"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Command:
    """Something that is run: how one calls it, what then runs (verbatim; empty where it says the same), and where.

    ``job`` names the job of a CI file that runs it.
    """

    call: str
    runs: str
    purpose: Purpose
    place: Place
    job: str = ""


@dataclass(frozen=True, slots=True)
class Mapping:
    """A namespace and the folder that holds it, as an autoloader of PHP (PSR-4) has it."""

    prefix: str
    folder: str
    place: Place
    dev: bool = False


@dataclass(frozen=True, slots=True)
class Image:
    """An image that something is built from or runs. ``name`` is the stage or the service."""

    image: str
    place: Place
    name: str = ""
    pinned: bool = True


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a program begins: ``what`` it is, in words of ours, and its place."""

    what: str
    place: Place


@dataclass(frozen=True, slots=True)
class Warned:
    """A risk that stands in one file, in a sentence of ours in which ``{0}``, ``{1}`` are words of the file."""

    sentence: str
    words: tuple[str, ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Manifest:
    """What was read of one manifest. ``kind`` names what it belongs to; ``problem`` says why it could not be read."""

    path: str
    kind: str
    facts: tuple[Fact, ...] = ()
    dependencies: tuple[Dependency, ...] = ()
    commands: tuple[Command, ...] = ()
    mappings: tuple[Mapping, ...] = ()
    members: tuple[Fact, ...] = ()
    """Patterns of the folders of a workspace with several packages."""
    images: tuple[Image, ...] = ()
    entries: tuple[Entry, ...] = ()
    risks: tuple[Warned, ...] = ()
    problem: str = ""
    problem_line: int | None = None
    library: bool = False
    """Whether it is made to be used by others, who choose the versions themselves."""

    @property
    def folder(self) -> str:
        """The folder it stands in, empty for the root."""
        return self.path.rpartition("/")[0]

    def fact(self, key: str) -> Fact | None:
        """The first fact of a kind."""
        return next((one for one in self.facts if one.key == key), None)

    def broken(self, problem: str, line: int | None = None) -> Manifest:
        """The same file, which could not be read."""
        return replace(Manifest(self.path, self.kind), problem=problem, problem_line=line)


@dataclass(slots=True)
class Folder:
    """A folder of the real tree, summed up with all below it."""

    path: str
    files: int = 0
    size: int = 0
    languages: dict[str, int] = field(default_factory=dict[str, int])
    """Files of each language."""
    folders: dict[str, Folder] = field(default_factory=dict[str, "Folder"])


@dataclass(frozen=True, slots=True)
class Documentation:
    """A file of documentation that a dependency brings along, with its first headings."""

    package: str
    path: str
    headings: tuple[Fact, ...]
    """Each with its anchor as the key."""


@dataclass(frozen=True, slots=True)
class Hits:
    """What the examiner asks of one file: how often by each rule, most first. ``place`` is the first of the first."""

    path: str
    rules: tuple[tuple[str, int], ...]
    place: Place


@dataclass(frozen=True, slots=True)
class Examination:
    """What the examiner looked at, and the files that it asks most of."""

    examined: int
    sources: int
    questions: int
    hits: tuple[Hits, ...] = ()
    unfinished: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that was read off a project."""

    name: str
    tree: Folder
    manifests: tuple[Manifest, ...] = ()
    unread: int = 0
    """Manifests that were too many to be read."""
    locks: tuple[str, ...] = ()
    untracked_locks: tuple[str, ...] = ()
    """Lock files that lie on the disk and are ignored."""
    ci: tuple[str, ...] = ()
    tests: tuple[Entry, ...] = ()
    entries: tuple[Entry, ...] = ()
    large: tuple[Entry, ...] = ()
    secrets: tuple[str, ...] = ()
    """Files named like secrets that git tracks; not to be told to a model."""
    documents: tuple[Documentation, ...] = ()
    vendored: tuple[Entry, ...] = ()
    """Folders of dependencies that were left out."""
    sources: tuple[str, ...] = ()
    """Sources for the examiner, the largest first, as many as it is given."""
    source_count: int = 0
    """How many there are."""
    matching: tuple[str, ...] = ()
    """Files and folders whose names match the focus."""
    paths: frozenset[str] = frozenset()
    """Every file that was seen."""
    notes: tuple[str, ...] = ()
    examination: Examination | None = None
