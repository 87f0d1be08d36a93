"""What is said of one setting beside its value: its kind, its meaning, and who may change it how. Values only."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, dataclass, field, fields
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar, cast, dataclass_transform

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from socreates_lsp.settings.kinds import Kind

T = TypeVar("T")
FACTS = "facts"


class Tighten(Enum):
    """How somebody may change a setting who may only make it stricter."""

    ADD = "adds to the list"
    LOWER = "lowers the number"
    NARROW = "takes entries away, or replaces them by narrower ones"
    STRICTER = "chooses a stricter value"


class Client(Enum):
    """What a client may do to a setting. What it sends may come from the repository (``.vscode/settings.json``)."""

    SETS = "sets it"
    BELOW_USER = "sets it, but only tightens what config.toml, a variable or a flag says"
    TIGHTENS = "only tightens it"
    NEVER = "may not set it"


class Facts(NamedTuple):
    """``laxer_first`` orders the values for ``STRICTER``; a value that is not in it is the laxest.

    ``inside``: what a client or a workspace gives must be a path inside the workspace.
    """

    kind: Kind[object]
    doc: str
    client: Client
    workspace: bool
    tighten: Tighten | None
    laxer_first: tuple[object, ...]
    inside: bool


def key(
    default: T,
    kind: Kind[T],
    doc: str,
    *,
    client: Client = Client.SETS,
    workspace: bool = False,
    tighten: Tighten | None = None,
    laxer_first: tuple[object, ...] = (),
    inside: bool = False,
) -> T:
    """Declare a setting as a field of a frozen dataclass. Typed as its default, which is all a reader needs."""
    facts = Facts(kind, doc, client, workspace, tighten, laxer_first, inside)
    metadata: dict[str, Any] = {FACTS: facts}
    return field(default=default, metadata=metadata)


@dataclass_transform(frozen_default=True, kw_only_default=True)
class Section:
    """A frozen dataclass with a default for every field; its methods are written once, here.

    ``dataclass(frozen=True)`` compiles six methods a class, which was more than half of the time that it takes
    to import the settings, and the server needs them before it can answer ``initialize``.
    """

    def __init_subclass__(cls) -> None:
        """Make the subclass a dataclass, for ``fields`` and ``replace``."""
        dataclass(init=False, repr=False, eq=False)(cls)

    def __init__(self, **values: object) -> None:
        declared = {one.name: one.default for one in fields(cast("DataclassInstance", self))}
        if unknown := values.keys() - declared.keys():
            raise TypeError(f"{type(self).__name__} has no {', '.join(sorted(unknown))}")
        vars(self).update({**declared, **values})

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and vars(other) == vars(self)

    def __hash__(self) -> int:
        return hash((type(self), *vars(self).values()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in vars(self).items())})"
