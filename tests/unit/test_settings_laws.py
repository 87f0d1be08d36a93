"""Laws of the settings, for whatever a source may hold.

1. Nothing raises, and what is said can be shown.
2. A workspace loosens nothing: with its layer, the settings are at most as permissive as without.
3. A client approves nothing, loads nothing, and reaches no other machine without the user's word.
"""

from __future__ import annotations

from dataclasses import replace

from hypothesis import example, given, settings
from hypothesis import strategies as st

from socreates_lsp.settings import (
    Layer,
    Reach,
    Resolved,
    Source,
    address_of,
    from_client,
    from_environment,
    from_flags,
    from_table,
    is_loopback,
    resolve,
)
from socreates_lsp.settings.consent import endpoints
from socreates_lsp.settings.endpoints import allowed
from socreates_lsp.settings.facts import Client, Tighten
from socreates_lsp.settings.keys import Key, all_keys
from socreates_lsp.settings.kinds import Choice, HostPattern, Many, Number, Switch, VariableName, WebAddress, Whole
from socreates_lsp.settings.records import FallbackTable, QuestionTable
from socreates_lsp.settings.tighten import leaves_workspace

KEYS = list(all_keys().values())
HOSTS = [
    "a.example",
    "b.a.example",
    "c.b.a.example",
    "d.example",
    "127.0.0.1",
    "localhost",
    "::1",
    "evil",
    "ollama.com",
]
PATTERNS = [*HOSTS, "*", "*.example", "*.a.example", "*.b.a.example", "api.openai.com"]
URLS = [f"{scheme}://{f'[{host}]' if ':' in host else host}{end}"
        for scheme in ("http", "https") for host in HOSTS for end in ("", ":8080/v1")]  # fmt: skip
PATHS = ["docs", "a/b.md", "/etc", "../x", "a/../..", "~", "C:\\x", "\\\\h\\s", "./ok"]

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=20)
    | st.sampled_from([10**400, "\ud800", "off", "127.0.0.1", ""])
)
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def fitting(kind: object) -> st.SearchStrategy[object]:
    """Values that a key takes, more or less."""
    match kind:
        case Many(item=HostPattern()):
            return st.lists(st.sampled_from(PATTERNS), max_size=4)
        case Many(item=item):
            return st.lists(fitting(item), max_size=4)
        case Choice():
            return st.sampled_from(list(kind.choices))
        case Whole():
            return st.integers(kind.least, kind.least + 10_000)
        case Number():
            return st.floats(0.001, 2000) if kind.most is None else st.floats(kind.least, kind.most)
        case Switch():
            return st.booleans()
        case WebAddress():
            return st.sampled_from(URLS)
        case VariableName():
            return st.sampled_from(["MY_KEY", "OTHER_KEY"])
        case QuestionTable():
            return st.fixed_dictionaries(
                {"question": st.sampled_from(["Why?", "How?"])}, optional={"glob": st.just("*.md")}
            )
        case FallbackTable():
            return st.sampled_from(["m", "n:cloud"]) | st.fixed_dictionaries(
                {"name": st.just("m")},
                optional={
                    "provider": st.sampled_from(["openai", "ollama", "examiner"]),
                    "baseUrl": st.sampled_from(URLS),
                },
            )
        case _:
            return st.sampled_from([*PATHS, "none", "brave", "qwen3:8b", "kimi:cloud"])


@st.composite
def tables(draw: st.DrawFn) -> dict[str, object]:
    """A table of settings as a source may hold it: known keys, any spelling, values mostly of their kind."""
    chosen = draw(st.lists(st.sampled_from(KEYS), max_size=10, unique_by=lambda key: key.name))
    table: dict[str, object] = {}
    for key in chosen:
        value = draw(fitting(key.facts.kind) if draw(st.integers(0, 4)) else json_values)
        table[draw(st.sampled_from([key.name, key.toml]))] = value
    return table


user_layers = tables().map(lambda table: from_table(table, Source.CONFIG)) | st.builds(
    lambda table: from_flags([f"{name}={value}" for name, value in table.items()]), tables()
)
client_layers = st.builds(from_client, tables(), st.sampled_from([Source.INITIALIZATION, Source.EDITOR]))
workspace_layers = tables().map(lambda table: from_table(table, Source.WORKSPACE))


def value(resolved: Resolved, key: Key) -> object:
    holder = getattr(resolved.settings, key.section) if key.section else resolved.settings
    return getattr(holder, key.attribute)


def assert_complete(resolved: Resolved) -> None:
    """Every key has a value of its kind and an origin; every problem can be shown."""
    assert set(resolved.origins) == set(all_keys())
    for key in KEYS:
        held = value(resolved, key)
        if held != key.default:
            assert key.facts.kind.read(key.facts.kind.plain(held)) == (held, ()), key.name
    for problem in resolved.problems:
        problem.message.encode()
        assert problem.message.endswith((".", "?"))
        assert "\n" not in problem.message
        assert len(problem.message) < 500


@settings(deadline=None, max_examples=80)
@given(json_values, json_values, json_values)
@example({"socreates": {"socreates": {"socreates": {}}}}, [[[]]], {"review": {"review": {"review": 1}}})
def test_nothing_raises_on_arbitrary_json(first: object, second: object, workspace: object) -> None:
    layers = [from_client(first), from_table(second, Source.CONFIG), from_client(second, Source.INITIALIZATION)]
    assert_complete(resolve(layers, workspace=from_table(workspace, Source.WORKSPACE)))


@settings(deadline=None, max_examples=80)
@given(st.data())
def test_nothing_raises_on_arbitrary_values_under_known_keys(data: st.DataObject) -> None:
    named = st.dictionaries(st.sampled_from(list(all_keys())), json_values, max_size=8)
    layers = [from_client(data.draw(named)), from_table(data.draw(named), Source.CONFIG)]
    assert_complete(resolve(layers, workspace=from_table(data.draw(named), Source.WORKSPACE)))


@settings(deadline=None, max_examples=80)
@given(
    st.dictionaries(
        st.sampled_from([key.variable for key in KEYS]) | st.text(max_size=9).map("SOCREATES_".__add__), st.text()
    ),
    st.lists(st.builds("{}={}".format, st.sampled_from([key.name for key in KEYS]), st.text()) | st.text(), max_size=6),
)
def test_nothing_raises_on_arbitrary_variables_and_flags(environ: dict[str, str], flags: list[str]) -> None:
    assert_complete(resolve([from_environment(environ), from_flags(flags)]))


def assert_no_laxer(stricter: Resolved, laxer: Resolved) -> None:
    """The law of the workspace, key by key."""
    for key in KEYS:
        now, before = value(stricter, key), value(laxer, key)
        if not key.facts.workspace:
            assert now == before, key.name
            continue
        match key.facts.tighten:
            case Tighten.ADD:
                assert now[: len(before)] == before, key.name
                if key.facts.inside:
                    assert not any(map(leaves_workspace, now[len(before) :]))
            case Tighten.LOWER:
                assert now <= before, key.name
            case Tighten.NARROW:
                assert all(allowed(host, before) for host in HOSTS if allowed(host, now)), key.name
            case _:
                raise AssertionError(f"{key.name} has no way to be tightened that this test knows")
    assert stricter.named == laxer.named
    assert stricter.needs_consent <= laxer.needs_consent
    assert stricter.refused >= laxer.refused
    assert stricter.trusted == laxer.trusted
    order = [Reach.REFUSED, Reach.ASK, Reach.FREE]
    assert all(order.index(stricter.reach(url)) <= order.index(laxer.reach(url)) for url in URLS)


@settings(deadline=None, max_examples=100)
@given(st.lists(user_layers | client_layers, max_size=3), workspace_layers)
def test_a_workspace_loosens_nothing(layers: list[Layer], workspace: Layer) -> None:
    assert_no_laxer(resolve(layers, workspace=workspace), resolve(layers))


@settings(deadline=None, max_examples=80)
@given(st.sampled_from(KEYS), st.data())
def test_a_workspace_loosens_no_single_key_whoever_set_it(key: Key, data: st.DataObject) -> None:
    values = fitting(key.facts.kind) | json_values
    layer = from_table({key.toml: data.draw(values)}, Source.CONFIG)
    workspace = from_table({key.toml: data.draw(values)}, Source.WORKSPACE)
    assert_no_laxer(resolve([layer], workspace=workspace), resolve([layer]))


@settings(deadline=None, max_examples=50)
@given(st.lists(user_layers | client_layers, max_size=3), workspace_layers)
def test_a_workspace_that_is_not_trusted_changes_nothing(layers: list[Layer], workspace: Layer) -> None:
    assert resolve(layers, workspace=workspace, trusted=False) == resolve(layers)._replace(trusted=False)


@settings(deadline=None, max_examples=100)
@given(st.lists(user_layers, max_size=2), st.lists(client_layers, min_size=1, max_size=2))
def test_a_client_approves_loads_and_reaches_nothing(user: list[Layer], client: list[Layer]) -> None:
    alone, both = resolve(user), resolve([*user, *client])
    assert both.named == alone.named
    for key in KEYS:
        mine, ours = value(alone, key), value(both, key)
        users = any(entry.key == key for layer in user for entry in layer.entries)
        if key.facts.client is Client.NEVER:
            assert ours == mine, key.name
        if key.facts.client is Client.TIGHTENS and key.facts.tighten is Tighten.ADD:
            assert set(mine) <= set(ours), key.name
        if key.facts.client is Client.TIGHTENS and key.facts.tighten is Tighten.STRICTER:
            laxer_first = key.facts.laxer_first
            assert ours == mine or laxer_first.index(ours) > (laxer_first.index(mine) if mine in laxer_first else -1)
        if key.facts.client is Client.BELOW_USER and users and mine != key.default:
            assert ours <= mine, key.name
        if key.facts.inside and ours != mine:
            assert not any(map(leaves_workspace, ours))
    assert all(allowed(host, alone.settings.policy.endpoints_allow) for host in HOSTS
               if allowed(host, both.settings.policy.endpoints_allow))  # fmt: skip
    # An address in doubt leads nowhere: see test_settings_doubt.py.
    for url in endpoints(both.settings, both.unsure):
        address = address_of(url)
        assert address is not None
        free = is_loopback(address.host) or alone.reach(url) is Reach.FREE
        assert free or address.host in both.needs_consent | both.refused, url


@settings(deadline=None, max_examples=40)
@given(st.lists(user_layers | client_layers, max_size=4), st.randoms())
def test_the_order_in_which_sources_are_handed_over_does_not_matter(layers: list[Layer], random) -> None:
    layers = list({layer.source: layer for layer in layers}.values())
    shuffled = [*layers]
    random.shuffle(shuffled)
    assert resolve(shuffled) == resolve(layers)


def test_the_law_of_the_workspace_sees_a_loosening() -> None:
    """The law above is no tautology: a setting loosened by hand breaks it."""
    plain = resolve([])
    policy = plain.settings.policy
    loosened = [
        replace(plain.settings, policy=replace(policy, read_deny=policy.read_deny[1:])),
        replace(plain.settings, policy=replace(policy, auto_approve=("ls",))),
        replace(plain.settings, policy=replace(policy, command_seconds=61.0)),
        replace(plain.settings, supervise=False),
    ]
    for settings_ in loosened:
        try:
            assert_no_laxer(plain._replace(settings=settings_), plain)
        except AssertionError:
            continue
        raise AssertionError(f"not seen: {settings_}")
