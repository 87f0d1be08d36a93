"""Path patterns, and that none of them takes long."""

from __future__ import annotations

import fnmatch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.workspace.globs import Globs, alternatives


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        ("*.py", ["a.py", "x/y/a.py", ".py"], ["a.pyc", "a.py/x"]),
        ("**/.env", [".env", "a/b/.env"], ["x.env", ".env/x", ".envx"]),
        ("secrets/**", ["secrets/x", "secrets/a/b"], ["secrets", "x/secrets/a"]),
        ("**/secrets/**", ["secrets/x", "a/secrets/b/c"], ["secrets", "xsecrets/a"]),
        ("src/*.ts", ["src/a.ts"], ["src/x/a.ts", "a.ts"]),
        ("src/**/*.ts", ["src/a.ts", "src/x/y/a.ts"], ["lib/a.ts"]),
        ("src/**/t/**/*.ts", ["src/t/a.ts", "src/x/t/y/a.ts", "src/t/t/a.ts"], ["src/a.ts", "src/x/a.ts"]),
        ("/src/a?.py", ["src/ab.py"], ["src/a.py", "x/src/ab.py", "src/a/.py"]),
        ("a[bc]d", ["abd", "x/acd"], ["add", "a/d"]),
        ("a[!b]d", ["acd"], ["abd", "a/d"]),
        ("a[", ["a["], ["a"]),
        ("[]]", ["]"], ["["]),
        ("*.{ts,tsx}", ["a.ts", "b/a.tsx"], ["a.js"]),
        ("{src,lib}/*.c", ["src/a.c", "lib/a.c"], ["x/a.c"]),
        ("a*b*c", ["abc", "axbxbxc", "abbc"], ["acb", "ab/c"]),
        ("*a*", ["a", "xay", "x/a"], ["b"]),
        ("id_rsa*", ["id_rsa", "x/id_rsa.pub"], ["xid_rsa"]),
        ("**", ["a", "a/b"], []),
        ("a.b", ["a.b"], ["axb"]),
        ("./x/y", ["x/y"], ["z/x/y"]),
        ("", [], ["a", ""]),
        ("é", ["é"], ["e"]),
    ],
)
def test_what_a_pattern_means(pattern: str, yes: list[str], no: list[str]) -> None:
    globs = Globs([pattern])
    assert [path for path in yes if not globs.match(path)] == []
    assert [path for path in no if globs.match(path)] == []


def test_what_lies_in_a_folder_that_matches_can_match_as_well() -> None:
    globs = Globs(["private", "a/b/", "*.pem"], below=True, ignore_case=True)
    assert all(globs.match(path) for path in ("private", "x/PRIVATE/y/z", "a/b/c", "A/B", "x.pem/y"))
    assert not any(globs.match(path) for path in ("privately", "x/a/b/c", "a/bc", "pem"))


def test_case_and_the_composition_of_letters_can_be_passed_over() -> None:
    globs = Globs(["**/Straße/É*"], ignore_case=True)
    assert globs.match("x/STRASSE/É1")


@given(
    pattern=st.text("ab*?.", min_size=1, max_size=8).filter(lambda one: one != "**"),
    name=st.text("ab.", min_size=1, max_size=8),
)
def test_one_name_is_matched_as_the_standard_library_does(pattern: str, name: str) -> None:
    expected = fnmatch.fnmatchcase(name, pattern)
    assert Globs([f"/{pattern}"]).match(name) == expected


@pytest.mark.parametrize(
    ("pattern", "path"),
    [("*a" * 60 + "b", "a" * 250), ("**/a/" * 30 + "b", "a/" * 120 + "c"), ("**/*a*a*a*a/" * 10 + "b", "aaaa/" * 60)],
)
def test_no_pattern_takes_long(pattern: str, path: str) -> None:
    assert not Globs([pattern], below=True).match(path)


def test_braces_that_stand_for_too_much_are_left() -> None:
    assert alternatives("{a,b}{c,d}") == ["ac", "ad", "bc", "bd"]
    assert alternatives("{a,b}" * 20) == ["{a,b}" * 20]
    assert alternatives("{a}") == ["{a}"]
