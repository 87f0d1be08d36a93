"""No line of a block of a whole review leaks, and the prose around it stays. The whole is a benchmark."""

from __future__ import annotations

from socreates_lsp.review.voice import VoicedStream, voiced
from tests.benchmarks.bench_comments import said_of
from tests.unit.review_comments import FENCED
from tests.unit.review_documents import FRAMES, document_of, measured

SEEDS = range(1_000_000, 1_000_400)


def test_no_line_of_a_block_leaks_and_the_prose_stays() -> None:
    found = measured(SEEDS, said_of)
    assert found.leaked == ()
    assert found.share >= 0.99, found.lost[:10]
    assert found.lines > 1000
    assert found.words > 20_000


def test_it_is_measured_what_leaks_and_what_is_lost() -> None:
    """The measure itself: of a text that is said whole everything leaks, of silence everything is lost."""
    whole, nothing = measured(range(40), lambda text: text), measured(range(40), lambda _: "")
    assert len(whole.leaked) > 0.8 * whole.lines
    assert whole.share > 0.99
    assert (nothing.leaked, nothing.share) == ((), 0)


def test_every_frame_is_among_them() -> None:
    shapes = {shape for seed in SEEDS for shape in document_of(seed).shapes}
    assert shapes >= {*FRAMES, *FENCED} - {"unclosed"} | {"inline"}


def test_a_review_that_arrives_in_pieces_says_the_same() -> None:
    for seed in SEEDS[:60]:
        text = document_of(seed).text
        stream = VoicedStream(lambda _: False)
        said = "".join(stream.feed(text[at : at + 7]) for at in range(0, len(text), 7)) + stream.end()
        assert said == voiced(text, lambda _: False).text
