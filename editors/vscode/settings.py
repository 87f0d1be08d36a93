"""The settings of the VS Code extension, made of the server's own: ``python editors/vscode/settings.py`` writes them.

What only the user's own files, variables and flags may set is not offered, as the server takes it from no editor. What
grants or sends has the scope ``machine``, so that no workspace can set it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from socreates_lsp.settings import describe

if TYPE_CHECKING:
    from socreates_lsp.settings import KeyDoc

PACKAGE = Path(__file__).with_name("package.json")
MACHINE = ("model.", "policy.", "web.", "plugins.", "telemetry.", "embeddings.")
SERVER = {
    "socreates.server.command": {
        "type": "array",
        "items": {"type": "string"},
        "default": [],
        "scope": "machine",
        "order": 0,
        "markdownDescription": (
            "How the server is started: a program and its arguments. Without it, it is looked for in the selected "
            "Python environment, on PATH, and, after a question, with uvx or pipx."
        ),
    }
}


def properties() -> dict[str, Any]:
    """``contributes.configuration.properties`` of ``package.json``."""
    offered = [one for one in describe() if any("editor" in source for source in (*one.sources, *one.tightens))]
    return SERVER | {f"socreates.{one.name}": _property(one, order) for order, one in enumerate(offered, start=1)}


def _property(one: KeyDoc, order: int) -> dict[str, Any]:
    told = [one.doc, f"Default: {_shown(one.default)}."]
    if "editor settings" in one.tightens:
        told.append("Here it can only be made stricter.")
    return {
        **({"type": "string"} if "enum" in one.schema else {}),
        **{name: value for name, value in one.schema.items() if name != "description"},
        **({} if one.default is None else {"default": _plain(one.default)}),
        "scope": "machine" if one.name.startswith(MACHINE) else "resource",
        "order": order,
        "markdownDescription": " ".join(told),
    }


def _plain(value: object) -> object:
    """A whole number without a point."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _shown(value: object) -> str:
    if value is None or value == []:
        return "none"
    if isinstance(value, list) and len(value) > 6:
        return f"{len(value)} patterns"
    return f"`{json.dumps(_plain(value), ensure_ascii=False)}`"


def main() -> None:
    """Write them into ``package.json``."""
    package = json.loads(PACKAGE.read_text("utf-8"))
    package["contributes"]["configuration"]["properties"] = properties()
    PACKAGE.write_text(json.dumps(package, indent=2, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main())
