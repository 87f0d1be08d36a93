"""An address that was refused: no default stands in for it, and nothing is named by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from socreates_lsp.settings import (
    Layer,
    Reach,
    Resolved,
    Source,
    config_layer,
    from_client,
    from_environment,
    from_flags,
    from_table,
    resolve,
)
from socreates_lsp.settings.consent import endpoints
from socreates_lsp.settings.doubt import meant_address

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

OPENAI = "https://api.openai.com/v1"
GOOD = "http://127.0.0.1:8080/v1"
WRONG: list[object] = [
    "127.0.0.1:8080/v1",
    "http://localhost.:8080/v1",
    [GOOD],
    {},
    3,
    "",
    " ",
    "http://h/v1?key=sk-x",
    f"{GOOD}#",
]
TYPOS = ["baseurl", "base-url", "baseURL", "BASE_URL", "url", "endpoint", "host", "apiBase", "api_base", "base_uri"]


def by_config(**model: object) -> Layer:
    return from_table({"model": {"provider": "openai", **model}}, Source.CONFIG)


def by_client(**model: object) -> Layer:
    return from_client({"model": {"provider": "openai", **model}})


def assert_in_doubt(resolved: Resolved, key: str = "model.baseUrl") -> None:
    """Nothing goes anywhere, nobody is asked about a host that nobody named, and the problem is told."""
    assert set(resolved.unsure) == {key}
    assert resolved.unsure[key] in {problem.message for problem in resolved.problems}
    assert (resolved.needs_consent, resolved.refused) == (frozenset(), frozenset())
    assert resolved.named == frozenset()
    assert resolved.reach(OPENAI) is Reach.ASK


@pytest.mark.parametrize("make", [by_config, by_client])
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_address_leaves_no_address(make: Callable[..., Layer], wrong: object) -> None:
    resolved = resolve([make(baseUrl=wrong)])
    assert_in_doubt(resolved)
    assert resolved.doubt == resolved.unsure["model.baseUrl"]
    assert "model.baseUrl from" in (resolved.doubt or "")
    assert "nothing is sent" in (resolved.doubt or "")
    assert "sk-x" not in (resolved.doubt or "")


@pytest.mark.parametrize("make", [by_config, by_client])
@pytest.mark.parametrize("typo", TYPOS)
def test_a_mistyped_name_leaves_no_address(make: Callable[..., Layer], typo: str) -> None:
    resolved = resolve([make(**{typo: GOOD})])
    assert_in_doubt(resolved)
    assert f"model.{typo}" in str(resolved.doubt)


def test_variables_and_flags() -> None:
    choice = from_flags(["model.provider=openai"])
    for flag in ("model.baseUrl=127.0.0.1:1", "model.baseUrl=", "model.baseUrl= ", "model.baseUrl", "model.url=http://h",
                 "baseUrl=http://h"):  # fmt: skip
        assert_in_doubt(resolve([from_flags(["model.provider=openai", flag])]))
    for name in ("SOCREATES_MODEL__BASE_URL", "SOCREATES_BASE_URL", "SOCREATES_MODEL_BASE_URL", "SOCREATES_MODEL__URL"):
        assert_in_doubt(resolve([choice, from_environment({name: "127.0.0.1:1"})]))
    # An empty variable is as good as none, and null is the default.
    for layer in (from_environment({"SOCREATES_MODEL__BASE_URL": ""}), from_flags(["model.baseUrl=null"])):
        assert resolve([choice, layer]).unsure == {}


@pytest.mark.parametrize(
    "table",
    [{"model": "http://127.0.0.1"}, {"baseUrl": GOOD}, {"openai": {"baseUrl": GOOD}}, {"ollama": {"endpoint": GOOD}}],
)
def test_an_address_in_the_wrong_place(table: dict[str, object]) -> None:
    assert_in_doubt(
        resolve(
            [from_client({"model": {"provider": "openai"}}, Source.INITIALIZATION), from_client({"socreates": table})]
        )
    )


def test_other_unknown_names_are_no_addresses() -> None:
    for name in ("model.nam", "telemetry.endpoint", "web.url", "serverPath", "model.temprature", "review.base", "x"):
        assert meant_address(name) is None


def test_an_embedding_server_that_was_refused() -> None:
    for wrong in ({"baseUrl": "h"}, {"url": "http://h"}, {"baseurl": "http://h"}):
        layer = from_client({"model": {"provider": "openai"}, "embeddings": {"name": "e", **wrong}})
        resolved = resolve([layer, from_flags(["model.provider=ollama"])])
        assert_in_doubt(resolved, "embeddings.baseUrl")
        assert resolved.doubt is None


def test_embeddings_go_nowhere_in_doubt() -> None:
    model = {"provider": "openai", "baseUrl": "https://a.example", "name": "m"}
    for embeddings, unsure, places in (
        ({"name": "e"}, (), ("https://a.example",)),
        ({"name": "e"}, {"model.baseUrl"}, ()),
        ({"name": "e", "baseUrl": "https://b.example"}, {"model.baseUrl"}, ("https://b.example",)),
        ({"name": "e", "baseUrl": "https://b.example"}, {"embeddings.baseUrl"}, ("https://a.example",)),
    ):
        settings = resolve([from_client({"model": model, "embeddings": embeddings})]).settings
        assert endpoints(settings, unsure) == places


def test_the_last_word_counts() -> None:
    wrong, good = by_client(baseUrl="h"), from_flags([f"model.baseUrl={GOOD}"])
    resolved = resolve([wrong, good])
    assert (resolved.unsure, resolved.settings.model.base_url) == ({}, GOOD)
    assert "holds" in resolved.problems[0].message
    # The user's own address is not taken either, where something else was meant in its place.
    resolved = resolve([by_config(baseUrl="https://a.example"), wrong])
    assert resolved.doubt is not None
    assert resolved.needs_consent == frozenset()


def test_a_wrong_address_of_the_user_names_not_openai() -> None:
    resolved = resolve([by_config(baseUrl="127.0.0.1:1"), by_client(baseUrl=OPENAI)])
    assert (resolved.unsure, resolved.needs_consent) == ({}, {"api.openai.com"})
    assert resolve([by_config(), by_client(baseUrl=OPENAI)]).needs_consent == frozenset()


def test_fallbacks_that_would_take_the_same_address() -> None:
    own = {"name": "a", "provider": "ollama", "baseUrl": "http://192.0.2.9:1"}
    resolved = resolve([by_client(baseUrl="h", fallback=["m", own])])
    assert resolved.needs_consent == {"192.0.2.9"}
    # Here OpenAI was chosen, and no address of it was wrong.
    client = from_client(
        {"model": {"provider": "ollama", "baseUrl": "h", "fallback": [{"name": "a", "provider": "openai"}]}}
    )
    assert resolve([client]).needs_consent == {"api.openai.com"}


def test_a_workspace_puts_nothing_in_doubt() -> None:
    for table in ({"model": {"base_url": "h"}}, {"model": {"url": "h"}}):
        assert resolve([], workspace=from_table(table, Source.WORKSPACE)).unsure == {}


def test_a_config_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('[model]\nprovider = "openai"\nbase_url = http://127.0.0.1:8080\n')
    resolved = resolve([config_layer(tmp_path), from_flags(["model.provider=openai"])])
    assert set(resolved.unsure) == {"model.baseUrl", "embeddings.baseUrl"}
    assert "line 3" in str(resolved.doubt)
    assert (resolved.named, resolved.needs_consent) == (frozenset(), frozenset())


def test_a_key_in_an_address_is_not_taken_and_not_shown() -> None:
    resolved = resolve([by_config(baseUrl="https://h.example/v1?key=sk-secret", fallback=[
        {"name": "a", "base_url": "https://h.example/v1?key=sk-secret"}])])  # fmt: skip
    assert resolved.settings.model.base_url is None
    assert resolved.settings.model.fallback == ()
    assert "model.apiKeyEnv" in str(resolved.doubt)
    assert "sk-secret" not in repr(resolved)
    azure = "https://h.example/openai?api-version=2026-01-01-preview"
    assert resolve([by_config(baseUrl=azure)]).settings.model.base_url == azure


def test_the_variables_that_the_user_names() -> None:
    user = by_config(apiKeyEnv="A", fallback=[{"name": "a", "api_key_env": "B"}, "c"])
    layers = [user, by_client(apiKeyEnv="X", fallback=[{"name": "a", "apiKeyEnv": "Y"}])]
    assert resolve(layers).variables == {"A", "B"}
    assert resolve([*layers, from_flags(["model.apiKeyEnv=C"])]).variables == {"A", "B", "C"}
