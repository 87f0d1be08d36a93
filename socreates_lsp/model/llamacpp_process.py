"""llama.cpp's own server in a child process: started, asked whether it is well, and ended. It never outlives us."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import secrets
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from socreates_lsp.model.context_size import props_tokens
from socreates_lsp.model.diagnosis import clean
from socreates_lsp.model.failures import ModelError, TimedOutError
from socreates_lsp.model.http import Http
from socreates_lsp.model.openai import OpenAIModel
from socreates_lsp.model.place import Key, Place
from socreates_lsp.model.untyped import count, parsed, table, words

if TYPE_CHECKING:
    from collections.abc import Mapping

_CHILD = Path(__file__).with_name("llamacpp_child.py")
_END_S = 1.0
"""How long a server may take to end, before it is killed."""

_POLL_S = 0.05
_MOST_WORDS = 16 * 1024
_MOST_LINE = 64 * 1024
_KILLED = 9

_PASSED_ON = (
    *("PATH", "HOME", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "WINDIR"),
    *("USERPROFILE", "APPDATA", "LOCALAPPDATA", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES"),
    *("HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "HSA_OVERRIDE_GFX_VERSION", "GGML_VK_VISIBLE_DEVICES"),
    *("OMP_NUM_THREADS", "OMP_WAIT_POLICY"),
)
"""The variables that the server gets: what a process needs, and what chooses a graphics card. No keys."""

_LOGGED = re.compile(r"^[\d.]+ ([A-Z]) (?:\w+ +)?\w+: +(.*)$")
_NO_ROOM = re.compile(r"insufficient memory|failed to allocate|out of memory|cannot allocate|bad_alloc", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Spec:
    """What is to be served. ``folder`` holds the package xllamacpp; ``context`` in tokens; ``load_s`` to load in."""

    path: Path
    name: str
    context: int
    template: str | None
    folder: str
    load_s: float


class LlamaProcess:
    """One process, from its start to its end. ``start`` gives a running one."""

    def __init__(self, spec: Spec, process: asyncio.subprocess.Process) -> None:
        """Take what it serves, and the process whose output is to be read."""
        self._spec, self._process = spec, process
        self._said = bytearray()
        self._listening = asyncio.create_task(self._listen())
        self.context, self.tools = spec.context, False
        self.place = Place("llamacpp", "http://127.0.0.1", spec.name)
        self.model = OpenAIModel(self.place, {})

    @staticmethod
    async def start(spec: Spec, environ: Mapping[str, str]) -> LlamaProcess:
        """Start, and load the model. Raises ModelError where that fails, and leaves no process then."""
        key = secrets.token_urlsafe(32)
        try:
            process = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", "-X", "utf8", str(_CHILD)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                # Not the workspace: llama.cpp looks for its parts in the current folder too.
                cwd=_CHILD.parent,
                env=environment(environ),
                limit=_MOST_LINE,
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            raise ModelError(f"llama.cpp could not be started: {error.strerror or error}.") from None
        one = LlamaProcess(spec, process)
        try:
            async with asyncio.timeout(spec.load_s):
                await one._load(key)
        except TimeoutError:
            await one.stop(patient=False)
            raise TimedOutError(
                f"llama.cpp has not loaded {spec.name} in {spec.load_s:g} seconds: "
                "it may be too large for the machine, or model.timeoutSeconds too short."
            ) from None
        except BaseException:
            await one.stop(patient=False)
            raise
        return one

    @property
    def alive(self) -> bool:
        """Whether it still runs, as far as is known at once."""
        return self._process.returncode is None

    @property
    def pid(self) -> int:
        """The process."""
        return self._process.pid

    async def ended(self) -> bool:
        """Whether it has ended, or is just doing so: its connections close a little earlier."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), _END_S)
        return not self.alive

    async def stop(self, *, patient: bool = True) -> None:
        """End it, and wait for that. ``patient``: it may end by itself, which takes a moment."""
        await self.model.close()
        if self._process.stdin is not None:
            self._process.stdin.close()
        if not (patient and await self.ended()):
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
        await asyncio.wait([self._listening], timeout=_END_S)
        self._listening.cancel()

    def crashed(self) -> ModelError:
        """The failure of a server that ended by itself."""
        return ModelError(f"llama.cpp ended while it answered ({self._how}){self._told()}.")

    async def _load(self, key: str) -> None:
        spec = self._spec
        config = {
            "folder": spec.folder,
            "path": str(spec.path),
            "name": spec.name,
            "context": spec.context,
            "template": spec.template,
            "key": key,
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(ConnectionError):
            self._process.stdin.write(json.dumps(config).encode() + b"\n")
            await self._process.stdin.drain()
        line = await self._process.stdout.readline()
        said = _read(line)
        port = count(said.get("port"))
        if not port:
            raise await self._not_loaded(words(said.get("error")))
        self.place = Place("llamacpp", f"http://127.0.0.1:{port}/v1", spec.name, Key("of llama.cpp", key), "")
        self.model = OpenAIModel(self.place, {})
        await self._look(f"http://127.0.0.1:{port}")

    async def _look(self, root: str) -> None:
        """Wait until it says that it is well, and ask what it is."""
        http = Http(self.place, {})
        try:
            while words(table(await self._asked(http, "/health", root)).get("status")) != "ok":
                if not self.alive:
                    raise await self._not_loaded("")
                await asyncio.sleep(_POLL_S)
            props = table(await http.ask("/props", root=root))
        finally:
            await http.close()
        self.context = props_tokens(props) or self.context
        can = table(props.get("chat_template_caps")).get("supports_tools")
        self.tools = can if isinstance(can, bool) else "tools" in words(props.get("chat_template"))

    async def _asked(self, http: Http, path: str, root: str) -> object:
        try:
            return await http.ask(path, root=root)
        except ModelError as failure:
            if failure.passing:
                return None
            raise

    async def _not_loaded(self, error: str) -> ModelError:
        await self.ended()
        await asyncio.wait([self._listening], timeout=_END_S)
        name, text = self._spec.name, self._said.decode("utf-8", "replace")
        if self._process.returncode == -_KILLED or _NO_ROOM.search(f"{text}{error}"):
            return ModelError(
                f"There is not enough memory to load {name} with a context of {self._spec.context} tokens: "
                "set model.contextTokens lower, or take a smaller file."
            )
        # Our own part of the process ends with 1, after words that say enough.
        how = "" if self._process.returncode == 1 else f" ({self._how})"
        told = self._told(error)
        if "chat template" in text:
            where = "in model.chatTemplate" if self._spec.template is not None else f"of {name}"
            return ModelError(f"llama.cpp cannot use the chat template {where}{how}{told}.")
        return ModelError(f"llama.cpp cannot load {name}{how}{told}.")

    def _told(self, error: str = "") -> str:
        """What was said of a failure: while it loads the first error, which is the cause, else the last one.

        ``error`` is what our own part of the process says; it and the last line stand in where there is none.
        """
        lines = [line for line in self._said.decode("utf-8", "replace").splitlines() if line.strip()]
        errors = [match[2] for line in lines if (match := _LOGGED.match(line)) and match[1] == "E"]
        fatal = [line for line in lines if "GGML_ASSERT" in line or "terminate called" in line]
        loading = self.place.key is None
        best = [*errors[:1], *fatal] if loading else [*fatal, *errors[-1:]]
        first = next(filter(None, (*best, error, *lines[-1:])), "")
        told = clean(first, self.place).rstrip(" .")
        return f": {told}" if told else ""

    @property
    def _how(self) -> str:
        """How it ended."""
        code = self._process.returncode or 0
        if code == -_KILLED:
            return "it was killed, perhaps for want of memory"
        with contextlib.suppress(ValueError):
            if code < 0:
                return signal.Signals(-code).name
        return f"exit code {code}"

    async def _listen(self) -> None:
        """Keep its last words; nothing of it reaches our own output."""
        assert self._process.stderr is not None
        while piece := await self._process.stderr.read(4096):
            self._said += piece
            del self._said[:-_MOST_WORDS]


def _read(line: bytes) -> Mapping[str, object]:
    """What the process says of itself; nothing where it ended without a word."""
    try:
        return table(parsed(line))
    except ValueError:
        return {}


def environment(environ: Mapping[str, str]) -> dict[str, str]:
    """What the server gets of an environment. Where it fails it is not to start a debugger, which ggml would."""
    passed = {name: value for name, value in environ.items() if name.upper() in _PASSED_ON}
    return passed | {"GGML_NO_BACKTRACE": "1"}
