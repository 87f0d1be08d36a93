"""Which hosts are this machine, which the user named, and which must be asked about."""

from __future__ import annotations

import pytest

from socreates_lsp.settings import Address, Reach, Source, address_of, from_client, from_flags, from_table, is_loopback
from socreates_lsp.settings import resolve as resolved_from
from socreates_lsp.settings.consent import endpoints
from socreates_lsp.settings.endpoints import covers, normal_host, normal_pattern

LOOPBACK = [
    "localhost", "LocalHost", "127.0.0.1", "127.1.2.3", "127.255.255.255", "::1", "[::1]", "0:0:0:0:0:0:0:1",
    "::ffff:127.0.0.1", "[::ffff:127.9.9.9]", "::ffff:7f00:1",
]  # fmt: skip
ELSEWHERE = [
    "", "127.0.0.1.evil.com", "localhost.evil.com", "evil.localhost", "localhost.", "127.1", "127", "0x7f.0.0.1",
    "0177.0.0.1", "2130706433", "0.0.0.0", "::", "::ffff:0.0.0.0", "128.0.0.1", "126.255.255.255", "10.0.0.1",
    "::127.0.0.1", "::ffff:8.8.8.8", "fe80::1", "::1%eth0", "2002:7f00:1::", "64:ff9b::7f00:1", "example.com",
    "１２７.0.0.1", "ⓛocalhost", "127.0.0.1 ", "localhost\n", "127.0.0.1@evil.com",
]  # fmt: skip
MISLEADING = [
    "", "localhost:11434", "//localhost", "ftp://localhost", "file:///etc/passwd", "http://", "http:///x",
    "http:localhost", "http://127.0.0.1@evil.com", "http://127.0.0.1:80@evil.com/", "http://me:secret@127.0.0.1",
    "http://127.0.0.1\\@evil.com", "http://evil.com\\.127.0.0.1", "http://127.0.0.1#@evil.com", "http://a b/",
    "http://127.0.0.1%2eevil.com", "http://127.0.0.1:", "http://127.0.0.1:0", "http://127.0.0.1:65536",
    "http://127.0.0.1:80:90", "http://[::1", "http://::1/", "http://[::1%25eth0]/", "http://[127.0.0.1]/",
    "http://[]", "http://münchen.de", "http://１２７.0.0.1", "http://localhost.", "http://.localhost", "http://-a",
    " http://a", "http://a\n", "http://a/\n", "http://a/é", "http://a\x00", "http://a\t.evil.com",
    "http://*.evil.com",
]  # fmt: skip


@pytest.mark.parametrize("host", LOOPBACK)
def test_this_machine(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ELSEWHERE)
def test_not_surely_this_machine(host: str) -> None:
    assert not is_loopback(host)


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://127.0.0.1:11434", ("http", "127.0.0.1")),
        ("https://API.Example.com/v1?version=2", ("https", "api.example.com")),
        ("HTTP://localhost", ("http", "localhost")),
        ("http://[::1]:8080/v1", ("http", "::1")),
        ("http://[0:0::0001]/", ("http", "::1")),
        ("http://llm_server:8000/", ("http", "llm_server")),
        ("http://127.0.0.1.evil.com", ("http", "127.0.0.1.evil.com")),
        ("http://x/127.0.0.1@y", ("http", "x")),
        ("http://xn--mnchen-3ya.de", ("http", "xn--mnchen-3ya.de")),
    ],
)
def test_where_an_address_leads(url: str, address: tuple[str, str]) -> None:
    assert address_of(url) == Address(*address)


@pytest.mark.parametrize("url", MISLEADING)
def test_what_could_be_misread_is_no_address(url: str) -> None:
    assert address_of(url) is None


@pytest.mark.parametrize(
    ("pattern", "normal"),
    [("*", "*"), ("*.Corp.example", "*.corp.example"), ("A.b", "a.b"), ("[::1]", "::1"), ("::0001", "::1")]
    + [(wrong, None) for wrong in ("", "*.", "a.*", "**", "*.*", "*a", "http://a", "a:80", "a/b", "*.[::1]", "[a]")],
)  # fmt: skip
def test_the_one_spelling_of_an_allowed_host(pattern: str, normal: str | None) -> None:
    assert normal_pattern(pattern) == normal
    assert normal is None or normal_pattern(normal) == normal


def test_what_a_pattern_covers() -> None:
    assert covers("*", "anything")
    assert covers("*.a.example", "b.a.example")
    assert covers("*.a.example", "*.b.a.example")
    assert covers("*.a.example", "*.a.example")
    assert covers("a.example", "a.example")
    assert not covers("*.a.example", "a.example")
    assert not covers("*.a.example", "eviLa.example")
    assert not covers("a.example", "b.a.example")
    assert not covers("b.a.example", "*.a.example")
    assert normal_host("a..b") == "a..b"


# Consent

EVIL = "https://evil.example/v1"


def from_user(**settings: object):
    return from_table(settings, Source.CONFIG)


def sent(**settings: object):
    return from_client(settings)


@pytest.mark.parametrize(
    ("user", "client", "asked"),
    [
        ({}, {}, set()),
        ({}, {"model": {"baseUrl": "http://localhost:1234"}}, set()),
        ({}, {"model": {"baseUrl": "http://[::1]:1234"}}, set()),
        ({}, {"model": {"baseUrl": EVIL}}, {"evil.example"}),
        ({}, {"model": {"baseUrl": "http://0.0.0.0:1234"}}, {"0.0.0.0"}),
        ({}, {"model": {"baseUrl": "http://127.0.0.1.evil.example"}}, {"127.0.0.1.evil.example"}),
        ({}, {"model": {"provider": "openai"}}, {"api.openai.com"}),
        ({}, {"model": {"provider": "openai", "baseUrl": "http://127.0.0.1:1/v1"}}, set()),
        ({}, {"model": {"provider": "examiner", "baseUrl": EVIL}}, set()),
        ({}, {"model": {"fallback": [{"name": "a", "baseUrl": EVIL}]}}, {"evil.example"}),
        ({}, {"model": {"fallback": [{"name": "a", "provider": "openai"}]}}, {"api.openai.com"}),
        ({}, {"model": {"provider": "examiner", "fallback": [{"name": "a", "provider": "openai"}]}},
         {"api.openai.com"}),
        ({}, {"model": {"fallback": ["a"], "baseUrl": EVIL}}, {"evil.example"}),
        ({}, {"embeddings": {"baseUrl": EVIL, "name": "e"}}, {"evil.example"}),
        ({}, {"embeddings": {"baseUrl": EVIL}}, {"evil.example"}),
        ({}, {"model": {"name": "gpt-oss:120b-cloud"}}, {"ollama.com"}),
        ({}, {"model": {"name": "kimi:cloud", "provider": "ollama"}}, {"ollama.com"}),
        ({}, {"model": {"name": "kimi:cloud", "provider": "openai", "baseUrl": "http://[::1]/v1"}}, {"ollama.com"}),
        ({}, {"model": {"name": "kimi:CLOUD "}}, {"ollama.com"}),
        ({"model": {"base_url": "http://lan.example"}}, {"model": {"name": "kimi:cloud"}}, {"ollama.com"}),
        ({"model": {"base_url": EVIL, "provider": "openai"}}, {"model": {"name": "kimi:cloud"}}, set()),
        ({}, {"model": {"name": "cloud-nine:8b"}}, set()),
        ({}, {"model": {"name": "granite-cloud"}}, set()),
        ({"model": {"name": "kimi:cloud"}}, {}, set()),
        ({"model": {"base_url": EVIL}}, {}, set()),
        ({"model": {"base_url": EVIL}}, {"model": {"name": "other"}}, set()),
        ({"model": {"base_url": EVIL, "provider": "examiner"}}, {"model": {"provider": "openai"}}, set()),
        ({"model": {"base_url": EVIL}}, {"embeddings": {"baseUrl": "https://EVIL.example:443/x"}}, set()),
        ({"model": {"base_url": EVIL}}, {"embeddings": {"baseUrl": "https://EVIL.example:8443/x"}}, {"evil.example"}),
        ({"model": {"base_url": "http://192.0.2.2:1"}}, {"model": {"baseUrl": "http://192.0.2.2:2/v1"}}, {"192.0.2.2"}),
        ({"model": {"base_url": "http://192.0.2.2:1/v1"}}, {"model": {"baseUrl": "https://192.0.2.2:1/v2"}}, set()),
        ({"model": {"base_url": "http://lan.example"}}, {"model": {"baseUrl": "https://lan.example:80"}},
         {"lan.example"}),
        ({"policy": {"endpoints_allow": ["evil.example"]}}, {"model": {"baseUrl": "https://evil.example:1"}},
         {"evil.example"}),
        ({"model": {"base_url": EVIL}}, {"model": {"baseUrl": "http://evil.example/v1"}}, {"evil.example"}),
        ({"model": {"base_url": "http://lan.example"}}, {"model": {"baseUrl": "https://lan.example/v1"}}, set()),
        ({"model": {"base_url": "https://a.example"}}, {"model": {"baseUrl": "https://b.example"}}, {"b.example"}),
        ({"model": {"provider": "openai"}}, {"model": {"name": "gpt"}}, set()),
        ({"model": {"provider": "openai", "base_url": "https://a.example"}}, {"model": {"baseUrl": "https://api.openai.com"}},
         {"api.openai.com"}),
        ({"policy": {"endpoints_allow": ["evil.example"]}}, {"model": {"baseUrl": EVIL}}, set()),
        ({"policy": {"endpoints_allow": ["*.example"]}}, {"model": {"baseUrl": EVIL}}, {"evil.example"}),
        ({}, {"policy": {"endpointsAllow": ["evil.example"]}, "model": {"baseUrl": EVIL}}, {"evil.example"}),
        ({"model": {"fallback": [{"name": "a", "base_url": EVIL}]}}, {"model": {"baseUrl": EVIL}}, set()),
    ],
)  # fmt: skip
def test_who_must_be_asked_about(user: dict[str, object], client: dict[str, object], asked: set[str]) -> None:
    resolved = resolved_from([from_user(**user), sent(**client)])
    assert resolved.needs_consent == asked
    assert resolved.problems == ()


def test_the_flag_and_the_variable_name_an_endpoint_too() -> None:
    resolved = resolved_from([sent(model={"baseUrl": EVIL}), from_flags([f"model.baseUrl={EVIL}"])])
    assert (resolved.needs_consent, resolved.reach(EVIL)) == (frozenset(), Reach.FREE)


def test_reach_is_asked_of_any_address() -> None:
    user = from_user(model={"base_url": "https://a.example"}, policy={"endpoints_allow": ["a.example", "b.example"]})
    resolved = resolved_from([user, sent(model={"fallback": [{"name": "x", "baseUrl": "http://b.example"}]})])
    assert resolved.reach("https://a.example/other") is Reach.FREE
    assert resolved.reach("http://a.example/") is Reach.ASK
    assert resolved.reach("http://b.example") is Reach.ASK
    assert resolved.reach("https://b.example") is Reach.FREE
    assert resolved.reach("https://c.example") is Reach.REFUSED
    assert resolved.reach("http://127.0.0.1:11434") is Reach.FREE
    assert resolved.reach("http://a.example@127.0.0.1/") is Reach.REFUSED
    assert (resolved.needs_consent, resolved.refused) == ({"b.example"}, frozenset())


def test_hosts_that_a_workspace_leaves_out_are_refused() -> None:
    workspace = from_table({"policy": {"endpoints_allow": ["b.example"]}}, Source.WORKSPACE)
    resolved = resolved_from([from_user(model={"base_url": "https://a.example"})], workspace=workspace)
    assert (resolved.needs_consent, resolved.refused) == (frozenset(), {"a.example"})
    # It narrows, and names nothing.
    assert resolved.reach("https://b.example") is Reach.ASK


def test_no_list_allows_less_than_loopback() -> None:
    resolved = resolved_from([from_user(policy={"endpoints_allow": []}), sent(model={"baseUrl": "http://[::1]:1"})])
    assert (resolved.refused, resolved.reach("http://localhost")) == (frozenset(), Reach.FREE)


def test_a_key_does_not_go_along_to_a_host_that_a_client_names() -> None:
    user = from_user(model={"provider": "openai", "api_key_env": "MY_KEY"})
    assert resolved_from([user]).settings.model.api_key_env == "MY_KEY"
    resolved = resolved_from([user, sent(model={"baseUrl": EVIL})])
    assert resolved.settings.model.api_key_env is None
    assert resolved.origins["model.apiKeyEnv"] == "default"
    assert [problem.message for problem in resolved.problems] == [
        (
            "model.apiKeyEnv from config.toml: it is not sent to https://evil.example, "
            "which you have not named yourself; the default holds."
        )
    ]
    both = resolved_from([user, sent(model={"baseUrl": EVIL, "apiKeyEnv": "THEIR_KEY"})])
    assert both.settings.model.api_key_env == "THEIR_KEY"
    local = resolved_from([user, sent(model={"baseUrl": "http://localhost:1"})])
    assert local.settings.model.api_key_env == "MY_KEY"
    allowed = resolved_from([user, sent(policy={"endpointsAllow": ["other.example"]})])
    assert allowed.settings.model.api_key_env == "MY_KEY"


def test_the_endpoints_of_settings_are_in_the_order_in_which_they_are_tried() -> None:
    settings = resolved_from(
        [
            from_user(
                model={
                    "base_url": "http://a",
                    "provider": "openai",
                    "fallback": ["x", {"name": "y", "provider": "ollama"}, {"name": "z", "base_url": "http://z"}],
                },
                embeddings={"name": "e", "base_url": "http://e"},
            )
        ]
    ).settings
    assert endpoints(settings) == ("http://a", "http://z", "http://e")
