"""A plugin as a tool: what its class has to say, what it is given to read, and how long it may take.

A plugin is code of the user's choice and runs with the user's rights; nothing here could stop it from more. But what it
is given reads, within ``policy.readDeny``, and holds nothing that edits.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import logging
import re
import threading
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from socreates_lsp.errors import SocreatesError
from socreates_lsp.tools.arguments import checked
from socreates_lsp.tools.bounded import clipped
from socreates_lsp.tools.refusal import ToolRefusalError, answered
from socreates_lsp.tools.tool import ToolResult

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from socreates_lsp.tools.view import View

log = logging.getLogger(__name__)

SECONDS = 20.0
"""How long one call may take."""

MEMBERS = ("name", "description", "parameters", "read_only", "execute")

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
"""What every wire takes as the name of a tool."""

_TYPES = frozenset({"string", "integer", "number", "boolean", "array", "object"})
_LONGEST_DESCRIPTION, _LONGEST_SCHEMA = 1000, 6000
"""Characters; both stand in every request."""

_MOST_HANGING = 2
"""Calls of one plugin that have run out of time and still run, after which it is not called again."""

_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Reader(Protocol):
    """What a plugin is given of the workspace, as the editor shows it. Both raise an error with a sentence for a path
    that is not there, or that is kept from the model."""

    def files(self, folder: str = "") -> tuple[str, ...]:
        """The paths of the files below a folder, relative to the root, without ignored ones."""
        ...

    def read(self, path: str) -> str:
        """The text of a file."""
        ...


class Plugin(Protocol):
    """What the class of a plugin has. It is made without arguments, once."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    read_only: bool

    def execute(self, arguments: dict[str, Any], workspace: Reader) -> object:
        """Do it: a text for the model, or what JSON can say."""
        ...


class Facts(NamedTuple):
    """What a plugin says of itself, checked and copied: it cannot say otherwise later."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    read_only: bool


class UnfitPluginError(SocreatesError):
    """A class that is no plugin; the text says why."""


def facts_of(plugin: object) -> Facts:
    """What a plugin says of itself. Raises UnfitPluginError for one that lacks something, or says what no wire takes.

    What the plugin's own code raises comes through.
    """
    missing = [name for name in MEMBERS if not _has(plugin, name)]
    if missing:
        raise UnfitPluginError(f"it has no {' and no '.join(missing)}")
    name, description, parameters, read_only, execute = (cast("object", getattr(plugin, one)) for one in MEMBERS)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise UnfitPluginError("its name is none for a tool: letters, digits, _ and -, at most 64")
    if not isinstance(description, str) or not 0 < len(description.strip()) <= _LONGEST_DESCRIPTION:
        raise UnfitPluginError(f"its description has to be a text of 1 to {_LONGEST_DESCRIPTION} characters")
    if not isinstance(read_only, bool):
        raise UnfitPluginError("its read_only has to be True or False")
    if not callable(execute) or inspect.iscoroutinefunction(execute):
        raise UnfitPluginError("its execute has to be a plain method")
    return Facts(name, description.strip(), _schema(parameters), read_only)


def _has(plugin: object, name: str) -> bool:
    return getattr(plugin, name, None) is not None


def _schema(parameters: object) -> Mapping[str, Any]:
    """The schema, copied. Raises UnfitPluginError for one that calls cannot be checked against."""
    try:
        text = json.dumps(parameters, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise UnfitPluginError("its parameters are no JSON schema") from None
    if len(text) > _LONGEST_SCHEMA:
        raise UnfitPluginError(f"its parameters have more than {_LONGEST_SCHEMA} characters")
    schema: Any = json.loads(text)
    if not isinstance(schema, dict) or cast("dict[str, Any]", schema).get("type") != "object":
        raise UnfitPluginError('its parameters have to be a JSON schema of type "object"')
    schema = cast("dict[str, Any]", schema)
    properties = schema.setdefault("properties", {})
    if not isinstance(properties, dict):
        raise UnfitPluginError("the properties of its parameters have to be an object")
    for name, facts in cast("dict[str, Any]", properties).items():
        kind = cast("dict[str, Any]", facts).get("type") if isinstance(facts, dict) else None
        if not isinstance(kind, str) or kind not in _TYPES:
            raise UnfitPluginError(f"its parameter {name} has no type, which is one of {', '.join(sorted(_TYPES))}")
        if not isinstance(cast("dict[str, Any]", facts).get("enum", []), list):
            raise UnfitPluginError(f"the enum of its parameter {name} has to be a list")
    required = schema.get("required", [])
    if not isinstance(required, list) or any(name not in properties for name in cast("list[Any]", required)):
        raise UnfitPluginError("the required of its parameters have to be names of properties")
    return schema


class PluginTool:
    """A plugin over one root. ``hanging`` has a thread for each of its calls that still runs: shared by all roots."""

    asks = False

    def __init__(
        self, facts: Facts, plugin: Plugin, view: View, hanging: list[threading.Thread], seconds: float = SECONDS
    ) -> None:
        """``seconds``: how long a call may take."""
        self.name, self.description, self.parameters, self.read_only = facts
        self._execute = plugin.execute
        self._view = view
        self._hanging = hanging
        self._seconds = seconds

    async def run(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        """See ``Tool``. A call that takes too long is left alone: a thread cannot be ended, and reads nothing more."""
        return await answered(self._run(arguments, limit), limit)

    async def _run(self, arguments: Mapping[str, Any], limit: int) -> ToolResult:
        given = checked(self.name, arguments, self.parameters)
        self._hanging[:] = [thread for thread in self._hanging if thread.is_alive()]
        if len(self._hanging) >= _MOST_HANGING:
            raise ToolRefusalError(f"Earlier calls of {self.name} have not come to an end: go on without it.")
        reader, stop = reading(self._view)
        thread, done = in_thread(lambda: self._execute(given, reader), f"plugin {self.name}")
        try:
            async with asyncio.timeout(self._seconds):
                result = await done
        except TimeoutError:
            self._hanging.append(thread)
            raise ToolRefusalError(f"{self.name} took more than {self._seconds:g} seconds: go on without it.") from None
        except asyncio.CancelledError:
            self._hanging.append(thread)
            raise
        except SocreatesError:
            raise
        except Exception as error:
            log.warning("The plugin %s failed: %s.", self.name, type(error).__name__)
            log.debug("The plugin %s failed.", self.name, exc_info=error)
            raise ToolRefusalError(f"{self.name} failed ({type(error).__name__}): go on without it.") from error
        finally:
            stop()
        return ToolResult(_bounded(_text(result), limit))


def reading(view: View) -> tuple[Reader, Callable[[], None]]:
    """What a plugin is given to read, and what ends that. Its methods hold the view, and it has no other member."""
    stopped = threading.Event()

    def go_on() -> None:
        if stopped.is_set():
            raise ToolRefusalError("Nobody waits for this call any more.")

    class Workspace:
        """See ``Reader``."""

        __slots__ = ()

        def files(self, folder: str = "") -> tuple[str, ...]:
            go_on()
            return view.files(view.paths.resolve(folder or ".")).paths

        def read(self, path: str) -> str:
            go_on()
            return view.document(path).text.content

    return Workspace(), stopped.set


def in_thread(work: Callable[[], object], name: str) -> tuple[threading.Thread, asyncio.Future[object]]:
    """Do somebody else's work in a thread that keeps no process alive, and what it comes to. Needs a running loop.

    Whatever it raises is what the future raises, an exit as a RuntimeError.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[object] = loop.create_future()

    def settle(result: object, error: BaseException | None) -> None:
        if done.done():
            return
        if error is None:
            done.set_result(result)
        else:
            done.set_exception(error if isinstance(error, Exception) else RuntimeError(type(error).__name__))

    def run() -> None:
        result, failed = None, None
        try:
            result = work()
        except BaseException as error:
            failed = error
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, result, failed)

    thread = threading.Thread(target=run, name=name, daemon=True)
    thread.start()
    return thread, done


def _text(result: object) -> str:
    """What the model reads of a result."""
    if isinstance(result, str):
        text = result
    elif result is None:
        text = ""
    else:
        text = json.dumps(result, ensure_ascii=False, default=str)
    text = _CONTROLS.sub("", text.replace("\r\n", "\n"))
    return text if text.strip() else "It has nothing to say."


def _bounded(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    note = f"\n[cut: {len(text):,} characters]"
    return f"{text[: max(limit - len(note), 0)]}{note}" if limit > len(note) else clipped(text, limit)
