"""What the VS Code extension promises before it runs: the server's settings, no edits, nothing early."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

import pytest

from socreates_lsp.settings import describe

EXTENSION = Path(__file__).parents[2] / "editors" / "vscode"
PACKAGE = json.loads((EXTENSION / "package.json").read_text("utf-8"))
CONTRIBUTES = PACKAGE["contributes"]
PROPERTIES = CONTRIBUTES["configuration"]["properties"]
SOURCES = sorted((EXTENSION / "src").glob("*.ts"))


def test_its_settings_are_those_of_the_server() -> None:
    made = runpy.run_path(str(EXTENSION / "settings.py"))["properties"]()
    assert made == PROPERTIES, "run: python editors/vscode/settings.py"


def test_what_grants_or_sends_can_be_set_by_no_workspace() -> None:
    granting = [
        name for name in PROPERTIES if re.match(r"socreates\.(model|policy|web|plugins|telemetry|server)\.", name)
    ]
    assert len(granting) > 15
    assert {PROPERTIES[name]["scope"] for name in granting} == {"machine"}


def test_what_the_server_takes_from_no_editor_is_not_offered() -> None:
    never = {one.name for one in describe() if not any("editor" in source for source in (*one.sources, *one.tightens))}
    assert "policy.autoApprove" in never
    assert not {f"socreates.{name}" for name in never} & set(PROPERTIES)


@pytest.mark.parametrize("source", SOURCES, ids=lambda one: one.name)
def test_nothing_in_it_edits(source: Path) -> None:
    text = source.read_text("utf-8")
    assert not re.search(r"WorkspaceEdit|\bTextEdit\b|applyEdit|SnippetString|\.edit\(|writeFile|insertSnippet", text)


def test_every_command_has_a_function_and_the_other_way_round() -> None:
    commands = {one["command"] for one in CONTRIBUTES["commands"]}
    table = re.search(
        r"const table.*?= \{(.*?)\n  \};", (EXTENSION / "src" / "commands.ts").read_text("utf-8"), re.DOTALL
    )
    assert table is not None
    assert {f"socreates.{name}" for name in re.findall(r"^    '?([\w.]+)'?: ", table[1], re.MULTILINE)} == commands
    used = [one["command"] for menu in CONTRIBUTES["menus"].values() for one in menu if "command" in one]
    assert set(used) <= commands


def test_commands_that_need_something_given_are_not_in_the_palette() -> None:
    hidden = {one["command"] for one in CONTRIBUTES["menus"]["commandPalette"] if one["when"] == "false"}
    given = {one["command"] for one in CONTRIBUTES["commands"] if re.search(r"\.(thread|question)\.", one["command"])}
    assert given <= hidden


def test_the_lock_file_names_no_registry() -> None:
    assert "resolved" not in (EXTENSION / "package-lock.json").read_text("utf-8")
