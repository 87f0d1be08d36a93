"""From layers to settings: later wins, the workspace tightens, nothing raises. Pure.

The laws that the tests state: whatever a layer holds, ``resolve`` answers; a workspace makes nothing laxer;
what a client sends reaches no other machine, approves nothing and loads nothing without the user's word.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from socreates_lsp.settings.consent import MODEL_URL, endpoints, main_endpoint, named, variables
from socreates_lsp.settings.endpoints import Endpoint, Reach, address_of, reach
from socreates_lsp.settings.facts import Client
from socreates_lsp.settings.keys import Key, all_keys
from socreates_lsp.settings.kinds import Mismatch, WebAddress, shown
from socreates_lsp.settings.schema import Settings
from socreates_lsp.settings.sources import Entry, Layer, Problem, Source
from socreates_lsp.settings.tighten import leaves_workspace, tightened

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_MOST_ITEMS = 5


class Resolved(NamedTuple):
    """Settings that hold, and how they came about.

    ``origins`` has the source of every key by its dotted camelCase name. ``needs_consent`` are the hosts that the
    settings would send code to and the user has not named: nothing may go there before the user said yes to a
    prompt that names the host. ``refused`` are those that ``policy.endpointsAllow`` leaves out. ``named`` are the
    endpoints, and ``variables`` those for keys, that the user's own sources name. ``unsure``: the settings for
    addresses of which the last source that spoke was not understood, each with the problem in a sentence; for
    these no default holds, and nothing is sent. ``trusted`` False: ``socreates.toml`` was not looked at, and no
    command may run.
    """

    settings: Settings
    origins: Mapping[str, str]
    problems: tuple[Problem, ...]
    needs_consent: frozenset[str]
    refused: frozenset[str]
    named: frozenset[Endpoint]
    trusted: bool
    variables: frozenset[str]
    unsure: Mapping[str, str]

    @property
    def doubt(self) -> str | None:
        """Why no model may be asked at ``model.baseUrl``, in a sentence; None if one may."""
        return self.unsure.get(MODEL_URL)

    def reach(self, url: str) -> Reach:
        """May code be sent to this address, as far as the settings say? Remembered consent is not their matter."""
        return reach(url, self.named, self.settings.policy.endpoints_allow)


class _Held(NamedTuple):
    """The value of a key while layers are laid on each other."""

    value: object
    origin: str
    source: Source = Source.DEFAULT


class _Refusal(NamedTuple):
    """Something not taken; said at the end, when it is known what holds instead. ``partly``: the rest was taken."""

    entry: Entry
    what: str
    partly: bool = False


def resolve(layers: Sequence[Layer], *, workspace: Layer | None = None, trusted: bool = True) -> Resolved:
    """Lay the layers on each other, in the order of ``Source`` whatever their order here, then the workspace's.

    ``workspace`` (of ``socreates.toml``) can only tighten, and counts only if the caller and every client trust
    it. Never raises.
    """
    ordered = sorted(
        (layer for layer in layers if layer.source is not Source.WORKSPACE), key=lambda one: one.source.rank
    )
    believed = trusted and all(layer.trusted for layer in ordered)
    tightening = [*(layer for layer in layers if layer.source is Source.WORKSPACE), *([workspace] if workspace else [])]
    pile = _Pile()
    for layer in ordered:
        pile.lay(layer)
    pile.grant_wishes()
    for layer in tightening if believed else ():
        pile.tighten(layer)
    pile.cross_check()
    settings = _settings({name: held.value for name, held in pile.held.items()})
    urls = endpoints(settings, pile.doubts)
    places = {url: reach(url, pile.named, settings.policy.endpoints_allow) for url in urls}
    return Resolved(
        settings=settings,
        origins=MappingProxyType({name: held.origin for name, held in pile.held.items()}),
        problems=(*pile.problems, *(pile.said(refusal) for refusal in pile.refusals)),
        needs_consent=_hosts(url for url, answer in places.items() if answer is Reach.ASK),
        refused=_hosts(url for url, answer in places.items() if answer is Reach.REFUSED),
        named=pile.named,
        trusted=believed,
        variables=variables(pile.own),
        unsure=MappingProxyType({name: pile.doubted(name) for name in pile.doubts}),
    )


class _Pile:
    """The layers laid so far."""

    def __init__(self) -> None:
        self.held = {name: _Held(key.default, Source.DEFAULT.value) for name, key in all_keys().items()}
        self.own: list[tuple[Entry, object]] = []
        self.wishes: dict[str, tuple[Entry, object]] = {}
        self.refusals: list[_Refusal] = []
        self.problems: list[Problem] = []
        self.named: frozenset[Endpoint] = frozenset()
        self.doubts: dict[str, str | _Refusal] = {}
        self.own_doubts: set[str] = set()

    def lay(self, layer: Layer) -> None:
        """Lay a layer on what is there."""
        self.problems += layer.problems
        for name, why in layer.doubts:
            self._doubt(name, why, own=layer.source.is_user)
        for entry in layer.entries:
            name, client = entry.key.name, entry.key.facts.client
            if layer.source.is_client and client is Client.NEVER:
                if entry.value is not None:
                    self.refusals.append(_Refusal(entry, "only config.toml, a variable or a flag may set it"))
                continue
            value = self._read(entry, theirs=layer.source.is_client)
            if value is None:
                if isinstance(entry.key.facts.kind, WebAddress) and self.refusals and self.refusals[-1].entry is entry:
                    self._doubt(name, self.refusals[-1], own=layer.source.is_user)
                continue
            if layer.source.is_client and client is not Client.SETS:
                self.wishes[name] = (entry, value)
                continue
            self.held[name] = _Held(value, entry.origin, layer.source)
            self.doubts.pop(name, None)
            if layer.source.is_user:
                self.own_doubts.discard(name)
                self.own.append((entry, value))
                self.wishes.pop(name, None)

    def grant_wishes(self) -> None:
        """Tighten by what clients asked for where they may do no more, and note which addresses the user named."""
        own = _settings({entry.key.name: value for entry, value in self.own})
        self.named = named(self.own, own, self.own_doubts)
        for name, (entry, value) in self.wishes.items():
            held = self.held[name]
            if entry.key.facts.client is Client.BELOW_USER and not held.source.is_user:
                self.held[name] = _Held(value, entry.origin, Source.EDITOR)
            else:
                self._tighten(entry, value)

    def tighten(self, layer: Layer) -> None:
        """Tighten by what the workspace asks for."""
        self.problems += layer.problems
        for entry in layer.entries:
            if not entry.key.facts.workspace:
                if entry.value is not None:
                    self.refusals.append(_Refusal(entry, "a workspace may not set it"))
                continue
            value = self._read(entry, theirs=True)
            if value is not None:
                self._tighten(entry, value)

    def cross_check(self) -> None:
        """Take back what does not go together."""
        model = _settings({name: held.value for name, held in self.held.items()}).model
        if model.max_output_tokens and model.context_tokens and model.max_output_tokens >= model.context_tokens:
            self._take_back("model.maxOutputTokens", "it has to be less than model.contextTokens")
        self._keep_key_at_home()

    def said(self, refusal: _Refusal) -> Problem:
        """A refusal as a problem, with what holds instead."""
        entry, name = refusal.entry, refusal.entry.key.name
        if self.doubts.get(name) is refusal:
            rest = "nothing is sent to a model before it is right"
        else:
            rest = "the rest of it counts" if refusal.partly else _holding(self.held[name], entry.key)
        return Problem(entry.origin, name, f"{name} from {entry.origin}: {refusal.what}; {rest}.")

    def doubted(self, name: str) -> str:
        """Why it is not known what a setting is to be."""
        why = self.doubts[name]
        return why if isinstance(why, str) else self.said(why).message

    def _doubt(self, name: str, why: str | _Refusal, *, own: bool) -> None:
        self.doubts[name] = why
        if own:
            self.own_doubts.add(name)

    def _read(self, entry: Entry, *, theirs: bool) -> object:
        """The value of an entry as the settings hold it; None for nothing. ``theirs``: it is not the user's word."""
        facts, raw = entry.key.facts, entry.value
        if entry.text and isinstance(raw, str):
            text = raw.strip()
            # An address that is empty is one that got lost on the way: --set model.baseUrl=$URL
            nothing = {"null"} if isinstance(facts.kind, WebAddress) else {"", "null"}
            raw = None if text in nothing else facts.kind.from_text(text)
        if raw is None:
            return None
        value, wrong = facts.kind.read(raw)
        if theirs and facts.inside and value is not None:
            paths = cast("tuple[str, ...]", value)
            value = tuple(path for path in paths if not leaves_workspace(path)) or (None if paths else ())
            self.refusals += [
                _Refusal(entry, f"{shown(path)} leads out of the workspace", partly=value is not None)
                for path in [path for path in paths if leaves_workspace(path)][:_MOST_ITEMS]
            ]
        self.refusals += [_Refusal(entry, _wrong(one), partly=value is not None) for one in wrong[:_MOST_ITEMS]]
        if len(wrong) > _MOST_ITEMS:
            more = f"{len(wrong) - _MOST_ITEMS} more items do not fit"
            self.refusals.append(_Refusal(entry, more, partly=value is not None))
        return value

    def _tighten(self, entry: Entry, asked: object) -> None:
        held = self.held[entry.key.name]
        value, refused = tightened(entry.key.facts, held.value, asked)
        if refused:
            self.refusals.append(_Refusal(entry, refused))
        if value != held.value:
            origin = entry.origin if value == asked else f"{held.origin} and {entry.origin}"
            self.held[entry.key.name] = held._replace(value=value, origin=origin)

    def _keep_key_at_home(self) -> None:
        """A key that the user meant for one host does not go along to another that a client named."""
        settings = _settings({name: held.value for name, held in self.held.items()})
        url = main_endpoint(settings)
        key = self.held["model.apiKeyEnv"]
        if url and key.source.is_user and reach(url, self.named, None) is Reach.ASK:
            where = "://".join(address_of(url) or ())
            self._take_back("model.apiKeyEnv", f"it is not sent to {where}, which you have not named yourself")

    def _take_back(self, name: str, why: str) -> None:
        key, held = all_keys()[name], self.held[name]
        self.held[name] = _Held(key.default, Source.DEFAULT.value)
        self.refusals.append(_Refusal(Entry(key, held.value, held.origin), why))


def _settings(values: Mapping[str, object]) -> Settings:
    """The settings with these values, by dotted camelCase name, and the defaults for all others."""
    default = Settings()
    parts: dict[str, dict[str, Any]] = {}
    for name, value in values.items():
        key = all_keys()[name]
        parts.setdefault(key.section, {})[key.attribute] = value
    top = parts.pop("", {})
    return replace(default, **top, **{name: replace(getattr(default, name), **part) for name, part in parts.items()})


def _wrong(mismatch: Mismatch) -> str:
    item = "" if mismatch.item is None else f"item {mismatch.item + 1}: "
    return f"{item}expected {mismatch.expected}" + (f", not {mismatch.got}" if mismatch.got else "")


def _holding(held: _Held, key: Key) -> str:
    """What holds instead, in words."""
    plain = None if held.value is None else key.facts.kind.plain(held.value)
    value = f" {shown(plain)}" if isinstance(plain, (str, int, float)) else ""
    if held.origin == Source.DEFAULT.value:
        return f"the default{value} holds"
    return f"{value.strip()} from {held.origin} holds" if value else f"the value from {held.origin} holds"


def _hosts(urls: Iterable[str]) -> frozenset[str]:
    return frozenset(address.host for address in map(address_of, urls) if address is not None)
