"""What models call kinds, categories and the parts of a point: data, and how a word is looked up in it. Pure."""

from __future__ import annotations

import re

from socreates_lsp.review.finding import Category, Kind

_KINDS = {
    Kind.QUESTION: (
        "question q ask query consider suggestion nit nitpick info note observation low minor medium moderate "
        "discussion frage pregunta pergunta domanda вопрос 质疑 問題 问题 質問 質疑 질문 vraag fråga pytanie soru"
    ),
    Kind.WARNING: (
        "warning warn bug error issue problem critical high major severe blocker risk danger defect fault must alert "
        "warnung attention avertissement advertencia aviso avviso предупреждение 警告 경고 waarschuwing varning uyarı"
    ),
}

_CATEGORIES = {
    Category.CORRECTNESS: (
        "correctness|correct|bug|bugs|logic|logic error|logical error|functional|functionality"
        "|behavior|behaviour|edge case|edge cases|boundary|boundary condition|off by one|validation|input validation"
        "|data integrity|data loss|null|null safety|null pointer|type safety|types|typing"
        "|contract|api contract|reliability|robustness|compatibility"
    ),
    Category.ERROR_HANDLING: (
        "error handling|errors|error|errorhandling|exception|exceptions|exception handling|failure handling|failure"
        "|failures|fault tolerance|error reporting|error propagation|recovery|resilience"
    ),
    Category.CONCURRENCY: (
        "concurrency|concurrent|race|race condition|race conditions|data race|thread safety|threading|threads"
        "|synchronization|synchronisation|async|asynchrony|deadlock|locking|atomicity|parallelism"
    ),
    Category.SECURITY: (
        "security|sec|vulnerability|injection|sql injection|xss|csrf|ssrf|authentication|authorization|authorisation"
        "|auth|privacy|secrets|path traversal|access control|crypto|cryptography"
    ),
    Category.RESOURCES: (
        "resources|resource|resource leak|resource leaks|resource management|leak|leaks|memory leak|memory|lifecycle"
        "|cleanup|memory management|memory safety|file handles|lifetime"
    ),
    Category.PERFORMANCE: (
        "performance|perf|efficiency|complexity|scalability|speed|optimization|optimisation|latency|caching"
    ),
    Category.DESIGN: (
        "design|architecture|maintainability|structure|coupling|api design|abstraction|refactoring|refactor|duplication"
        "|modularity|configuration|simplicity|extensibility|code quality|separation of concerns"
    ),
    Category.TESTING: "testing|test|tests|test coverage|coverage|testability|untested|missing test|missing tests",
    Category.NAMING: "naming|name|names|readability|style|clarity|terminology|consistency",
    Category.DOCUMENTATION: "documentation|docs|doc|comment|comments|docstring|docstrings|documentation gap",
}

_KIND_OF = {word: kind for kind, words in _KINDS.items() for word in words.split()}
_CATEGORY_OF = {name: category for category, names in _CATEGORIES.items() for name in names.split("|")}

_SEPARATORS = re.compile(r"[\s_/&-]+")

WHY = (
    r"Why(?:[ \t](?:it|this|that)[ \t]matters)?|Impact|Reason|Rationale|Consequences?|Risk|Warum|Grund|Pourquoi"
    r"|Por[ \t]qu[eé]|Motivo|Perch[eé]|Почему|为什么|为何|原因|理由|왜|이유|Waarom|Varför|Dlaczego|Neden"
)
"""Labels of what happens if it goes wrong, as parts of a pattern."""
QUOTE = r"Quote|Quotation|Code|Evidence|Snippet|Excerpt|Source|Zitat|Citation|Cita|引用|인용"
MESSAGE = (
    r"Question|Message|Description|Comment|Details?|Title|Summary|Finding|Warning|Concern"
    r"|Frage|Pregunta|Вопрос|问题|質問|질문"
)
PLACE = (
    r"File|Path|Location|Place|Lines?|Where|Datei|Zeilen?|Ort"
    r"|Fichier|Lignes?|Archivo|L[ií]neas?|Файл|文件|位置|ファイル"
)
CATEGORY = r"Category|Type|Tags?|Kategorie|Catégorie|Categoría|Категория|类别|カテゴリ|Area"
KIND = r"Kind|Severity|Level|Art|Schwere"


def _plain(words: str) -> str:
    return _SEPARATORS.sub(" ", words.strip(" \t*_`[](){}<>.:;,\"'#").lower()).strip()


def kind_called(words: str) -> Kind | None:
    """The kind that a tag means; None for a word that means none."""
    return _KIND_OF.get(_plain(words))


def category_called(words: str) -> Category | None:
    """The category of the closed list that a name means, an alias or the name itself; None for an unknown one."""
    return _CATEGORY_OF.get(_plain(words))
