"""Where comments are: a table over every language, and the laws of the scanner."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socreates_lsp.review.comment_syntax import SYNTAX
from socreates_lsp.review.comments import comments
from socreates_lsp.workspace import languages
from socreates_lsp.workspace.text import Text

# Language, source, the comments in it. "NO" marks what only looks like one.
TABLE = [
    ("python", "x = \"# NO\"  # yes\ny = '''\n# NO\n''' # two", ["# yes", "# two"]),
    ("python", 'a = r"\\" # NO" # yes\nb = f"{x!r:>{w}} # NO"', ["# yes"]),
    ("python", "s = 'open # NO\nt = 1 # yes", ["# yes"]),
    (
        "javascript",
        "#!/usr/bin/env node\na = '// NO'; // yes\n/* b\n c */",
        ["#!/usr/bin/env node", "// yes", "/* b\n c */"],
    ),
    ("javascript", "x = `// NO ${f('`') /* in */ + `${1}// NO`} // NO` // yes", ["/* in */", "// yes"]),
    ("javascript", "x = /[/'\"]\\/*NO/g; y = a / b / c // yes", ["// yes"]),
    ("javascript", "return /'/.test(s) // yes", ["// yes"]),
    ("javascript", "x = a /* one */ / b; y = '/' // two", ["/* one */", "// two"]),
    ("tsx", "<p>Don't</p>{/* yes */}<b a='// NO' />", ["/* yes */"]),
    ("typescript", "const u: string = 'http://NO'; // yes", ["// yes"]),
    ("go", "s := `// NO \\`; r := '\"' // yes\n/* two */", ["// yes", "/* two */"]),
    ("rust", "fn f<'a>(x: &'a str) { let c = '\"'; let d = '\\''; } // yes", ["// yes"]),
    (
        "rust",
        'let s = r#"" // NO "#; let t = br##"/*NO"# "##; /* a /* b */ c */ x // two',
        ["/* a /* b */ c */", "// two"],
    ),
    ("java", 'char c = \'"\'; String s = """\n // NO \\""" "\n"""; // yes', ["// yes"]),
    (
        "php",
        "<p>// NO # NO</p><!-- one --><?php $a = '// NO'; # two\n#[Attr]\nf(); // three ?> // NO",
        ["<!-- one -->", "# two", "// three "],
    ),
    ("php", "<?php $a = <<<A\n// NO\n  A; eval($n); // yes\nA;", ["// yes"]),
    ("php", "<?php f(<<<A\n# NO\nA, g($n)); # yes\n<<<'B'\nAB // NO\nBA // NO\nB . 1; // too", ["# yes", "// too"]),
    ("php", '<?php $a = <<<EOT\n// NO\nEOT;\n/* yes */ $b = "{$x["// NO"]}";', ["/* yes */"]),
    ("php", "$a = 1; // a fragment", ["// a fragment"]),
    (
        "c",
        "#include <a>\nint n = 1'000; char q = '\"'; // yes \\\n goes on\nx /* two */",
        ["// yes \\\n goes on", "/* two */"],
    ),
    ("cpp", 'auto s = R"x(// NO )" // NO )x"; // yes', ["// yes"]),
    ("objective-c", 'NSString *s = @"// NO"; // yes', ["// yes"]),
    ("ruby", 'a = "#{h["#NO"]} # NO" # yes\nb = ?# + c\n=begin\nd\n=end\ne', ["# yes", "=begin\nd\n=end"]),
    ("ruby", "a = <<~ONE + <<-TWO # yes\n # NO\nONE\n # NO\n  TWO\nb # two", ["# yes", "# two"]),
    ("ruby", "x = %w(# NO) # yes\ny = s =~ /[#'\"]/ # two\nz = a % b\n__END__\n# NO", ["# yes", "# two"]),
    (
        "kotlin",
        'val s = "${m["// NO"]}" // yes\nval r = """ \\ // NO""" /* a /* b */ */',
        ["// yes", "/* a /* b */ */"],
    ),
    ("swift", 'let s = "\\(f("// NO"))"; let r = #"" // NO"# // yes', ["// yes"]),
    ("scala", 'val s = s"${m("// NO")}"; val c = \'"\' // yes\nval t = """ ${ // NO""" // two', ["// yes", "// two"]),
    (
        "csharp",
        'var s = @"\\"; var t = $"{f("// NO")} {{ // NO"; // yes\nvar r = """ " // NO """; // two',
        ["// yes", "// two"],
    ),
    ("bash", 'echo "# NO $(f "# NO") ${#x} $#" ${x#y} a#b \\# # yes', ["# yes"]),
    ("bash", "cat <<'EOF' # yes\n# NO '\nEOF\nx=$((1<<n)) # two\ny=$'\\'' # three", ["# yes", "# two", "# three"]),
    ("lua", "s = [==[ -- NO ]] ]==] -- yes\n--[[ a\nb ]] t = '-- NO'", ["-- yes", "--[[ a\nb ]]"]),
    ("elixir", 's = "#{m["# NO"]}" # yes\nc = ?# \n@doc """\n# NO\n"""', ["# yes"]),
    ("haskell", "x' = '\"' -- yes\ny = a --> b\n{- c {- d -} e -}\nz = \"-- NO\"", ["-- yes", "{- c {- d -} e -}"]),
    ("nix", "a = ''# NO ''${ # NO ''; # yes\nb = \"${c \"# NO\"}\"; /* two */", ["# yes", "/* two */"]),
    (
        "hcl",
        'a = "${f("# NO")}" # yes\nb = <<-EOT\n # NO\n EOT\n// two\n/* three */',
        ["# yes", "// two", "/* three */"],
    ),
    ("solidity", 's = "// NO"; // yes\n/* two */', ["// yes", "/* two */"]),
    (
        "dart",
        "s = r'\\'; t = '${m[\"// NO\"]}'; // yes\nu = '''\n// NO'''; /* a /* b */ */",
        ["// yes", "/* a /* b */ */"],
    ),
    ("zig", "const s =\n    \\\\ // NO \"\n; const c = '\"'; // yes", ["// yes"]),
    (
        "html",
        (
            '<a title="<!-- NO -->">don\'t</a><!-- yes --><script>x = "// NO"; // two\n</script>// NO'
            "<style>/* three */</style>{# four #}{#if x}{{!-- five --}}"
        ),
        ["<!-- yes -->", "// two", "/* three */", "{# four #}", "{{!-- five --}}"],
    ),
    ("xml", "<a b='<!-- NO -->'><![CDATA[<!-- NO -->]]><!-- yes\n --></a>", ["<!-- yes\n -->"]),
    ("css", "a { b: url(http://NO); c: '/* NO */' } /* yes */ // two", ["/* yes */", "// two"]),
    ("json", '{"a": "// NO", // yes\n"b": /* two */ 1}', ["// yes", "/* two */"]),
    ("yaml", "a: 'b # NO' # yes\nc: it's # two\nd: e#f \"# NO\"", ["# yes", "# two"]),
    ("toml", "a = '\\' # yes\nb = \"# NO\" # two\nc = '''\n# NO'''", ["# yes", "# two"]),
    ("ini", '; one\n# two\na = b;c ; three\nd="e # NO"', ["; one", "# two", "; three"]),
    (
        "markdown",
        "<!-- one -->\n```\n<!-- NO -->\n```\n`<!-- NO -->` a ` <!-- two -->",
        ["<!-- one -->", "<!-- two -->"],
    ),
    (
        "rst",
        ".. one\n   goes on\n\ntext\n\n.. note:: NO\n.. _NO:\n.. [1] NO\n\n..\n   two\n",
        [".. one\n   goes on", "..\n   two"],
    ),
    ("text", 'a # one\n"# NO" don\'t # two', ["# one", "# two"]),
    ("latex", "50\\% NO \\\\% yes\n\\begin{verbatim}\n% NO\n\\end{verbatim}\n% two", ["% yes", "% two"]),
    ("sql", "select '-- NO''-- NO', $x$ -- NO $x$ -- yes\n/* two */ # NO", ["-- yes", "/* two */"]),
    ("r", "x <- r\"(# NO \" # NO)\" # yes\ny <- 'a\\'# NO' # two", ["# yes", "# two"]),
    ("julia", 'a = b\' # yes\nc = \'#\'; d = "$(f("# NO"))" #= e #= f =# =#', ["# yes", "#= e #= f =# =#"]),
    (
        "perl",
        '$#a; $x = q(# NO); s#a#b#; # yes\n=pod\ntext\n=cut\n$y = <<"E"; # two\n# NO\nE\n__END__\n# NO',
        ["# yes", "=pod\ntext\n=cut", "# two"],
    ),
    (
        "powershell",
        '$a = "`" # NO $(f "# NO")" # yes\n<# two\n#>\n@\'\n# NO\'\n\'@ # three',
        ["# yes", "<# two\n#>", "# three"],
    ),
    ("clojure", '(f \\; "; NO" \\" 1) ; yes', ["; yes"]),
    ("lisp", '(f #\\; ?\\" "; NO\\"") ; yes\n#| a #| b |# |#', ["; yes", "#| a #| b |# |#"]),
    ("erlang", "X = $%, Y = \"% NO\", Z = 'a % NO' % yes", ["% yes"]),
    (
        "ocaml",
        'let f = ( * ) and g = (*) and c = \'"\' and s = "(* NO" and t = {x|(* NO|x} (* a (* b *) *)',
        ["(* a (* b *) *)"],
    ),
    ("fsharp", 'let s = @"\\" // yes\nlet t = """ // NO""" (* two *)', ["// yes", "(* two *)"]),
    ("vb", 's = "\' NO""\' NO" \' yes\nRem two\nRemove(x)', ["' yes", "Rem two"]),
    ("vim", '" one\nlet a = "NO" . \'" NO\' " two\necho x # three', ['" one', '" two', "# three"]),
    ("batch", '@echo off & rem yes\n:: two\nREM three\necho rem NO ":: NO"', [" rem yes", ":: two", "REM three"]),
    ("proto", 'option a = "// NO"; // yes', ["// yes"]),
    ("graphql", '"""\n# NO\n"""\ntype A # yes', ["# yes"]),
    ("make", "a = \\# NO '# NO' # yes", ["# yes"]),
    ("cmake", 'set(A "# NO" [=[ # NO ]] ]=]) # yes\n#[==[ a\n]] b ]==] c', ["# yes", "#[==[ a\n]] b ]==]"]),
    ("dockerfile", "# one\nRUN echo '# NO' a#b # two\nCOPY <<EOF /x\n# NO\nEOF\nRUN x", ["# one", "# two"]),
    ("asm", "mov al, ';' ; yes\n.ascii \"; NO\" // two\nmov r0, #1", ["; yes", "// two"]),
    (
        None,
        "a # one\nb // two\nhttp://NO\nc -- three\nd ; four\n<!-- five --> /* six */ e--f 'x # NO'",
        ["# one", "// two", "-- three", "; four", "<!-- five -->", "/* six */"],
    ),
    (None, "src/* NO\n<!-- NO", []),
    ("lua", "a = [[ -- NO", []),
    ("ruby", "a = $'.b # yes", ["# yes"]),
    ("ruby", 'out << "data: #{a}\\n" # yes\nfail %Q{"#{b}" # NO} # two', ["# yes", "# two"]),
    ("perl", "push @a, q{ {# NO} # NO }; # yes", ["# yes"]),
    ("php", '<?php $a = "{$b ?> } <!-- yes -->', ["<!-- yes -->"]),
    ("javascript", "x = `${ {a}/2 + '/' }` // yes", ["// yes"]),
    ("r", 'x <- r"--( )" # NO )--" # yes', ["# yes"]),
    ("python", "a = '''\n# NO", []),
    ("c", "a /* yes\n\n", ["/* yes\n\n"]),
    ("ocaml", "a (* yes (* b *)", ["(* yes (* b *)"]),
    ("bash", "cat <<EOF # yes\n# two", ["# yes", "# two"]),
]


@pytest.mark.parametrize(("language", "source", "expected"), TABLE)
def test_finds_the_comments_and_nothing_else(language, source, expected):
    assert [comment.text for comment in comments(Text(source), language)] == expected


def test_the_table_and_the_syntax_hold_every_language():
    assert set(SYNTAX) >= languages._NAMES
    assert {language for language, _, _ in TABLE} >= languages._NAMES


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_lines_are_the_editors(ending):
    source = ending.join(["a \f\u2028 # one", "", "# two", "b"])
    found = comments(Text(source), "python")
    assert [(comment.first_line, comment.last_line, comment.text) for comment in found] == [
        (0, 0, "# one"),
        (2, 2, "# two"),
    ]


@pytest.mark.parametrize(
    ("language", "source", "expected"),
    [
        ("c", "  // a", [(False, False)]),
        ("c", "x; // a", [(True, False)]),
        ("c", "/* a */ x", [(False, True)]),
        ("c", "f(/* a */ x)", [(True, True)]),
        ("c", "x /* a */ /* b */", [(True, False), (True, False)]),
        ("c", "/* a */ /* b */ x", [(False, True), (False, True)]),
        ("c", " /* a\n b */ /* c */", [(False, False), (False, False)]),
        ("c", "x /* a\n b */ /* c */", [(True, False), (False, False)]),
        ("c", "/* a */ /* b\n */ x", [(False, False), (False, True)]),
        ("tsx", "  { /* a */ }\n  y{/* b */}", [(False, False), (True, True)]),
        ("c", "{ /* a */ }", [(True, True)]),
    ],
)
def test_knows_what_else_is_on_the_line(language, source, expected):
    found = comments(Text(source), language)
    assert [(comment.after_code, comment.before_code) for comment in found] == expected
    assert [comment.alone for comment in found] == [pair == (False, False) for pair in expected]
    assert [comment.at_end for comment in found] == [pair == (True, False) for pair in expected]


PIECES = st.sampled_from(
    [
        *"\"'`/\\#-;%{}()[]<>$=*|!@?~:.",
        *["\n", "\r", "\r\n", " ", "a", "é", "🙂", "\ud800", "\0", "//", "/*", "*/", "<!--", "-->", '"""', "'''"],
        *["--[[", "]]", "{-", "-}", "(*", "*)", "<<EOF\n", "\nEOF\n", "${", "$(", "#{", "\\(", 'r#"', '"#', "<#", "#>"],
        *["<?php ", "?>", "<script>", "</script>", "=begin\n", "=cut\n", "```", "return ", "rem ", "\\begin{comment}"],
    ]
)


@settings(max_examples=200)
@given(st.lists(PIECES, max_size=60).map("".join), st.sampled_from([*sorted(SYNTAX), "no such language", None]))
def test_any_text_gives_comments_in_order_that_stand_in_it(source, language):
    text = Text(source)
    rest = 0
    for comment in comments(text, language):
        start = source.index(comment.text, rest)
        rest = start + len(comment.text)
        assert 0 <= comment.first_line <= comment.last_line < len(text)
        assert comment.text.strip()
        assert source.count("\n", 0, rest) >= comment.text.count("\n")


def test_five_megabytes():
    line = "value = call('text', \"more\")  # a comment\n"
    text = Text(line * (5_000_000 // len(line)))
    found = comments(text, "python")
    assert len(found) == len(text) - 1


def test_one_line_of_two_megabytes():
    text = Text("f('a'); /* b */ " * 125_000)
    assert len(comments(text, "javascript")) == 125_000
