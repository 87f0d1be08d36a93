"""The prompts: plain files. The user's own under ``prompts/`` of the config folder take their place."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_LONGEST = 40_000
"""Characters of a prompt that are taken."""


def prompt(name: str, config: Path | None) -> str:
    """The text of a prompt, such as ``instructions``; the user's own if there is one that can be read."""
    if config is not None:
        try:
            own = (config / "prompts" / f"{name}.md").read_text("utf-8", "replace").strip()
        except OSError:
            own = ""
        if own:
            return own[:_LONGEST]
    return (files(__name__) / f"{name}.md").read_text("utf-8").strip()
