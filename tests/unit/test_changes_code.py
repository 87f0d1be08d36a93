"""Light reading of code in many languages: comments and strings, blocks, functions, parameters, arguments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.examiner.changes.blocks import blocks
from socreates_lsp.examiner.changes.checks import checks
from socreates_lsp.examiner.changes.code import FILLER, LANGUAGES, Code, calls, split_at_commas, squeezed
from socreates_lsp.examiner.changes.functions import functions
from socreates_lsp.examiner.changes.project import is_generated, is_side, is_test
from socreates_lsp.examiner.changes.returns import returns, shapes
from socreates_lsp.examiner.changes.signature import arguments, fits, misplaced, parameters
from socreates_lsp.workspace.text import Text


def code(text, language):
    return Code(Text(text), language)


SOURCES = st.text(st.sampled_from("abc \t\n\r\"'`#/*-\\{}()[]<>=:;,.é\u2028"), max_size=120)


@given(SOURCES, st.sampled_from([*sorted(LANGUAGES), None]))
def test_code_has_the_lines_and_columns_of_its_text(source, language):
    one = code(source, language)
    assert len(one.content) == len(source)
    assert [len(line) for line in one.lines] == [len(one.raw(number)) for number in range(len(one.text))]


@given(SOURCES)
def test_commas_split_a_text_into_parts_that_lie_in_it_in_order(source):
    parts = split_at_commas(source)
    assert all(0 <= start < end <= len(source) for start, end in parts)
    assert parts == sorted(parts)


@pytest.mark.parametrize(
    ("language", "source", "expected"),
    [
        ("python", 'x = "a # b"  # c', f'x = "{FILLER * 5}"     '),
        ("python", "'''a\n# b'''\ny", f"'{FILLER * 3}\n{FILLER * 5}'\ny"),
        ("javascript", "a = '//'; // b", f"a = '{FILLER * 2}';     "),
        ("javascript", "`a\nb` /* c\nd */ e", f"`{FILLER}\n{FILLER}`     \n     e"),
        ("rust", "let x: &'a str = 'b';", f"let x: &'a str = '{FILLER}';"),
        ("bash", "echo $# a#b # c", "echo $# a#b    "),
        ("php", "#[A] # b", "#[A]    "),
        ("php", "<<<X\na // b\nX;", f"<{FILLER * 3}\n{FILLER * 6}\nX;"),
        ("lua", "a -- b\n--[[c\nd]] e", "a     \n     \n    e"),
        ("sql", "a -- b", "a     "),
        (None, "# a\nb # c", "   \nb # c"),
    ],
)
def test_comments_and_strings(language, source, expected):
    assert code(source, language).content == expected


def test_comments_are_known_by_line():
    assert code("a // b\n/* c\n d */\n", "go").comments == {0: "// b", 1: "/* c", 2: "d */"}


def test_calls():
    assert list(calls("if (a.b(c) && d<E>(f)) return g!(h)")) == ["b", "d", "g"]


def test_a_line_is_squeezed_of_its_form():
    assert squeezed("  f( 'a', b, )") == squeezed('f("a",b)')


FUNCTIONS = {
    "python": (
        'class A:\n    @app.route("/x")\n    async def f(self, a, b: int = 1, *c, d=None, **e) -> X:\n        return 1\n',  # noqa: E501
        [("A", "f", 1, 3, "a b? c* d?! e*", True)],
    ),
    "javascript": (
        "const f = async (a, {b, c} = {}, ...r) => { return 1 }\nclass A { m(a) { return 1 } }\nx.h = function(a) {}\n",
        [("", "f", 0, 0, "a {b,c}? r*", True), ("A", "m", 1, 1, "a", False), ("", "h", 2, 2, "a", False)],
    ),
    "typescript": (
        "class A {\n  constructor(private a: Map<string, number>, b?: string) {}\n}\n",
        [("A", "constructor", 1, 1, "a b?", False)],
    ),
    "go": (
        "func (s *Server) Do(a, b int, c ...string) (int, error) {\n\treturn 0, nil\n}\n",
        [("Server", "Do", 0, 2, "a b c*", False)],
    ),
    "rust": (
        "impl<T> Foo<T> {\n    pub async fn go(&self, a: Map<K, V>, mut b: &'a str) -> R {\n    }\n}\n",
        [("Foo", "go", 1, 2, "a b", True)],
    ),
    "java": (
        "class A {\n  @Override\n  public Map<K, V> f(final Map<K, V> a, int... b) {\n  }\n}\n",
        [("A", "f", 1, 3, "a b*", False)],
    ),
    "c": ("static int *foo(const char *a, int b[3]) {\n  return 0;\n}\nint bar(void) { }\n", [("", "foo", 0, 2, "a b", False), ("", "bar", 3, 3, "", False)]),  # noqa: E501
    "cpp": ("int Foo::bar(const std::map<int,int>& m, int d = 3) const {\n}\n", [("Foo", "bar", 0, 1, "m d?", False)]),
    "php": ("<?php\nclass A { function f(?int $a, $b = 'x', ...$c) {} }\n", [("A", "f", 1, 1, "a b? c*", False)]),
    "kotlin": ("class A {\n    suspend fun f(a: Int, b: List<X> = l(), vararg c: S): Int {\n    }\n}\nfun B.g(x: Int) = 1\n", [("A", "f", 1, 2, "a b? c*", True), ("B", "g", 4, 4, "x", False)]),  # noqa: E501
    "ruby": ("class A\n  def f(a, b = 1, *c, d:, e: 2, &g)\n  rescue\n  end\n  def self.h x\n  end\nend\n", [("A", "f", 1, 3, "a b? c* d! e?! g*", False), ("A", "h", 4, 5, "x", False)]),  # noqa: E501
    "csharp": ("class A\n{\n    [Authorize]\n    public async Task<int> F(int a, string b = \"x\", params int[] c)\n    {\n    }\n    static bool G(char c) => c == 'x';\n}\n", [("A", "F", 2, 5, "a b? c", True), ("A", "G", 6, 6, "c", False)]),  # noqa: E501
    "swift": ('struct A {\n    func f(_ a: Int, with b: String = "x") throws {\n    }\n}\n', [("A", "f", 1, 2, "a with?!", False)]),  # noqa: E501
    "bash": ("foo() {\n  echo 1\n}\nfunction bar {\n  x\n}\n", [("", "foo", 0, 2, "", False), ("", "bar", 3, 5, None, False)]),  # noqa: E501
    "lua": ("function M.f(a, b)\n  return 1\nend\nlocal function g(...)\nend\n", [("M", "f", 0, 2, "a b", False), ("", "g", 3, 4, "*", False)]),  # noqa: E501
    "elixir": ("defmodule A do\n  def f(a, b \\\\ 1) do\n    1\n  end\nend\n", [("A", "f", 1, 3, "a b?", False)]),
}  # fmt: skip


def told(function):
    if function.parameters is None:
        return None
    return " ".join(
        one.name + ("*" if one.rest else "" if one.required else "?") + ("!" if one.named else "")
        for one in function.parameters
    )


@pytest.mark.parametrize("language", FUNCTIONS)
def test_functions(language):
    source, expected = FUNCTIONS[language]
    found = functions(code(source, language), "x")
    assert [(f.owner, f.name, f.begin, f.last, told(f), f.is_async) for f in found] == expected


BLOCKS = {
    "python": ("try:\n    a()\nexcept (X, y.Z) as e:\n    raise\nelse:\n    b()\nfinally:\n    c()\nd()\n", (0, 7), ["except", "else", "finally"]),  # noqa: E501
    "javascript": ("try {\n  a();\n} catch (e) {\n  throw e;\n} finally {\n  c();\n}\nd();\n", (0, 6), ["catch", "finally"]),  # noqa: E501
    "csharp": ("try\n{\n    a();\n}\ncatch (X e) when (e.Y)\n{\n}\nd();\n", (0, 6), ["catch"]),
    "ruby": ("def f\n  a(1)\nrescue X => e\n  b\nensure\n  c\nend\nd\n", (0, 6), ["rescue", "ensure"]),
    "swift": ("do {\n    try a()\n} catch let e as X {\n}\n", (0, 3), ["catch"]),
    "kotlin": ("val x = try {\n    a()\n} catch (e: X) {\n    null\n}\n", (0, 4), ["catch"]),
    "java": ("try { a(); } catch (X e) { b(); } finally { c(); }\n", (0, 0), ["catch", "finally"]),
}  # fmt: skip


@pytest.mark.parametrize("language", BLOCKS)
def test_blocks(language):
    source, lines, words = BLOCKS[language]
    (block,) = blocks(code(source, language))
    assert (block.first, block.last) == lines
    assert [clause.word for clause in block.clauses] == words
    assert block.called == {"a"}


def test_what_a_clause_says_of_an_error():
    source = BLOCKS["python"][0]
    handler, _, always = blocks(code(source, "python"))[0].clauses
    assert handler.types == {"X", "Z"}
    assert (handler.catches, handler.passes_on, handler.only_passes_on, handler.empty) == (True, True, True, False)
    assert (always.catches, always.always) == (False, True)


@pytest.mark.parametrize("source", ["x = try_it(a)\n", "return try? a()\n", "do(x)\n", "const b = begin;\n"])
def test_what_only_looks_like_a_block(source):
    assert blocks(code(source, "swift")) == []


CHECKS = [
    ("python", "if a.b is None:\n    raise X\nc()\n", "a.b is None", True),
    ("python", "if (\n    a\n    and b\n):\n    return\nc()\n", "a and b", False),
    ("python", "assert a > 0, 'no'\n", "a > 0", True),
    ("python", "self._validate(a, b)\n", "self._validate(a, b)", True),
    ("javascript", "if (!a) { return null; }\nc();\n", "!a", False),
    ("javascript", "if (a(b) && (c || d)) throw new X('e');\n", "a(b) && (c || d)", True),
    ("c", "if (rc != 0) {\n    return rc;\n}\nc();\n", "rc != 0", True),
    ("c", "if (p == NULL)\n    goto out;\nc();\n", "p == NULL", False),
    ("go", "if x == nil {\n\treturn ErrNone\n}\nc()\n", "x == nil", True),
    ("ruby", "raise X, 'a' unless b.ok?\n", "b.ok?", True),
    ("swift", "guard let a = b else {\n    return\n}\n", "let a = b", False),
]


@pytest.mark.parametrize(("language", "source", "condition", "fails"), CHECKS)
def test_checks(language, source, condition, fails):
    one = code(source, language)
    (check,) = checks(one, 0, len(one.lines) - 1)
    assert (check.condition, check.fails) == (condition, fails)


@pytest.mark.parametrize(
    "source",
    [
        "if a:\n    b()\nc()\n",
        "if a:\n    return\nelse:\n    b()\n",
        "x = validate(a)\n",
        "if a: b()\n",
        "if a:\n    for b in c:\n        return\n",
    ],
)
def test_what_is_no_check(source):
    one = code(source, "python")
    assert list(checks(one, 0, len(one.lines) - 1)) == []


def given_and_taken(call, signature, language="python"):
    return arguments(call, call, language), parameters(signature, signature, language)


@pytest.mark.parametrize(
    ("call", "signature", "fit"),
    [
        ("1, 2", "a, b", True),
        ("1", "a, b", False),
        ("1", "a, b=2", True),
        ("1, 2, 3", "a, b", False),
        ("1, 2, 3", "a, *b", True),
        ("1, b=2", "a, b", True),
        ("1, c=2", "a, b=1", False),
        ("1, c=2", "a, **b", True),
        ("1, a=2", "a, b=1", False),
        ("*x", "a, b", True),
        ("1, 2", "a, *, b", False),
        ("1, b=2", "a, *, b", True),
        ("f(1, 2), [3, 4]", "a, b", True),
    ],
)
def test_fits(call, signature, fit):
    assert fits(*given_and_taken(call, signature)) == fit


@pytest.mark.parametrize(
    ("call", "old", "new", "expected"),
    [
        ("1, 2", "a, b", "b, a", "a"),
        ("1, 2", "a, b", "a, c, b", "b"),
        ("1", "a, b=1", "a, c=2, b=1", None),
        ("1, 2", "a, b", "x, y", None),
        ("a=1, b=2", "a, b", "b, a", None),
    ],
)
def test_misplaced(call, old, new, expected):
    given_, before = given_and_taken(call, old)
    assert misplaced(given_, before, given_and_taken(call, new)[1]) == expected


@pytest.mark.parametrize(
    ("language", "body", "expected"),
    [
        ("python", "    return a, b\n", {"2 values"}),
        ("python", "    return (a, b)\n", {"2 values"}),
        ("python", "    return f(a, b)\n", {"a value"}),
        ("python", "    if a:\n        return\n    return {\n        'b': 1,\n    }\n", {"nothing", "an object"}),
        ("python", "    def inner():\n        return 1, 2\n    return [inner]\n", {"a list"}),
        ("python", "    return True\n", {"yes or no"}),
    ],
)
def test_returns(language, body, expected):
    one = code("def f(a, b):\n" + body, language)
    outer, *inner = functions(one, "a.py")
    found = returns(one, outer, lambda line: not any(f.holds(line) for f in inner))
    assert shapes(found) == expected


@pytest.mark.parametrize(
    "path",
    [
        "tests/a.py",
        "a_test.go",
        "src/a.test.ts",
        "src/a.spec.js",
        "src/test/java/ATest.java",
        "spec/a_spec.rb",
        "test_a.py",
        "x/__tests__/a.js",
    ],
)
def test_tests_are_known_by_their_path(path):
    assert is_test(path)


@pytest.mark.parametrize("path", ["src/contest.py", "attest/a.go", "latest.js", "src/Test.java.txt", "protest.rb"])
def test_what_only_sounds_like_a_test(path):
    assert not is_test(path)


def test_what_nobody_maintains_here():
    assert is_side("vendor/a.go")
    assert is_side("app/a.min.js")
    assert not is_side("src/vendors.py")
    assert is_generated(Text("/* Generated by Cython 3 */\nint x;\n"))
    assert is_generated(Text("// Code generated by protoc. DO NOT EDIT.\n"))
    assert not is_generated(Text("# Generates a report\n"))
