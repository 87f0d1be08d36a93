"""Functions, classes, sections and imports of texts in many languages, and what is around some lines."""
# ruff: noqa: E501, ISC004  (the texts are whole, so that they can be read)

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.review.bare_code import bare_code
from socreates_lsp.review.block import Block, Kind
from socreates_lsp.review.import_lines import import_lines
from socreates_lsp.review.outline import outline
from socreates_lsp.review.surroundings import own_sites, selected_lines, surroundings
from socreates_lsp.workspace.text import Range, Text

CODE = {
    "python": (
        "@wraps(f)\ndef load(\n    path,\n):\n    text = '''\ndef no():\n'''\n    return text\n\n\n"
        "class A:\n    async def go(self):\n        pass\n\n    x = 1\n",
        {"load": (0, 7), "A": (10, 14), "go": (11, 12)},
    ),
    "javascript": (
        "export async function load(a, {b}) {\n  const r = /[{]/;\n  return `x ${ {a: 1}.a } }`;\n}\n"
        "const go = (x) => {\n  if (x) {\n    return x;\n  }\n};\n"
        "class A extends B {\n  get(x) {\n    return x;\n  }\n}\n",
        {"load": (0, 3), "go": (4, 8), "A": (9, 13), "get": (10, 12)},
    ),
    "tsx": (
        "const Panel = memo(({ a }: { a: string }) => {\n  return (\n    <p>{a}</p>\n  );\n});\n"
        "function shape(x: { a: number }): Array<{\n  b: string;\n}> {\n  return [];\n}\n",
        {"Panel": (0, 4), "shape": (5, 9)},
    ),
    "go": (
        "package a\n\ntype F func(int) (bool, error)\n\n// Load loads.\nfunc (s *Store[T]) Load(v interface{}) interface{} {\n"
        "\tif v := s.m; v != nil {\n\t\treturn v\n\t}\n\treturn nil\n}\n\ntype Store struct {\n\tm int\n}\n",
        {"Load": (4, 10), "Store": (12, 14)},
    ),
    "rust": (
        "#[derive(Debug)]\nstruct A<'a> {\n    x: &'a str,\n}\n\nimpl<'a> fmt::Display for A<'a> {\n"
        "    fn fmt(&self) -> Result<(), E>\n    where\n        E: X,\n    {\n        let c = '{';\n    }\n}\n",
        {"fmt": (6, 11)},
    ),
    "java": (
        "class A {\n    @Override\n    public <T> Map<?, T> load(int a) throws E {\n        if (a > 0) {\n            f(a);\n"
        "        }\n        return null;\n    }\n}\n",
        {"A": (0, 8), "load": (1, 7)},
    ),
    "c": (
        "#include <a.h>\n\n/* Loads. */\nstatic int\nload(struct a *x,\n     int n)\n{\n#ifdef A\n\tif (n) {\n#else\n"
        "\tif (!n) {\n#endif\n\t}\n\treturn 0;\n}\n\nstruct b {\n\tint c;\n};\n",
        {"load": (2, 14), "b": (16, 18)},
    ),
    "cpp": (
        "namespace n {\ntemplate <class T>\nA<T>::A(T x) : x_(x), y_{1} {\n  go();\n}\nclass B {\n  void f() const override {\n"
        "  }\n};\n}\n",
        {"n": (0, 9), "B": (5, 8), "f": (6, 7)},
    ),
    "php": (
        "<?php\n\nclass A {\n    public function load($a) {\n        return \"{$a['x']} }\";\n    }\n}\n",
        {"A": (2, 6), "load": (3, 5)},
    ),
    "bash": ("set -e\n\nload() {\n  if true; then\n    echo '}'\n  fi\n}\n\nload\n", {"load": (2, 6)}),
    "ruby": (
        "module M\n  class A\n    # Loads.\n    def load?(x)\n      x.each do |y|\n        p y\n      end\n    rescue E\n      nil\n"
        "    end\n  end\nend\n",
        {"M": (0, 11), "A": (1, 10), "load": (2, 9)},
    ),
    "kotlin": (
        "class A(val x: Int) : B() {\n    private suspend fun load(a: Int): Int {\n        return a\n    }\n}\n",
        {"A": (0, 4), "load": (1, 3)},
    ),
    "swift": (
        "struct A {\n    init(x: Int) {\n        y = x\n    }\n    func load<T>(_ a: T) -> Int {\n        return 1\n    }\n}\n",
        {"A": (0, 7), "init": (1, 3), "load": (4, 6)},
    ),
    "lua": ("local function load(x)\n  if x then\n    return 1\n  end\nend\n\nM.go = function()\nend\n", {"load": (0, 4), "go": (6, 7)}),
    "hcl": ('resource "a" "b" {\n  c = "${d}"\n  e {\n  }\n}\n', {'resource "a" "b"': (0, 4)}),
    "csharp": (
        "namespace N {\n  class A {\n    [Test]\n    public async Task<int> Load(int a) {\n      using (b) {\n      }\n    }\n  }\n}\n",
        {"N": (0, 8), "A": (1, 7), "Load": (2, 6)},
    ),
    "scala": ("object A {\n  def load(x: Int): Int = {\n    x\n  }\n}\n", {"A": (0, 4), "load": (1, 3)}),
    "elixir": ("defmodule A do\n  def load(x) do\n    x\n  end\nend\n", {"A": (0, 4), "load": (1, 3)}),
    "markdown": ("# One\n\n## Two\n\n```\n# no\n```\n\n## Three\n\nFour\n====\n", {"One": (0, 9), "Two": (2, 7), "Three": (8, 9), "Four": (10, 11)}),
    "rst": ("One\n===\n\nTwo\n---\n\ntext\n\nThree\n=====\n", {"One": (0, 7), "Two": (3, 7), "Three": (8, 9)}),
    "toml": ("a = 1\n\n[one]\nb = 2\n\n[[two]]\nc = 3\n", {"one": (2, 4), "two": (5, 6)}),
}  # fmt: skip


def named(blocks: list[Block]) -> dict[str, tuple[int, int]]:
    return {one.name: (one.begin, one.last) for one in blocks}


@pytest.mark.parametrize("language", sorted(CODE))
def test_blocks_are_found_with_their_ends(language: str) -> None:
    content, wanted = CODE[language]
    for ending in ("\n", "\r\n"):
        found = named(outline(Text(content.replace("\n", ending)), language))
        if language == "hcl":
            found = {name.replace("·", name[10:11]): span for name, span in found.items()}
            assert list(found.values()) == list(wanted.values())
        else:
            assert {name: found.get(name) for name in wanted} == wanted


PIECES = [
    *("{", "}", "(", ")", "[", "]", "=>", "=", ":", "<", ">", ",", ";", "'", '"', "`", "${", "\\", "\n", "\r\n", "  "),
    *("name", " function ", " class ", " def ", " end", "throws A ", "__A ", "template<", "#if x\n", "#else\n", "#endif\n"),
    *("func ", "fn ", "=====\n", "# ", "import ", "/*", "*/", "//", "@a\n", "do\n"),
]  # fmt: skip
LANGUAGES = sorted({*CODE, "html", "perl", "zig", "json", "yaml", "vb", "dart", "text"})


@given(st.lists(st.sampled_from(PIECES), max_size=80).map("".join), st.sampled_from([*LANGUAGES, None]))
def test_any_text_has_blocks_within_it(content: str, language: str | None) -> None:
    text = Text(content)
    assert len(bare_code(content, language)) == len(content)
    for one in outline(text, language):
        assert 0 <= one.begin <= one.first <= one.head <= one.last < len(text)
    around = surroundings(text, language, 0, text.last_line)
    for first, last in (*around.bodies, *around.heads, *around.imports, *around.members, *around.rest):
        assert 0 <= first <= last < len(text)


IMPORTS: dict[str, tuple[str, list[tuple[int, int]]]] = {
    "python": ("import os\nfrom a import (\n    b,\n)\nif X:\n    import c\nx = 'import d'\n", [(0, 0), (1, 3), (5, 5)]),
    "javascript": ("import {\n  a,\n} from 'b'\nconst c = require('d')\nimport('e')\n", [(0, 2), (3, 3)]),
    "go": ('package a\n\nimport (\n\t"b"\n)\n', [(0, 0), (2, 4)]),
    "c": ("#include <a.h>\nint x;\n", [(0, 0)]),
    "rust": ("use a::{\n    b,\n};\nmod c;\nmod d {\n}\n", [(0, 2), (3, 3)]),
    "csharp": ("using A;\nusing (var x = y) {\n}\n", [(0, 0)]),
    "bash": (". ./a.sh\nsource b\necho source c\n", [(0, 0), (1, 1)]),
    "markdown": ("import a\n", []),
}  # fmt: skip


@pytest.mark.parametrize("language", sorted(IMPORTS))
def test_imports_are_found_whole(language: str) -> None:
    content, wanted = IMPORTS[language]
    assert import_lines(bare_code(content, language), language) == wanted


def test_imports_in_a_function_are_its_own() -> None:
    assert import_lines("import a\ndef f():\n    import b\n", "python", [(1, 2)]) == [(0, 0)]


SHOP = (
    "import os\nimport re\n\n\nclass Shop:\n    def __init__(self):\n        self.open = os.open\n\n"
    "    def sell(self, what):\n        return self.price(what)\n\n    def price(self, what):\n        return what\n\n\n"
    "def helper():\n    return Shop().sell(1)\n"
)


def test_a_line_brings_its_function_the_head_of_its_class_and_the_rest() -> None:
    around = surroundings(Text(SHOP), "python", 9, 9)
    assert around.bodies == ((8, 9),)
    assert around.heads == ((4, 4),)
    assert around.imports == ((0, 0), (1, 1))
    assert around.members == ((5, 5), (8, 8), (11, 11))
    assert around.rest == ((4, 12),)
    assert around.names == ("sell",)
    assert own_sites(Text(SHOP), around) == [16]


def test_imports_that_the_selection_uses_go_first() -> None:
    text = Text("import alpha\nimport beta\nuse = beta\n")
    assert surroundings(text, "python", 2, 2).imports == ((1, 1), (0, 0))


def test_several_functions_all_come() -> None:
    around = surroundings(Text(SHOP), "python", 9, 11)
    assert around.bodies == ((8, 9), (11, 12))
    assert around.names == ("sell", "price")


def test_a_constructor_is_called_by_the_name_of_its_class() -> None:
    assert surroundings(Text(SHOP), "python", 6, 6).names == ("Shop",)


def test_a_tall_function_is_bounded_and_shows_its_head() -> None:
    text = Text("def f(\n    a,\n):\n" + "    x = 1\n" * 600)
    around = surroundings(text, "python", 400, 400)
    assert around.bodies == ((340, 460),)
    assert around.heads == ((0, 2),)


def test_a_tall_class_gives_its_head_and_signatures() -> None:
    methods = "".join(f"    def m{n}(self):\n        return {n}\n\n" for n in range(100))
    around = surroundings(Text(f"class A:\n{methods}"), "python", 152, 152)
    assert around.bodies == ((151, 152),)
    assert around.heads == ((0, 0),)
    assert len(around.members) == 60
    assert around.rest == ()
    assert Kind.CLASS in {one.kind for one in outline(Text(f"class A:\n{methods}"), "python")}


def test_a_nested_function_comes_with_the_one_around_it() -> None:
    text = Text("def outer():\n    x = 1\n    def inner():\n        return x\n    return inner\n")
    around = surroundings(text, "python", 3, 3)
    assert around.bodies == ((0, 4),)
    assert around.names == ("inner", "outer")


def test_where_there_is_no_function_the_lines_around_come() -> None:
    assert surroundings(Text("x\n" * 300), "text", 100, 101).bodies == ((40, 161),)


def test_a_selection_that_ends_before_a_line_does_not_touch_it() -> None:
    assert selected_lines(Range.of(2, 0, 4, 0)) == (2, 3)
    assert selected_lines(Range.of(2, 0, 4, 1)) == (2, 4)
    assert selected_lines(Range.of(2, 3, 2, 3)) == (2, 2)
