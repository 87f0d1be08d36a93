"""Equal quotations are counted: the same number as by looking at every line, and in a time that many don't change."""

from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.review.finding import Ordinals, normalised
from socreates_lsp.workspace.text import Text

LINES = st.lists(st.sampled_from(["a()", "  a()", "b()", "", " ", "a() b()"]), max_size=12)


def counted(text: Text, quote: str, line: int) -> int:
    """The definition, line by line."""
    lines = [(number, normalised(text.line(number))) for number in range(len(text))]
    full = [(number, content) for number, content in lines if content]
    wanted = [part for part in map(normalised, quote.splitlines()) if part]
    places = (start for start, (number, _) in enumerate(full) if number < line)
    return sum([content for _, content in full[start : start + len(wanted)]] == wanted for start in places)


@given(LINES, st.data())
def test_the_number_of_equal_quotations_before(lines: list[str], data: st.DataObject) -> None:
    text = Text("\n".join(lines))
    first = data.draw(st.integers(0, len(text) - 1))
    last = data.draw(st.integers(first, len(text) - 1))
    quote = "\n".join(text.line(number) for number in range(first, last + 1))
    ordinals = Ordinals(text)
    if quote.strip():
        assert ordinals.of(quote, first) == counted(text, quote, first)
        assert ordinals.of(quote, first) == counted(text, quote, first)


def test_thousands_of_equal_quotations() -> None:
    text = Text("x = 1\nreturn get(u)\n" * 20_000)
    ordinals = Ordinals(text)
    assert [ordinals.of("return get(u)", line) for line in range(1, 40_000, 2)] == list(range(20_000))
    assert ordinals.of("x = 1\nreturn get(u)", 39_998) == 19_999
