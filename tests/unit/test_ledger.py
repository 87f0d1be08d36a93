"""What a dismissal holds for: the same quotation, the same question in other words, one place of several."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.review.finding import STANDING_QUESTION, Category, Finding, Kind, Ordinals, Source, finding_id
from socreates_lsp.review.ledger import Dismissal, Ledger, allotted, digest_of, spots_of
from socreates_lsp.review.ledger_fields import dismissal_of, fields_of
from socreates_lsp.review.rewording import same_question
from socreates_lsp.workspace.text import Text

PATH = "src/app.py"
QUESTION = "Who closes what `open` opens in `load` when `read` raises?"

JAPANESE = "`open` が失敗したら誰がファイルを閉じますか？"


def found(text: Text, line: int, last: int | None = None, **more: object) -> Finding:
    """A finding on these lines of a text."""
    span = text.trimmed(line, line if last is None else last)
    quote = text.slice(span)
    category = more.pop("category", Category.ERROR_HANDLING)
    assert isinstance(category, Category)
    finding = Finding(
        id=finding_id(PATH, category, quote, Ordinals(text).of(quote, line)),
        kind=Kind.QUESTION,
        category=category,
        uri="file:///w/src/app.py",
        range=span,
        message=QUESTION,
        why="It may.",
        quote=quote,
        confidence=0.6,
        source=Source.MODEL,
    )
    return replace(finding, **more)  # type: ignore[arg-type]


def dismissed(text: Text, line: int, last: int | None = None, **more: object) -> Dismissal:
    return Dismissal.of(found(text, line, last, **more), PATH, text, "It is meant.", "2026-01-31T12:00:00.000Z")


def lines_covered(ledger: Ledger, text: Text) -> list[int]:
    """The lines on which a finding of the usual kind is dismissed."""
    numbers = [number for number in range(len(text)) if text.line(number).strip()]
    return [number for number in numbers if ledger.covering(found(text, number), PATH, text) is not None]


LOAD = Text("import os\n\n\ndef load(path):\n    return open(path).read()\n\n\ndef save():\n    pass\n")


def test_the_same_quotation_is_dismissed_wherever_it_went_in_its_file() -> None:
    ledger = Ledger([dismissed(LOAD, 4)])
    assert lines_covered(ledger, LOAD) == [4]
    edited = Text("import os\nimport sys\n\n\nclass A:\n    def load(path):\n        return  open(path).read()\n")
    assert lines_covered(ledger, edited) == [6]


def test_other_words_about_the_same_quotation_are_dismissed_and_another_category_is_not() -> None:
    ledger = Ledger([dismissed(LOAD, 4)])
    other = found(LOAD, 4, message="Is the file ever too large?")
    assert ledger.covering(other, PATH, LOAD) is not None
    assert ledger.covering(replace(other, category=Category.PERFORMANCE), PATH, LOAD) is None


def test_one_standing_question_of_several_on_a_line_is_dismissed() -> None:
    tenant, quota = (
        found(LOAD, 0, message=f"Does every handler check the {what}?", rule=STANDING_QUESTION, id=what.ljust(16, "0"))
        for what in ("tenant", "quota")
    )
    ledger = Ledger([Dismissal.of(tenant, PATH, LOAD, "", "2026-01-31T12:00:00.000Z")])
    assert ledger.covering(tenant, PATH, LOAD) is not None
    assert ledger.covering(quota, PATH, LOAD) is None
    assert ledger.covering(found(LOAD, 0, message=tenant.message), PATH, LOAD) is None


def test_a_dismissed_standing_question_is_so_on_every_line_of_its_file() -> None:
    question = {"message": "Does every handler check the tenant?", "rule": STANDING_QUESTION}
    ledger = Ledger([Dismissal.of(found(LOAD, 4, **question), PATH, LOAD, "", "2026-01-31T12:00:00.000Z")])
    elsewhere = found(LOAD, 0, **question, id="0" * 16, category=Category.DESIGN)
    assert ledger.covering(elsewhere, PATH, LOAD) is not None
    assert ledger.covering(elsewhere, PATH, Text("# new\n" + LOAD.content)) is not None
    assert ledger.covering(elsewhere, PATH, None) is not None
    assert ledger.covering(elsewhere, "src/other.py", LOAD) is None
    assert ledger.covering(replace(elsewhere, message="Does every handler check the quota?"), PATH, LOAD) is None


def test_another_file_and_a_changed_line_are_asked_about() -> None:
    ledger = Ledger([dismissed(LOAD, 4)])
    assert ledger.covering(found(LOAD, 4), "src/other.py", LOAD) is None
    changed = Text(LOAD.content.replace("open(path)", "open(path, 'rb')"))
    assert lines_covered(ledger, changed) == []


def test_where_a_text_is_not_known_the_id_decides() -> None:
    ledger = Ledger([dismissed(LOAD, 4)])
    assert ledger.covering(found(LOAD, 4), PATH, None) is not None
    assert ledger.covering(found(LOAD, 4, id="0" * 16), PATH, None) is None


def test_the_same_question_in_other_words_on_the_same_lines_is_dismissed() -> None:
    ledger = Ledger([dismissed(LOAD, 4)])
    again = "When `read` raises in `load`, what closes the file that `open` opened?"
    wider = found(LOAD, 3, 4, message=again, category=Category.RESOURCES)
    assert ledger.covering(wider, PATH, LOAD) is not None
    assert ledger.covering(replace(wider, message="Why is the path not checked first?"), PATH, LOAD) is None
    elsewhere = found(LOAD, 8, message=again)
    assert ledger.covering(elsewhere, PATH, LOAD) is None
    gone = Text(LOAD.content.replace(".read()", ".readlines()"))
    assert ledger.covering(found(gone, 3, 4, message=again), PATH, gone) is None


@pytest.mark.parametrize(
    ("one", "other", "code", "same"),
    [
        (QUESTION, "When `read` raises in `load`, what closes the file that `open` opened?", "open(path).read()", True),
        (
            "What does the caller see when `parse` raises ValueError?",
            "If `parse` raises a ValueError, what will callers of this function see?",
            "return parse(text)",
            True,
        ),
        ("What if `a` is empty?", "What if `b` is empty?", "return a / b", False),
        ("What if `a` is None?", "What if `a` is negative?", "return a", False),
        (
            "What happens to the lock if `fetch` raises?",
            "What happens to the file if `fetch` fails?",
            "fetch(url)",
            False,
        ),
        ("Was geschieht mit der Sperre, wenn `hole` wirft?", "Wenn `hole` wirft, was geschieht mit der Sperre dann?",
         "hole()", True),
        (JAPANESE, "誰がファイルを閉じますか、`open` が失敗した場合？", "open(p)", True),
        (JAPANESE, "`open` の文字コードは何を想定していますか？", "open(p)", False),
        ("Что увидит вызывающий, если `f` упадёт?", "Если `f` упадёт, что увидит вызывающий код?", "f()", True),
        ("", "", "", False),
        ("?", "!", "x", False),
    ],
)  # fmt: skip
def test_a_question_is_known_again_in_other_words(one: str, other: str, code: str, same: bool) -> None:
    assert same_question(one, other, code) is same
    assert same_question(other, one, code) is same


@given(st.text(), st.text(), st.text())
def test_rewording_is_a_relation_that_needs_no_language(one: str, other: str, code: str) -> None:
    assert same_question(one, other, code) == same_question(other, one, code)
    if any(map(str.isalnum, one)):
        assert same_question(one, one, code)


def test_one_rule_on_one_line_is_one_question_whatever_its_words() -> None:
    ledger = Ledger([dismissed(LOAD, 4, rule="python-not-closed", message="Who closes the file?")])
    other = found(LOAD, 3, 4, rule="python-not-closed", message="Is there anybody for the descriptor?")
    assert ledger.covering(other, PATH, LOAD) is not None
    assert ledger.covering(replace(other, rule="python-other"), PATH, LOAD) is None


# Twins

GUARDED = (
    "def {0}():\n    {0} = 1\n    try:\n        go({0})\n    except Exception:\n        return None\n    return {0}\n"
)
TWINS = Text("\n\n".join(map(GUARDED.format, ("first", "second"))))
FIRST, SECOND = 4, 13


@pytest.mark.parametrize(("line", "other"), [(FIRST, SECOND), (SECOND, FIRST)])
def test_of_two_equal_lines_one_is_dismissed(line: int, other: int) -> None:
    ledger = Ledger([dismissed(TWINS, line)])
    assert lines_covered(ledger, TWINS) == [line]
    assert lines_covered(Ledger([dismissed(TWINS, line), dismissed(TWINS, other)]), TWINS) == [FIRST, SECOND]


def test_a_twin_does_not_inherit_from_one_that_was_deleted() -> None:
    ledger = Ledger([dismissed(TWINS, FIRST)])
    left = Text(TWINS.content.partition("\n\n\n")[2])
    assert found(left, 4).id == dismissed(TWINS, FIRST).id
    assert lines_covered(ledger, left) == []


def test_the_dismissed_one_stays_dismissed_where_its_twin_was_deleted_or_moved_before_it() -> None:
    first, _, second = TWINS.content.partition("\n\n\n")
    ledger = Ledger([dismissed(TWINS, SECOND)])
    assert lines_covered(ledger, Text(second)) == [4]
    swapped = Text(f"{second}\n\n{first}\n")
    assert lines_covered(ledger, swapped) == [4]


def test_a_new_twin_is_asked_about() -> None:
    first = TWINS.content.partition("\n\n\n")[0]
    ledger = Ledger([dismissed(Text(first), FIRST)])
    third = GUARDED.format("third")
    assert lines_covered(ledger, Text(f"{first}\n\n\n{third}")) == [FIRST]
    assert lines_covered(ledger, Text(f"{third}\n\n{first}")) == [13]


def test_of_twins_that_nothing_tells_apart_only_the_number_tells_and_else_none() -> None:
    block = "go()\ntry:\n    x()\nexcept E:\n    pass\nend()\n"
    text = Text(block * 4)
    ledger = Ledger([dismissed(text, 9)])
    assert lines_covered(ledger, text) == [9]
    assert lines_covered(ledger, Text("import a\nimport b\nimport c\nimport d\n" + text.content)) == [13]
    assert lines_covered(ledger, Text(block * 3)) == []


WORDS = st.sampled_from(["a = 1", "b = 2", "return", "call()", "call()", "", "}", "  call()"])
TEXTS = st.lists(WORDS, min_size=1, max_size=14).map(lambda lines: Text("\n".join(lines) + "\n"))


@given(TEXTS, st.data())
def test_in_the_text_itself_exactly_the_places_hold_that_were_dismissed(text: Text, data: st.DataObject) -> None:
    places = [place.first for place in spots_of("call()", text)]
    chosen = sorted(data.draw(st.sets(st.sampled_from(places)))) if places else []
    entries = [dismissed(text, line) for line in chosen]
    assert [place.first if place else None for place in allotted(entries, text)] == chosen


@given(TEXTS, TEXTS, st.data())
def test_no_text_has_more_dismissed_places_than_there_are_dismissals(old: Text, new: Text, data: st.DataObject) -> None:
    places = [place.first for place in spots_of("call()", old)]
    chosen = sorted(data.draw(st.sets(st.sampled_from(places)))) if places else []
    entries = [replace(dismissed(old, line), id=str(line)) for line in chosen]
    held = [place for place in allotted(entries, new) if place is not None]
    assert len({place.first for place in held}) == len(held) <= len(entries)
    assert len([line for line in lines_covered(Ledger(entries), new) if new.line(line).strip() == "call()"]) == len(
        held
    )


@given(TEXTS, st.data())
def test_lines_written_elsewhere_take_nothing_away(text: Text, data: st.DataObject) -> None:
    places = [place.first for place in spots_of("call()", text)]
    if not places:
        return
    line = data.draw(st.sampled_from(places))
    at = data.draw(st.integers(0, len(text) - 1))
    new = [f"new_{number}" for number in range(data.draw(st.integers(1, 5)))]
    lines = [text.line(number) for number in range(len(text))]
    edited = Text("\n".join([*lines[:at], *new, *lines[at:]]))
    (place,) = allotted([dismissed(text, line)], edited)
    assert place is not None
    assert place.first == line + (len(new) if at <= line else 0)


# On disk


@given(TEXTS, st.data(), st.text(), st.text())
def test_an_entry_comes_back_from_json_as_it_was(text: Text, data: st.DataObject, reason: str, why: str) -> None:
    numbers = [number for number in range(len(text)) if text.line(number).strip()]
    if numbers:
        entry = replace(dismissed(text, data.draw(st.sampled_from(numbers)), why=why), reason=reason)
        entry = replace(entry, spot=replace(entry.spot, likeness=round(entry.spot.likeness, 3)))
        assert dismissal_of(fields_of(entry)) == entry


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(), lambda inner: st.lists(inner), max_leaves=4
)


@given(st.dictionaries(st.sampled_from(sorted(fields_of(dismissed(TWINS, FIRST)))), JSON))
def test_whatever_stands_there_is_an_entry_or_none(fields: dict[str, object]) -> None:
    entry = dismissal_of({**fields_of(dismissed(TWINS, FIRST)), **fields})
    assert entry is None or dismissal_of(fields_of(entry)) is not None
    if entry is not None:
        Ledger([entry]).covering(found(TWINS, FIRST), PATH, TWINS)


@pytest.mark.parametrize("name", ["id", "path", "quote", "category"])
def test_an_entry_without_what_it_needs_is_none(name: str) -> None:
    fields = fields_of(dismissed(LOAD, 4))
    assert dismissal_of(fields) is not None
    assert dismissal_of({**fields, name: None}) is None


def test_the_lines_around_are_not_written_down() -> None:
    fields = fields_of(dismissed(Text("password = 'sesame'\ncall()\nkey = 'secret'\n"), 1))
    assert "sesame" not in str(fields)
    assert "secret" not in str(fields)
    assert fields["before"]


def test_a_file_is_known_again_by_its_text() -> None:
    assert digest_of(LOAD) == digest_of(Text(LOAD.content)) != digest_of(TWINS)
