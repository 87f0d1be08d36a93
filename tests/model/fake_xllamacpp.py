"""Stands in for the package xllamacpp in the child process: how it behaves is the name of the model's file."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

LOGS = {
    "corrupt": "0.00.084.466 E llama_model_load: error loading model: tensor 'x' is not within the file bounds\n"
    "0.00.136.503 E srv          init: exiting due to model loading error\n",
    "large": "0.02.987.377 E ggml_aligned_malloc: insufficient memory (attempted to allocate 180.00 MB)\n",
    "template": "0.04.713.114 E common_chat_templates_init: error: Unexpected token: %} of type 9\n"
    "0.04.713.171 E common_chat_templates_init: failed to initialize chat template\n",
}


def get_device_info() -> list[dict[str, int]]:
    return [{"type": 0}]


def CommonParams() -> Any:
    return SimpleNamespace(
        model=SimpleNamespace(path=""), cpuparams=SimpleNamespace(), cpuparams_batch=SimpleNamespace()
    )


class Server:
    def __init__(self, params: Any) -> None:
        print("the fake says something on its standard output", flush=True)
        self.kind = kind = Path(params.model.path).stem
        if kind in LOGS:
            sys.stderr.write(LOGS[kind])
            raise RuntimeError("Failed to init server, please check the input params.")
        if kind == "speechless":
            raise RuntimeError("Failed to <b>init</b> server.")
        if kind == "silent":
            os._exit(5)
        if kind == "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        if kind == "slow":
            time.sleep(600)
        handler = type("Handler", (Handler,), {"params": params, "kind": kind, "sick": 2 if kind == "sick" else 0})
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.listening_address = f"http://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, daemon=True).start()


class Handler(BaseHTTPRequestHandler):
    params: Any
    kind = ""
    sick = 0

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
        pass

    def do_GET(self) -> None:
        if self.sick:
            type(self).sick -= 1
            self._send(503, {"error": {"message": "Loading model", "code": 503}})
        elif self.path == "/health":
            if self.kind == "sickly":
                os._exit(3)
            else:
                self._send(200, {"status": "ok"})
        elif self._known():
            props: dict[str, Any] = {"default_generation_settings": {"n_ctx": self.params.n_ctx // 256 * 256}}
            template = getattr(self.params, "chat_template", "messages")
            if self.kind == "old":
                props["chat_template"] = template
            else:
                props["chat_template_caps"] = {"supports_tools": "tools" in template}
            self._send(200, props)

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if not self._known():
            return
        if self.kind == "crash" or (self.kind == "once" and not Path(f"{self.params.model.path}.crashed").exists()):
            Path(f"{self.params.model.path}.crashed").touch()
            sys.stderr.write("/src/ggml.c:1: GGML_ASSERT(tensor) failed\n0.02.000.000 W srv  go: bye\n")
            sys.stderr.flush()
            os._exit(7)
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        seen = {"tools": bool(body.get("tools")), "environment": dict(os.environ), "folder": os.getcwd()}
        self._say({"choices": [{"index": 0, "delta": {"content": json.dumps(seen)}}]})
        if self.kind == "half":
            sys.stderr.write("0.02.000.000 E srv  decode: out of breath\n")
            sys.stderr.flush()
            os._exit(7)
        self._say({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]})
        self.wfile.write(b"data: [DONE]\n\n")

    def _say(self, chunk: dict[str, Any]) -> None:
        self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
        self.wfile.flush()

    def _known(self) -> bool:
        known = self.headers["Authorization"] == f"Bearer {self.params.api_keys[0]}"
        if not known:
            self._send(401, {"error": {"message": "Invalid API Key", "code": 401}})
        return known

    def _send(self, status: int, body: dict[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
