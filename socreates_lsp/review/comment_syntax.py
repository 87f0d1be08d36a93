"""How comments and strings are written in each language: the table. Pure.

Only what a scanner needs to tell a comment from a string is here; it is no grammar. Where a language cannot be
read without parsing it (regular expressions, a quote in prose), the entry is a guess that errs for one line.
"""

from __future__ import annotations

from socreates_lsp.review.comment_tokens import NEWLINE, CommentSyntax, Does, Token

_BACKSLASH = r"\\(?:\r\n|[\s\S])"
_BOL = r"(?<![^\r\n])"
_SPACED = r"(?<!\S)"


def _line(opens: str, closes: str = NEWLINE) -> Token:
    return Token(Does.LINE, opens, closes)


def _block(opens: str, closes: str, *, nested: bool = False, required: bool = False) -> Token:
    return Token(Does.BLOCK, opens, closes, nested=nested, required=required)


def _string(opens: str, closes: str = "", *, escape: str = _BACKSLASH, hole: str = "", required: bool = False) -> Token:
    """A string that ends with its line at the latest."""
    return Token(Does.QUOTE, opens, closes or opens[-1], escape=escape, hole=hole, one_line=True, required=required)


def _text(opens: str, closes: str = "", *, escape: str = _BACKSLASH, hole: str = "", required: bool = False) -> Token:
    """A string over many lines."""
    return Token(Does.QUOTE, opens, closes or opens[-1], escape=escape, hole=hole, required=required)


def _raw(opens: str, closes: str, *, mirrored: bool = False, nested: bool = False) -> Token:
    """A string without escapes whose closer repeats a part of its opener."""
    return Token(Does.QUOTE, opens, closes, own=True, mirrored=mirrored, nested=nested)


def _skip(opens: str) -> Token:
    return Token(Does.SKIP, opens)


_SLASHES = _line("//")
_HASH = _line("#")
_C_BLOCK = _block(r"/\*", r"\*/")
_C_NESTED = _block(r"/\*", r"\*/", nested=True)
_HTML = _block("<!--", "-->")
_DOUBLE, _SINGLE = _string('"'), _string("'")
_DOUBLES, _SINGLES = _text('"'), _text("'")
_TRIPLE = _text('"""', '"""')
_TRIPLE_SINGLE = _text("'''", "'''")
_ESCAPED = _skip(_BACKSLASH)
_REGEX = Token(Does.REGEX, r"/(?![/*])")
_CHARACTER = _skip(r"'(?:\\(?:u\{[^}'\r\n]{0,8}\}|[^\r\n'][^\\'\r\n]{0,8}|')|[^\\'\r\n])'")
_LOOSE = (_string(r"(?<![\w\\])\"", '"', required=True), _string(r"(?<![\w\\])'", "'", required=True))
_HEREDOC = Token(Does.HEREDOC, r"(?<![<\w])<<[-~]?[ \t]*[\"'\\]?([A-Za-z_]\w*)[\"']?")
_CLOSE_HEREDOC = Token(Does.HEREDOC, r"(?<![<\w])<<[-~]?[\"'`]?([A-Z_]\w*)[\"'`]?")  # no space: `out << "text"`
_AT = r"\s*@[\w.]+\s*(?:\(.*\))?\s*"
_SHARP = r"\s*#!?\[.*\]\s*"

_C = (
    _line("//", r"(?<!\\)(?<!\\\r)[\r\n]"),
    _C_BLOCK,
    _raw(r'R"([^\s()\\"]{0,16})\(', r')\1"'),
    _DOUBLE,
    _string(r"(?<![0-9a-fA-F])'|(?<=u8)'", "'"),
)
_JAVASCRIPT = (
    _line(r"\A#!"),
    _SLASHES,
    _C_BLOCK,
    _text("`", hole="${"),
    _DOUBLE,
    _string(r"(?<![a-zA-Z])'|(?<=return)'|(?<=case)'", "'"),  # the text of JSX has apostrophes
    _REGEX,
)
_PYTHON = (_HASH, _TRIPLE, _TRIPLE_SINGLE, _DOUBLE, _SINGLE)
_SCRIPT = Token(Does.REGION, r"<(?i:script)\b[^<>]*>", r"</(?i:script)\b", language="typescript")
_STYLE = Token(Does.REGION, r"<(?i:style)\b[^<>]*>", r"</(?i:style)\b", language="css")
_ATTRIBUTE_VALUES = (
    _text('(?<==)"', escape="", required=True),
    _text("(?<==)'", escape="", required=True),
)
_JVM = (_text('"""', '"""', escape="", hole="${"), _string('"', hole="${"), _CHARACTER)
_HCL = (_HASH, _SLASHES, _C_BLOCK, _string('"', hole="${"), _HEREDOC)
_INI = (
    _line(f"{_SPACED}[#;]"),
    _string(r"(?<![^\s=])\"", '"', required=True),
    _string(r"(?<![^\s=])'", "'", required=True),
)

FALLBACK = CommentSyntax(
    (
        _line(f"{_SPACED}#"),
        _line("(?<![:/])//"),
        _line(rf"{_SPACED}--(?![^\s-])"),
        _line(f"{_SPACED};"),
        _block("<!--", "-->", required=True),
        _block(r"/\*", r"\*/", required=True),
        *_LOOSE,
    )
)

SYNTAX: dict[str, CommentSyntax] = {
    "python": CommentSyntax(_PYTHON, _AT),
    "javascript": CommentSyntax(_JAVASCRIPT, _AT, braced=True),
    "typescript": CommentSyntax(_JAVASCRIPT, _AT, braced=True),
    "tsx": CommentSyntax(_JAVASCRIPT, _AT, braced=True),
    "go": CommentSyntax((_SLASHES, _C_BLOCK, _text("`", escape=""), _DOUBLE, _SINGLE)),
    "rust": CommentSyntax((_SLASHES, _C_NESTED, _raw(r'\bb?c?r(#{0,255})"', r'"\1'), _DOUBLES, _CHARACTER), _SHARP),
    "java": CommentSyntax((_SLASHES, _C_BLOCK, _TRIPLE, _DOUBLE, _SINGLE), _AT),
    "php": CommentSyntax((_HTML, Token(Does.SWITCH, r"<\?(?!xml)(?:php\b|=)?", language="php-inside")), _SHARP),
    "php-inside": CommentSyntax(
        (
            Token(Does.SWITCH, r"\?>", language="php"),
            _line(r"//|#(?!\[)", r"[\r\n]|\?>"),
            _C_BLOCK,
            Token(Does.HEREDOC, r"<<<[ \t]*[\"']?([A-Za-z_]\w*)[\"']?"),
            _text('"', hole="{$"),
            _SINGLES,
            _text("`"),
        ),
        _SHARP,
    ),
    "c": CommentSyntax(_C),
    "cpp": CommentSyntax(_C),
    "objective-c": CommentSyntax(_C),
    "ruby": CommentSyntax(
        (
            _block(f"{_BOL}=begin\\b", rf"{_BOL}=end\b[^\r\n]*"),
            _text(f"{_BOL}__END__(?=[\\r\\n])", r"\Z", escape=""),
            _skip(r"(?<![\w)\]}])\?[\"'#`/]|\$[\"'`]"),
            _HASH,
            _CLOSE_HEREDOC,
            _raw(r"(?<![\w)\]}])%[qQwWiIrxs]?([\[({<])", r"\1", mirrored=True, nested=True),
            _text('"', hole="#{"),
            _SINGLES,
            _text("`", hole="#{"),
            _REGEX,
        )
    ),
    "kotlin": CommentSyntax((_SLASHES, _C_NESTED, *_JVM), _AT),
    "scala": CommentSyntax(
        (
            _SLASHES,
            _C_NESTED,
            _text(r'(?<=\w)"""', '"""', escape="", hole="${"),
            _text('"""', '"""', escape=""),
            _string(r'(?<=\w)"', hole="${"),
            _DOUBLE,
            _CHARACTER,
        ),
        _AT,
    ),
    "swift": CommentSyntax(
        (
            _SLASHES,
            _C_NESTED,
            _raw(r'(?<!#)(#{1,16})"""', r'"""\1'),
            _raw(r'(?<!#)(#{1,16})"', r'"\1'),
            _text('"""', '"""', escape=r"\\[^(]", hole=r"\("),
            _string('"', escape=r"\\[^(]", hole=r"\("),
        ),
        _AT,
    ),
    "csharp": CommentSyntax(
        (
            _SLASHES,
            _C_BLOCK,
            _raw(r'(?<!\$)\${0,8}("{3,255})', r"\1"),
            _text(r'(?:\$@|@\$)"', '"', escape=r'""|\{\{', hole="{"),
            _text('@"', '"', escape='""'),
            _string(r'\$"', '"', escape=rf"{_BACKSLASH}|\{{\{{", hole="{"),
            _DOUBLE,
            _SINGLE,
        ),
        r"\s*\[.*\]\s*",
    ),
    "bash": CommentSyntax(
        (
            _ESCAPED,
            _line(r"(?<![^\s;&|()`])#"),
            _HEREDOC,
            _text(r"\$'", "'"),
            _text("'", escape=""),
            _text('"', hole="$("),
        )
    ),
    "lua": CommentSyntax(
        (
            Token(Does.BLOCK, r"--\[(=*)\[", r"]\1]", own=True),
            _line("--"),
            _line(r"\A#!"),
            _raw(r"\[(=*)\[", r"]\1]"),
            _DOUBLE,
            _SINGLE,
        )
    ),
    "elixir": CommentSyntax(
        (
            _skip(r"(?<!\w)\?(?:\\.|[\"'#])"),
            _HASH,
            _text('"""', '"""', hole="#{"),
            _TRIPLE_SINGLE,
            _text('"', hole="#{"),
            _SINGLES,
        )
    ),
    "haskell": CommentSyntax(
        (
            _block(r"\{-", r"-\}", nested=True),
            _line(r"(?<![!#$%&*+./<=>?@\\^|~:-])--+(?![!#$%&*+./<=>?@\\^|~:])"),
            _DOUBLE,
            _CHARACTER,
        )
    ),
    "nix": CommentSyntax(
        (_HASH, _C_BLOCK, _text("''", r"''(?![$'\\])", escape=r"''(?:[$']|\\[\s\S])", hole="${"), _text('"', hole="${"))
    ),
    "hcl": CommentSyntax(_HCL),
    "solidity": CommentSyntax((_SLASHES, _C_BLOCK, _DOUBLE, _SINGLE)),
    "proto": CommentSyntax((_SLASHES, _C_BLOCK, _DOUBLE, _SINGLE)),
    "dart": CommentSyntax(
        (
            _SLASHES,
            _C_NESTED,
            _text(r'(?<!\w)r"""', '"""', escape=""),
            _text(r"(?<!\w)r'''", "'''", escape=""),
            _string(r'(?<!\w)r"', escape=""),
            _string(r"(?<!\w)r'", escape=""),
            _text('"""', '"""', hole="${"),
            _text("'''", "'''", hole="${"),
            _string('"', hole="${"),
            _string("'", hole="${"),
        ),
        _AT,
    ),
    "zig": CommentSyntax((_SLASHES, _skip(r"\\\\[^\r\n]*"), _DOUBLE, _CHARACTER)),
    "html": CommentSyntax(
        (
            _HTML,
            _block(r"\{\{!--", r"--\}\}"),
            _block(r"<%--", r"--%>"),
            _block(r"\{\{/\*", r"\*/\}\}"),
            _block(r"\{#(?=[\s-])", r"#\}", required=True),
            _SCRIPT,
            _STYLE,
            *_ATTRIBUTE_VALUES,
        )
    ),
    "xml": CommentSyntax((_HTML, _text(r"<!\[CDATA\[", r"\]\]>", escape=""), *_ATTRIBUTE_VALUES)),
    "css": CommentSyntax((_C_BLOCK, _skip(r"\burl\([^()\"'\r\n]*\)"), _line("(?<!:)//"), _DOUBLE, _SINGLE)),
    "json": CommentSyntax((_SLASHES, _C_BLOCK, _DOUBLE, _SINGLE)),
    "yaml": CommentSyntax(
        (
            _line(f"{_SPACED}#"),
            _string(r"(?<![^\s\[{,(])\"", '"', required=True),
            _string(r"(?<![^\s\[{,(])'", "'", escape="''", required=True),
        )
    ),
    "toml": CommentSyntax((_HASH, _TRIPLE, _text("'''", "'''", escape=""), _DOUBLE, _string("'", escape=""))),
    "ini": CommentSyntax(_INI),
    "markdown": CommentSyntax(
        (
            _HTML,
            _text(rf"{_BOL}[ \t>]*```+", rf"{_BOL}[ \t>]*```+", escape=""),
            _text(rf"{_BOL}[ \t>]*~~~+", rf"{_BOL}[ \t>]*~~~+", escape=""),
            _string("(?<!`)``(?!`)", "(?<!`)``(?!`)", escape="", required=True),
            _string("(?<!`)`(?!`)", "(?<!`)`(?!`)", escape="", required=True),
        )
    ),
    "rst": CommentSyntax(
        (
            _line(
                rf"{_BOL}[ \t]*\.\.(?=[ \t]*[\r\n]|[ \t]+(?![_\[|\s])(?![\w:.+-]+::))",
                r"(?:\r\n|\r|\n)(?=\S|[ \t]*(?:[\r\n]|\Z))",
            ),
            _string("(?<!`)``(?!`)", "``", escape="", required=True),
        )
    ),
    "text": FALLBACK,
    "latex": CommentSyntax(
        (
            _skip(r"\\[^A-Za-z\s]"),
            _text(r"\\begin\{(?:verbatim|lstlisting|minted)\*?\}", r"\\end\{(?:verbatim|lstlisting|minted)", escape=""),
            _block(r"\\begin\{comment\}", r"\\end\{comment\}"),
            _line("%"),
        )
    ),
    "sql": CommentSyntax(
        (
            _line("--"),
            _line(rf"{_BOL}[ \t]*#"),
            _C_BLOCK,
            _text("'", escape=""),
            _text('"', escape=""),
            _string("`", escape=""),
            _raw(r"(\$(?:[A-Za-z_]\w*)?\$)", r"\1"),
        )
    ),
    "r": CommentSyntax(
        (
            _HASH,
            _raw(r"\b[rR]\"(-{0,16}[\[({])", r'\1"', mirrored=True),
            _raw(r"\b[rR]'(-{0,16}[\[({])", r"\1'", mirrored=True),
            _DOUBLES,
            _SINGLES,
            _string("`"),
        )
    ),
    "julia": CommentSyntax(
        (
            _block("#=", "=#", nested=True),
            _HASH,
            _text('"""', '"""', hole="$("),
            _text('"', hole="$("),
            _skip(r"(?<![\w)\]}'.])'(?:\\[^\r\n][^'\r\n]{0,8}|[^\\'\r\n])'"),
        )
    ),
    "perl": CommentSyntax(
        (
            _block(rf"{_BOL}=[A-Za-z]", rf"{_BOL}=cut\b[^\r\n]*"),
            _text(rf"{_BOL}__(?:END|DATA)__(?=[\r\n])", r"\Z", escape=""),
            _ESCAPED,
            _skip(r"\$[#\"'`]"),
            _line(r"(?<![^\s;{}(),])#"),
            _CLOSE_HEREDOC,
            _raw(r"\bq[qwrx]?\s?([\[({<])", r"\1", mirrored=True, nested=True),
            _DOUBLES,
            _SINGLES,
        )
    ),
    "powershell": CommentSyntax(
        (
            _block("<#", "#>"),
            _skip(r"`[\s\S]"),
            _line(r"(?<![^\s;(){}|,])#"),
            _text(r'@"(?=[ \t]*[\r\n])', rf'{_BOL}"@', escape=""),
            _text(r"@'(?=[ \t]*[\r\n])", rf"{_BOL}'@", escape=""),
            _text('"', escape=r"`[\s\S]", hole="$("),
            _text("'", escape=""),
        )
    ),
    "clojure": CommentSyntax((_ESCAPED, _line(";"), _DOUBLES)),
    "lisp": CommentSyntax(
        (
            _skip(r"#\\[\s\S]|\?\\[^\r\n]|(?<![\w-])\?[\";]"),
            _block(r"#\|", r"\|#", nested=True),
            _line(";"),
            _DOUBLES,
        )
    ),
    "erlang": CommentSyntax((_skip(r"\$(?:\\.|[%\"'])"), _line("%"), _DOUBLES, _SINGLES)),
    "ocaml": CommentSyntax(
        (
            _skip(r"\(\*\)"),
            _block(r"\(\*", r"\*\)", nested=True),
            _DOUBLES,
            _raw(r"\{([a-z_]*)\|", r"|\1}"),
            _CHARACTER,
        )
    ),
    "fsharp": CommentSyntax(
        (
            _skip(r"\(\*\)"),
            _block(r"\(\*", r"\*\)", nested=True),
            _SLASHES,
            _text('"""', '"""', escape=""),
            _text('@"', '"', escape='""'),
            _DOUBLES,
            _CHARACTER,
        ),
        r"\s*\[<.*>\]\s*",
    ),
    "vb": CommentSyntax((_line(r"['‘’]"), _line(rf"{_BOL}[ \t]*(?i:rem)(?!\w)"), _string('"', escape=""))),
    "vim": CommentSyntax(
        (
            _line(rf"{_BOL}[ \t:]*\""),
            _string(r"(?<!\\)\"(?=(?:[^\"\\\r\n]|\\[^\r\n])*+\")", '"'),
            _line(r"(?<=[ \t|])\""),
            _line(rf"{_SPACED}#(?=\s)"),
            _string(r"(?<!\w)'", "'", escape="", required=True),
        )
    ),
    "batch": CommentSyntax((_line(rf"(?:{_BOL}|(?<=[&|(]))[ \t]*(?:::|@?(?i:rem)(?!\w))"), _string('"', escape=""))),
    "graphql": CommentSyntax((_HASH, _TRIPLE, _DOUBLE)),
    "make": CommentSyntax((_ESCAPED, _skip(r"\$#"), _HASH, *_LOOSE)),
    "cmake": CommentSyntax(
        (
            _ESCAPED,
            Token(Does.BLOCK, r"#\[(=*)\[", r"]\1]", own=True),
            _HASH,
            _raw(r"\[(=*)\[", r"]\1]"),
            _DOUBLES,
        )
    ),
    "dockerfile": CommentSyntax((_line(f"{_SPACED}#"), _HEREDOC, *_LOOSE)),
    "asm": CommentSyntax(
        (_line(";"), _SLASHES, _C_BLOCK, _line(rf"{_SPACED}#(?=\s)"), _DOUBLE, _skip(r"'(?:\\[^\r\n]|[^\\\r\n])'?"))
    ),
}
