"""How the process of a command is kept from the rest of the machine: the one seam for it. Today it is not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from socreates_lsp.settings.choices import Sandbox
from socreates_lsp.tools.refusal import ToolRefusalError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True)
class Isolation:
    """``wrapped`` turns a command and the folder that it runs in into what is really started.

    ``told`` is the sentence in the prompt about what the command can still do.
    """

    wrapped: Callable[[Sequence[str], str], Sequence[str]]
    told: str


def _as_it_is(argv: Sequence[str], folder: str) -> Sequence[str]:  # noqa: ARG001
    return argv


NONE = Isolation(
    _as_it_is,
    "It is not isolated beyond that: it can use the network, and reach what you can, such as any file by its full path "
    "and your other processes.",
)


def isolation(sandbox: Sandbox) -> Isolation:
    """The best isolation that there is here. Raises ToolRefusalError if one is required and there is none."""
    if sandbox is Sandbox.REQUIRED:
        raise ToolRefusalError(
            "No command may run: policy.sandbox is required, and nothing here can isolate a command. Go on by reading."
        )
    return NONE
