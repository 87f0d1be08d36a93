"""Plugins: found where the user put them and never in a workspace, each failing by itself, with nothing that edits."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from importlib import metadata
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.settings.schema import READ_DENY
from socreates_lsp.tools import plugin_sources
from socreates_lsp.tools.plugin import facts_of, reading
from socreates_lsp.tools.plugin_set import PluginSet
from socreates_lsp.tools.refusal import ToolRefusalError
from socreates_lsp.tools.view import View
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from socreates_lsp.tools.plugin_set import Plugins
    from socreates_lsp.tools.tool import ToolResult

PLUGIN = """
class Plugin:
    name = "{name}"
    description = "Say something."
    parameters = {{"type": "object", "properties": {{"word": {{"type": "string"}}}}}}
    read_only = {read_only}
    def execute(self, arguments, workspace):
        {body}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The user's folder of plugins."""
    made = tmp_path / "config" / "plugins"
    made.mkdir(parents=True)
    return made


@pytest.fixture
def view(root: Path) -> View:
    (root / "a.py").write_text("one\ntwo\n")
    (root / ".env").write_text("KEY=1\n")
    (root / "deep").mkdir()
    (root / "deep" / "b.txt").write_text("three")
    return View(str(root), Workspace([uris.from_path(str(root))]), READ_DENY)


def write(folder: Path, name: str, body: str = 'return "said"', read_only: bool = True, before: str = "") -> Path:
    path = folder / f"{name}.py"
    path.write_text(before + PLUGIN.format(name=name, body=body, read_only=read_only))
    return path


async def under(folder: Path, *enabled: str, roots: tuple[str, ...] = ()) -> Plugins:
    return await PluginSet(lambda: folder, 60.0).under(enabled, roots)


async def ran(plugins: Plugins, view: View, arguments: dict[str, Any], limit: int = 1000, **more: Any) -> ToolResult:
    (tool,) = plugins.tools(view, more.pop("seconds", 60.0), trusted=True)
    return await tool.run(arguments, limit)


async def test_the_sample_counts_the_lines_that_the_model_may_see(folder: Path, view: View) -> None:
    plugins = await under(folder, "count_lines")
    assert (await ran(plugins, view, {})).text == "3 lines in 2 files\n      2  a.py\n      1  deep/b.txt"
    assert (await ran(plugins, view, {"folder": "deep"})).text == "1 lines in 1 files\n      1  deep/b.txt"
    assert (await ran(plugins, view, {"ending": ".py"})).text == "2 lines in 1 files\n      2  a.py"
    refused = await ran(plugins, view, {"folder": "../.."})
    assert refused.failed
    assert "outside" in refused.text


async def test_nothing_is_loaded_that_is_not_enabled(folder: Path, tmp_path: Path) -> None:
    write(folder, "loud", before=f"open({str(tmp_path / 'ran')!r}, 'w').close()\n")
    plugins = await under(folder)
    assert (plugins.loaded, plugins.failed) == ((), ())
    assert {name for name, _ in plugins.unused} == {"count_lines", "loud"}
    assert not (tmp_path / "ran").exists()
    assert (await under(folder, "loud")).loaded
    assert (tmp_path / "ran").exists()


async def test_a_plugin_that_fails_is_named_with_its_fault_and_the_others_work(
    folder: Path, view: View, caplog: pytest.LogCaptureFixture
) -> None:
    write(folder, "good", 'return arguments["word"] + "!"')
    (folder / "broken.py").write_text("class Broken:\n  def\n")
    (folder / "lost.py").write_text("import no_such_module_anywhere\n")
    (folder / "quits.py").write_text("raise SystemExit(3)\n")
    (folder / "half.py").write_text("class Half:\n  name = 'half'\n  description = 'x'\n")
    (folder / "none.py").write_text("x = 1\n")
    write(folder, "other").rename(folder / "another.py")
    write(folder, "search")
    typed = write(folder, "typed")
    typed.write_text(typed.read_text().replace('"string"', '"text"'))
    odd = write(folder, "odd name")
    assert odd.exists()
    names = ("broken", "lost", "quits", "half", "none", "another", "search", "typed", "odd name", "absent", "good")
    with caplog.at_level(logging.WARNING):
        plugins = await under(folder, *names)
    failed = dict(plugins.failed)
    assert [one.facts.name for one in plugins.loaded] == ["good"]
    assert set(failed) == set(names) - {"good"}
    assert failed["broken"].startswith("its code cannot be read: ")
    assert failed["broken"].endswith("line 2")
    assert failed["lost"] == "its code failed: ModuleNotFoundError: No module named 'no_such_module_anywhere'"
    assert failed["quits"] == "its code failed: RuntimeError: SystemExit"
    assert failed["half"] == "it has no parameters and no read_only and no execute"
    assert failed["none"] == "it has no class whose name is none"
    assert failed["another"] == "it calls itself other, which is not the name that you enabled"
    assert failed["search"] == "a tool of ours has that name"
    assert "its parameter word has no type" in failed["typed"]
    assert "its name is none for a tool" in failed["odd name"]
    assert str(folder / "absent.py") in failed["absent"]
    assert all(f"The plugin {name} is not used: " in caplog.text for name in failed)
    assert (await ran(plugins, view, {"word": "yes"})).text == "yes!"
    assert "socreates_plugin_quits" not in sys.modules


async def test_a_plugin_that_loads_slowly_holds_nobody_up(folder: Path, view: View) -> None:
    release = threading.Event()
    sys.modules["held_by_a_test"] = type(sys)("held_by_a_test")
    sys.modules["held_by_a_test"].release = release  # type: ignore[attr-defined]
    try:
        write(folder, "slow", before="from held_by_a_test import release\nrelease.wait(60)\n")
        write(folder, "good")
        plugin_set = PluginSet(lambda: folder, seconds=0.3)
        await plugin_set.under(["slow"], [])
        plugin_set._seconds = 60.0
        plugins = await plugin_set.under(["slow", "good"], [])
        assert dict(plugins.failed) == {"slow": "it took more than 0.3 seconds to load"}, "its code runs but once"
        assert (await ran(plugins, view, {})).text == "said"
    finally:
        release.set()
        del sys.modules["held_by_a_test"]


@pytest.mark.parametrize("place", ["folder in the workspace", "link to the workspace", "folder is a link"])
async def test_a_workspace_brings_no_code_along(tmp_path: Path, root: Path, place: str) -> None:
    inside = root / "plugins"
    inside.mkdir()
    write(inside, "evil", before=f"open({str(tmp_path / 'ran')!r}, 'w').close()\n")
    folder = tmp_path / "config" / "plugins"
    if place == "folder in the workspace":
        folder = inside
    elif place == "link to the workspace":
        folder.mkdir(parents=True)
        (folder / "evil.py").symlink_to(inside / "evil.py")
    else:
        folder.parent.mkdir(parents=True)
        folder.symlink_to(inside, target_is_directory=True)
    plugins = await under(folder, "evil", roots=(str(root),))
    assert plugins.loaded == ()
    assert "lies in the workspace" in dict(plugins.failed)["evil"]
    assert not (tmp_path / "ran").exists()
    assert (await under(folder, "evil", roots=(str(tmp_path / "elsewhere"),))).loaded, "it would load elsewhere"


async def test_a_workspace_that_is_a_link_is_seen_through(tmp_path: Path, root: Path, folder: Path) -> None:
    (tmp_path / "link").symlink_to(folder.parent, target_is_directory=True)
    write(folder, "evil")
    plugins = await under(folder, "evil", roots=(str(tmp_path / "link"),))
    assert "lies in the workspace" in dict(plugins.failed)["evil"]


async def test_a_loaded_plugin_leaves_when_its_folder_becomes_a_workspace(folder: Path, view: View) -> None:
    write(folder, "good")
    plugins = PluginSet(lambda: folder)
    assert (await plugins.under(["good"], [])).loaded
    assert not (await plugins.under(["good"], [str(folder.parent)])).loaded
    assert (await plugins.under(["good"], [])).loaded
    assert not (await plugins.under([], [])).loaded


class Entry:
    """The distribution of an entry point."""

    name = "somebody"

    def __init__(self, at: Path) -> None:
        self.at = at

    def locate_file(self, name: str) -> Path:
        return self.at / name


@pytest.fixture
def entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path], None]:
    """Have an entry point whose module lies in a folder."""

    def make(place: Path) -> None:
        place.mkdir(parents=True, exist_ok=True)
        text = PLUGIN.format(name="from_afar", body='return "afar"', read_only=True)
        (place / "afar_of_a_test.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()\n{text}")
        monkeypatch.syspath_prepend(str(place))
        monkeypatch.delitem(sys.modules, "afar_of_a_test", raising=False)
        point = metadata.EntryPoint("from_afar", "afar_of_a_test:Plugin", plugin_sources.GROUP)
        vars(point).update(dist=Entry(tmp_path / "site"))
        monkeypatch.setattr(plugin_sources.metadata, "entry_points", lambda group: [point])

    return make


async def test_an_entry_point_is_found_and_one_into_a_workspace_is_not_followed(
    entry: Callable[[Path], None], tmp_path: Path, root: Path, folder: Path, view: View
) -> None:
    entry(root)
    plugins = await under(folder, "from_afar", roots=(str(root),))
    assert "lies in the workspace" in dict(plugins.failed)["from_afar"]
    assert not (tmp_path / "ran").exists()
    entry(tmp_path / "site")
    plugins = await under(folder, "from_afar", roots=(str(root),))
    assert (await ran(plugins, view, {})).text == "afar"
    assert plugins.told()[0] == {"name": "from_afar", "state": "loaded", "from": "the package somebody"}
    sys.modules.pop("afar_of_a_test", None)


async def test_the_first_of_two_with_one_name_is_used_and_the_other_told(folder: Path, view: View) -> None:
    write(folder, "count_lines")
    plugins = await under(folder, "count_lines")
    assert "3 lines" in (await ran(plugins, view, {})).text
    assert dict(plugins.failed)["count_lines"] == f"it is in {folder} too, and that one is not used"


async def test_what_a_plugin_is_given_reads_within_read_deny_and_has_nothing_else(view: View) -> None:
    workspace, stop = reading(view)
    assert {name for name in dir(workspace) if not name.startswith("__")} == {"files", "read"}
    assert workspace.files() == ("a.py", "deep/b.txt")
    assert workspace.read("a.py") == "one\ntwo\n"
    for path in (".env", "../x", "/etc/passwd", ".socreates/memory.json", "gone.py"):
        with pytest.raises(ToolRefusalError):
            workspace.read(path)
    with pytest.raises(AttributeError):
        workspace.read = lambda _: ""  # type: ignore[method-assign]
    stop()
    with pytest.raises(ToolRefusalError, match="Nobody waits"):
        workspace.read("a.py")


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ('return {"lines": [1, 2]}', '{"lines": [1, 2]}'),
        ("return None", "It has nothing to say."),
        ('return "a\\x1b[31mb\\r\\nc"', "a[31mb\nc"),
        ('raise KeyError("the key itself")', "good failed (KeyError): go on without it."),
        ("raise SystemExit", "good failed (RuntimeError): go on without it."),
        ('return workspace.read(".env")', ".env is kept from you by policy.readDeny: go on without it."),
        ('arguments["word"] = 3; return arguments', '{"word": 3}'),
    ],
)
async def test_whatever_a_plugin_does_is_a_result(folder: Path, view: View, body: str, told: str) -> None:
    write(folder, "good", body)
    given = {"word": "x"}
    assert (await ran(await under(folder, "good"), view, given)).text == told
    assert given == {"word": "x"}


async def test_a_result_is_bounded_and_says_so_and_wrong_arguments_do_not_reach_the_plugin(
    folder: Path, view: View, tmp_path: Path
) -> None:
    write(folder, "good", f'open({str(tmp_path / "ran")!r}, "w").close(); return "x" * 5000')
    plugins = await under(folder, "good")
    wrong = await ran(plugins, view, {"word": 3})
    assert (wrong.failed, (tmp_path / "ran").exists()) == (True, False)
    long = (await ran(plugins, view, {}, 300)).text
    assert len(long) == 300
    assert long.endswith("x\n[cut: 5,000 characters]")
    assert len((await ran(plugins, view, {}, 5)).text) == 5


async def test_a_call_that_does_not_end_is_left_and_a_plugin_that_hangs_is_not_called_again(
    folder: Path, view: View
) -> None:
    release, calls = threading.Event(), list[int]()
    sys.modules["held_by_a_test"] = type(sys)("held_by_a_test")
    vars(sys.modules["held_by_a_test"]).update(release=release, calls=calls)
    try:
        write(
            folder,
            "good",
            "calls.append(1); release.wait(60); return workspace.read('a.py')",
            before="from held_by_a_test import calls, release\n",
        )
        plugins = await under(folder, "good")
        late = await ran(plugins, view, {}, seconds=0.05)
        assert (late.failed, late.text) == (True, "good took more than 0.05 seconds: go on without it.")
        task = asyncio.create_task(ran(plugins, view, {}))
        while len(calls) < 2:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert "have not come to an end" in (await ran(plugins, view, {})).text
        assert len(calls) == 2
        release.set()
        while any(thread.is_alive() for thread in plugins.loaded[0].hanging):
            await asyncio.sleep(0.01)
        assert (await ran(plugins, view, {})).text == "one\ntwo\n"
    finally:
        release.set()
        del sys.modules["held_by_a_test"]


async def test_one_that_does_more_than_read_says_so_and_is_kept_out_of_an_untrusted_workspace(
    folder: Path, view: View
) -> None:
    write(folder, "good", read_only=False)
    plugins = await under(folder, "good")
    (tool,) = plugins.tools(view, 1.0, trusted=True)
    assert (tool.read_only, tool.asks) == (False, False)
    assert plugins.tools(view, 1.0, trusted=False) == ()


def test_a_plugin_cannot_change_what_it_said() -> None:
    class Sly:
        name = "sly"
        description = " Words. "
        parameters: dict[str, Any] = {"type": "object"}  # noqa: RUF012
        read_only = True

        def execute(self, arguments: dict[str, Any], workspace: Any) -> str:
            return ""

    sly = Sly()
    facts = facts_of(sly)
    sly.read_only, sly.parameters["type"] = False, "x"
    assert facts == ("sly", "Words.", {"type": "object", "properties": {}}, True)
