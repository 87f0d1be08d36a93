"""Follows one thing that is taken and given back (a lock, a file, a changed setting) along the paths of a function.

What is taken, given back and risky is the caller's to say (``Watch``); this module only knows the order in which
statements run. It would rather miss a leak than see one that is none: where two conditions may be the same, they
are taken to be.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import TYPE_CHECKING

from socreates_lsp.examiner.parsed import key
from socreates_lsp.examiner.statements import IFS, Role, Step

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from ast_grep_py import Relation, SgNode


class Event(Enum):
    """What evaluating a node does."""

    TAKE = auto()
    GIVE = auto()
    RISK = auto()
    LEAVE = auto()


class Way(Enum):
    """How the path leaves that does not give back."""

    EXIT = auto()
    RAISE = auto()
    OTHERWISE = auto()


@dataclass(frozen=True, slots=True)
class Leak:
    """``node`` is the exit, the call that may raise, or the condition whose other side gives back."""

    node: SgNode
    way: Way


@dataclass(frozen=True, slots=True)
class Watch:
    """``event`` judges one node (called for inner nodes first). ``opaque`` kinds are not looked into.

    ``tests`` says whether a condition asks about the thing itself (was it taken? is it still open?),
    ``tests_outcome`` the same for the statement right behind the taking. ``absorbs`` says whether a handler
    catches whatever may be raised. ``keeps``: to hold it at the normal end may be the purpose.
    """

    event: Callable[[SgNode], Event | None]
    opaque: frozenset[str]
    tests: Callable[[SgNode], bool]
    tests_outcome: Callable[[SgNode], bool]
    absorbs: Callable[[SgNode], bool]
    keeps: bool = False


@dataclass(frozen=True, slots=True)
class _State:
    """Which of the two may be true here. ``cause`` says why it may still be held where it usually is not.

    ``fresh``: it was taken by the statement before.
    """

    free: bool
    held: bool
    cause: Leak | None = None
    fresh: bool = False


_FREE = _State(free=True, held=False)
_HELD = _State(free=False, held=True)
_TAKEN = _State(free=False, held=True, fresh=True)


def _join(states: Iterable[_State | None]) -> _State | None:
    """The state where paths meet; None (no way here) adds nothing."""
    met = [state for state in states if state is not None]
    if not met:
        return None
    held = [state for state in met if state.held]
    cause = next((state.cause for state in held if state.cause is not None), None)
    return _State(any(state.free for state in met), bool(held), cause)


@dataclass(slots=True)
class _Context:
    """Where the ways out of a stretch of statements lead."""

    raised: list[tuple[Leak, _State]]
    safe: bool = False
    loop: SgNode | None = None
    breaks: list[_State] = field(default_factory=list[_State])
    loop_breaks: list[_State] = field(default_factory=list[_State])


def leaks(steps: tuple[Step, ...], watch: Watch, *, held: bool = False) -> list[Leak]:
    """The ways out on which the thing stays taken, in the order in which they are met.

    ``held`` says whether it is taken before the first step.
    """
    return _Walk(watch).run(steps, held=held)


def events(node: SgNode, watch: Watch) -> Iterator[tuple[Event, SgNode]]:
    """The events of an expression, inner ones first. Functions defined inside it do not run here."""
    stack: list[tuple[SgNode, bool]] = [(node, False)]
    while stack:
        current, done = stack.pop()
        if done:
            event = watch.event(current)
            if event is not None:
                yield event, current
            continue
        stack.append((current, True))
        if current.kind() not in watch.opaque:
            stack.extend((child, False) for child in reversed(current.named_children()))


class _Walk:
    """One walk over the statements of a function."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.found: list[Leak] = []
        self.deferred = False
        self.seen: dict[tuple[int, int, str], frozenset[Event]] = {}

    def run(self, steps: tuple[Step, ...], *, held: bool) -> list[Leak]:
        context = _Context(raised=[])
        last = steps[-1] if steps and steps[-1].role is Role.EXIT else None
        state = self._block(steps[:-1] if last else steps, _HELD if held else _FREE, context)
        if self.watch.keeps and state is not None and state.held and not state.free:
            return []
        if last is not None and state is not None:
            state = self._exit(last.node, state, context)
        self.found += [leak for leak, at in context.raised if at.held]
        if state is not None and state.held and state.cause is not None:
            self.found.append(state.cause)
        return list({(key(leak.node), leak.way): leak for leak in self.found}.values())

    def _block(self, steps: tuple[Step, ...], state: _State | None, context: _Context) -> _State | None:
        for step in steps:
            if state is None:
                return None
            state = self._step(step, state, context)
        return state

    def _step(self, step: Step, state: _State, context: _Context) -> _State | None:
        match step.role:
            case Role.PLAIN:
                return self._evaluate([step.node], state, context)
            case Role.EXIT:
                return self._exit(step.node, state, context)
            case Role.DEFER:
                if self._gives_inside(step.node):
                    self.deferred = True
                    return _FREE
                return replace(state, fresh=False)
            case Role.BRANCH | Role.SWITCH:
                return self._branch(step, state, context)
            case Role.LOOP:
                return self._loop(step, state, context)
            case Role.TRY:
                return self._try(step, self._evaluate(step.heads, state, context), context)
            case Role.SCOPE:
                return self._block(step.arms[0], self._evaluate(step.heads, state, context), context)

    def _events(self, node: SgNode) -> frozenset[Event]:
        place = key(node)
        if place not in self.seen:
            self.seen[place] = frozenset(event for event, _ in events(node, self.watch))
        return self.seen[place]

    def _gives(self, steps: Iterable[Step]) -> bool:
        return any(Event.GIVE in self._events(step.node) for step in steps)

    def _gives_inside(self, node: SgNode) -> bool:
        """Whether it is given back anywhere in here, functions included."""
        return any(event is Event.GIVE for event, _ in events(node, replace(self.watch, opaque=frozenset[str]())))

    def _takes(self, nodes: Iterable[SgNode]) -> bool:
        return any(Event.TAKE in self._events(node) for node in nodes)

    def _tests(self, heads: tuple[SgNode, ...], state: _State) -> bool:
        if self._takes(heads):
            return True
        return any(self.watch.tests(head) or (state.fresh and self.watch.tests_outcome(head)) for head in heads)

    def _evaluate(self, nodes: Iterable[SgNode], state: _State, context: _Context) -> _State:
        taken = False
        for node in nodes:
            for event, at in events(node, self.watch):
                if event is Event.TAKE and not self.deferred:
                    state, taken = _TAKEN, True
                elif event is Event.GIVE:
                    state = _FREE
                elif event is Event.RISK:
                    context.raised.append((Leak(at, Way.RAISE), state))
                elif event is Event.LEAVE and state.held and not context.safe:
                    self.found.append(Leak(at, Way.EXIT))
        return state if taken else replace(state, fresh=False)

    def _exit(self, node: SgNode, state: _State, context: _Context) -> None:
        leak = Leak(node, Way.EXIT)
        kind = node.kind().partition("_")[0]
        if kind in {"raise", "throw"}:
            context.raised.append((leak, state))
            return
        state = self._evaluate([node], state, context)
        if kind == "break":
            goal = context.loop_breaks if node.named_children() else context.breaks
            goal.append(replace(state, cause=state.cause or leak))
        elif state.held and not context.safe and self._really_leaves(kind, node, context):
            self.found.append(state.cause or leak)

    def _really_leaves(self, kind: str, node: SgNode, context: _Context) -> bool:
        if kind == "continue":
            return context.loop is not None and not node.named_children() and self._takes([context.loop])
        return kind in {"return", "co"} or (kind == "goto" and not self._label_gives(node))

    def _label_gives(self, goto: SgNode) -> bool:
        """Whether the function gives back at or behind the label that is jumped to (or no such label is seen)."""
        names = goto.named_children()
        body = next((up for up in goto.ancestors() if up.kind() in self.watch.opaque), None)
        if not names or body is None:
            return True
        name: Relation = {"kind": names[0].kind(), "regex": f"^{re.escape(names[0].text())}$"}
        label = body.find(kind="labeled_statement", has=name)
        if label is None:
            return True
        start, everywhere = label.range().start.index, replace(self.watch, opaque=frozenset[str]())
        return any(at.range().end.index > start for event, at in events(body, everywhere) if event is Event.GIVE)

    def _branch(self, step: Step, state: _State, context: _Context) -> _State | None:
        tested = self._tests(step.heads, state)
        state = self._evaluate(step.heads, state, context)
        inner = context if step.node.kind() in _KEEP_BREAK else replace(context, breaks=[])
        gives = [tested and self._gives(arm) for arm in step.arms]
        entries = [state] * len(step.arms)
        if any(gives):
            entries = [_HELD if one else _FREE for one in gives]
            state = _FREE
        elif tested:
            entries = [_FREE if arm and arm[-1].role is Role.EXIT else state for arm in step.arms]
        outs = [self._block(arm, entry, inner) for arm, entry in zip(step.arms, entries, strict=True)]
        if inner is not context:
            outs += [replace(out, cause=None) for out in inner.breaks]
        return self._meet(step, state, outs, tested=tested)

    def _meet(self, step: Step, before: _State, outs: list[_State | None], *, tested: bool) -> _State | None:
        given = before.held and any(out is not None and not out.held for out in outs)
        if given and (tested or before.free):
            return _FREE
        met = _join(outs if step.complete else [*outs, before])
        if met is not None and given and step.complete and met.held and met.cause is None and step.heads:
            return replace(met, cause=Leak(step.heads[0], Way.OTHERWISE))
        return met

    def _loop(self, step: Step, state: _State, context: _Context) -> _State | None:
        waits = self._takes(step.heads)
        state = self._evaluate(step.heads, state, context)
        breaks: list[_State] = []
        inner = replace(context, breaks=breaks, loop_breaks=breaks, loop=None if state.held else step.node)
        if waits and not self._gives(step.arms[0]):
            self._block(step.arms[0], _FREE, inner)
            return _join([_HELD, *breaks])
        out = self._block(step.arms[0], state, inner)
        if _is_endless(step):
            return _join(breaks)
        if waits or (out is not None and state.held and not out.held):
            return _join([_FREE, *breaks])
        return _join([state, out, *breaks])

    def _try(self, step: Step, state: _State, context: _Context) -> _State | None:
        closes = self._gives(step.after)
        inside = replace(context, raised=[])
        if closes:
            inside = _Context([], safe=True, loop=context.loop)
        outs = [self._block(step.arms[0], state, inside)]
        absorbed = any(self.watch.absorbs(one.node) or self._gives(one.body) for one in step.handlers)
        escaping = [] if absorbed else list(inside.raised)
        entry = _join(replace(at, cause=at.cause or leak) for leak, at in inside.raised)
        beyond = replace(inside, raised=[])
        outs += [self._block(handler.body, entry, beyond) for handler in step.handlers]
        if closes:
            context.breaks += [_FREE] * len(inside.breaks)
            context.loop_breaks += [_FREE] * len(inside.loop_breaks)
            return _FREE if any(out is not None for out in outs) else None
        context.raised += escaping + beyond.raised
        return self._block(step.after, _join(outs), context)


_KEEP_BREAK = frozenset({"match_statement", "match_expression", *IFS})
"""Here a ``break`` leaves the loop around, not this."""


def _is_endless(step: Step) -> bool:
    """``while True`` and its like."""
    return not step.heads or (len(step.heads) == 1 and step.heads[0].text().strip("() ").lower() in {"true", "1"})
