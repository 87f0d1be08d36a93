"""One question per rule and function: what is said of the other places fits them."""

from socreates_lsp.examiner.examination import joined
from socreates_lsp.examiner.hit import Hit, Place
from socreates_lsp.review.finding import Category, Kind


def hit(line: int, message: str, kind: Kind = Kind.QUESTION) -> Hit:
    return Hit("rule", Category.DESIGN, kind, 0.5, message, "So.", "a.c", line, line, function=(0, 9))


def test_the_same_question_elsewhere() -> None:
    [one] = joined([hit(1, "Why `p`?"), hit(3, "Why `p`?"), hit(3, "Why `p`?")])
    assert one.related == (Place("a.c", 3, 3, "The same question here."),)


def test_the_same_warning_elsewhere() -> None:
    [one] = joined([hit(1, "It is `p`.", Kind.WARNING), hit(3, "It is `p`.", Kind.WARNING)])
    assert one.related == (Place("a.c", 3, 3, "The same warning here."),)


def test_another_name_has_its_own_question() -> None:
    [one] = joined([hit(1, "Why `p`?"), hit(3, "Why `q`?")])
    assert one.related == (Place("a.c", 3, 3, "Why `q`?"),)
