"""Cases written down as lines of JSON, and how they are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def read_cases(name: str) -> list[dict[str, Any]]:
    """The cases of a file; a line with ``files`` alone gives the files of the cases below it that have none."""
    cases: list[dict[str, Any]] = []
    shared: dict[str, Any] = {}
    for line in (Path(__file__).parent / f"{name}.jsonl").read_text("utf-8").split("\n"):
        case = json.loads(line) if line else None
        if case is not None and "id" in case:
            cases.append(shared | case)
        elif case is not None:
            shared = case
    return cases
