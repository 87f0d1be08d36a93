"""The plugins that the user enabled: found, loaded off the event loop, and told of where one does not load.

One that fails is a name and a sentence, and the others work. Loaded once, as code is; looked for again when the
settings or the roots change.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from socreates_lsp.tools.plugin import SECONDS, Facts, PluginTool, UnfitPluginError, facts_of, in_thread
from socreates_lsp.tools.plugin_sources import UnusableSourceError, check_entry, content, outside, sources

if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable, Sequence

    from socreates_lsp.tools.plugin import Plugin
    from socreates_lsp.tools.plugin_sources import Source
    from socreates_lsp.tools.tool import Tool
    from socreates_lsp.tools.view import View

log = logging.getLogger(__name__)

LOAD_SECONDS = 5.0
"""How long a plugin may take to load."""

BUILT_IN = frozenset(
    {"list_files", "read_file", "search", "run_command", "raise_question", "remember", "ask_user", "delegate"}
    | {"search_docs", "search_web"}
)
"""Names that no plugin may take; whatever else a turn offers is looked at when it is offered."""


@dataclass(slots=True)
class Loaded:
    """A plugin that loaded. ``places``: files that its code came from."""

    facts: Facts
    plugin: Plugin
    where: str
    places: tuple[str, ...] = ()
    hanging: list[threading.Thread] = field(default_factory=list["threading.Thread"])


@dataclass(frozen=True, slots=True)
class Plugins:
    """What is there under the settings of a moment. ``failed``: a sentence by name. ``unused``: names of others."""

    loaded: tuple[Loaded, ...] = ()
    failed: tuple[tuple[str, str], ...] = ()
    unused: tuple[tuple[str, str], ...] = ()

    def tools(self, view: View, seconds: float, *, trusted: bool) -> tuple[Tool, ...]:
        """The tools of a root, each call of at most so many seconds; in an untrusted workspace those that only read."""
        return tuple(
            PluginTool(one.facts, one.plugin, view, one.hanging, min(seconds, SECONDS))
            for one in self.loaded
            if one.facts.read_only or trusted
        )

    def told(self) -> list[dict[str, Any]]:
        """For ``status``: every plugin with what became of it."""
        return [
            *({"name": one.facts.name, "state": "loaded", "from": one.where} for one in self.loaded),
            *({"name": name, "state": "failed", "problem": problem} for name, problem in self.failed),
            *({"name": name, "state": "not enabled", "from": where} for name, where in self.unused),
        ]


class PluginSet:
    """See the module."""

    def __init__(self, folder: Callable[[], Path], seconds: float = LOAD_SECONDS) -> None:
        """``folder`` of the user's plugins, which may not be there. Nothing is looked at yet."""
        self._folder = folder
        self._seconds = seconds
        self._lock = asyncio.Lock()
        self._key: tuple[object, ...] | None = None
        self._plugins = Plugins()
        self._known: dict[str, Loaded | str] = {}
        self._told: set[tuple[str, str]] = set()

    async def under(self, enabled: Sequence[str], roots: Sequence[str]) -> Plugins:
        """The plugins of these names, with workspaces at these roots. Never raises because of a plugin."""
        async with self._lock:
            key = (tuple(enabled), tuple(roots))
            if key != self._key:
                self._plugins = await self._look(tuple(dict.fromkeys(enabled)), roots)
                self._key = key
            return self._plugins

    async def _look(self, enabled: Sequence[str], roots: Sequence[str]) -> Plugins:
        folder = await asyncio.to_thread(self._folder)
        found = await asyncio.to_thread(sources, folder)
        loaded: list[Loaded] = []
        failed: list[tuple[str, str]] = []
        by_name = {name: [one for one in found if one.name == name] for name in enabled}
        ones = await asyncio.gather(*(self._one(name, of, roots, folder) for name, of in by_name.items()))
        for (name, of_name), one in zip(by_name.items(), ones, strict=True):
            if isinstance(one, str):
                failed.append((name, one))
            else:
                loaded.append(one)
            failed += [(name, f"it is in {other.where} too, and that one is not used") for other in of_name[1:]]
        self._tell(failed)
        unused = tuple((one.name, one.where) for one in found if one.name not in enabled)
        return Plugins(tuple(loaded), tuple(failed), unused)

    async def _one(self, name: str, found: Sequence[Source], roots: Sequence[str], folder: Path) -> Loaded | str:
        """A plugin, or why there is none; one that was loaded before is looked at for where it is now."""
        if not found:
            return f"there is no such plugin: it would be {folder / name}.py, or come with a package"
        if name in BUILT_IN:
            return "a tool of ours has that name"
        source = found[0]
        known = self._known.get(name)
        if known is None:
            known = await self._load(source, roots)
            if isinstance(known, str):
                return known
            self._known[name] = known
        if isinstance(known, str):
            return known
        try:
            for place in known.places:
                await asyncio.to_thread(outside, Path(place), roots)
        except UnusableSourceError as error:
            return str(error)
        return known

    async def _load(self, source: Source, roots: Sequence[str]) -> Loaded | str:
        """Run a plugin's code in a thread, for so long at most."""
        try:
            _, done = in_thread(lambda: _loaded(source, roots), f"loading {source.name}")
            async with asyncio.timeout(self._seconds):
                return cast("Loaded", await done)
        except TimeoutError:
            late = f"it took more than {self._seconds:g} seconds to load"
            self._known[source.name] = late  # its code still runs, and is not run again beside itself
            return late
        except (UnusableSourceError, UnfitPluginError) as error:
            return str(error)
        except SyntaxError as error:
            return f"its code cannot be read: {error.msg}, line {error.lineno}"
        except Exception as error:
            log.debug("The plugin %s failed to load.", source.name, exc_info=error)
            words = " ".join(str(error).split())[:200]
            return f"its code failed: {type(error).__name__}{f': {words}' if words else ''}"

    def _tell(self, failed: Iterable[tuple[str, str]]) -> None:
        """Log what is new."""
        for name, problem in failed:
            if (name, problem) not in self._told:
                self._told.add((name, problem))
                log.warning("The plugin %s is not used: %s.", name, problem)


def _loaded(source: Source, roots: Sequence[str]) -> Loaded:
    """Run a plugin's code. Raises whatever it raises, UnusableSourceError and UnfitPluginError."""
    if source.entry is not None:
        check_entry(source.entry, roots)
        made = source.entry.load()
        module = sys.modules.get(source.entry.module)
        places = (file,) if isinstance(file := getattr(module, "__file__", None), str) else ()
        for place in places:
            outside(Path(place), roots)
        classes = [made] if isinstance(made, type) else []
    else:
        text, file = content(source, roots)
        places = (file,) if not source.where.startswith("the package") else ()
        classes = _classes(_module(source.name, text, file), source.name)
    if len(classes) != 1:
        raise UnfitPluginError(f"it has {'no' if not classes else 'more than one'} class whose name is {source.name}")
    plugin = classes[0]()
    facts = facts_of(plugin)
    if facts.name != source.name:
        raise UnfitPluginError(f"it calls itself {facts.name}, which is not the name that you enabled")
    return Loaded(facts, cast("Plugin", plugin), source.where, places)


def _module(name: str, text: bytes, file: str) -> ModuleType:
    """The module of a file, run. No compiled copy of it is read or left."""
    module = ModuleType(f"socreates_plugin_{name}")
    module.__file__ = file
    sys.modules[module.__name__] = module  # dataclasses look their module up there
    try:
        exec(compile(text, file, "exec"), module.__dict__)  # noqa: S102  (the user enabled it)
    except BaseException:
        del sys.modules[module.__name__]
        raise
    return module


def _classes(module: ModuleType, name: str) -> list[type]:
    """The classes that a module defines and that have a plugin's name; or that lack one, where it is the only one."""
    own = [one for one in vars(module).values() if isinstance(one, type) and one.__module__ == module.__name__]
    named = [one for one in own if getattr(one, "name", None) == name]
    return named or (own if len(own) == 1 else [])
