"""How much of whole reviews reaches the reader: lines of code that leak (0 wanted), words of prose that stay.

Run by hand: ``python -m tests.benchmarks.bench_comments [HOW_MANY [FIRST_SEED]]``.
``tests/unit/test_voice_documents.py`` runs some hundreds of the same.
"""

from __future__ import annotations

import sys
import time

from socreates_lsp.review.voice import voiced
from tests.unit.review_documents import Measured, document_of, measured


def said_of(text: str) -> str:
    """What is said of a review whose files nobody has read."""
    return voiced(text, lambda _: False).text


def told(of: Measured, seconds: float) -> str:
    """The figures, and the first of what leaked and of what was lost."""
    lines = [
        f"reviews {of.documents}, lines of code {of.lines}, leaked {len(of.leaked)}",
        f"words of prose {of.words}, stayed {of.share:.2%}, seconds {seconds:.1f}",
    ]
    lines += [f"leaked: {seed} {line!r} {document_of(seed).shapes}" for seed, line in of.leaked[:20]]
    lines += [f"lost: {seed} {one!r} {document_of(seed).shapes}" for seed, one in of.lost[:20]]
    return "\n".join(lines)


def main() -> int:
    """Measure and tell; 1 if a line leaked or less than 95 % of the prose stayed."""
    smoke = "--smoke" in sys.argv
    numbers = [int(one) for one in sys.argv[1:] if one != "--smoke"]
    number, first = (*numbers, *((300, 0) if smoke else (5000, 0))[len(numbers) :])
    began = time.perf_counter()
    found = measured(range(first, first + number), said_of)
    sys.stdout.write(told(found, time.perf_counter() - began) + "\n")
    return int(bool(found.leaked) or found.share < 0.95)


if __name__ == "__main__":
    sys.exit(main())
