"""Whether a short piece between backticks is code, or only names something. Pure; of no one language.

Names, values, types, flags, paths, commands and comparisons of two of those name something. A statement, a
computation, a call with values of its own, a lambda or a tag with attributes is code.
"""

from __future__ import annotations

import re

_STRING = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\\n])*`")
_LONG = 100
"""Characters from which a piece is no mere name, unless it is made of words."""
_LONGEST = 400
_WORDS = re.compile(r"[^\W\d][\w'’-]*(?:[,:]? [\w'’-]+)+[.?!]?")
_NAME = r"[@$&*~!.]{0,3}[^\W\d][\w$]*(?:(?:\.|::|->|\?\.|#)[\w$]+)*[?!]?"
_SIMPLE = r"[@$&*]{0,2}[^\W\d][\w$]*"
_VALUE = r"(?:[-+]?\d[\w.%]*|\"\"|None|null|nil|NULL|nullptr|undefined|NaN|True|False|true|false|\[\]|\{\}|\(\)|\.{3})"
_ATOM = rf"(?:{_VALUE}|{_NAME}(?:\(\w*\)|\[[\w\"$:.-]*\])?)"
_VALUES = re.compile(rf"\s*(?:{_VALUE}(?:\s*[,:]\s*{_VALUE})*,?)?\s*\Z")
_KEYWORD_VALUES = re.compile(rf"\s*(?:(?:{_SIMPLE}=)?{_VALUE}(?:\s*,\s*(?:{_SIMPLE}=)?{_VALUE})*)?\s*\Z")
_COMPARED = re.compile(
    rf"(?:not |!)?{_ATOM}\s*(?:[=!]==?|<>|[<>]=?|\bis(?: not)?\b|\b(?:not )?in\b|\binstanceof\b|≤|≥|≠)\s*{_ATOM}\Z"
)
_COUNTED = re.compile(rf"(?:{_SIMPLE}\s*[-+*/%]\s*\d+|\d+\s*[-+*/%]\s*(?:{_SIMPLE}|\d+))\Z")
_STATEMENT = re.compile(
    r"(?:return|raise|throw|del|delete|yield|await|assert|goto|import|export|include|require|using|global|nonlocal|echo"
    r"|print|puts|defer|go|package|use|mut|elif|unless|until)\s+\S"
    r"|from\s+\S+\s+import\b|import\s+\S"
    r"|(?:if|while|for|switch|catch|foreach|when|match|guard|loop|do)\s*\("
    r"|(?:if|while|elif|unless)\s+\S+(?:\s|:)|for\s+.+\s(?:in|of)\s|(?:(?:async\s+)?with|except|case)\s.+:"
    r"|(?:async\s+)?(?:def|function|func|fn|fun|sub|proc)\b\s*[\w.]*\s*\([^)]"
    r"|(?:let|const|var|val|auto|final|static|public|private|protected)\s+(?:\w+\s+)*\w+\s*[=:(]"
    r"|(?:try|else|finally|do)\s*[:{]|#\s*include\b|#\s*define\b"
    r"|(?:SELECT|select)\s.+\s(?:FROM|from)\s|INSERT\s+INTO\s|UPDATE\s+\S+\s+SET\s|DELETE\s+FROM\s|(?:CREATE|ALTER|DROP)\s+"
    r"TABLE\s+\S+\s"
)
_ASSIGNED = re.compile(
    r"(?<![=!<>:+*/%&|^~?@-])=(?![=>~])|[:+*/%&|^@?-]=(?!=)|\|\|=|&&=|\*\*=|//=|<<=|>>=|(?<=\w)\s*<-\s"
)
_SETTING = re.compile(r"(?:--[\w-]+ )?-{0,2}[\w.-]+=(?:[\w./:@%,<>-]*|\"\")")
_RECORD = re.compile(rf"\{{\s*\w+: {_VALUE}(?:, \w+: {_VALUE})*\s*\}}")
_LOGIC = re.compile(r"\S\s*(?:&&|\|\||\?\?|\?:)\s*\S|\S+\s+(?:and|or)\s+\S+|\bnot\s+\S+\s+\S")
_LAMBDA = re.compile(r"\blambda\b\s*[\w,* ]*:|[\w)\]}]\s*=>\s*\S|\|\w+\|\s*\S|[\w)]\s*->\s*[\w({]+\s*[-+*/.(]")
_COMPREHENSION = re.compile(r"\S\s+for\s+\S+.*\s+(?:in|of)\s+\S|\S+\s+if\s+\S+.*\s+else\s+\S")
_TERNARY = re.compile(r"[\w)\]\"]\s*\?\s*[\w(\"\[{-][^?]*\s?:\s?[\w(\"\[{-]")
_TAG = re.compile(r"<[A-Za-z][\w.:-]*\s+[^<>]*=|<([A-Za-z][\w-]*)>[^<]*</\1|!\[[^\]]*\]\(|\]\([^)]*:")
_ARITHMETIC = re.compile(r"[\w)\]]\s+[-+*/%]\s+[\w(\[\"]|[)\]][-+*/%]\w|\w[+*/%]\w+\(")
_CALL = re.compile(r"[\w$>\])?!]\(([^()]*)\)")
_BRACES = re.compile(r"\{([^{}]*)\}")
_SHELL = re.compile(
    r"\s\|\s*\w+\s+-|\|\s*(?:sh|bash|xargs|grep|sed|awk|tee|sort|head|tail|wc|jq)\b|\s>{1,2}\s*[\w/.]|<<\s*\w+|\$\(|\s&&\s"
)
_COMMAND = re.compile(
    r"(?:\$ )?(?:sudo )?(?:git|npm|npx|yarn|pnpm|pip3?|pipx|uv|uvx|poetry|python3?|py|pytest|tox|nox|mypy|ruff|node"
    r"|deno|bun|cargo|rustc|go|make|cmake|ninja|docker|podman|kubectl|helm|terraform|ansible|mvn|gradle|\./gradlew|dotnet"
    r"|ruby|bundle|rake|gem|php|composer|swift|java|javac|gcc|clang|apt|apt-get|brew|systemctl|journalctl|curl|wget"
    r"|ls|cd|cat|rm|cp|mv|mkdir|chmod|chown|grep|rg|find|ssh|scp|tar|kill|ps|top|psql|mysql|sqlite3|redis-cli|openssl"
    r"|bash|sh|zsh|eslint|tsc|jest|vitest|black|flake8|alembic|django-admin|flask|uvicorn|gunicorn|celery|ollama|echo)"
    r"(?: [\w@./:=+~*,^%$\[\]-]+| \"\")*"
)
_FLAG = r"--?[A-Za-z][\w-]*(?:[ =][\w./:@][\w./:@-]*)?"
_FLAGGED = re.compile(rf"(?:[A-Z_]+=\S+ )*(?:[a-z][\w.-]*(?: [\w./:=@][\w./:=@-]*)* )?{_FLAG}(?: {_FLAG})*")


_CALLED = r"\((?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*\)"
_OPERAND = r"[\w$][\w$.\[\]\"']{0,60}"
_FRAGMENT = re.compile(
    rf"(?<![\w$.\"'/-])(?:(?:return|raise|throw|await|const|let|var|new|yield|auto)\s+)*"
    rf"(?:{_OPERAND}(?:\s*,\s*{_OPERAND})?\s*(?::=|[-+*/|&]?=(?!=)|\?\?=|\|\|=)\s*(?:{_OPERAND}(?:\s+(?:or|and|\?\?|\|\||[-+*/])\s+)?)?"
    rf"|(?=[\w$]{{1,60}}[\w$.:>\[\]-]{{0,60}}\())[\w$.:>\[\]-]{{0,60}}(?:{_CALLED}(?:\.\w{{1,60}}{_CALLED})*)?;?"
)
_TELLING = re.compile(
    r"\((?:.*[\"'=.{\[+*/<>?|&].*|.*\(.*)\)|:=|[-+*/|&?]=|=\s*[\w$.]+\(|=\s*\S+\s+(?:or|and|\?\?|\|\|)\s"
)


def fragments(text: str) -> list[tuple[int, int]]:
    """Statements and calls within a sentence that nothing marks, as far as their shape is plain: from, to.

    Args:
        text: a paragraph; one of more than 4,000 code points is not looked at.
    """
    if len(text) > _LONGEST * 10 or not re.search(r"\w\(|[-:+*/|&?]=|=", text):
        return []
    found = [one.span() for one in _FRAGMENT.finditer(text) if one[0]]
    return [(start, end) for start, end in found if _TELLING.search(text[start:end]) and is_code(text[start:end])]


def masked(piece: str) -> str:
    """A piece in which every string is empty, so that words in it are not read."""
    return _STRING.sub('""', piece)


def is_code(piece: str) -> bool:
    """Whether a piece between backticks is code that somebody could paste, not a name of something.

    Args:
        piece: what stands between the backticks.
    """
    text = piece.strip()
    if not text or _STRING.fullmatch(text) or re.fullmatch(r"[OoΘΩ]\([\w +*/^²³·()]+\)", text):
        return False
    if len(text) > _LONGEST:
        return not _WORDS.fullmatch(text)
    if "\n" in text and not _WORDS.fullmatch(" ".join(text.split())):
        return True
    if _TAG.search(text):
        return True
    text = masked(text)
    if re.match(r">>> \S", text) or re.search(r"\bdo \|[\w, ]+\|\Z", text):
        return True
    text = re.sub(r"\A[+-][ \t]+(?=[A-Za-z_])", "", text)
    if _COMMAND.fullmatch(text) or _FLAGGED.fullmatch(text) or _SETTING.fullmatch(text) or _RECORD.fullmatch(text):
        return False
    if re.fullmatch(r"[\w.]*\[[\w.*, ]*\][*&]?[\w.]+", text):
        return False
    if _STATEMENT.match(text):
        return True
    if _WORDS.fullmatch(text) and not _codes_words(text):
        return False
    if _COMPARED.match(text) or _COUNTED.match(text):
        return False
    return len(text) > _LONG or _does(text)


def _codes_words(text: str) -> bool:
    return bool(_COMPREHENSION.search(text) or re.match(r"lambda\b", text) or re.search(r"\b(?:or|and) \d", text))


def _does(text: str) -> bool:
    """Whether a piece does something: assigns, computes, calls with values, or holds a block."""
    if re.match(r"https?://", text) and " " not in text:
        return False
    if (
        ";" in re.sub(r"&#?\w+;", "", text)
        and re.search(r"[\w)\]}\"+-]\s*;", text)
        and not re.fullmatch(r"[\w/+.-]+; ?[\w-]+=[\w-]+", text)
    ):
        return True
    if _SHELL.search(text) or _LAMBDA.search(text) or _COMPREHENSION.search(text) or _TERNARY.search(text):
        return True
    if re.search(r"\b(?:def|function|fn|func)\s+\w*\(.*\)\s*[:{]", text):
        return True
    if _LOGIC.search(text) or _ARITHMETIC.search(text):
        return True
    if re.search(r"[)\]:>\w]\s*\{\s*\Z|\A\s*\}\s*\S", text):
        return True
    uncalled, calls = _without_calls(text)
    if calls or _assigns(uncalled):
        return True
    return any(
        not _VALUES.match(inner) and not re.fullmatch(r"\s*[\w$.]*\s*", inner) for inner in _BRACES.findall(uncalled)
    ) and (" " in text or ":" in text)


def _assigns(text: str) -> bool:
    if "?" in text and re.fullmatch(r"[\w/.:-]*\?[\w=&%.-]*", text):
        return False
    return bool(_ASSIGNED.search(text)) and not re.fullmatch(r"\W*", text)


def _without_calls(text: str) -> tuple[str, bool]:
    """The text without the arguments of its calls, and whether one of them does more than name a call."""
    told = 0
    for _ in range(8):
        for inner in _CALL.findall(text):
            told += bool(inner.strip())
            if not _names_a_call(inner) or told > 1:
                return text, True
        shorter = _CALL.sub(lambda found: f"{found[0][0]}\0", text)
        if shorter == text:
            break
        text = shorter
    return text.replace("\0", ""), False


def _names_a_call(inner: str) -> bool:
    """Arguments that only give an example (values) or say what the call is about (one plain name)."""
    return bool(
        _KEYWORD_VALUES.match(inner)
        or re.fullmatch(rf"\s*(?:{_SIMPLE}|\.\.\.|…)\s*", inner)
        or re.fullmatch(r"(?:self|cls|this)(?:, ?\w+)?", inner)
    )
