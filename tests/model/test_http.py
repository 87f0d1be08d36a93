"""Proxies, certificates, and failures below the wire."""

from __future__ import annotations

import asyncio
import shutil
import ssl
import subprocess
from typing import TYPE_CHECKING

import pytest

from socreates_lsp.model import failures
from socreates_lsp.model.http import Http
from socreates_lsp.model.openai import OpenAIModel
from socreates_lsp.model.place import Key, Place, key_from, ollama_base, openai_base
from socreates_lsp.model.proxies import proxy_for
from socreates_lsp.testkit import Reply, ScriptedServer
from tests.model.talk import ask, openai_at, talk

if TYPE_CHECKING:
    from pathlib import Path

BODY = b'data: {"choices":[{"delta":{"content":"Why?"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'


@pytest.mark.parametrize(
    ("url", "environ", "proxy"),
    [
        ("https://a.example", {}, None),
        ("https://a.example", {"https_proxy": "http://p:1"}, "http://p:1"),
        ("https://a.example", {"HTTPS_PROXY": "http://p:1"}, "http://p:1"),
        ("https://a.example", {"https_proxy": "p:1", "HTTPS_PROXY": "http://q:1"}, "http://p:1"),
        ("https://a.example", {"http_proxy": "http://p:1"}, None),
        ("http://a.example", {"http_proxy": "http://p:1"}, "http://p:1"),
        ("http://a.example", {"all_proxy": "socks5://p:1"}, "socks5://p:1"),
        ("http://127.0.0.1:1", {"http_proxy": "http://p:1"}, None),
        ("http://localhost:1", {"all_proxy": "http://p:1"}, None),
        ("https://a.example", {"https_proxy": "http://p:1", "no_proxy": "*"}, None),
        ("https://a.example", {"https_proxy": "http://p:1", "NO_PROXY": "b.example, a.example"}, None),
        ("https://x.a.example", {"https_proxy": "http://p:1", "no_proxy": ".a.example"}, None),
        ("https://x.a.example", {"https_proxy": "http://p:1", "no_proxy": "*.a.example:443"}, None),
        ("https://xa.example", {"https_proxy": "http://p:1", "no_proxy": "a.example"}, "http://p:1"),
        ("https://10.1.2.3", {"https_proxy": "http://p:1", "no_proxy": "10.0.0.0/8"}, None),
        ("https://11.1.2.3", {"https_proxy": "http://p:1", "no_proxy": "10.0.0.0/8,,x/y"}, "http://p:1"),
        ("nonsense", {"all_proxy": "http://p:1"}, None),
    ],
)
def test_which_proxy(url: str, environ: dict[str, str], proxy: str | None) -> None:
    assert proxy_for(url, environ) == proxy


async def test_a_proxy_is_used_for_other_machines_only() -> None:
    url = "http://models.example/v1/chat/completions"
    with ScriptedServer(routes={url: Reply(raw=BODY)}) as proxy, ScriptedServer([Reply("local")]) as local:
        environ = {"http_proxy": proxy.url}
        far = OpenAIModel(Place("openai", "http://models.example/v1", "m"), environ)
        assert (await talk(far)).text == "Why?"
        near = OpenAIModel(Place("openai", local.openai_url, "m"), environ)
        assert (await talk(near)).text == "local"
        assert [one.path for one in proxy.asked] == [url]
    gone = await talk(OpenAIModel(Place("openai", "https://models.example", "m"), {"https_proxy": proxy.url}))
    assert isinstance(gone.error, failures.CannotConnectError)


async def test_nothing_but_what_we_read_of_the_environment_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The HTTP library would read proxies, keys in .netrc and certificates on its own."""
    with ScriptedServer() as proxy, ScriptedServer([Reply("local")]) as local:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        assert (await talk(OpenAIModel(Place("openai", local.openai_url, "m")))).text == "local"
        assert proxy.connections == 0


@pytest.mark.parametrize(
    ("proxy", "says"),
    [
        ("socks5://user:secret@p:1", "package socksio"),
        ("socks5h://user:secret@p:1", "package socksio"),
        ("socks4://user:secret@p:1", "of the kind socks4"),
        ("ftp://user:secret@p:1", "of the kind ftp"),
    ],
)
async def test_a_proxy_that_is_not_supported_is_named(proxy: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    answered = await talk(OpenAIModel(Place("openai", "https://models.example", "m"), {"all_proxy": proxy}))
    assert type(answered.error) is failures.CannotConnectError
    assert answered.error.passing is False
    assert says in str(answered.error)
    assert "secret" not in str(answered.error)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for 127.0.0.1 that nobody knows, with its key beside it."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-keyout", "key.pem", "-out", "cert.pem", "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1"],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
    return folder / "cert.pem"


async def test_a_private_authority_is_trusted_only_if_its_file_is_named(certificate: Path, tmp_path: Path) -> None:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, certificate.with_name("key.pem"))

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + BODY)
        writer.close()

    empty = tmp_path / "empty.pem"
    empty.write_text("no certificate", "utf-8")
    async with await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context) as server:
        url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"

        async def with_bundle(bundle: str | None) -> tuple[str, str]:
            model = OpenAIModel(Place("openai", url, "m", ca_bundle=bundle), {})
            answered = await talk(model, ask(tools=()))
            await model.close()
            assert answered.error is None or answered.error.passing is False
            return answered.text, str(answered.error or "")

        assert await with_bundle(str(certificate)) == ("Why?", "")
        text, error = await with_bundle(None)
        assert (text, "model.caBundle" in error, "not trusted" in error) == ("", True, True)
        for bad in (str(empty), str(tmp_path / "missing.pem")):
            text, error = await with_bundle(bad)
            assert (text, "cannot be read" in error) == ("", True)


async def test_a_connection_that_is_lost_before_the_answer_may_be_tried_again() -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        answered = await talk(OpenAIModel(Place("openai", f"http://127.0.0.1:{port}/v1", "m"), {}))
    assert type(answered.error) is failures.CannotConnectError
    assert answered.error.passing
    assert "was lost" in str(answered.error)


async def test_an_address_that_is_none() -> None:
    answered = await talk(OpenAIModel(Place("openai", "http://127.0.0.1:x/v1", "m"), {}))
    assert "is no address" in str(answered.error)


@pytest.mark.parametrize("body", [b"<html>hello</html>", b"hello", b"", b"[" * 100_000])
async def test_a_question_that_is_not_answered_in_json(body: bytes) -> None:
    with ScriptedServer(routes={"/v1/models": Reply(raw=body)}) as server:
        http = Http(Place("openai", server.openai_url, "m"), {})
        with pytest.raises(failures.RefusedRequestError, match=r"model\.baseUrl"):
            await http.ask("/models")
        await http.close()


async def test_a_question_whose_answer_does_not_end() -> None:
    with ScriptedServer(routes={"/v1/models": Reply(raw=b"{", hang=True)}) as server:
        http = Http(Place("openai", server.openai_url, "m", timeout_s=0.1), {})
        with pytest.raises(failures.TimedOutError):
            await http.ask("/models")
        await http.close()


@pytest.mark.parametrize("wire", ["openai", "ollama"])
async def test_a_web_page_is_no_answer(wire: str) -> None:
    from tests.model.talk import ollama_at

    with ScriptedServer([Reply(raw=b"<!DOCTYPE html>\n<html>x</html>")]) as server:
        answered = await talk((openai_at if wire == "openai" else ollama_at)(server))
    assert type(answered.error) is failures.RefusedRequestError
    assert "web page" in str(answered.error)


@pytest.mark.parametrize(
    ("url", "base"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/v1"),
        ("http://127.0.0.1:8080/", "http://127.0.0.1:8080/v1"),
        ("https://a.example/v1/chat/completions", "https://a.example/v1"),
        ("https://a.example/api/v3/?api-version=1", "https://a.example/api/v3?api-version=1"),
    ],
)
def test_the_base_of_the_openai_wire(url: str, base: str) -> None:
    assert openai_base(url) == base
    assert openai_base(base) == base


def test_addresses_and_keys() -> None:
    for url in ("http://h:1", "http://h:1/", "http://h:1/api", "http://h:1/v1/"):
        assert ollama_base(url) == "http://h:1"
    place = Place("openai", "https://h.example:1/v1?key=secret", "m")
    assert place.url("/models") == "https://h.example:1/v1/models?key=secret"
    assert (place.endpoint, place.host, place.local) == ("https://h.example:1", "h.example", False)
    assert Place("openai", "nonsense", "m").host == ""
    assert key_from({"A": " sk-x\n"}, "A") == Key("A", "sk-x")
    assert key_from({"A": "  "}, "A") is key_from({}, "A") is key_from({"": "x"}, "") is key_from({}, None) is None
