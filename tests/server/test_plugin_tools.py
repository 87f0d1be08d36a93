"""Plugins as a model meets them, and what ``socreates/tools`` and ``socreates/status`` tell of tools."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from socreates_lsp.testkit.script import Reply
from tests.server.talking import app_py, said, talking

if TYPE_CHECKING:
    from pathlib import Path

BAD = "class Bad:\n    name = 'bad'\n    def\n"


@pytest.fixture
def plugins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own folder of plugins, with two of them enabled that are there and one that is not."""
    folder = tmp_path / "own" / "plugins"
    folder.mkdir(parents=True)
    (folder / "bad.py").write_text(BAD)
    monkeypatch.setenv("SOCREATES_CONFIG_DIR", str(folder.parent))
    monkeypatch.setenv("SOCREATES_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("SOCREATES_PLUGINS__ENABLED", '["count_lines", "bad"]')
    return folder


async def test_a_plugin_is_offered_and_runs_and_one_that_fails_is_told(root: Path, plugins: Path) -> None:
    app_py(root)
    (root / ".env").write_text("KEY=1\n")
    async with talking(root, Reply(calls=(("count_lines", {}),)), "Two lines.") as (client, model):
        await client.request("socreates/ask", {"text": "How long is it?"})
        names = [tool["function"]["name"] for tool in model.chats[0]["tools"]]
        assert names[-1] == "count_lines"
        assert "bad" not in names
        assert said(model.chats[1])[-1] == ("tool", "2 lines in 1 files\n      2  app.py")
        status = await client.request("socreates/status", {})
        assert [(one["name"], one["state"]) for one in status["plugins"]] == [
            ("count_lines", "loaded"),
            ("bad", "failed"),
        ]
        assert status["plugins"][1]["problem"].startswith("its code cannot be read: ")
        logged = [params["message"] for params in client.seen("window/logMessage")]
        assert any("The plugin bad is not used: its code cannot be read" in one for one in logged)


async def test_a_client_cannot_enable_a_plugin(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOCREATES_STATE_DIR", str(tmp_path / "state"))
    app_py(root)
    (root / "socreates.toml").write_text('[plugins]\nenabled = ["count_lines"]\n')
    async with talking(root, "Yes.", options={"plugins": {"enabled": ["count_lines"]}}) as (client, model):
        await client.request("socreates/ask", {"text": "Is it?"})
        assert "count_lines" not in json.dumps(model.chats)
        status = await client.request("socreates/status", {})
        assert status["plugins"] == [{"name": "count_lines", "state": "not enabled", "from": "the package"}]
        assert sum("plugins.enabled" in problem for problem in status["problems"]) == 2


async def test_the_tools_are_told_with_their_permissions_and_sizes(root: Path, plugins: Path) -> None:
    app_py(root)
    (plugins / "bad.py").write_text(
        "class Bad:\n    name = 'bad'\n    description = 'Write.'\n    parameters = {'type': 'object'}\n"
        "    read_only = False\n    def execute(self, arguments, workspace):\n        return ''\n"
    )
    async with talking(root) as (client, model):
        told = await client.request("socreates/tools", {})
        by_name = {one["name"]: one for one in told["tools"]}
        assert {"list_files", "read_file", "search", "run_command", "raise_question", "remember"} < set(by_name)
        assert {name: one["permission"] for name, one in by_name.items() if not one["readOnly"]} == {
            "run_command": "asks",
            "bad": "asks",
        }
        assert (by_name["count_lines"]["source"], by_name["search"]["source"]) == ("plugin", "built in")
        assert all(0 < one["schemaTokens"] < one["schemaBytes"] for one in told["tools"])
        assert by_name["read_file"]["schemaBytes"] > by_name["bad"]["schemaBytes"]
        assert [one["name"] for one in told["plugins"]] == ["count_lines", "bad"]
        assert model.chats == []
