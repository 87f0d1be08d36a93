"""Settings: every source, every spelling, every kind of error; what is said of each."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace

import pytest

from socreates_lsp.settings import (
    Fallback,
    Layer,
    Level,
    Problem,
    Provider,
    Recheck,
    Resolved,
    ReviewSettings,
    Sandbox,
    Settings,
    Source,
    StandingQuestion,
    describe,
    from_client,
    from_environment,
    from_flags,
    from_table,
    resolve,
)
from socreates_lsp.settings.keys import all_keys, find

CONFIG, INIT, EDITOR, WORKSPACE = Source.CONFIG, Source.INITIALIZATION, Source.EDITOR, Source.WORKSPACE

# The keys that the contract names, and the defaults that it fixes.
SECTIONS = {
    "model": "provider baseUrl name path chatTemplate apiKeyEnv contextTokens maxOutputTokens temperature "
    "timeoutSeconds tools retries parallel caBundle fallback",
    "review": "maxSteps maxFindings minConfidence verify leads reveal recheckOnSave shareDismissals acceptDismissals",
    "limits": "reviewSeconds reviewTokens dayTokens reviewCostUsd dayCostUsd",
    "history": "maxTokens summariseAfterMessages",
    "session": "store keepDays",
    "policy": "readDeny commandsDeny commandsAsk autoApprove endpointsAllow sandbox commandSeconds promptSeconds",
    "": "planMode supervise rules questions",
    "docs": "paths",
    "embeddings": "baseUrl name",
    "web": "provider",
    "plugins": "enabled",
    "telemetry": "provider",
    "diagnostics": "question warning",
}
CONTRACT = [f"{section}.{name}".lstrip(".") for section, names in SECTIONS.items() for name in names.split()]
DEFAULTS = {
    "model.provider": "auto",
    "model.tools": "auto",
    "model.retries": 3,
    "review.maxSteps": 10,
    "review.maxFindings": 12,
    "review.recheckOnSave": "rules",
    "history.maxTokens": 16_000,
    "history.summariseAfterMessages": 60,
    "policy.commandSeconds": 60,
    "policy.promptSeconds": 300,
    "telemetry.provider": "none",
    "supervise": True,
    "planMode": False,
}


def client(payload: object, source: Source = EDITOR, **others: Layer) -> Resolved:
    return resolve([from_client(payload, source)], **others)


def value(resolved: Resolved, name: str) -> object:
    """The value of a key, as JSON."""
    key = all_keys()[name]
    holder = getattr(resolved.settings, key.section) if key.section else resolved.settings
    held = getattr(holder, key.attribute)
    return None if held is None else key.facts.kind.plain(held)


def messages(resolved: Resolved) -> list[str]:
    return [problem.message for problem in resolved.problems]


# What there is


def test_the_keys_of_the_contract_are_there_and_no_others() -> None:
    assert list(all_keys()) == CONTRACT


@pytest.mark.parametrize(("name", "default"), DEFAULTS.items())
def test_the_defaults_of_the_contract(name: str, default: object) -> None:
    assert value(resolve([]), name) == default


def test_nothing_given_is_the_defaults_without_a_problem() -> None:
    resolved = resolve([])
    assert resolved.settings == Settings()
    assert set(resolved.origins) == set(CONTRACT)
    assert set(resolved.origins.values()) == {"default"}
    assert resolved.problems == ()
    assert resolved.needs_consent == resolved.refused == frozenset()
    assert resolved.trusted


@pytest.mark.parametrize("key", all_keys().values(), ids=lambda key: key.name)
def test_every_default_fits_its_own_kind(key) -> None:
    if key.default is not None:
        assert key.facts.kind.read(key.facts.kind.plain(key.default)) == (key.default, ())


def test_settings_are_frozen_values() -> None:
    review = ReviewSettings(max_findings=3)
    assert review == replace(ReviewSettings(), max_findings=3)
    assert hash(review) == hash(ReviewSettings(max_findings=3))
    assert review != ReviewSettings()
    assert repr(review).startswith("ReviewSettings(max_steps=10, max_findings=3, ")
    with pytest.raises(FrozenInstanceError):
        review.max_findings = 4
    with pytest.raises(FrozenInstanceError):
        del review.max_findings
    with pytest.raises(TypeError, match="has no max_findngs"):
        ReviewSettings(max_findngs=3)


def test_describe_has_all_that_a_table_or_an_editor_needs() -> None:
    docs = {doc.name: doc for doc in describe()}
    assert list(docs) == CONTRACT
    for doc in docs.values():
        assert doc.doc.endswith("."), doc.name
        assert doc.expects, doc.name
        assert find(doc.toml.split(".")) is all_keys()[doc.name]
        assert doc.sources[:3] == ("config.toml", "variable", "flag")
        json.dumps([dict(doc.schema), doc.default])
    steps = docs["review.maxSteps"]
    assert (steps.toml, steps.variable) == ("review.max_steps", "SOCREATES_REVIEW__MAX_STEPS")
    assert (steps.schema, steps.default) == ({"type": "integer", "minimum": 1}, 10)
    assert (steps.tightens, steps.how) == ((), "")
    deny = docs["policy.readDeny"]
    assert deny.sources == ("config.toml", "variable", "flag")
    assert deny.tightens == ("initializationOptions", "editor settings", "socreates.toml")
    assert deny.how == "adds to the list"
    assert docs["planMode"].variable == "SOCREATES_PLAN_MODE"
    assert docs["limits.dayTokens"].client.startswith("sets it, but only tightens")


@pytest.mark.parametrize(
    "name", ["policy.autoApprove", "review.acceptDismissals", "model.path", "model.chatTemplate", "plugins.enabled"]
)
def test_keys_for_the_user_alone_are_described_so(name: str) -> None:
    (doc,) = [doc for doc in describe() if doc.name == name]
    assert (doc.sources, doc.tightens) == (("config.toml", "variable", "flag"), ())


# Sources and their order

THREE = {
    CONFIG: from_table({"review": {"max_findings": 1}}, CONFIG),
    INIT: from_client({"review": {"maxFindings": 2}}, INIT),
    EDITOR: from_client({"review": {"maxFindings": 3}}),
    Source.VARIABLE: from_environment({"SOCREATES_REVIEW__MAX_FINDINGS": "4"}),
    Source.FLAG: from_flags(["review.maxFindings=5"]),
}
NAMES = {
    CONFIG: "config.toml",
    INIT: "initializationOptions",
    EDITOR: "editor settings",
    Source.VARIABLE: "variable SOCREATES_REVIEW__MAX_FINDINGS",
    Source.FLAG: "flag --set",
}


@pytest.mark.parametrize("upto", range(1, 6))
def test_the_later_source_wins_in_whatever_order_they_are_handed_over(upto: int) -> None:
    layers = list(THREE.values())[:upto]
    for order in (layers, layers[::-1]):
        resolved = resolve(order)
        assert resolved.settings.review.max_findings == upto
        assert resolved.origins["review.maxFindings"] == list(NAMES.values())[upto - 1]
        assert resolved.problems == ()


def test_a_wrong_value_on_top_leaves_the_one_below() -> None:
    resolved = resolve([THREE[CONFIG], from_client({"review": {"maxFindings": "many"}})])
    assert resolved.settings.review.max_findings == 1
    assert messages(resolved) == [
        (
            'review.maxFindings from editor settings: expected a whole number of 0 or more, not "many"; '
            "1 from config.toml holds."
        )
    ]


@pytest.mark.parametrize(
    "payload",
    [
        {"review": {"maxFindings": 3}},
        {"review": {"max_findings": 3}},
        {"review.maxFindings": 3},
        {"review.max_findings": 3},
        {"socreates": {"review": {"maxFindings": 3}}},
        {"socreates.review.maxFindings": 3},
        {"socreates.review": {"max_findings": 3}},
        {"review": {"maxFindings": 3.0}},
        {"review": {"maxFindings": 3, "verify": None}, "policy": None, "planMode": None, "unknown": None},
        {"review": {"maxFindings": 3}, "trace": {"server": "verbose"}, "trusted": True},
    ],
    ids=repr,
)
@pytest.mark.parametrize("source", [INIT, EDITOR])
def test_a_client_may_wrap_dot_and_spell_as_it_likes(payload: object, source: Source) -> None:
    resolved = client(payload, source)
    assert resolved.settings == replace(Settings(), review=ReviewSettings(max_findings=3))
    assert resolved.problems == ()
    assert resolved.trusted


@pytest.mark.parametrize(
    "payload",
    [
        {
            "socreates": {"review.maxFindings": 3},
            "python": {"review": {"maxFindings": 4}},
            "review": {"maxFindings": 5},
        },
        {"socreates.review": {"max_findings": 3}, "files.exclude": {}},
    ],
    ids=repr,
)
def test_in_settings_of_the_editor_what_stands_beside_ours_belongs_to_other_servers(payload: object) -> None:
    resolved = client(payload, EDITOR)
    assert resolved.settings == replace(Settings(), review=ReviewSettings(max_findings=3))
    assert resolved.problems == ()


@pytest.mark.parametrize("name", ["socreates", "socreates.review"])
def test_in_initialization_options_what_stands_beside_ours_is_ours_too(name: str) -> None:
    """They are sent to one server alone: what is wrong with them is a mistake that nobody else would tell."""
    ours = {"minConfidence": 0.5} if "." in name else {"review": {"minConfidence": 0.5}}
    payload = {name: ours, "review": {"maxFindings": "x"}, "bogus": 1, "planMode": True, "trace": {}, "trusted": True}
    resolved = client(payload, INIT)
    assert resolved.settings == replace(Settings(), review=ReviewSettings(min_confidence=0.5), plan_mode=True)
    assert [problem.key for problem in resolved.problems] == ["bogus", "review.maxFindings"]
    assert all("initializationOptions" in problem.message for problem in resolved.problems)
    assert not client({name: ours, "trusted": False}, INIT).trusted


@pytest.mark.parametrize(
    "payload", [None, {}, {"socreates": None}, {"review": None}, {"review": {"maxFindings": None}}]
)
def test_null_is_as_good_as_not_given(payload: object) -> None:
    resolved = resolve([THREE[CONFIG], from_client(payload)])
    assert resolved.settings.review.max_findings == 1
    assert resolved.problems == ()


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("MODEL__BASE_URL", "http://localhost:1234/v1", "http://localhost:1234/v1"),
        ("MODEL__PROVIDER", "Ollama", "ollama"),
        ("MODEL__CONTEXT_TOKENS", "32_768", 32768),
        ("MODEL__TEMPERATURE", " 0.5 ", 0.5),
        ("MODEL__TEMPERATURE", "1", 1.0),
        ("MODEL__NAME", "7", "7"),
        ("MODEL__NAME", "null", None),
        ("MODEL__NAME", " ", None),
        ("MODEL__FALLBACK", "qwen3:8b, llama3", [{"name": "qwen3:8b"}, {"name": "llama3"}]),
        ("REVIEW__VERIFY", "OFF", False),
        ("REVIEW__VERIFY", "0", False),
        ("REVIEW__LEADS", "no", False),
        ("PLAN_MODE", "yes", True),
        ("PLAN_MODE", "on", True),
        ("PLAN_MODE", "1", True),
        ("POLICY__READ_DENY", "a/**, b,,c ", ["a/**", "b", "c"]),
        ("POLICY__READ_DENY", '["{a,b}/**"]', ["{a,b}/**"]),
        ("POLICY__READ_DENY", "[]", []),
        ("POLICY__AUTO_APPROVE", "pytest -q, ruff check", ["pytest -q", "ruff check"]),
        ("QUESTIONS", '[{"glob": "docs/**", "question": "Is it so?"}]', [{"glob": "docs/**", "question": "Is it so?"}]),
        ("RULES", "Be brief", ["Be brief"]),
        ("DIAGNOSTICS__QUESTION", "hint", "hint"),
    ],
)
def test_the_text_of_a_variable_and_of_a_flag_is_read_by_the_type(name: str, text: str, expected: object) -> None:
    key = find(name.lower().split("__"))
    assert not isinstance(key, str)
    assert key is not None
    for layer in (
        from_environment({f"SOCREATES_{name}": text}),
        from_flags([f"{key.name}={text}"]),
        from_flags([f"{key.toml}={text}"]),
        from_flags([f"socreates.{key.name}={text}"]),
    ):
        resolved = resolve([layer])
        assert value(resolved, key.name) == expected
        assert resolved.problems == ()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("REVIEW__MAX_FINDINGS", "3.5", 'expected a whole number of 0 or more, not "3.5"; the default 12 holds.'),
        ("REVIEW__MAX_FINDINGS", "9" * 5000, f'a whole number of 0 or more, not "{"9" * 39}…"; the default 12 holds.'),
        ("REVIEW__VERIFY", "maybe", 'expected true or false, not "maybe"; the default true holds.'),
        ("MODEL__TEMPERATURE", "nan", "expected a number from 0 to 2, not nan; the default holds."),
        ("MODEL__TEMPERATURE", "warm", 'expected a number from 0 to 2, not "warm"; the default holds.'),
        ("QUESTIONS", "[{", 'expected a list of tables with glob and question, not "[{"; the default holds.'),
        ("QUESTIONS", "[" * 100_000, "expected a list of tables with glob and question, not"),
        ("MODEL__API_KEY_ENV", "sk-secret", "the name of an environment variable, never the key itself; the default"),
        ("SESSION__STORE", "never", 'expected true or false, not "never"; the default true holds.'),
    ],
)
def test_a_text_that_means_no_such_value(name: str, text: str, said: str) -> None:
    resolved = resolve([from_environment({f"SOCREATES_{name}": text})])
    (message,) = messages(resolved)
    assert f" from variable SOCREATES_{name}: " in message
    assert said in message
    assert resolved.settings == Settings()


def test_variables_that_are_no_settings() -> None:
    environ = {
        "SOCREATES_CONFIG_DIR": "/somewhere",
        "SOCREATES_LOG_LEVEL": "debug",
        "SOCREATES_API_KEY": "sk-secret",
        "SOCREATES_": "",
        "socreates_review__max_findings": "3",
        "OTHER_REVIEW__MAX_FINDINGS": "3",
        "SOCREATES_REVIEW__MAXSTEPS": "3",
        "SOCREATES_MODEL__API_KEY": "sk-secret",
        "SOCREATES_REVIEW": "{}",
    }
    resolved = resolve([from_environment(environ)])
    assert resolved.settings == Settings()
    assert messages(resolved) == [
        "variable SOCREATES_MODEL__API_KEY: there is no such setting; did you mean SOCREATES_MODEL__API_KEY_ENV?",
        "variable SOCREATES_REVIEW: there is no such setting; it is ignored.",
        "variable SOCREATES_REVIEW__MAXSTEPS: there is no such setting; did you mean SOCREATES_REVIEW__MAX_STEPS?",
    ]


def test_of_two_flags_the_later_wins_and_a_value_may_hold_an_equals_sign() -> None:
    resolved = resolve([from_flags(["review.maxFindings=1", "review.max_findings=2", "model.name=a=b"])])
    assert (resolved.settings.review.max_findings, resolved.settings.model.name) == (2, "a=b")
    assert resolved.problems == ()


def test_flags_that_are_none() -> None:
    resolved = resolve([from_flags(["review.maxFindings", "review.maxFinding=3", "nonsense.of.mine=3", "review=3"])])
    assert messages(resolved) == [
        'flag --set "review.maxFindings": expected a name, an equals sign and a value.',
        "review.maxFinding from flag --set: there is no such setting; did you mean review.maxFindings?",
        "nonsense.of.mine from flag --set: there is no such setting; it is ignored.",
        "review from flag --set: there is no such setting; it is ignored.",
    ]


# Errors by name


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        ({"revew": {"maxFindings": 3}}, "revew from editor settings: there is no such setting; it is ignored."),
        (
            {"revew.maxFindings": 3},
            "revew.maxFindings from editor settings: there is no such setting; did you mean review.maxFindings?",
        ),
        (
            {"maxFindings": 3},
            "maxFindings from editor settings: there is no such setting; did you mean review.maxFindings?",
        ),
        (
            {"review": {"MaxFindings": 3}},
            "review.MaxFindings from editor settings: there is no such setting; did you mean review.maxFindings?",
        ),
        (
            {"model": {"apiKey": "sk-secret"}},
            "model.apiKey from editor settings: there is no such setting; did you mean model.apiKeyEnv?",
        ),
        ({"review": [3]}, "review from editor settings: expected a table of settings, not a list."),
        ({"review": 3}, "review from editor settings: expected a table of settings, not 3."),
        ([3], "editor settings: expected a table of settings, not a list."),
        ("x", 'editor settings: expected a table of settings, not "x".'),
        ({"socreates": True}, "editor settings: expected a table of settings, not true."),
        (
            {"socreates": {"socreates": {"review": {}}}},
            "socreates from editor settings: there is no such setting; it is ignored.",
        ),
        (
            {"review": {"maxFindings": 3, "max_findings": 4}},
            "review.maxFindings from editor settings: it is given more than once; the last one counts.",
        ),
    ],
)
def test_what_is_no_setting_is_named(payload: object, said: str) -> None:
    assert said in messages(client(payload))
    assert len(messages(client(payload))) == 1


@pytest.mark.parametrize("payload", [[], {"socreates": []}, {"review": []}])
def test_an_empty_table_of_lua_is_no_mistake(payload: object) -> None:
    assert messages(client(payload)) == []


@pytest.mark.parametrize(
    ("name", "wrong", "said"),
    [
        ("review.maxSteps", 0, "expected a whole number of 1 or more, not 0; the default 10 holds"),
        ("review.maxSteps", True, "expected a whole number of 1 or more, not true; the default 10 holds"),
        ("review.maxFindings", -1, "expected a whole number of 0 or more, not -1; the default 12 holds"),
        ("review.maxFindings", 2.5, "expected a whole number of 0 or more, not 2.5; the default 12 holds"),
        ("review.maxFindings", 10**400, "not so large a number; the default 12 holds"),
        ("review.maxFindings", {}, "not a table; the default 12 holds"),
        ("review.minConfidence", 1.1, "expected a number from 0 to 1, not 1.1; the default 0.3 holds"),
        ("review.minConfidence", -0.1, "expected a number from 0 to 1, not -0.1; the default 0.3 holds"),
        ("review.minConfidence", float("nan"), "expected a number from 0 to 1, not nan; the default 0.3 holds"),
        ("review.minConfidence", 10**400, "a number from 0 to 1, not so large a number; the default 0.3 holds"),
        ("policy.commandSeconds", 10**400, "greater than 0, not so large a number; the default 60 holds"),
        ("review.minConfidence", False, "expected a number from 0 to 1, not false; the default 0.3 holds"),
        ("review.verify", 1, "expected true or false, not 1; the default true holds"),
        ("review.reveal", "some", 'expected one of all, ladder, not "some"; the default "all" holds'),
        ("review.recheckOnSave", True, 'expected one of off, rules, model, not true; the default "rules" holds'),
        ("model.timeoutSeconds", 0, "expected a number greater than 0, not 0; the default 300 holds"),
        ("model.timeoutSeconds", float("inf"), "expected a number greater than 0, not inf; the default 300 holds"),
        ("policy.commandSeconds", -3, "expected a number greater than 0, not -3; the default 60 holds"),
        ("policy.promptSeconds", "5", 'expected a number greater than 0, not "5"; the default 300 holds'),
        ("limits.reviewTokens", 0, "expected a whole number of 1 or more, not 0; the default 500000 holds"),
        ("limits.dayCostUsd", 0, "expected a number greater than 0, not 0; the default 10 holds"),
        ("model.temperature", 3, "expected a number from 0 to 2, not 3; the default holds"),
        ("model.provider", "gpt", 'openai, llamacpp, examiner, not "gpt"; the default "auto" holds'),
        ("model.name", "", "expected a model's name, not \"\"; the default holds"),
        ("model.name", "a\x00b", "expected a model's name, not \"a\\u0000b\"; the default holds"),
        ("model.name", "\ud800", "expected a model's name, not \"\\ud800\"; the default holds"),
        ("model.name", "x" * 501, f"expected a model's name, not \"{'x' * 39}…\"; the default holds"),
        ("model.baseUrl", "127.0.0.1:11434", 'such as http://127.0.0.1:11434, not "127.0.0.1:11434"; nothing is sent'),
        ("model.baseUrl", "http://me:secret@host/", "such as http://127.0.0.1:11434; nothing is sent"),
        ("model.baseUrl", "http://host/v1?key=sk-secret", "such as http://127.0.0.1:11434; nothing is sent"),
        ("model.apiKeyEnv", "sk-secret", "expected the name of an environment variable, never the key itself; the"),
        ("model.apiKeyEnv", 5, "never the key itself, not 5; the default holds"),
        ("policy.readDeny", "secret", 'expected a list of path patterns, not "secret"; the default holds'),
        ("policy.endpointsAllow", ["http://x"], "item 1: expected a host such as api.example.com"),
        ("policy.endpointsAllow", ["me:secret@host"], "item 1: expected a host such as api.example.com"),
        ("rules", [1] * 1001, "expected a list of at most 1,000 items, not so long a one; the default holds"),
        ("questions", ["Why?"], 'expected a table with a question and perhaps a glob, and nothing else, not "Why?"'),
        ("questions", [{"glob": "*.md"}], "item 1: expected a table with a question"),
        ("questions", [{"question": "Why?", "globb": "*"}], "item 1: expected a table with a question"),
        ("questions", [{"question": "Why?", "glob": 3}], "item 1: expected a table with a question"),
        ("model.fallback", [3], "item 1: expected a model's name, or a table with name and perhaps provider"),
        ("model.fallback", [{"name": "a", "provider": "gpt"}], "item 1: expected a model's name, or a table"),
        ("model.fallback", [{"provider": "openai"}], "item 1: expected a model's name, or a table"),
        ("model.fallback", [{"name": "a", "apiKeyEnv": "sk-secret"}], "item 1: expected a model's name, or a table"),
        ("diagnostics.question", "error", "expected one of warning, information, hint, off"),
        ("telemetry.provider", "smoke", 'expected one of none, otlp, langfuse, not "smoke"; the default "none" holds'),
    ],
)  # fmt: skip
@pytest.mark.parametrize("source", [CONFIG, EDITOR])
def test_a_value_that_does_not_fit_is_named_and_the_rest_holds(
    name: str, wrong: object, said: str, source: Source
) -> None:
    resolved = resolve([from_table({name: wrong, "review.leads": False}, source)])
    (problem,) = resolved.problems
    assert (problem.source, problem.key) == (source.value, name)
    assert problem.message.startswith(f"{name} from {source.value}: ")
    assert said in problem.message
    # No default stands in for an address: see test_settings_doubt.py.
    assert problem.message.endswith("before it is right." if "baseUrl" in name else " holds.")
    assert "secret" not in problem.message.replace('not "secret"', "")
    problem.message.encode()
    assert resolved.settings == replace(Settings(), review=ReviewSettings(leads=False))
    assert resolved.origins[name] == "default"


def test_of_a_list_the_items_that_fit_count() -> None:
    resolved = client({"rules": ["one", 2, "", "three", "one"], "questions": [{"question": "Why?"}, 5]})
    assert resolved.settings.rules == ("one", "three")
    assert resolved.settings.questions == (StandingQuestion("Why?", "**"),)
    assert messages(resolved) == [
        "rules from editor settings: item 2: expected a rule in plain words, not 2; the rest of it counts.",
        'rules from editor settings: item 3: expected a rule in plain words, not ""; the rest of it counts.',
        (
            "questions from editor settings: item 2: expected a table with a question and perhaps a glob, "
            "and nothing else, not 5; the rest of it counts."
        ),
    ]


def test_many_mistakes_are_counted_and_not_recited() -> None:
    resolved = client({"rules": ["one", *range(50)], **{f"no{number}": 1 for number in range(100)}})
    assert len(resolved.problems) == 20 + 1 + 5 + 1
    assert resolved.problems[20] == Problem(
        "editor settings", "", "editor settings: 80 more names that are no settings."
    )
    assert messages(resolved)[-1] == "rules from editor settings: 45 more items do not fit; the rest of it counts."


def test_an_unknown_name_cannot_garble_the_message() -> None:
    (problem,) = client({"a\nb\ud800" + "c" * 1000: 1}).problems
    problem.message.encode()
    problem.key.encode()
    assert "\n" not in problem.message
    assert len(problem.message) < 200


def test_values_that_depend_on_each_other() -> None:
    resolved = resolve(
        [from_table({"model.context_tokens": 4096}, CONFIG), from_client({"model": {"maxOutputTokens": 4096}})]
    )
    assert (resolved.settings.model.context_tokens, resolved.settings.model.max_output_tokens) == (4096, None)
    assert resolved.origins["model.maxOutputTokens"] == "default"
    assert messages(resolved) == [
        "model.maxOutputTokens from editor settings: it has to be less than model.contextTokens; the default holds."
    ]


def test_values_become_types() -> None:
    payload = {
        "model": {
            "provider": "openai",
            "fallback": ["a", {"name": "b", "provider": "examiner", "base_url": "http://x"}],
        },
        "review": {"recheckOnSave": "model"},
        "diagnostics": {"question": "off"},
        "policy": {"sandbox": "required", "endpoints_allow": ["API.Example.com", "*.Example.ORG", "[::0001]"]},
    }
    settings = resolve([from_table(payload, CONFIG)]).settings
    assert settings.model.provider is Provider.OPENAI
    assert settings.model.fallback == (Fallback("a"), Fallback("b", Provider.EXAMINER, "http://x"))
    assert settings.review.recheck_on_save is Recheck.MODEL
    assert settings.diagnostics.question is Level.OFF
    assert settings.policy.sandbox is Sandbox.REQUIRED
    assert settings.policy.endpoints_allow == ("api.example.com", "*.example.org", "::1")


# What a client may not do


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("policy.autoApprove", ["pytest"]),
        ("model.path", "/models/a.gguf"),
        ("model.chatTemplate", "chatml"),
        ("model.caBundle", "ca.pem"),
        ("plugins.enabled", ["count_lines"]),
    ],
)
def test_some_keys_are_for_the_user_alone(name: str, given: object) -> None:
    for source in (INIT, EDITOR):
        resolved = client({name: given}, source)
        assert resolved.settings == Settings()
        assert messages(resolved) == [
            f"{name} from {source.value}: only config.toml, a variable or a flag may set it; the default holds."
        ]
    text = given if isinstance(given, str) else json.dumps(given)
    for layer in (from_table({name: given}, CONFIG), from_flags([f"{name}={text}"])):
        resolved = resolve([layer])
        assert value(resolved, name) == given
        assert resolved.problems == ()


def test_what_a_client_denies_is_added_and_nothing_it_sends_is_taken_away() -> None:
    user = from_table({"policy": {"read_deny": ["a"], "sandbox": "required"}, "plan_mode": True}, CONFIG)
    payload = {
        "policy": {"readDeny": ["b"], "commandsDeny": [], "sandbox": "off"},
        "supervise": False,
        "planMode": False,
    }
    resolved = resolve([user, from_client(payload)])
    policy = resolved.settings.policy
    assert policy.read_deny == ("a", "b")
    assert resolved.origins["policy.readDeny"] == "config.toml and editor settings"
    assert policy.commands_deny == Settings().policy.commands_deny
    assert policy.sandbox is Sandbox.REQUIRED
    assert (resolved.settings.supervise, resolved.settings.plan_mode) == (True, True)
    assert {problem.key for problem in resolved.problems} == {"policy.sandbox", "supervise", "planMode"}
    assert 'only a stricter value may be given here; "required" from config.toml holds.' in messages(resolved)[0]


def test_of_two_things_a_client_says_the_later_counts_also_where_it_may_only_tighten() -> None:
    first = from_client({"planMode": True, "policy": {"readDeny": ["x"]}}, INIT)
    resolved = resolve([first, from_client({"planMode": False, "policy": {"readDeny": ["y"]}})])
    assert resolved.settings.plan_mode is False
    assert resolved.settings.policy.read_deny == (*Settings().policy.read_deny, "y")
    assert resolved.problems == ()


def test_a_variable_or_flag_after_the_client_has_the_last_word_on_policy() -> None:
    resolved = resolve([from_client({"policy": {"readDeny": ["x"]}}), from_flags(["policy.readDeny=[]"])])
    assert resolved.settings.policy.read_deny == ()
    assert resolved.origins["policy.readDeny"] == "flag --set"


@pytest.mark.parametrize(("user", "sent", "held"), [(None, 5000, 5000), (100, 5000, 100), (100, 50, 50)])
def test_a_client_sets_limits_but_not_beyond_what_the_user_said(user: float | None, sent: float, held: float) -> None:
    layers = [from_client({"limits": {"reviewSeconds": sent}})]
    if user:
        layers.append(from_table({"limits": {"review_seconds": user}}, CONFIG))
    resolved = resolve(layers)
    assert resolved.settings.limits.review_seconds == held
    assert bool(resolved.problems) is (held != sent)


@pytest.mark.parametrize(("name", "on"), [("telemetry.provider", "langfuse"), ("web.provider", "brave")])
def test_a_client_turns_off_what_sends_and_turns_nothing_on(name: str, on: str) -> None:
    assert value(client({name: on}), name) == "none"
    user = from_table({name: on}, CONFIG)
    assert value(resolve([user]), name) == on
    assert value(resolve([user, from_client({name: "none"})]), name) == "none"
    assert value(resolve([user, from_client({name: "otlp"})]), name) == on


def test_documents_that_a_client_or_a_workspace_names_stay_inside() -> None:
    outside = ["/etc", "../up", "a/../../b", "~/x", "C:\\x", "\\\\host\\share", "a\\..\\..\\b", "a/.. /b", ""]
    layer = from_table({"docs": {"paths": [*outside, "docs", "a/b.md"]}}, WORKSPACE)
    resolved = resolve([], workspace=layer)
    assert resolved.settings.docs.paths == ("docs", "a/b.md")
    assert (
        'docs.paths from socreates.toml of the workspace: "/etc" leads out of the workspace; the rest of it counts.'
        in (messages(resolved))
    )
    resolved = resolve([from_table({"docs": {"paths": ["/mine"]}}, CONFIG), from_client({"docs.paths": ["/etc"]})])
    assert resolved.settings.docs.paths == ("/mine",)
    assert messages(resolved) == [
        'docs.paths from editor settings: "/etc" leads out of the workspace; the value from config.toml holds.'
    ]


# The workspace


def test_a_workspace_adds_lowers_and_narrows() -> None:
    user = from_table({"policy": {"endpoints_allow": ["a.example", "*.corp.example"]}, "rules": ["mine"]}, CONFIG)
    workspace = from_table(
        {
            "rules": ["theirs", "mine"],
            "questions": [{"glob": "*.md", "question": "Which claims lack a source?"}],
            "limits": {"review_seconds": 30, "day_cost_usd": 0.5},
            "policy": {
                "read_deny": ["private/**"],
                "commands_deny": ["curl"],
                "commands_ask": ["make"],
                "command_seconds": 5,
                "endpoints_allow": ["llm.corp.example", "evil.example"],
            },
            "docs": {"paths": ["docs"]},
        },
        WORKSPACE,
    )
    resolved = resolve([user], workspace=workspace)
    settings, default = resolved.settings, Settings()
    assert settings.rules == ("mine", "theirs")
    assert settings.questions == (StandingQuestion("Which claims lack a source?", "*.md"),)
    assert (settings.limits.review_seconds, settings.limits.day_cost_usd) == (30, 0.5)
    assert settings.policy.read_deny == (*default.policy.read_deny, "private/**")
    assert settings.policy.commands_deny == (*default.policy.commands_deny, "curl")
    assert settings.policy.commands_ask == (*default.policy.commands_ask, "make")
    assert settings.policy.command_seconds == 5
    assert settings.policy.endpoints_allow == ("llm.corp.example",)
    assert settings.docs.paths == ("docs",)
    assert resolved.origins["limits.reviewSeconds"] == "socreates.toml of the workspace"
    assert resolved.origins["rules"] == "config.toml and socreates.toml of the workspace"
    assert messages(resolved) == [
        (
            "policy.endpointsAllow from socreates.toml of the workspace: "
            '"evil.example" is not among the hosts that are allowed; '
            "the value from config.toml and socreates.toml of the workspace holds."
        )
    ]


def test_a_workspace_raises_nothing_and_sets_nothing_else() -> None:
    workspace = from_table({"limits": {"review_seconds": 5000}, "review": {"max_findings": 1}}, WORKSPACE)
    resolved = resolve([], workspace=workspace)
    assert resolved.settings == Settings()
    source = "socreates.toml of the workspace"
    assert messages(resolved) == [
        f"limits.reviewSeconds from {source}: it may only be lowered here; the default 900 holds.",
        f"review.maxFindings from {source}: a workspace may not set it; the default 12 holds.",
    ]


def test_an_unknown_key_of_a_workspace_is_guessed_in_the_spelling_of_toml() -> None:
    resolved = resolve([], workspace=from_table({"policy": {"read_denny": ["x"]}}, WORKSPACE))
    assert messages(resolved) == [
        (
            "policy.read_denny from socreates.toml of the workspace: there is no such setting; "
            "did you mean policy.read_deny?"
        )
    ]


def test_a_workspace_tightens_wherever_its_layer_is_handed_over() -> None:
    workspace = from_table({"limits": {"review_seconds": 5000}, "rules": ["theirs"]}, WORKSPACE)
    assert resolve([workspace, THREE[CONFIG]]) == resolve([THREE[CONFIG]], workspace=workspace)


@pytest.mark.parametrize(
    "payload",
    [{"trusted": False}, {"trusted": "false"}, {"socreates": {"trusted": False}}, {"socreates.trusted": 0}],
)
def test_a_workspace_that_is_not_trusted_is_not_looked_at(payload: object) -> None:
    workspace = from_table({"rules": ["theirs"], "nonsense": 1}, WORKSPACE)
    resolved = client(payload, INIT, workspace=workspace)
    assert resolved.settings == Settings()
    assert (resolved.trusted, resolved.problems) == (False, ())
    assert resolve([], workspace=workspace, trusted=False).trusted is False
    later = resolve([from_client(payload, INIT), from_client({"trusted": True})], workspace=workspace)
    assert (later.trusted, later.settings) == (False, Settings())


def test_trust_is_no_key_of_a_file() -> None:
    resolved = resolve([from_table({"trusted": False}, CONFIG)])
    assert resolved.trusted
    assert messages(resolved) == ["trusted from config.toml: there is no such setting; it is ignored."]


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    heavy = ["tomllib", "json", "difflib", "platformdirs", "attrs", "cattrs", "pygls", "yaml"]
    code = (
        "import sys; before = set(sys.modules); import socreates_lsp.settings as s; s.resolve([]); "
        f"print([name for name in {heavy} if name in set(sys.modules) - before])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
