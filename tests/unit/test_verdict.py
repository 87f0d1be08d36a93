"""The verdict at the end of a reply: known in every form in which models write it, and never seen by the reader."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from socreates_lsp.review.verdict import Verdict, VerdictStream, verdict_of

ASKED = "Who closes it when `read` raises at app.py:2?"


@pytest.mark.parametrize("word", ["stands", "withdrawn", "resolved"])
@pytest.mark.parametrize(
    "form",
    [
        "Verdict: {}",
        "verdict: {}.",
        "VERDICT: {}",
        "**Verdict: {}**",
        "**Verdict:** {}",
        "**Verdict**: `{}`",
        "__Verdict:__ *{}*.",
        "### Verdict\n{}",
        "## Verdict: {}",
        "- Verdict: {}",
        "Verdict - {}",
        "Verdict – {}",
        "Verdict {}",
        "Verdict：{}。",
        "Verdict: {}\n\n\n",
        "\r\nVerdict: {}\r\n",
        "  Verdict : {}  ",
    ],
)
def test_every_form_is_known_and_not_seen(form: str, word: str) -> None:
    for written in (word, word.upper(), word.capitalize()):
        assert verdict_of(f"{ASKED}\n\n{form.format(written)}") == (ASKED, Verdict(word))
        assert verdict_of(f"{ASKED} {form.format(written)}".replace("# ", ""))[0].startswith(ASKED)


@pytest.mark.parametrize(
    ("last", "seen"),
    [
        ("", ""),
        ("Verdict: maybe withdrawn", ""),
        ("Verdict: not resolved", ""),
        ("Verdict: stands|withdrawn|resolved", ""),
        ("Verdict:", ""),
        ("Verdict", ""),
        ("> Verdict: withdrawn", "> Verdict: withdrawn"),
        ('The comment says "Verdict: withdrawn".', 'The comment says "Verdict: withdrawn".'),
        ("My verdict: it is fine.", "My verdict: it is fine."),
        ("Whose verdict", "Whose verdict"),
        ("The verdicts: withdrawn", "The verdicts: withdrawn"),
    ],
)
def test_what_is_odd_or_missing_means_that_it_stands(last: str, seen: str) -> None:
    assert verdict_of(f"{ASKED}\n\n{last}".rstrip()) == (f"{ASKED}\n\n{seen}".rstrip(), Verdict.STANDS)


def test_a_verdict_behind_the_last_sentence_counts_and_is_not_seen() -> None:
    assert verdict_of("You are right. Verdict: withdrawn") == ("You are right.", Verdict.WITHDRAWN)


def test_a_verdict_with_thanks_behind_it_counts_and_is_not_seen() -> None:
    assert verdict_of("Right.\n\nVerdict: withdrawn\n\nThanks.") == ("Right.\n\n\nThanks.", Verdict.WITHDRAWN)


def test_of_two_verdicts_the_last_counts() -> None:
    assert verdict_of("Verdict: withdrawn\nNo.\nVerdict: stands") == ("No.", Verdict.STANDS)


PIECES = st.sampled_from(
    [
        *("Verdict", "verdict:", "**", " ", "\n", "\r\n", "withdrawn", "stands", "resolved", ".", ">", "v", "Ver", ":"),
        *("-", "Is it so?", "`lock`", "#", "x", '"', "\n\n", "|", "verdictive", "–"),
    ]
)
ANSWERS = st.one_of(
    st.lists(PIECES, max_size=14).map("".join),
    st.tuples(st.text(max_size=40), st.sampled_from(["\n", "\n\n**", " ", ""]), st.lists(PIECES, max_size=6)).map(
        lambda parts: parts[0] + parts[1] + "".join(parts[2])
    ),
)


@given(ANSWERS, st.data())
@example("Is it so?\n\n**Verdict: withdrawn**\n", None)
def test_how_an_answer_is_cut_into_pieces_changes_nothing(answer: str, data: st.DataObject | None) -> None:
    cuts = range(len(answer) + 1) if data is None else sorted(data.draw(st.sets(st.integers(0, len(answer)))))
    stream, said, last = VerdictStream(), "", 0
    for cut in (*cuts, len(answer)):
        said += stream.feed(answer[last:cut])
        last = cut
    assert (said + stream.end(), stream.verdict) == verdict_of(answer)


@given(st.text(max_size=200), st.sampled_from(list(Verdict)), st.integers(0, 30))
def test_no_part_of_the_verdict_is_said_at_any_moment(prose: str, verdict: Verdict, width: int) -> None:
    answer = f"{prose}\n\nVerdict: {verdict.value}"
    stream, said = VerdictStream(), ""
    for at in range(0, len(answer), width + 1):
        said += stream.feed(answer[at : at + width + 1])
        assert prose.startswith(said.rstrip()) or "verdict" in prose.lower()
    said += stream.end()
    assert stream.verdict is verdict
    assert said.rstrip() in prose or "verdict" in prose.lower()


@given(st.text(alphabet=st.characters(exclude_characters="vV"), max_size=300))
def test_prose_without_one_reaches_the_reader_whole(prose: str) -> None:
    assert verdict_of(prose) == (prose, Verdict.STANDS)


def test_a_long_answer_streams_in_linear_time() -> None:
    stream = VerdictStream()
    said = "".join(stream.feed("my verdict: " if at % 50 == 0 else "-- so ") for at in range(20_000))
    assert len(said) > 100_000
