"""Statements of one line each that say one name on both sides, and one that says another's: in every language."""

import pytest

from socreates_lsp.examiner.detectors.odd_one_out import detect
from socreates_lsp.examiner.parsed import ParsedFile
from socreates_lsp.workspace.languages import language_of
from socreates_lsp.workspace.text import Text

SIDES = (("left", "left"), ("right", "right"), ("top", "top"), ("bottom", "top"))
USERS = (("host", "host"), ("port", "port"), ("user", "user"), ("password", "user"), ("timeout", "timeout"))
SIZES = (("width", "width"), ("height", "height"), ("depth", "height"))
CORNERS = (("x1", "x1"), ("x2", "x2"), ("y1", "y1"), ("y2", "y1"))
TURNED = (("x1", "x1"), ("y1", "y1"), ("x2", "x2"), ("y2", "y1"))
AXES = (("x", "x"), ("y", "y"), ("z", "y"))

MIRRORED = [
    ("a.py", "def f(self, o):\n{}", "    self.{} = o.{}\n", SIDES),
    ("a.py", "def f(settings, args):\n{}", "    settings.{} = args.{}\n", USERS),
    ("a.py", "def f(config):\n{}", '    {} = config.get("{}")\n', SIZES),
    ("a.py", "def f(box):\n{}", "    {} = box.{}\n", CORNERS),
    ("a.py", "def f(self, x1, y1, x2, y2):\n{}", "    self.{} = {}\n", TURNED),
    ("a.py", "def f(p, o):\n{}", "    p.{} = o.{}\n", AXES),
    ("a.js", "function f(o) {{\n{}}}\n", "  this.{} = o.{};\n", SIDES),
    ("a.js", "function f(config) {{\n{}}}\n", '  const {} = config.get("{}");\n', SIZES),
    ("a.ts", "function f(b: Box, o: Box) {{\n{}}}\n", "  b.{} = o.{};\n", SIDES),
    ("a.go", "package a\n\nfunc (b *Box) f(o Box) {{\n{}}}\n", "\tb.{} = o.{}\n", SIDES),
    ("a.go", "package a\n\nfunc f(c Config) {{\n{}}}\n", '\t{} := c.Get("{}")\n', SIZES),
    ("a.rs", "fn f(b: &mut Bx, o: &Bx) {{\n{}}}\n", "    b.{} = o.{};\n", SIDES),
    ("A.java", "class A {{\n  void f(Box o) {{\n{}  }}\n}}\n", "    this.{} = o.{};\n", SIDES),
    ("A.java", "class A {{\n  void f(Box o) {{\n{}  }}\n}}\n", "    {} = o.get_{}();\n", SIDES),
    ("a.php", "<?php\nfunction f($b, $o) {{\n{}}}\n", "  $b->{} = $o->{};\n", SIDES),
    ("a.c", "void f(struct box *b, struct box *o) {{\n{}}}\n", "  b->{} = o->{};\n", SIDES),
    ("a.cpp", "void Box::f(const Box &o) {{\n{}}}\n", "  {} = o.{};\n", SIDES),
]


def asked(name: str, source: str) -> list[str]:
    language = language_of(name)
    assert language is not None
    return [match.node.text() for match in detect(ParsedFile(name, language, Text(source)))]


@pytest.mark.parametrize(("name", "around", "line", "pairs"), MIRRORED)
def test_the_name_of_another_line_is_asked_about(
    name: str, around: str, line: str, pairs: tuple[tuple[str, str], ...]
) -> None:
    assert len(asked(name, around.format("".join(line.format(*pair) for pair in pairs)))) == 1
    right = "".join(line.format(one, one) for one, _ in pairs)
    assert asked(name, around.format(right)) == []


@pytest.mark.parametrize(
    "source",
    [
        "p.x = o.x\np.y = o.y\np.z = o.z\n",
        "p.x = o.x\np.y = o.x\np.z = o.x\n",
        "p.x = o.x\np.y = o.y\n\np.last = o.y\n",
        "p.x = o.x\np.y = o.y\n# the last is the same as y\np.last = o.y\n",
        "p.x = o.x\np.y = o.y\np.last = o.x\n",
        "p.low = o.low\np.high = o.high\np.limit = o.high + 1\n",
        "p.first = o.a\np.second = o.b\np.third = o.b\n",
        "p.x = o.x\np.last = o.y\n",
        "case_1 = f(1)\ncase_2 = f(2)\ncase_3 = f(2)\n",
    ],
)
def test_what_is_no_mirror_or_is_apart_is_not(source: str) -> None:
    assert asked("a.py", source) == []


def test_a_test_may_repeat_itself() -> None:
    assert asked("tests/test_a.py", "p.x = o.x\np.y = o.y\np.z = o.y\n") == []
