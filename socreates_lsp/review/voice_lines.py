"""Which lines of prose are plainly code although nothing marks them. Pure; of no one language.

A line is code by its shape as a whole: a statement, a header of a block, a call, brackets alone. What reads like a
sentence is prose whatever symbols it holds; what stands inside open brackets of code, or deeper than a header of
code, goes with it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from socreates_lsp.review.voice_pieces import masked
from socreates_lsp.review.voice_wrapped import NUMBERED, bare_lines, is_ticked

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

CONTAINER = re.compile(r"(?:[ \t]*(?:>|[-*+•](?=[ \t]|\Z)|\d{1,9}[.)](?=[ \t]|\Z)))*[ \t]*")
"""What may stand before the text of a line: marks of quotations and lists, and the indentation."""
SPAN = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_LINK = re.compile(r"!?\[[^\[\]]*\]\([^()]*(?:\([^()]*\)[^()]*)*\)|<[a-zA-Z][\w+.-]*:[^\s<>]*>|!\[[^\[\]]*\]\[?")
_TAG_WITHIN = re.compile(r"(?<=[\w.?!,;:)'\" >])</?[A-Za-z][\w-]*(?:[ \t/][^<>]*)?(?:>|\Z)")
"""A tag with words before it on the line: HTML, which is taken out later, and no operator."""
_COMMENT = re.compile(r"\s+(?:#|//|--|;;)\s.*\Z|\s*/\*.*?\*/|\s*<!--.*?-->")
_WHOLE_COMMENT = re.compile(r"(?://|/\*|\*/|\*\s|#(?!#|\w)|--\s|;;|%\s|\"\"\"|''')")
_STOP = re.compile(
    r"(?:about|after|also|always|an|any|are|as|at|be|because|before|but|by|can|could|did|do|does|each|every|"
    r"had|has|have|here|how|if-then|into|it|its|just|may|might|must|never|of|on|one|only|other|our|should|so|"
    r"some|still|than|that|the|their|then|there|these|they|this|those|to|was|we|were|what|when|where|which|"
    r"who|why|will|would|you|your)"
)
_WORD = re.compile(r"(?<![\w.$@'\"(\[/-])[A-Za-z][a-z']*(?![\w(\[$=./:-])")
_CITATION = re.compile(r"(?:[\w./\\@+-]+\.\w+|[\w./\\-]+/[\w.-]+):\d+(?:[-:,]\d+)*:?\s+")
_NUMBERED = re.compile(r"\A\d{1,6}\s{0,4}[|│→]\s+")
"""The number of a line, as tools print it before the line."""
_HEAD = re.compile(r"\A\[[a-zA-Z -]+\](?:\s|\Z)|[\w-]\.\w+:\d|\A[A-Z]\w+:(?:\s|\Z)")
"""A line that is the head of a remark: its tag, its place, or a lead-in."""
_TARGET = r"[\w$@.:\[\]\"'*&<>, ?(){}-]*?[\w\])$\"'}>]"
_ASSIGNMENT = re.compile(
    rf"({_TARGET})\s*(?:(?<![<>!])=(?![=>~])|:=|[-+*/%&|^]=|\|\|=|&&=|\?\?=|\*\*=|//=|<<=|>>=|<-)\s*(\S.*)"
)
_RELATION = re.compile(r"\w\s(?:with|without|when|where|using|via|of|the|to|is|are|if)\s", re.IGNORECASE)
"""Words between two others that no left side of an assignment holds."""
_MENTIONED = re.compile(
    r"\b(?:the|an?|these|those|them|this|that|it|its|their|our|all|such|following|output|more|other)\b"
)
_BRACKETS = re.compile(
    r"[\]\[(){}<>/;,\s]*[\]\[(){};][\]\[(){}<>/;,\s]*\Z"
    r"|(?:end|fi|done|esac|pass|break|continue|else|try|finally|\} ?else ?\{)[;:{]?\Z"
)
_HEADER = re.compile(
    r"(?:async\s+)?(?:def|fn|func|function|fun|sub|proc)\s+[\w.$<>*]+[?!]?\s*[(:]"
    r"|(?:(?:export|pub|public|abstract|final|data|sealed)\s+)*"
    r"(?:class|struct|enum|interface|trait|impl|module|namespace|record)\s+\w[\w<>., ]*\s*[:({]"
    r"|(?:if|elif|else if|while|for|switch|catch|foreach|match|when|unless|until)\s*\(.*\)\s*(?:\{|:|\Z|\w.*;)"
    r"|\}?\s*(?:else|try|finally|do|catch\s*\(.*\)|else if\s*\(.*\)|loop|unsafe)\s*[:{]"
    r"|(?:if|elif|while|except|match|case)\b[^.?!]*:\Z|(?:async )?for\s.*\sin\s[^.?!]*:\Z"
    r"|(?:async )?with\s[^.?!]*:\Z|except\s*:"
    r"|(?:if|for|while|switch|match|loop|select|else if)\b.*\{\Z|for\s+\S+\s+in\s.*;\s*do\Z|if\s+\[.*\];\s*then\Z"
)
_DECORATORS = (
    r"(?:dataclass|property|static_?method|class_?method|abstract\w*|overload|override|Override|final|cached?_?property"
    r"|lru_cache|cache|wraps|contextmanager|Test|Before\w*|After\w*|Inject\w*|Autowired|Component|Service|Controller"
    r"|Nullable|NonNull|Deprecated|Transactional|Input|Output|objc|escaping|MainActor|Composable|deprecated|asynccontextmanager)"
)
"""What is written behind an @ and is nobody's name."""
_START = re.compile(
    r"(?:return|raise|throw|yield|await|del|assert|defer|go|delete)\s+"
    r"(?!(?:is|are|was|were|has|have|does|can|may|must|should|will|that|on|to|inside|missing|values?|types?|statements?)\b)[\w(\[{\"'!@$&*-]"
    r"|(?:from\s+[\w.]+\s+)?import\s+(?:[\w*.]+|[{\"][^?]*)(?:\s+as\s+\w+|\s*,.*|\s+from\s.*|\s*[;(].*|\Z)|export\s+(?:default|const|function|class|type|interface|\{)"
    r"|(?:const|let|var|val|auto|final|static|public|private|protected|mut|readonly)\s+[\w<>\[\]?, ]+\s*[=:;({]"
    r"|#\s*(?:include|define|ifdef|ifndef|endif|pragma)\b|#!\[|#\[|using\s+[\w.]+;|use\s+[\w:]+(?:::|;)|package\s+[\w.]+;?\Z"
    rf"|@(?:\w+\.[\w.]+|\w+(?=\()|{_DECORATORS})(?:\(.*\))?\Z"
    r"|>>>\s|\.\.\.\s+\w+\s*[=(]|\$\s+\w|sudo\s+[\w-]+|export\s+\w+=|set\s+[-+]\w|echo\s+[\"$\w]"
    r"|(?:SELECT|select)\s.+\s(?:FROM|from)\s|INSERT INTO\s|UPDATE\s+\w+\s+SET\s|DELETE FROM\s"
    r"|(?:CREATE|ALTER|DROP)\s+(?:TABLE|INDEX)\s"
    r"|(?:require|include|require_once)\s*[(\"']|lambda\b[^.?]*:|guard\s+(?:let|var)\s|(?:puts|print)\s+[\"$@]|\((?:defn?|let"
    r"|define|lambda|fn|setq|ns)\s|\((?:reduce|map|filter|apply|->>?|cond)\s.*\(.*\)"
    r"|[A-Z]{2,}\s.*;\Z|\w+(?: \w+){0,2} \{\Z"
    r"|(?:FROM|RUN|CMD|COPY|ADD|ENV|ARG|ENTRYPOINT|WORKDIR|EXPOSE|VOLUME)\s+(?=\S*[/$=\[:.\d]|.* [-./\"$])\S"
    r"|(?:sudo )?(?:sed|awk|curl|wget|find|grep|xargs|tar|rsync|ssh|docker|kubectl|git"
    r"|psql|mysql|openssl|perl|jq|Get-\w+)\s(?=.*(?<=\s)(?:-{1,2}\w|'\S|\"\"))(?=.*['\"|>$={/])\S"
    r"|\{[%{#].*[%}#]\}\Z"
    r"|[A-Z][a-z]+-[A-Z]\w+\s(?=.*(?:\s\|\s|\s-[A-Z]\w|\$\w))\S"
    r"|(?:mov|lea|add|sub|cmp|xor|push|pop|ldr|str|jmp|call)[lqwb]?\s+[%$\[]?"
    r"(?:[er]?[abcd][xlh]|[er]?(?:[sd]i|[sb]p)|[rxw]\d{1,2})\b"
    r"|<\?php|<\?xml|<!DOCTYPE"
    r"|<(?!(?:a|img|br|p|b|i|em|strong|details|summary|pre|code|kbd|sub|sup)\b)[A-Za-z][\w.-]*\s+[\w:@-]+\s*="
)
_CALLED = re.compile(r"(?:await |new |yield |return |not |!)*[\w$@:.>\[\]?!&*-]+\(.*\)?[;,]?\Z")
_MEMBER = re.compile(r"[\"'][\w.$ /-]*[\"']\s*(?:=>|:)\s*.+[,{\[]?\Z|[\w-]+:\s*[\[{\"'].*[,\]}]\Z")
_CHAIN = re.compile(r"(?:\.|\?\.|->|::)\w+\(.*\)?[;,]?\Z")
_KEY = re.compile(r"(?:- )?[a-z_][\w-]*:")
_KEY_AND_VALUE = re.compile(r"(?:- )?[a-z_][\w-]*:(?:\s+\S+)?")
_ELEMENT = re.compile(r"- [a-z_][\w.-]*")
_CAPITALS = re.compile(
    r"(?:FROM|RUN|CMD|COPY|ADD|ENV|ENTRYPOINT|WORKDIR|EXPOSE|SELECT|WHERE|ORDER BY|GROUP BY|JOIN) \S"
)
_ITEM = re.compile(r"[ \t]*(?:[-*+•]|\d+[.)])[ \t]")
_WEAK = re.compile(r"[=(){}\[\];$<>|\\]|\w\.\w|\"\"|(?:^|\s)--?\w|^\w+:\Z|\w:\s*\Z|->|&&")
_SURELY = re.compile(
    r"\}?\s*(?:else\s+)?(?:if|for|while|switch|catch|foreach|for await)\s*\(.*\)\s*\{\Z"
    r"|for\s*\((?:const|let|var|int|auto|final|size_t)\s.*|(?:import|export)\s+(?:type\s+)?\{[^{}]*\}(?:\s+from\s.*)?;?\Z"
)
"""Lines that are code although the words in them could be a sentence's."""
_OPENS = re.compile(r"[\w)\]>]\s*\{\Z|(?:=>|->)\s*[{(]?\Z|\w\((?!e?s\))[^()]*\)\s*:\Z")
_AFTER_CALL = re.compile(r"[\w.!?;,\[\]>:-]*\s*(?:\Z|[{:=?&|+*/<>-]|(?:if|unless|or|and|do|as)\b)")
_LOOP = re.compile(
    r"[\w.@]+\s*\{\s*\|[\w, ]+\|.*"
    r"|.*;\s*(?:do|then)\Z|[\w.@]+(?:\(.*\))?\s+do(?:\s+\|[\w, ]+\|)?\Z|if\s.+\sthen\s\w[\w ]*\Z|for each \w+\Z"
)
_LONGEST = 2000
"""Characters from which a line is not looked at: no statement is that long."""
_DEPTH = 40
"""Lines that open brackets of code may take along."""


def code_lines(lines: Sequence[str], quoted: Callable[[str], bool]) -> list[bool]:
    """For each of consecutive lines of prose, whether it is code.

    Args:
        lines: the lines as they stand, with indentation and marks of containers.
        quoted: whether a snippet stands in a file.
    """
    marks: list[bool] = []
    bare = bare_lines(lines)
    open_brackets, taken, indent, header = 0, 0, 0, False
    for at, line in enumerate(bare):
        text = text_of(line)
        here = len(line) - len(line.lstrip())
        inside = bool(marks and text) and marks[-1] and (open_brackets > 0 or (header and here > indent))
        copied = line.lstrip().startswith(">>> ") or (NUMBERED.match(lines[at]) and "\t" in lines[at])
        code = bool(text) and (
            bool(copied and (line.lstrip().startswith(">>> ") or not sentence(text)))
            or (inside and taken < _DEPTH and len(text) <= _LONGEST and not sentence(text))
            or is_code_line(text)
            or (line is not lines[at] and is_ticked(lines[at], line))
        )
        if code and not inside:
            open_brackets, taken, indent, header = 0, 0, here, bool(re.search(r"(?::|\{|->|=>|\bdo|\bthen)\s*\Z", text))
        if code:
            plain = masked(text)
            open_brackets += sum(map(plain.count, "([{")) - sum(map(plain.count, ")]}"))
            taken += 1
        marks.append(code)
    _take_keys(bare, marks)
    _take_comments(bare, marks)
    _spare_quotations(bare, marks, quoted)
    return marks


def _spare_quotations(lines: Sequence[str], marks: list[bool], quoted: Callable[[str], bool]) -> None:
    """Consecutive lines of code stay if they quote a file as a whole, or each of them does."""
    start = 0
    while start < len(marks):
        end = start
        while end < len(marks) and marks[end]:
            end += 1
        texts = [text_of(line) for line in lines[start:end]]
        if texts and (quoted("\n".join(texts)) or all(map(quoted, texts))):
            marks[start:end] = [False] * len(texts)
        start = max(end, start + 1)


def _take_keys(lines: Sequence[str], marks: list[bool]) -> None:
    """A key with deeper keys or with bare elements below it is the head of some code, as in YAML, and so are the keys
    beside it."""
    for at in range(len(lines) - 1):
        key, below = lines[at].strip().removeprefix("> "), lines[at + 1].removeprefix("> ")
        deeper = len(lines[at + 1]) - len(lines[at + 1].lstrip()) > len(lines[at]) - len(lines[at].lstrip())
        nested = deeper and _KEY_AND_VALUE.fullmatch(below.strip())
        if _KEY.fullmatch(key) and (nested or _ELEMENT.fullmatch(below.strip())):
            marks[at] = marks[at + 1] = True
    for order in (range(len(lines) - 2, -1, -1), range(1, len(lines))):
        for at in order:
            near = at + 1 if order.step < 0 else at - 1
            key = lines[at].strip().removeprefix("> ")
            marks[at] = marks[at] or (marks[near] and bool(_KEY_AND_VALUE.fullmatch(key)))


def _take_comments(lines: Sequence[str], marks: list[bool]) -> None:
    """What stands directly above or below code and may be code, or a comment of it, goes with it."""
    for order in (range(len(lines) - 2, -1, -1), range(1, len(lines))):
        for at in order:
            near = at + 1 if order.step < 0 else at - 1
            text = text_of(lines[at])
            if marks[at] or not marks[near] or not text or len(text) > _LONGEST or _HEAD.search(text):
                continue
            deep = lines[at][:1] in {" ", "\t"} and not _ITEM.match(lines[at])
            weak = deep or _WEAK.search(_plain(text)) or re.fullmatch(r"[\w.@$]+", text) or _CAPITALS.match(text)
            if _WHOLE_COMMENT.match(lines[at].lstrip()) or (weak and not sentence(text)):
                marks[at] = True


def text_of(line: str) -> str:
    """A line without marks of quotations and lists, and without indentation."""
    prefix = CONTAINER.match(line)
    return line[prefix.end() :].rstrip() if prefix else line


def sentence(text: str) -> bool:
    """Whether a text reads like a sentence: enough of the words that hold sentences together."""
    plain = _plain(text)
    words = _WORD.findall(plain)
    held = sum(_STOP.fullmatch(word.lower()) is not None for word in words)
    held += len(re.findall(r"\b[Aa]n? (?!(?:and|or|in|is|if|else|for) )[a-z]{3}", plain))
    if re.search(r"\b(?:e\.g|i\.e|etc|vs)\.", plain):
        return True
    if held >= 2 or (held and len(words) >= 4):
        return True
    return bool(re.search(r"[\w)»”\"'`][.?!…]+[)\"”]?\Z", plain)) and len(words) >= 4


def _plain(text: str) -> str:
    """A text whose strings, comments at its end and pieces between backticks don't count."""
    text = SPAN.sub("Q", text) if "`" in text else text
    text = _LINK.sub("Q", text) if "](" in text or "<" in text else text
    text = _TAG_WITHIN.sub("Q", text) if "<" in text and text[0] != "<" else text
    return masked(_COMMENT.sub("", text))


def is_code_line(text: str) -> bool:
    """Whether a line, without its marks of containers, is plainly code.

    Args:
        text: the line.
    """
    if len(text) > _LONGEST:
        return False
    cited = _CITATION.match(text)
    if cited:
        text = text[cited.end() :]
    text = _NUMBERED.sub("", text)
    if not re.match(r"#\s*(?:include|define|if|ifdef|ifndef|endif|pragma)\b", text):
        text = re.sub(r"\A#{1,6}\s+", "", text)
    text = _plain(text).strip()
    if len(text) < 2:
        return text in {"{", "}", "]", ")", "("}
    if _BRACKETS.match(text):
        return not re.fullmatch(r"\(\w*\)|\[\w?\]|\[ \]|<+|>+|/+", text)
    if _LOOP.match(text) and len(text.split()) < 12:
        return True
    if _SURELY.match(text):
        return True
    return not sentence(text) and _shaped(text)


def _shaped(text: str) -> bool:
    if re.fullmatch(r"[a-z]+(?: [\w'’-]+)+ ?[.?!…]+", text):
        return False
    if re.fullmatch(r"[\w$.@:= ]*[\w)\]][(\[{]", text) and len(text.split()) <= 5:
        return True
    if _START.match(text) or _HEADER.match(text) or _CHAIN.match(text):
        return _closed(text) and not _wordy(text) and not (text.endswith(":") and _leads_in(text))
    if re.search(r"[\w)\]}\"'+-]\s*;\Z", text) and re.search(r"[()=.\[\]+-]|^\w+;$", text[:-1]):
        return not _wordy(text)
    if _OPENS.search(text) and re.search(r"[()=<>.]", text):
        return not _wordy(text)
    if re.fullmatch(r"[\w.#:*@-]+\s*\{[^{}]*:[^{}]*\}", text):
        return True
    if text[0] in "[{" and text.rstrip(",;")[-1] in "]}" and re.search(r"\"\"\s*:\s*\S", text):
        return True
    assigned = _ASSIGNMENT.match(text)
    if assigned and not _RELATION.search(assigned[1]) and not re.search(r"[?!.…]\Z", text):
        return len(assigned[1].split()) <= 5 and not _wordy(assigned[2]) and not _wordy(assigned[1])
    if _MEMBER.match(text):
        return not _wordy(text)
    if _CALLED.match(text) and "(" in text and "](" not in text and _closed(text):
        inside = text[text.index("(") + 1 :].rstrip(";, ")
        return text.endswith(";") or (inside not in {")", "s)", "es)", "optional)"} and not _wordy(inside))
    return False


def _closed(text: str) -> bool:
    """Whether nothing but more of a call follows what begins as one: ``print() calls`` is no statement."""
    called = re.match(r"[.\w$@:?!&*>-]+\(", text)
    if called is None or text.count("(") > text.count(")"):
        return True
    return _AFTER_CALL.match(text, text.rindex(")") + 1) is not None


def _leads_in(text: str) -> bool:
    """Whether a line that ends with a colon is the end of a sentence, wrapped at a word that also heads a block."""
    return text.count(")") != text.count("(") or _MENTIONED.search(text) is not None


def _wordy(text: str) -> bool:
    """Whether more than a few plain words follow each other, as in no statement."""
    return bool(
        re.search(
            r"(?:\b(?!(?:if|in|is|not|or|and|else|for|as|import|from|new|await|of)\b)[a-z]{2,}[ ,]+){4}",
            text,
        )
    )
