"""What a directive hides, where it must stand, and what it must never hide."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socreates_lsp.review.comment_syntax import SYNTAX
from socreates_lsp.review.finding import Category
from socreates_lsp.review.suppression import Suppressions
from socreates_lsp.workspace import languages
from socreates_lsp.workspace.text import Text


def hidden_lines(source, language="python", category=Category.DESIGN, rule="python-no-timeout"):
    """The lines on which a finding of one line is hidden."""
    text = Text(source)
    suppressions = Suppressions.of(text, language)
    return [line for line in range(len(text)) if suppressions.hides(line, line, category, rule)]


# How each language writes a comment, and a string that holds what looks like one.
WRITTEN = {
    "python": ("# {}", '"# {}"'), "javascript": ("// {}", "`// {}`"), "typescript": ("/* {} */", "'// {}'"),
    "tsx": ("{{/* {} */}}", '"// {}"'), "go": ("// {}", "`/* {} */`"), "rust": ("// {}", 'r#"// {}"#'),
    "java": ("/* {} */", '"// {}"'), "php": ("# {}", "'# {}'"), "c": ("// {}", '"// {}"'),
    "cpp": ("/* {} */", 'R"(// {})"'), "objective-c": ("// {}", '@"// {}"'), "ruby": ("# {}", "'# {}'"),
    "kotlin": ("// {}", '"""// {}"""'), "swift": ("// {}", '"// {}"'), "scala": ("// {}", '"// {}"'),
    "csharp": ("// {}", '@"// {}"'), "bash": ("# {}", "' # {}'"), "lua": ("-- {}", "[[-- {}]]"),
    "elixir": ("# {}", '"# {}"'), "haskell": ("-- {}", '"-- {}"'), "nix": ("# {}", "''# {}''"),
    "hcl": ("# {}", '"# {}"'), "solidity": ("// {}", '"// {}"'), "dart": ("// {}", "r'// {}'"),
    "zig": ("// {}", '"// {}"'), "html": ("<!-- {} -->", '<a b="<!-- {} -->">'),
    "xml": ("<!-- {} -->", "<![CDATA[<!-- {} -->]]>"), "css": ("/* {} */", '"/* {} */"'), "json": ("// {}", '"// {}"'),
    "yaml": ("# {}", '" # {}"'), "toml": ("# {}", "'# {}'"), "ini": ("; {}", '" ; {}"'),
    "markdown": ("<!-- {} -->", "`<!-- {} -->`"), "rst": (".. {}", "``.. {}``"), "text": ("# {}", '" # {}"'),
    "latex": ("% {}", r"\% {}"), "sql": ("-- {}", "'-- {}'"), "r": ("# {}", '"# {}"'), "julia": ("# {}", '"# {}"'),
    "perl": ("# {}", "' # {}'"), "powershell": ("<# {} #>", "' # {}'"), "clojure": ("; {}", '"; {}"'),
    "lisp": (";; {}", '"; {}"'), "erlang": ("% {}", '"% {}"'), "ocaml": ("(* {} *)", '"(* {} *)"'),
    "fsharp": ("// {}", '"// {}"'), "vb": ("' {}", '"\' {}"'), "vim": ('" {}', "'\" {}'"),
    "batch": ("rem {}", '"& rem {}"'), "proto": ("// {}", '"// {}"'), "graphql": ("# {}", '"# {}"'),
    "make": ("# {}", "'# {}'"), "cmake": ("# {}", '"# {}"'), "dockerfile": ("# {}", "' # {}'"),
    "asm": ("; {}", '"; {}"'), None: ("# {}", '"# {}"'),
}  # fmt: skip
# Languages that know comments only on lines of their own.
NOT_AT_THE_END = {"rst", "batch"}


def in_php(language, source):
    return f"<?php {source}" if language == "php" else source


def test_every_language_is_tried():
    assert set(WRITTEN) - {None} == languages._NAMES


@pytest.mark.parametrize("language", WRITTEN)
def test_alone_above_in_every_language(language):
    comment = WRITTEN[language][0].format("socreates: ignore[resources] until 2030")
    source = in_php(language, f"a\n{comment}\nb\nc")
    assert hidden_lines(source, language, Category.RESOURCES) == [1, 2]
    assert hidden_lines(source, language, Category.DESIGN) == []


@pytest.mark.parametrize("language", sorted(set(WRITTEN) - NOT_AT_THE_END - {None}))
def test_at_the_end_of_the_line_in_every_language(language):
    comment = WRITTEN[language][0].format("socreates: ignore")
    assert hidden_lines(in_php(language, f"a\nb {comment}\nc"), language) == [1]


@pytest.mark.parametrize("language", WRITTEN)
def test_a_directive_in_a_string_hides_nothing_in_any_language(language):
    string = WRITTEN[language][1].format("socreates: ignore-file")
    assert hidden_lines(in_php(language, f"a {string} b\n{string}\nc"), language) == []


@pytest.mark.parametrize(
    ("written", "hides"),
    [
        ("socreates: ignore", True),
        ("SoCreates:IGNORE", True),
        ("socreates \t:   ignore because of [1]", True),
        ("see socreates: ignore.", False),
        ("we don't want socreates: ignore here", False),
        ("NOTE: use `socreates: ignore` with care", False),
        ("noqa: E501  socreates: ignore", True),
        ("noqa socreates: ignore", True),
        ("type: ignore[attr] socreates: ignore[design]", True),
        ("it is slow; socreates: ignore", True),
        ("it is slow # socreates: ignore", True),
        ("it is slow -- socreates: ignore", True),
        ("socreates: ignore[naming] for now socreates: ignore[design]", True),
        ("** socreates: ignore", True),
        ("socreates: ignore[design]", True),
        ("socreates: ignore [ Design ]", True),
        ("socreates: ignore[naming,design]why", True),
        ("socreates: ignore[naming design]", True),
        ("socreates: ignore[python-no-timeout]", True),
        ("socreates: ignore[NO-TIMEOUT]", True),
        ("socreates: ignore[naming] socreates: ignore[design]", True),
        ("noqa socreates: ignore[] socreates: ignore[design]", True),
        ("socreates: ignore-file", True),
        ("socreates: ignore-file[design]", True),
        ("socreates: ignore[naming]", False),
        ("socreates: ignore[timeout]", False),
        ("socreates: ignore[desig]", False),
        ("socreates: ignore[]", False),
        ("socreates: ignore[ , ]", False),
        ("socreates: ignore[design", False),
        ("socreates: ignore[naming [design]]", False),
        ("socreates: ignore-file[", False),
        ("socreates: ignore-files", False),
        ("socreates: ignored", False),
        ("socreates: ignore_this", False),
        ("socreates ignore", False),
        ("my-socreates: ignore", False),
        ("socreates: ignore-next-line", False),
    ],
)
def test_how_a_directive_is_written(written, hides):
    assert hidden_lines(f"x = 1  # {written}") == ([0] if hides else [])


def test_names_on_the_next_line_are_no_names():
    assert hidden_lines("/* socreates: ignore[\ndesign] */\nx", "c") == []


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("# socreates: ignore\n\nx", [0]),
        ("# socreates: ignore\n# because\nx\ny", [0, 1, 2]),
        ("# because\n# socreates: ignore\nx", [1, 2]),
        ("# socreates: ignore[naming]\n# socreates: ignore[design]\nx", [1, 2]),
        ("# socreates: ignore\n@cache\n@route('/a')\ndef f():\n    x", [0, 1, 2, 3]),
        ("@cache  # socreates: ignore\ndef f():\n    x", [0]),
        ("x\n# socreates: ignore", [1]),
        ("x\n# socreates: ignore\n", [1]),
        ("x = 1  # note\n# socreates: ignore\ny", [1, 2]),
        ("f(  # socreates: ignore\n  a,\n)", [0]),
    ],
)
def test_what_a_comment_speaks_of(source, lines):
    assert hidden_lines(source) == lines


@pytest.mark.parametrize(
    ("language", "source", "lines"),
    [
        ("c", "/* why:\n * socreates: ignore\n */\nx;\ny;", [0, 1, 2, 3]),
        ("c", "x; /* socreates: ignore\n more */\ny;", [0, 1]),
        ("c", "/* socreates: ignore */ x;\ny;", [0]),
        ("c", "f(/* socreates: ignore */ 1);\ny;", [0]),
        ("c", "x; /* socreates: ignore */ /* b */\ny;", [0]),
        ("c", "/* a */ /* socreates: ignore */\ny;\nz;", [0, 1]),
        ("c", "/* socreates: ignore */ /* a\n b */\ny;\nz;", [0, 1, 2]),
        ("rust", "// socreates: ignore\n#[test]\nfn f() {}\n", [0, 1, 2]),
        ("java", "// socreates: ignore\n@Override\nvoid f() {}\n", [0, 1, 2]),
        ("ruby", "# socreates: ignore\n@name = 1\nx\n", [0, 1]),
        ("typescript", "// socreates: ignore\n@Input() name: string;\nx\n", [0, 1]),
        ("tsx", "<a>\n  {/* socreates: ignore */}\n  <b/>\n</a>", [1, 2]),
        ("php", "<?php\n// socreates: ignore\n#[Pure]\nfunction f() {}", [1, 2, 3]),
    ],
)
def test_what_a_comment_speaks_of_in_other_languages(language, source, lines):
    assert hidden_lines(source, language) == lines


BODY = "a\ntry:\n    b\nexcept E:\n    c\nd\n"


@pytest.mark.parametrize(
    ("line", "appended", "hides"),
    [
        (0, "  # socreates: ignore", False),
        (1, "  # socreates: ignore", True),
        (2, "  # socreates: ignore", True),
        (4, "  # socreates: ignore", True),
        (5, "  # socreates: ignore", False),
        (0, "\n# socreates: ignore", True),
        (3, "\n    # socreates: ignore", True),
        (4, "\n    # socreates: ignore", False),
    ],
)
def test_a_finding_over_several_lines(line, appended, hides):
    parts = BODY.splitlines()
    parts[line] += appended
    source = "\n".join(parts)
    first, last = (source.split("\n").index(part.split("\n")[0]) for part in (parts[1], parts[4]))
    assert Suppressions.of(Text(source), "python").hides(first, last, Category.DESIGN) is hides


def test_the_whole_file_from_anywhere_but_a_string():
    assert hidden_lines("x\ny\nf()  # socreates: ignore-file[design] generated\n") == [0, 1, 2, 3]
    assert hidden_lines("x\ny\nf()  # socreates: ignore-file[naming]\n") == []
    assert hidden_lines('"""\nsocreates: ignore-file\n"""\nx') == []


def test_rules_match_without_their_language_only():
    source = "x  # socreates: ignore[swallowed-error]"
    assert hidden_lines(source, rule="swallowed-error") == [0]
    assert hidden_lines(source, rule="javascript-swallowed-error") == [0]
    assert hidden_lines(source, rule="not-swallowed-error") == []
    assert hidden_lines(source, rule=None) == []
    assert hidden_lines("x  # socreates: ignore[python]", rule="python-no-timeout") == []


def test_names_that_mean_nothing_are_told():
    source = "# socreates: ignore-file[desing]\nx  # socreates: ignore[no-timeout, naming, no-timeot]\n"
    suppressions = Suppressions.of(Text(source), "python")
    assert suppressions.unknown(["python-no-timeout"]) == ((0, "desing"), (1, "no-timeot"))


LAYOUT = st.lists(
    st.sampled_from(["x", "", "# socreates: ignore", "# note", "@a", "y  # socreates: ignore[design]", "'''", "  z"]),
    max_size=14,
)


def reach_by_the_book(lines, start):
    """The rule as the documentation words it, line by line."""
    spoken = {start}
    if not lines[start].startswith("#"):
        return spoken
    at = start + 1
    while at < len(lines) and (lines[at].startswith("#") or lines[at] == "@a"):
        spoken.add(at)
        at += 1
    return spoken | ({at} if at < len(lines) and lines[at].strip() else set())


@settings(max_examples=300)
@given(LAYOUT.filter(lambda lines: "'''" not in lines), st.integers(0, 14), st.integers(0, 14))
def test_hides_exactly_what_the_documentation_says(lines, one, two):
    first, last = sorted((one, two))
    spoken = set().union(*(reach_by_the_book(lines, at) for at, line in enumerate(lines) if "socreates" in line))
    hides = Suppressions.of(Text("\n".join(lines)), "python").hides(first, last, Category.DESIGN)
    assert hides == bool(spoken & set(range(first, last + 1)))


QUOTED = [
    ("python", '"', '"'),
    ("python", "'''", "'''"),
    ("javascript", "`", "`"),
    ("javascript", "`${'", "'}`"),
    ("go", "`", "`"),
    ("rust", 'r##"', '"##'),
    ("java", '"""', '"""'),
    ("cpp", 'R"x(', ')x"'),
    ("kotlin", '"${f("', '")}"'),
    ("lua", "[==[", "]==]"),
    ("bash", "'", "'"),
    ("bash", "cat <<'E'\n", "\nE\n"),
    ("ruby", "<<~E\n", "\nE\n"),
    ("php", "<?php $a = '", "';"),
    ("csharp", '@"', '"'),
    ("toml", '"""', '"""'),
    ("sql", "$q$", "$q$"),
    ("ocaml", "{q|", "|q}"),
    ("powershell", "@'\n", "\n'@"),
    ("swift", '#"', '"#'),
    ("elixir", '"""', '"""'),
    ("nix", "''", "''"),
    ("cmake", "[=[", "]=]"),
    ("markdown", "```\n", "\n```"),
]
INNER = st.lists(
    st.sampled_from(["#", "//", "/*", "*/", "--", ";", "<!--", "-->", "%", " ", "a", "socreates: ignore", "é"]),
    max_size=12,
).map("".join)


@settings(max_examples=400)
@given(st.sampled_from(QUOTED), INNER, INNER)
def test_no_string_ever_hides(quoted, before, after):
    language, opens, closes = quoted
    source = f"{opens}{before} socreates: ignore {after}{closes}\n"
    assert hidden_lines(source, language) == []


@given(st.text(max_size=200), st.sampled_from([*sorted(SYNTAX), None]))
def test_no_text_raises(content, language):
    source = f"{content}\n# // -- ; % socreates: ignore[{content}]\n"
    suppressions = Suppressions.of(Text(source), language)
    assert isinstance(suppressions.hides(0, 10, Category.DESIGN), bool)


def test_thirty_thousand_directives_in_one_stack():
    text = Text("# socreates: ignore[naming]\n" * 30_000 + "x\n")
    suppressions = Suppressions.of(text, "python")
    assert suppressions.hides(30_000, 30_000, Category.NAMING)
    assert not suppressions.hides(30_000, 30_000, Category.DESIGN)
