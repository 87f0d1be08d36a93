"""The layers of the house: who may import whom, and what is not imported before it is needed."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import socreates_lsp

PACKAGE = Path(socreates_lsp.__file__).parent
NAME = "socreates_lsp"

PURE_REVIEW = {"socreates_lsp.workspace.text", "socreates_lsp.workspace.globs"}
"""What of the workspace the pure layer may use."""

MAY = {
    "errors": set(),
    "workspace": {"errors"},
    "review": {"errors"} | PURE_REVIEW,
    "settings": {"errors"},
    "examiner": {"errors", "review", "workspace"},
    "prompting": set(),
    "model": {"errors", "settings"},
    "tools": {"errors", "workspace", "settings", "prompting"},
    "memory": {"errors", "settings", "model.types"},
    "survey": {"errors", "review.counting", "review.outcome", "workspace", "tools"},
    "surveying": {"errors", "review", "workspace", "settings", "survey", "tools", "app"},
    "testkit": {"model.types"},
    "agent": {"errors", "review", "workspace", "settings", "model", "tools", "memory", "prompting", "survey"},
    "dismissals": {"errors", "review", "workspace", "settings", "memory", "prompting"},
    "dialogue": {"errors", "review", "workspace", "settings", "memory", "tools", "dismissals"},
    "wire": {"errors", "review", "workspace"},
    "run": {"errors", "review", "workspace"},
    "led": {"errors", "review"},
    "naming": {"errors", "review", "workspace"},
    "services": {
        *("errors", "review", "workspace", "settings", "prompting", "examiner"),
        *("model", "tools", "memory", "agent", "dismissals", "dialogue"),
    },
    "app": {
        *("errors", "review", "workspace", "settings", "prompting"),
        *("services", "wire", "run", "led", "naming", "status", "recheck", "surveying", "dialogue"),
    },
    "status": {"errors", "settings", "app"},
    "recheck": {"errors", "review", "workspace", "settings", "app"},
    "conversing": {"errors", "settings", "memory", "app"},
    "server": {"errors", "review", "workspace", "settings", "wire", "app"},
    "cli": {"errors", "review", "workspace", "settings", "wire", "app", "conversing"},
    "__main__": {"cli"},
    "__init__": set(),
}
"""The layers, and what each may import of ours besides itself: a layer, or a module by name. The one exception
with a reason: ``cli/serve.py`` starts the server."""

EXCEPTIONS = {("cli.serve", "server")}

ONLY = {
    "pygls": {"server"},
    "lsprotocol": {"server"},
    "rich": {"cli"},
    "prompt_toolkit": {"cli"},
    "ast_grep_py": {"examiner"},
    "yaml": {"examiner", "survey"},
    "httpx": {"model"},
    "markdown_it": {"review"},
}
"""Packages of others, and the layers that may import them."""

INPUT_OUTPUT = {
    *("asyncio", "ctypes", "fcntl", "glob", "http", "io", "mmap", "multiprocessing", "os", "pathlib", "requests"),
    *("select", "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess", "sys", "tempfile", "threading", "urllib"),
}
"""Modules that no pure layer imports; ``urllib.parse`` and ``os.path`` of it are of no use there either."""

PURE = ("review", "wire")
PURE_MODULES = ("workspace.text", "workspace.difference", "settings.keys", "settings.resolve", "settings.tighten")

LAZY = (
    "ast_grep_py",
    "yaml",
    "rich",
    "httpx",
    "prompt_toolkit",
    "opentelemetry",
    "tomllib",
    "multiprocessing",
    "markdown_it",
)
"""What the server may not have imported by the time it can answer ``initialize``."""

MODULES = sorted(PACKAGE.rglob("*.py"))


def name_of(file: Path) -> str:
    """The dotted name of a module below the package; a package's own name for its ``__init__``."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def layer_of(module: str) -> str:
    return module.split(".", maxsplit=1)[0]


def typing_only(tree: ast.Module) -> set[ast.AST]:
    """Everything below ``if TYPE_CHECKING:``, which is never run."""
    guards = [node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)]
    return {inner for guard in guards for statement in guard.body for inner in ast.walk(statement)}


def imports_of(source: str, module: str, *, is_package: bool = False) -> list[tuple[str, bool]]:
    """Every module that a source imports, in functions too, and whether it is for the type checker only."""
    tree = ast.parse(source)
    never_run = typing_only(tree)
    found: list[tuple[str, bool]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, node in never_run) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = f"{NAME}.{module}".split(".")
                base = ".".join([*package[: len(package) - node.level + is_package], *filter(None, [node.module])])
            found += [(f"{base}.{alias.name}", node in never_run) for alias in node.names]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in {
            "import_module",
            "__import__",
        }:
            argument = node.args[0] if node.args else None
            if isinstance(argument, ast.Constant):
                found.append((str(argument.value), False))
            elif isinstance(argument, ast.JoinedStr) and isinstance(argument.values[0], ast.Constant):
                found.append((f"{argument.values[0].value}*", False))
    return found


def offences(source: str, module: str, *, is_package: bool = False) -> list[str]:
    """What a module imports and may not."""
    layer, bad = layer_of(module), []
    pure = layer in PURE or module in PURE_MODULES
    for imported, for_types in imports_of(source, module, is_package=is_package):
        first = imported.split(".")[0]
        if first != NAME:
            if layer not in ONLY.get(first, {layer}):
                bad.append(f"{module} imports {imported}, which only {sorted(ONLY[first])} may")
            if pure and first in INPUT_OUTPUT and not for_types:
                bad.append(f"{module} is pure and imports {imported}")
            continue
        ours = imported.removeprefix(f"{NAME}.")
        target = layer_of(ours)
        if target in {layer, "__version__"} or (module, target) in EXCEPTIONS:
            continue
        allowed = {one.removeprefix(f"{NAME}.") for one in MAY[layer]}
        if not any(ours == one or ours.startswith(f"{one}.") for one in allowed):
            bad.append(f"{module} imports {imported}")
    return bad


@pytest.mark.parametrize("file", MODULES, ids=name_of)
def test_every_module_imports_only_what_its_layer_may(file: Path) -> None:
    module = name_of(file)
    assert layer_of(module) in MAY, "a new layer needs its line in MAY"
    assert offences(file.read_text("utf-8"), module, is_package=file.name == "__init__.py") == []


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("workspace.x", "from socreates_lsp.review.finding import Finding"),
        ("workspace.x", "def f():\n    from socreates_lsp import app"),
        ("workspace.x", "from ..review import finding"),
        ("workspace.x", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import socreates_lsp.app"),
        ("review.x", "from socreates_lsp.workspace.workspace import Workspace"),
        ("review.x", "from socreates_lsp.workspace import text, files"),
        ("review.x", "import os"),
        ("review.x", "def f():\n    from pathlib import Path"),
        ("examiner.x", "from socreates_lsp.settings import Settings"),
        ("examiner.x", "import lsprotocol.types"),
        ("settings.x", "from socreates_lsp.workspace.files import read_text"),
        ("wire", "import asyncio"),
        ("app", "from socreates_lsp.server.session import Session"),
        ("app", "from importlib import import_module\nimport_module('socreates_lsp.cli.main')"),
        ("app", "import pygls"),
        ("server.x", "from socreates_lsp.cli import main"),
        ("server.x", "from socreates_lsp.examiner.reviewer import Examiner"),
        ("server.x", "import rich.console"),
        ("cli.x", "from socreates_lsp.server.server import run"),
        ("cli.x", "import yaml"),
        ("examiner.x", "__import__('httpx')"),
    ],
)
def test_a_breach_of_each_kind_is_seen(module: str, source: str) -> None:
    assert offences(source, module)


def test_what_is_allowed_is_not_called_a_breach() -> None:
    source = "from __future__ import annotations\nimport re\nfrom socreates_lsp.workspace.text import Text\n"
    assert offences(source, "review.x") == []
    assert (
        offences("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from pathlib import Path", "review.x") == []
    )
    assert offences("from socreates_lsp.server.server import run", "cli.serve") == []


def imported_by(statement: str, *modules: str) -> list[str]:
    """Which of these modules a fresh interpreter has imported after a statement; coverage, which imports some of
    them itself, is kept out of it."""
    code = f"import sys\n{statement}\nprint(*[name for name in {modules!r} if name in sys.modules])"
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True, timeout=120, env=environment
    )
    return done.stdout.split()


def test_nothing_heavy_is_imported_before_initialize_is_answered() -> None:
    statement = "import socreates_lsp.server.server, socreates_lsp.server.transport, socreates_lsp.cli.main"
    assert imported_by(statement, *LAZY) == []


def test_making_the_services_imports_nothing_heavy_either() -> None:
    statement = "from socreates_lsp.app import App\nApp(['file:///nowhere'])"
    assert imported_by(statement, *(set(LAZY) - {"tomllib"})) == []


def test_the_pure_layers_can_be_used_without_the_rest() -> None:
    heavy = ("asyncio", "subprocess", "pygls", "lsprotocol", "ast_grep_py", "socreates_lsp.app")
    names = [name_of(file) for file in MODULES if layer_of(name_of(file)) in PURE]
    assert imported_by("\n".join(f"import {NAME}.{name}" for name in names), *heavy) == []


def test_the_server_is_not_needed_for_the_command_line() -> None:
    assert imported_by("import socreates_lsp.cli.main, socreates_lsp.cli.review", "pygls", "lsprotocol") == []
