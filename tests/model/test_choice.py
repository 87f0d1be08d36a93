"""Who answers: auto, the named providers, leave before the first byte, fallbacks, and addresses of Ollama."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.model import failures
from socreates_lsp.model.choice import Choice, choose
from socreates_lsp.model.ollama_server import address_in
from socreates_lsp.settings.choices import Provider, Tools
from socreates_lsp.settings.records import Fallback
from socreates_lsp.settings.schema import ModelSettings
from socreates_lsp.testkit import Reply, ScriptedServer
from tests.model.talk import talk

if TYPE_CHECKING:
    from collections.abc import Mapping

PLAIN = {"capabilities": ["completion"]}
EMBEDS = {"capabilities": ["embedding"]}


def on(day: int, **more: Any) -> dict[str, Any]:
    return {"modified_at": f"2026-01-{day:02}T00:00:00Z", **more}


class Leave:
    """An ``admit`` that says yes but to some, and remembers who was asked about."""

    def __init__(self, *refused: str) -> None:
        self.refused = refused
        self.asked: list[str] = []
        self.variables: list[str] = []

    async def __call__(self, url: str, variable: str | None = None) -> str | None:
        self.asked.append(url)
        if variable is not None:
            self.variables.append(variable)
        return "The user said no." if any(one in url for one in self.refused) else None


async def chosen(
    settings: ModelSettings, environ: Mapping[str, str] | None = None, admit: Leave | None = None
) -> Choice:
    return await choose(settings, environ or {}, admit or Leave())


async def by_auto(server: ScriptedServer, admit: Leave | None = None, **settings: Any) -> Choice:
    return await chosen(ModelSettings(**settings), {"OLLAMA_HOST": server.url}, admit)


def name(choice: Choice) -> str | None:
    return choice.model and choice.model.name


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("", None),
        ("  ", None),
        ("127.0.0.1", "http://127.0.0.1:11434"),
        ("localhost:8080", "http://localhost:8080"),
        (":8080", "http://127.0.0.1:8080"),
        ("8080", "http://127.0.0.1:8080"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:1234", "http://127.0.0.1:1234"),
        ("http://0.0.0.0:1234/", "http://127.0.0.1:1234"),
        ("[::]:1234", "http://127.0.0.1:1234"),
        ("[::1]:1234", "http://[::1]:1234"),
        ("[::1]", "http://[::1]:11434"),
        ("::1", "http://[::1]:11434"),
        ("http://gpu.lan", "http://gpu.lan:80"),
        ("https://gpu.lan", "https://gpu.lan:443"),
        ("HTTPS://GPU.lan:1/x", "https://gpu.lan:1"),
        (' "gpu.lan" ', "http://gpu.lan:11434"),
        ("gpu.lan:99999", None),
        ("user@gpu.lan", None),
        ("a b", None),
    ],
)
def test_every_form_of_ollama_host(text: str, url: str | None) -> None:
    assert address_in(text) == url


@pytest.mark.parametrize(
    ("models", "loaded", "wanted", "skipped"),
    [
        ({"old": on(1), "new": on(2)}, [], "new", {}),
        ({"old": on(1), "new": on(2)}, ["old"], "old", {}),
        ({"plain": on(1, **PLAIN), "new": on(2)}, ["plain"], "new", {"plain": "it cannot call tools"}),
        ({"old": on(1), "new": on(2, **EMBEDS)}, [], "old", {"new": "it only embeds"}),
        ({"old": on(1), "big:cloud": on(2)}, [], "old", {"big:cloud": "it runs elsewhere"}),
        ({"old": on(1), "big:120b-cloud": on(2)}, [], "old", {"big:120b-cloud": "it runs elsewhere"}),
        ({"old": on(1), "far": on(2, remote_host="https://x.example")}, ["far"], "old", {"far": "it runs elsewhere"}),
        ({"old": on(1), "far": on(2, remote_model="x")}, [], "old", {"far": "it runs elsewhere"}),
        (
            {"a": on(1, **PLAIN), "b": on(2, **PLAIN), "e": on(3, **EMBEDS)},
            [],
            "b",
            {"e": "it only embeds", "a": "it cannot call tools"},
        ),
        ({"a": on(1, **PLAIN), "b": on(2, **PLAIN)}, ["a"], "a", {"b": "it cannot call tools"}),
        ({"e": on(3, **EMBEDS)}, [], None, {"e": "it only embeds"}),
        ({}, [], None, {}),
    ],
)
async def test_auto_takes_the_best_of_a_local_ollama(
    models: dict[str, Any], loaded: list[str], wanted: str | None, skipped: dict[str, str]
) -> None:
    with ScriptedServer(models=models, loaded=loaded) as server:
        choice = await by_auto(server)
        looked_at = [one.body["model"] for one in server.asked if one.path == "/api/show"]
    assert name(choice) == wanted
    assert not [one for one in looked_at if skipped.get(one) == "it runs elsewhere"]
    assert dict(choice.skipped) == skipped
    assert wanted is None or wanted in choice.why
    assert choice.why.endswith(".")


async def test_what_runs_elsewhere_is_seen_by_what_show_tells_too() -> None:
    far = {"capabilities": ["completion", "tools"], "model_info": {}, "remote_host": "https://ollama.com:443"}
    with ScriptedServer(models={"m": {}}, routes={"/api/show": far}) as server:
        choice = await by_auto(server)
        assert name(choice) is None
        assert choice.skipped == (("m", "it runs elsewhere"),)
        assert server.chats == []


@pytest.mark.parametrize(
    ("show", "taken", "tools"),
    [
        ({"template": "{{ if .Tools }}x{{ end }}"}, True, True),
        ({"template": "{{ .Prompt }}"}, True, False),
        ({"details": {"family": "nomic-bert"}}, False, False),
    ],
)
async def test_an_old_ollama_tells_no_capabilities(show: dict[str, Any], taken: bool, tools: bool) -> None:
    with ScriptedServer([Reply("x")], models={"m": {}}, routes={"/api/show": show}) as server:
        choice = await by_auto(server)
        assert (choice.model is not None) is taken
        if choice.model is not None:
            await talk(choice.model)
            assert ("tools" in server.chats[0]) is tools


async def test_auto_without_an_ollama_is_the_examiner() -> None:
    with ScriptedServer() as server:
        url = server.url
    choice = await chosen(ModelSettings(), {"OLLAMA_HOST": url})
    assert choice == Choice(None, f"No Ollama answers at {url}, so the examiner does.")


async def test_auto_never_leaves_the_machine() -> None:
    admit = Leave()
    environ = {"OLLAMA_HOST": "http://gpu.lan:1", "OPENAI_API_KEY": "sk-x"}
    for settings in (ModelSettings(), ModelSettings(base_url="https://models.example/v1")):
        choice = await choose(settings, environ, admit)
        assert "choose model.provider" in choice.skipped[0][1]
    assert set(admit.asked) == {"http://127.0.0.1:11434"}


@pytest.mark.parametrize("provider", [Provider.AUTO, Provider.OLLAMA, Provider.OPENAI])
@pytest.mark.parametrize("model", ["m", None])
async def test_nothing_is_sent_before_leave_is_given(provider: Provider, model: str | None) -> None:
    admit = Leave("127.0.0.1")
    with ScriptedServer() as server:
        settings = ModelSettings(provider=provider, base_url=server.url, name=model)
        if provider is Provider.AUTO:
            choice = await chosen(settings, admit=admit)
            assert choice.model is None
            assert "The user said no." in choice.why
        else:
            with pytest.raises(failures.NotAllowedError, match="The user said no"):
                await chosen(settings, admit=admit)
        assert server.asked == []
        assert server.connections == 0
    assert len(admit.asked) == 1


@pytest.mark.parametrize(
    ("provider", "models"),
    [
        (Provider.OLLAMA, {"x:cloud": {}}),
        (Provider.OLLAMA, {"x:cloud": {"remote_host": "ollama.com"}}),
        (Provider.OPENAI, {"x:cloud": {}}),
    ],
)
async def test_a_model_that_a_local_ollama_passes_on_needs_leave_for_where_it_goes(
    provider: Provider, models: dict[str, Any]
) -> None:
    with ScriptedServer(models=models) as server:
        settings = ModelSettings(provider=provider, base_url=server.url, name="x:cloud")
        admit = Leave()
        assert name(await chosen(settings, admit=admit)) == "x:cloud"
        assert admit.asked[1:] == ["https://ollama.com"]
        with pytest.raises(failures.NotAllowedError):
            await chosen(settings, admit=Leave("ollama.com"))
        assert server.chats == []


async def test_a_named_ollama_model() -> None:
    with ScriptedServer([Reply("x")], models={"a": {}, "b": PLAIN, "e": EMBEDS}) as server:
        ollama = ModelSettings(provider=Provider.OLLAMA, base_url=f"{server.url}/v1/", name="b")
        choice = await chosen(ollama)
        assert (name(choice), choice.why) == ("b", f"The settings choose b at {server.url}.")
        assert choice.model is not None
        await talk(choice.model)
        assert "tools" not in server.chats[0]
        with pytest.raises(failures.NoSuchModelError, match="a, b, e"):
            await chosen(ModelSettings(provider=Provider.OLLAMA, base_url=server.url, name="z"))
        with pytest.raises(failures.NoSuchModelError, match="only embeds"):
            await chosen(ModelSettings(provider=Provider.OLLAMA, base_url=server.url, name="e"))
        assert name(await chosen(ModelSettings(provider=Provider.OLLAMA, base_url=server.url))) == "a"
        server.models = {}
        with pytest.raises(failures.NoSuchModelError, match="ollama pull"):
            await chosen(ModelSettings(provider=Provider.OLLAMA, base_url=server.url))


async def test_a_name_with_auto_is_taken_if_it_is_there() -> None:
    with ScriptedServer(models={"new": on(2), "old": on(1, **PLAIN)}) as server:
        assert name(await by_auto(server, name="old")) == "old"
        choice = await by_auto(server, name="other")
    assert name(choice) == "new"
    assert choice.skipped == (("other", "it is not there"),)


async def test_openai_needs_a_name_unless_there_is_only_one() -> None:
    with ScriptedServer(models={"only": {}}) as server:
        settings = ModelSettings(provider=Provider.OPENAI, base_url=server.url)
        assert name(await chosen(settings)) == "only"
        server.models = {"a": {}, "b": {}}
        with pytest.raises(failures.NoSuchModelError, match=r"set model\.name to one of: a, b"):
            await chosen(settings)


KEYS = {"OPENAI_API_KEY": "sk-openai", "OTHER_KEY": "sk-other"}


@pytest.mark.parametrize(
    ("settings", "sent"),
    [({}, None), ({"api_key_env": "OTHER_KEY"}, "Bearer sk-other"), ({"api_key_env": "MISSING"}, None)],
)
async def test_a_key_goes_where_it_was_named_for(settings: dict[str, Any], sent: str | None) -> None:
    with ScriptedServer([Reply("x")]) as server:
        choice = await chosen(ModelSettings(provider=Provider.OPENAI, base_url=server.url, name="m", **settings), KEYS)
        assert choice.model is not None
        await talk(choice.model)
        assert {one.headers.get("authorization") for one in server.asked} == {sent}
        await by_auto(server, **settings)
        assert server.asked[-1].headers.get("authorization") is None


async def test_openais_own_key_goes_to_openai_alone() -> None:
    from socreates_lsp.model.choice import _place

    settings = ModelSettings(provider=Provider.OPENAI)
    key = _place(settings, "openai", "https://api.openai.com/v1", "m", KEYS).key
    assert key is not None
    assert key.secret == "sk-openai"
    for url in ("http://api.openai.com/v1", "https://api.openai.com.evil.example/v1"):
        assert _place(settings, "openai", url, "m", KEYS).key is None


async def test_the_examiner_is_chosen_by_name() -> None:
    assert (await chosen(ModelSettings(provider=Provider.EXAMINER))).model is None


@pytest.mark.parametrize(("tools", "native"), [(Tools.AUTO, True), (Tools.NATIVE, True), (Tools.TEXT, False)])
async def test_the_setting_for_tools_holds(tools: Tools, native: bool) -> None:
    with ScriptedServer([Reply("x")]) as server:
        settings = ModelSettings(provider=Provider.OPENAI, base_url=server.url, name="m", tools=tools)
        choice = await chosen(settings)
        assert choice.model is not None
        await talk(choice.model)
        assert ("tools" in server.chats[0]) is native


async def test_the_next_model_answers_when_one_fails_and_is_asked_for_leave_only_then() -> None:
    good = ScriptedServer([Reply("Why?")], models={"spare": {}})
    with ScriptedServer([Reply(status=401)]) as server, good:
        fallback = (Fallback("gone", Provider.OLLAMA, good.url), Fallback("spare", Provider.OPENAI, good.url))
        settings = ModelSettings(
            provider=Provider.OPENAI, base_url=server.url, name="m", api_key_env="OTHER_KEY", fallback=fallback
        )
        admit = Leave()
        choice = await chosen(settings, KEYS, admit)
        assert len(admit.asked) == 1
        assert choice.model is not None
        assert (choice.model.provider, choice.model.endpoint) == ("openai", server.url)
        answered = await talk(choice.model)
        assert len(admit.asked) == 3
        assert answered.text == "Why?"
        assert answered.end.model == "spare"
        assert "OTHER_KEY" in str(answered.end.warning)
        assert (choice.model.name, choice.model.endpoint) == ("spare", good.url)
        assert {one.headers.get("authorization") for one in good.asked} == {None}
        await choice.model.close()


async def test_a_model_that_cannot_be_had_makes_way_for_the_next() -> None:
    with ScriptedServer([Reply("Why?")], models={"spare": {}}) as server:
        fallback = (Fallback("no"), Fallback("spare"), Fallback("never"))
        settings = ModelSettings(provider=Provider.OLLAMA, base_url=server.url, name="gone", fallback=fallback)
        choice = await chosen(settings)
        assert name(choice) == "spare"
        assert [one for one, _ in choice.skipped] == ["gone", "no"]
        assert choice.model is not None
        assert (await talk(choice.model)).text == "Why?"
        server.models = {}
        with pytest.raises(failures.NoSuchModelError, match="gone"):
            await chosen(settings)


# In doubt, and keys


@pytest.mark.parametrize("provider", [Provider.OLLAMA, Provider.OPENAI])
async def test_in_doubt_no_model_is_asked(provider: Provider) -> None:
    admit = Leave()
    settings = ModelSettings(provider=provider, name="m", fallback=(Fallback("n"),))
    with pytest.raises(failures.NotAllowedError, match=r"^No model is asked.* It was wrong\.$"):
        await choose(settings, {"OPENAI_API_KEY": "sk-x"}, admit, "It was wrong.")
    assert admit.asked == []


async def test_in_doubt_auto_is_the_examiner_and_a_fallback_with_an_address_of_its_own_may_answer() -> None:
    with ScriptedServer() as server:
        choice = await choose(ModelSettings(), {"OLLAMA_HOST": server.url}, Leave(), "It was wrong.")
        assert choice.model is None
        assert choice.why.endswith("It was wrong.")
        assert server.connections == 0
        other = Fallback("m", Provider.OPENAI, server.openai_url)
        settings = ModelSettings(provider=Provider.OPENAI, name="m", fallback=(Fallback("n"), other))
        admit = Leave()
        choice = await choose(settings, {}, admit, "It was wrong.")
        assert choice.model is not None
        assert (choice.model.endpoint, admit.asked) == (server.url, [server.openai_url])


async def test_leave_is_asked_for_a_key_too_if_one_goes_along() -> None:
    with ScriptedServer() as server:
        for variable, asked in (("OTHER_KEY", ["OTHER_KEY"]), ("MISSING", []), (None, [])):
            for provider in (Provider.OPENAI, Provider.OLLAMA):
                admit = Leave()
                url = server.url
                await chosen(
                    ModelSettings(provider=provider, base_url=url, name="m", api_key_env=variable), KEYS, admit
                )
                assert admit.variables == asked
    admit = Leave()
    await chosen(ModelSettings(provider=Provider.OPENAI, name="m", api_key_env="OPENAI_API_KEY"), KEYS, admit)
    await chosen(ModelSettings(provider=Provider.OPENAI, name="m"), KEYS, admit)
    assert admit.variables == []
    away = ModelSettings(provider=Provider.OPENAI, name="m", base_url="http://h.example", api_key_env="OPENAI_API_KEY")
    await chosen(away, KEYS, admit)
    assert admit.variables == ["OPENAI_API_KEY"]
