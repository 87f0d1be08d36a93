"""The mechanisms beyond patterns: the path walk and what it watches, tokens and shapes, and the detectors' laws."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socreates_lsp.examiner import alike, statements, tokens
from socreates_lsp.examiner.calls import calls, mentions, shown, targets
from socreates_lsp.examiner.detectors import lock_not_released, odd_one_out, released_on_one_path, state_before_failure
from socreates_lsp.examiner.held import Way, leaks
from socreates_lsp.examiner.owned import watch_calls
from socreates_lsp.examiner.parsed import ParsedFile
from socreates_lsp.examiner.risks import absorbs, is_test
from socreates_lsp.examiner.rule import all_rules
from socreates_lsp.examiner.statements import Role, body_steps, chain, steps
from socreates_lsp.examiner.syntax import SYNTAX
from socreates_lsp.examiner.words import words
from socreates_lsp.workspace.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ast_grep_py import SgNode

    from socreates_lsp.examiner.match import Match

DETECTORS = (lock_not_released, odd_one_out, released_on_one_path, state_before_failure)
SAMPLES = [
    (language, code)
    for rule in all_rules()
    if rule.detector in {detector.__name__.rpartition(".")[2] for detector in DETECTORS}
    for language, cases in rule.cases.items()
    for code in (*cases.match, *cases.clean)
]


def parsed(code: str, language: str = "python", path: str = "sample") -> ParsedFile:
    return ParsedFile(path, language, Text(code))


def function(file: ParsedFile) -> SgNode:
    node = file.root.find(any=[{"kind": kind} for kind in file.syntax.functions])
    assert node is not None
    return node


def roles(code: str, language: str) -> list[Role]:
    file = parsed(code, language)
    return [step.role for step in body_steps(function(file))]


# Statements in order


@pytest.mark.parametrize(
    ("language", "code", "wanted"),
    [
        ("python", "def f():\n    a()\n    if b:\n        c()\n    return d\n", [Role.PLAIN, Role.BRANCH, Role.EXIT]),
        ("python", "def f():\n    for a in b:\n        c()\n    else:\n        d()\n", [Role.LOOP, Role.SCOPE]),
        ("javascript", "function f() { try { a() } finally { b() } throw c; }", [Role.TRY, Role.EXIT]),
        ("go", "package p\nfunc f() { defer a(); switch b { case 1: c() } }", [Role.DEFER, Role.SWITCH]),
        ("rust", "fn f() { if a { b() } loop { break; } c()?; }", [Role.BRANCH, Role.LOOP, Role.PLAIN]),
        ("java", "class A { void f() { synchronized (a) { b(); } L: while (c) { } } }", [Role.SCOPE, Role.SCOPE]),
        ("php", "<?php function f() { foreach ($a as $b) { } throw new E(); }", [Role.LOOP, Role.EXIT]),
        ("c", "int f(void) { do { a(); } while (b); goto c; c: return 1; }", [Role.LOOP, Role.EXIT, Role.SCOPE]),
        ("cpp", "void f() { for (auto a : b) { } try { } catch (...) { } }", [Role.LOOP, Role.TRY]),
    ],
)  # fmt: skip
def test_statements_have_the_same_roles_in_every_grammar(language: str, code: str, wanted: list[Role]) -> None:
    assert roles(code, language) == wanted


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "if a:\n    x()\nelif b:\n    y()\nelif c:\n    z()\nelse:\n    w()\n"),
        ("javascript", "if (a) { x() } else if (b) { y() } else if (c) { z() } else { w() }"),
        ("go", "package p\nfunc f() { if a { x() } else if b { y() } else if c { z() } else { w() } }"),
        ("java", "class A { void f() { if (a) { x(); } else if (b) { y(); } else if (c) { z(); } else { w(); } } }"),
        ("php", "<?php if ($a) { x(); } elseif ($b) { y(); } elseif ($c) { z(); } else { w(); }"),
        ("cpp", "void f() { if (a) { x(); } else if (b) { y(); } else if (c) { z(); } else { w(); } }"),
        ("rust", "fn f() { if a { x() } else if b { y() } else if c { z() } else { w() } }"),
    ],
)
def test_a_chain_of_else_ifs_is_one_flat_branch(language: str, code: str) -> None:
    file = parsed(code, language)
    node = file.root.find(any=[{"kind": kind} for kind in statements.IFS & _kinds(language)])
    assert node is not None
    (step,) = steps([node])
    assert len(step.arms) == 4
    assert step.complete
    assert [head.text().strip("() ") for head, _ in chain(node)][1:] == [
        head.replace("$", "$") for head in (["$b", "$c"] if language == "php" else ["b", "c"])
    ]


def _kinds(language: str) -> frozenset[str]:
    return {
        "python": frozenset({"if_statement"}), "rust": frozenset({"if_expression"}),
    }.get(language, frozenset({"if_statement"}))  # fmt: skip


def test_nesting_deeper_than_the_stack_is_read_as_one_statement() -> None:
    code = "function f() {" + "if (a) {" * 500 + "b();" + "}" * 500 + "}"
    assert len(body_steps(function(parsed(code, "javascript")))) == 1


# The path walk


def way_out(code: str, language: str = "python") -> list[tuple[str, Way]]:
    """The leaks of ``take()`` that ``give()`` gives back, in the first function of the code."""
    file = parsed(code, language)
    home = function(file)
    named = {name: [call.node for call in calls(file, home) if call.name == name] for name in ("take", "give")}
    watch = watch_calls(file, home, "thing", named["take"], named["give"])
    return [(" ".join(leak.node.text().split()), leak.way) for leak in leaks(body_steps(home), watch)]


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("take()\nif a:\n    return 1\ngive()", [("return 1", Way.EXIT)]),
        ("take()\nif a:\n    give()\n    return 1\ngive()", []),
        ("take()\nrisky()\ngive()", [("risky()", Way.RAISE)]),
        ("take()\ntry:\n    risky()\nfinally:\n    give()", []),
        ("take()\ntry:\n    if a:\n        return 1\nfinally:\n    give()", []),
        ("take()\ntry:\n    risky()\nexcept Exception:\n    pass\ngive()", []),
        ("take()\ntry:\n    risky()\nexcept Exception:\n    return 1\ngive()", [("risky()", Way.RAISE)]),
        ("take()\ntry:\n    risky()\nexcept KeyError:\n    pass\ngive()", [("risky()", Way.RAISE)]),
        ("take()\ntry:\n    risky()\nexcept KeyError:\n    give()\n    raise\ngive()", []),
        ("take()\nraise E()\ngive()", [("raise E()", Way.EXIT)]),
        ("ok = take()\nif not ok:\n    return 1\ngive()", []),
        ("if not take():\n    return 1\ngive()", []),
        ("if take():\n    give()\nreturn 1", []),
        ("if take():\n    give()\n    return 1\nreturn 2", []),
        ("check(take())\ngive()", []),
        ("while a:\n    take()\n    if b:\n        continue\n    give()", [("continue", Way.EXIT)]),
        ("while a:\n    take()\n    if b:\n        break\n    give()", [("break", Way.EXIT)]),
        ("while True:\n    take()\n    if b:\n        break\ngive()", []),
        ("take()\nwhile a:\n    give()\n    take()\ngive()", []),
        ("take()\nwhile a:\n    give()\n    take()\n    if b:\n        continue\n    c = 1\ngive()", []),
        ("take()\ntry:\n    risky()\nfinally:\n    give()\nif a:\n    return 1\nreturn 2", []),
        ("take()\nwith b:\n    if c:\n        return 1\n    give()", [("return 1", Way.EXIT)]),
        ("if a:\n    take()\nb = 1\nif a:\n    give()\nreturn b", []),
        ("take()\nif a:\n    give()\nelse:\n    b = 1", [("a", Way.OTHERWISE)]),
        ("match a:\n    case 1:\n        take()\n        return 1\n    case _:\n        give()", [("return 1", Way.EXIT)]),  # noqa: E501
        ("take()\ndef inner():\n    return 1\ngive()", []),
        ("take()\nreturn give()", []),
        ("take()\nif thing is None:\n    return 1\ngive()", []),
    ],
)  # fmt: skip
def test_ways_out_of_python(code: str, wanted: list[tuple[str, Way]]) -> None:
    assert way_out("def f():\n" + "".join(f"    {line}\n" for line in code.splitlines())) == wanted


@pytest.mark.parametrize(
    ("language", "code", "wanted"),
    [
        ("go", "take()\ndefer give()\nif a {\n return\n}", []),
        ("go", "take()\ndefer func() { give() }()\nif a {\n return\n}", []),
        ("go", "take()\nif a {\n return\n}\ndefer give()", ["return"]),
        ("go", "take()\nselect {\ncase <-a:\n return\ndefault:\n}\ngive()", ["return"]),
        ("c", "take(); if (a) goto out; b(); out: give(); return 1;", []),
        ("c", "take(); if (a) goto bad; give(); return 1; bad: return 2;", ["goto bad;"]),
        ("c", "switch (a) { case 1: take(); break; } give();", []),
        ("rust", "take(); work()?; give();", ["work()?"]),
        ("rust", "take(); match a { 1 => return, _ => {} } give();", ["return"]),
        ("javascript", "take(); for (const a of b) { if (a) return; } give();", ["return;"]),
        ("cpp", "take(); try { if (a) throw 1; } catch (...) { return; } give();", ["throw 1;"]),
    ],
)
def test_ways_out_of_other_languages(language: str, code: str, wanted: list[str]) -> None:
    frame = {
        "go": "package p\nfunc f() {{\n{}\n}}", "c": "int f(void) {{ {} }}", "rust": "fn f() {{ {} }}",
        "javascript": "function f() {{ {} }}", "cpp": "void f() {{ {} }}",
    }[language]  # fmt: skip
    assert [text for text, _ in way_out(frame.format(code), language)] == wanted


def test_a_function_that_promises_to_take_may_keep() -> None:
    body = "(self):\n    take()\n    if a:\n        give()\n        return 1\n    return 2\n"
    assert way_out("def f" + body) == [("return 2", Way.EXIT)]
    assert way_out("def acquire" + body) == []


# Names, calls, tokens


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("min_x", ["min", "x"]), ("maxX", ["max", "x"]), ("readHTTPBody", ["read", "http", "body"]),
        ("RLock", ["r", "lock"]), ("__x2__", ["x", "2"]), ("___", []), ("größe_zwei", ["gr", "öß", "e", "zwei"]),
    ],
)  # fmt: skip
def test_words_of_names(name: str, wanted: list[str]) -> None:
    assert words(name) == wanted


@given(st.lists(st.from_regex(r"[a-z]{1,8}", fullmatch=True), min_size=1, max_size=5))
def test_words_joined_in_any_manner_come_apart_again(parts: list[str]) -> None:
    assert words("_".join(parts)) == parts
    assert words("_".join(parts).upper()) == parts
    assert words("".join(part.capitalize() for part in parts if len(part) > 1)) == [p for p in parts if len(p) > 1]


@pytest.mark.parametrize(
    ("language", "code", "wanted"),
    [
        ("python", "a.b.c(1, x=2)", ("a.b", "c", 2)),
        ("javascript", "new a.X(2)", ("a", "X", 1)),
        ("go", "package p\nfunc f() { c.mu.Lock() }", ("c.mu", "Lock", 0)),
        ("rust", "fn f() { std::fs::read(2) }", ("std::fs", "read", 1)),
        ("java", "class A { int x = this.a.lock(); }", ("this.a", "lock", 0)),
        ("php", "<?php A::b(2, 3);", ("A", "b", 2)),
        ("c", "void f() { g(&a->b); }", ("", "g", 1)),
        ("cpp", "void f() { std::this_thread::sleep_for(1); }", ("std", "sleep_for", 1)),
    ],
)
def test_calls_are_read_alike(language: str, code: str, wanted: tuple[str, str, int]) -> None:
    file = parsed(code, language)
    (call,) = calls(file, file.root)
    assert (call.receiver, call.name, len(call.arguments)) == wanted


def test_what_a_call_is_bound_to() -> None:
    go = parsed("package p\nfunc f() { v, err := g() }", "go")
    assert [targets(go, call.node) for call in calls(go, go.root)] == [["v", "err"]]
    python = parsed("async def f():\n    ok = await g()\n    h(g())\n")
    assert [targets(python, call.node) for call in calls(python, python.root)] == [["ok"], [], []]


def test_mentions_whole_names_only() -> None:
    assert mentions("if not ok:", ["ok"])
    assert not mentions("if okay or a.ok or look:", ["ok"])


def test_shown_leaves_out_what_only_wraps() -> None:
    file = parsed("void f() { if (a) return 1; }", "c")
    texts = {
        shown(node)
        for kind in ("return_statement", "parenthesized_expression")
        for node in file.root.find_all(kind=kind)
    }
    assert texts == {"return 1", "a"}


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("tests/a.py", True),
        ("pkg/test_a.py", True),
        ("a.spec.ts", True),
        ("x_test.go", True),
        ("src/latest/attest.py", False),
    ],
)
def test_which_files_are_tests(path: str, wanted: bool) -> None:
    assert is_test(path) is wanted


@pytest.mark.parametrize(
    ("language", "code", "kind", "wanted"),
    [
        ("python", "try:\n    a\nexcept:\n    b\n", "except_clause", True),
        ("python", "try:\n    a\nexcept (KeyError, Exception):\n    b\n", "except_clause", True),
        ("python", "try:\n    a\nexcept DefusedException:\n    b\n", "except_clause", False),
        ("java", "class A { void f() { try { a(); } catch (IOException e) { } } }", "catch_clause", False),
        ("java", "class A { void f() { try { a(); } catch (Throwable e) { } } }", "catch_clause", True),
        ("cpp", "void f() { try { a(); } catch (...) { } }", "catch_clause", True),
        ("javascript", "try { a() } catch (e) { }", "catch_clause", True),
    ],
)
def test_which_handlers_catch_whatever_is_raised(language: str, code: str, kind: str, wanted: bool) -> None:
    file = parsed(code, language)
    handler = file.root.find(kind=kind)
    assert handler is not None
    assert absorbs(file, handler) is wanted


def test_one_shape_whatever_the_names() -> None:
    one = tokens.tokens("if a.min_x > 1:  # first\n    b['x'] = f(a)\n", "python")
    other = tokens.tokens("if c.max > 22:\n    d['long name'] = g(h)\n", "python")
    assert tokens.shape(one) == tokens.shape(other)
    assert tokens.shape(one) != tokens.shape(tokens.tokens("if a.min_x < 1:\n    b['x'] = f(a)\n", "python"))
    assert tokens.skeleton("f(a) // b", "go") == tokens.skeleton("g( c )", "go")


# Odd one out


def odd(code: str, language: str = "python") -> list[tuple[int, str]]:
    file = parsed(code, language)
    return [(file.line_of(match.node), match.node.text()) for match in odd_one_out.detect(file)]


def test_the_odd_name_is_the_place_and_its_siblings_are_told() -> None:
    file = parsed(
        "if x < a.min_x:\n    a.min_x = x\nif y < a.min_y:\n    a.min_y = y\nif z < a.min_z:\n    a.min_y = z\n"
    )
    (match,) = odd_one_out.detect(file)
    assert (file.line_of(match.node), match.node.text()) == (5, "min_y")
    assert {name: match.words(name) for name in ("ODD", "KEY", "PAIR", "PAIRED")} == {
        "ODD": "min_y", "KEY": "z", "PAIR": "y", "PAIRED": "min_y",
    }  # fmt: skip
    assert [file.line_of(node) for node, _ in match.related] == [0, 2]


def test_two_alike_show_no_rule() -> None:
    assert odd("log()\nif x < a.min_x:\n    a.min_x = x\nif y < a.min_y:\n    a.min_x = y\n") == []


BOUNDS = "if x < a.min_x:\n    a.min_x = x\n{}if y < a.min_y:\n{}    a.min_y = y\n{}if z < a.min_z:\n    a.min_y = z\n"


def test_what_stands_between_the_siblings_does_not_hide_them() -> None:
    assert odd(BOUNDS.format("log()\n", "", "b = 1\n")) == [(7, "min_y")]


def test_a_comment_in_one_sibling_does_not_hide_it() -> None:
    assert odd(BOUNDS.format("", "    # up\n", "").replace("x:", "x:  # left", 1)) == [(6, "min_y")]


def test_a_comment_that_says_so_answers_the_question() -> None:
    assert odd(BOUNDS.format("", "", "# z shares the bound of y\n")) == []


# Laws


def run(file: ParsedFile) -> Iterator[Match]:
    for detector in DETECTORS:
        yield from detector.detect(file)


def mangled(code: str, seed: int) -> str:
    """The code with a few characters, lines or stretches removed, doubled or swapped."""
    dice = random.Random(seed)
    text = code
    for _ in range(dice.randint(1, 6)):
        at, to = sorted((dice.randint(0, len(text)), dice.randint(0, len(text))))
        to = min(to, at + dice.choice((1, 5, 40)))
        put = dice.choice(("", text[at:to] * 2, "(", "}", "\n", "é\u2028", "'", "else:", "\ud800", "/*", "return "))
        text = text[:at] + put + text[to:]
    return text


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(SAMPLES), st.integers(0, 2**32))
def test_nothing_makes_a_detector_raise(sample: tuple[str, str], seed: int) -> None:
    language, code = sample
    file = parsed(mangled(code, seed), language)
    for match in run(file):
        assert 0 <= match.node.range().start.index <= len(file.text.content)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(SYNTAX)), st.text(max_size=200))
def test_any_text_is_read_in_any_language(language: str, text: str) -> None:
    list(run(parsed(text, language)))


def work(file: ParsedFile, monkeypatch: pytest.MonkeyPatch) -> int:
    """The characters that the costly steps of odd_one_out are given."""
    counted = 0

    def counting(text: str, language: str, inner: object) -> object:
        nonlocal counted
        counted += len(text)
        return inner(text, language)  # type: ignore[operator]

    for name in ("tokens", "skeleton"):
        inner = getattr(tokens, name)
        monkeypatch.setattr(alike, name, lambda text, language, inner=inner: counting(text, language, inner))
    list(odd_one_out.detect(file))
    return counted


@pytest.mark.parametrize(
    ("language", "head", "one", "tail"),
    [
        ("javascript", "switch (a) {", "case 'k{0}': b.m{0} = c.m{0}; break;\n", "}"),
        ("javascript", "if (z) {}", " else if (a.m{0}) {{ b.m{0} = c.m{0}; }}\n", ""),
        ("python", "", "if a.m{0}:\n    b.m{0} = c.m{0}\n", ""),
        ("c", "void f(void) {", "if (a.m{0}) b.m{0} = c.m{0};\n", "}"),
        ("go", "package p\nfunc f() {\n", "b.m{0} = c.m{0}\n", "}"),
    ],
)
def test_ten_times_as_many_siblings_are_ten_times_the_work(
    language: str, head: str, one: str, tail: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cost(number: int) -> int:
        body = "".join(one.format(1000 + index) for index in range(number))
        return work(parsed(head + body + tail, language), monkeypatch)

    small, large = cost(200), cost(2000)
    assert small > 0
    assert large <= 11 * small


def test_ten_thousand_cases_with_one_slip() -> None:
    cases = "".join(f"case 'k{n}': b.value{n} = c.value{n}; break;\n" for n in range(1000, 11_000))
    slipped = cases.replace("b.value7777 = c.value7777", "b.value7776 = c.value7777")
    assert odd(f"switch (a) {{\n{cases}}}", "javascript") == []
    assert odd(f"switch (a) {{\n{slipped}}}", "javascript") == [(6778, "value7776")]


def test_a_walk_over_thousands_of_exits_reads_each_statement_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    from socreates_lsp.examiner import held

    seen = 0
    real = held.events

    def counting(node: SgNode, watch: held.Watch) -> Iterator[tuple[held.Event, SgNode]]:
        nonlocal seen
        seen += 1
        return real(node, watch)

    monkeypatch.setattr(held, "events", counting)

    def cost(number: int) -> int:
        nonlocal seen
        seen = 0
        body = "".join(f"if a{n} {{\n mu.Unlock()\n return\n}}\n" for n in range(number))
        file = parsed(f"package p\nfunc f() {{\nmu.Lock()\n{body}mu.Unlock()\n}}\n", "go")
        assert list(lock_not_released.detect(file)) == []
        return seen

    small, large = cost(30), cost(300)
    assert large <= 11 * small
