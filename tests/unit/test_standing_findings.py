"""Law 3 for the project's own questions: whatever the document holds, each stands on a line that it quotes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.examiner.standing import standing_findings
from socreates_lsp.review.anchor import place_of
from socreates_lsp.review.finding import normalised
from socreates_lsp.review.questions import standing_questions
from socreates_lsp.review.suppression import Suppressions
from socreates_lsp.workspace.text import Range, Text

ASKED = standing_questions([("Is it?", "**"), ("Who is it?", "**"), ("Is it tested?", "**")])

documents = st.lists(
    st.sampled_from(
        [
            "",
            "  ",
            "\t# Title  ",
            "value = 1",
            "x" * 1000,
            "ab c_d " * 100,
            "x" * 299 + "_" * 9 + ". y",
            "é 😀",
            "}",
            "\f",
        ]
    ),
    max_size=8,
).flatmap(lambda lines: st.sampled_from(["\n", "\r\n", "\r"]).map(lambda end: end.join(lines)))
spans = st.none() | st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 3)).map(lambda one: Range.of(one[0], 0, one[0] + one[1], 0)), max_size=3
)


@given(documents, spans)
def test_every_one_is_grounded_and_has_an_id_of_its_own(content: str, ranges: list[Range] | None) -> None:
    text = Text(content)
    found, hidden = standing_findings(ASKED, "file:///a.md", "a.md", text, ranges, Suppressions())
    again, _ = standing_findings(ASKED, "file:///a.md", "a.md", text, ranges, Suppressions())
    assert (again, hidden) == (found, 0)
    assert len({finding.id for finding in found}) == len(found)
    assert [finding.message for finding in found] in ([], ["Is it?", "Who is it?", "Is it tested?"])
    for finding in found:
        line = finding.range.start.line
        assert text.slice(finding.range).startswith(finding.quote)
        assert normalised(finding.quote)
        assert len(finding.quote) <= 300 or finding.quote[:301].replace("_", "x").isalnum()
        assert not any(text.line(before).strip() for before in range(line)) or ranges is not None
        assert ranges is None or any(line in span.lines for span in ranges)
        assert place_of(finding.quote, text, line) == finding.range


def test_the_first_line_of_a_selection_that_holds_something() -> None:
    text = Text("one\n\n  two\nthree\n")
    (first, *_), _ = standing_findings(ASKED, "file:///a", "a", text, [Range.of(1, 0, 3, 0)], Suppressions())
    assert (first.range, first.quote, first.confidence) == (Range.of(2, 2, 2, 5), "two", 1.0)
    assert standing_findings(ASKED, "file:///a", "a", text, [Range.of(1, 0, 1, 0)], Suppressions()) == ([], 0)
