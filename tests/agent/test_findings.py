"""Law 3: whatever a model writes, every finding stands on the lines that it quotes, in the text of that moment."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from socreates_lsp.agent.citable import Citable
from socreates_lsp.agent.findings import Grounder
from socreates_lsp.app import App
from socreates_lsp.review.finding import Status, normalised
from socreates_lsp.review.reviewer import Closed, Stop
from socreates_lsp.run import Run
from socreates_lsp.workspace.text import Change, Encoding, Range
from socreates_lsp.workspace.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from socreates_lsp.review.reviewer import Event

LINES = [
    *("def load(path):", "    handle = open(path)", "    return handle.read()", "", "    return None"),
    *("é = '😀'  # naïve", "\tvalue  =  1", "    handle = open(path)", "}", "x" * 500),
    *("    return handle.read()  # twice", "\f", "# end"),
]
OTHER = ["import os", "", "    handle = open(path)", "VALUE = 1"]

quotations = st.one_of(
    st.sampled_from([*LINES, *OTHER]),
    st.sampled_from(LINES).map(str.strip),
    st.sampled_from(LINES).map(lambda line: f"42 | {line}"),
    st.sampled_from(LINES).map(lambda line: line[3:20]),
    st.text(max_size=30),
)
places = st.builds(
    "{}:{}".format,
    st.sampled_from(["app.py", "lib/other.py", "./app.py", "gone.py", "other.py", "../app.py"]),
    st.one_of(st.integers(-1, 20), st.just(14342), st.just("2-4"), st.just("9-1")),
)
points = st.builds(
    "[{}] {} {}\n> {}\n{}\nWhy: {}\n".format,
    st.sampled_from(["question", "warning", "Question", "nit"]),
    places,
    st.sampled_from(["correctness", "design", "nonsense", ""]),
    quotations,
    st.text(max_size=40),
    st.text(max_size=20),
)
answers = st.lists(st.one_of(points, places, st.text(max_size=60)), max_size=6).map("\n".join)


class Here:
    """A workspace with an open file and one on disk."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.workspace = Workspace([root.as_uri()])
        (root / "lib").mkdir()
        (root / "lib" / "other.py").write_text("\n".join(OTHER) + "\n", encoding="utf-8")
        self.uri = (root / "app.py").as_uri()
        (root / "app.py").write_text("stale\n", encoding="utf-8")
        self.workspace.buffers.open(self.uri, "python", 3, "\r\n".join(LINES))

    def grounder(self) -> Grounder:
        files = ["app.py", "lib/other.py"]
        documents = Citable(self.workspace, str(self.root), files, lambda _: True)
        grounder = Grounder(documents, self.uri, suppress=True)
        grounder.has_read([self.uri])
        return grounder


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Here:
    return Here(tmp_path_factory.mktemp("findings"))


def check(here: Here, grounder: Grounder) -> None:
    for found in grounder.answered.found:
        finding = found.finding
        text = here.workspace.text(finding.uri)
        assert finding.range.start <= finding.range.end
        assert finding.range.end.line <= text.last_line
        standing = text.slice(finding.range)
        assert normalised(finding.quote), "a blank line is no ground"
        assert normalised(finding.quote) in normalised(standing)
        assert finding.message
        assert found.version == (3 if finding.uri == here.uri else None)


@given(answer=answers)
@settings(max_examples=600, deadline=None)
def test_every_finding_stands_on_the_lines_that_it_quotes(here: Here, answer: str) -> None:
    grounder = here.grounder()
    grounder.finished(answer)
    check(here, grounder)


@given(answer=answers, cut=st.integers(0, 400))
@settings(max_examples=200, deadline=None)
def test_what_was_shown_while_it_was_written_is_in_the_whole_answer(here: Here, answer: str, cut: int) -> None:
    growing, whole = here.grounder(), here.grounder()
    growing.heard(answer[:cut])
    early = [found.finding for found in growing.answered.found]
    growing.finished(answer)
    whole.finished(answer)
    check(here, growing)
    assert [found.finding for found in growing.answered.found][: len(early)] == early
    assert {found.finding.id for found in growing.answered.found} == {
        found.finding.id for found in whole.answered.found
    }


edits = st.lists(
    st.builds(
        lambda first, last, column, text: Change(Range.of(min(first, last), column, max(first, last), column), text),
        st.integers(0, len(LINES) + 1),
        st.integers(0, len(LINES) + 1),
        st.integers(0, 30),
        st.one_of(
            st.sampled_from(["", "\n", "x", "\r\n\r\n", "    handle = open(path)\n", "😀"]), st.text(max_size=12)
        ),
    ),
    max_size=3,
)


@given(answer=answers, before=edits, meanwhile=edits, after=edits)
@settings(max_examples=600, deadline=None)
def test_what_is_published_stands_in_the_buffer_of_that_moment(
    answer: str,
    before: list[Change],
    meanwhile: list[Change],
    after: list[Change],
) -> None:
    """The buffer changes after the model has read it, between grounding and publishing, and behind that."""
    app, uri = app_with_buffer()
    grounder = Grounder(Citable(app.workspace, str(ROOT), ["app.py"], lambda _: True), uri, suppress=True)
    grounder.has_read([uri])
    version = typed(app, uri, 1, before)
    grounder.finished(answer)
    version = typed(app, uri, version, meanwhile)

    async def found() -> AsyncGenerator[Event, None]:
        for event in grounder.answered.found:
            yield event
        yield Closed(Stop.ANSWERED, "Done.")

    run = Run(app.store, app.workspace, provider="m", root=str(ROOT), on_event=None)
    asyncio.run(run.outcome(nobody, lambda _: found()))
    typed(app, uri, version, after)
    text = app.workspace.text(uri)
    for finding in app.store.anchored(uri, text):
        if finding.status is Status.OPEN:
            assert finding.range.end.line <= text.last_line
            assert normalised(finding.quote)
            assert normalised(finding.quote) in normalised(text.slice(finding.range))


ROOT = Path("/nowhere/at/all")


def app_with_buffer() -> tuple[App, str]:
    app = App([ROOT.as_uri()])
    uri = (ROOT / "app.py").as_uri()
    app.workspace.buffers.open(uri, "python", 1, "\r\n".join(LINES))
    return app, uri


def typed(app: App, uri: str, version: int, changes: list[Change]) -> int:
    """Type these edits, one version each; the last version."""
    for change in changes:
        version += 1
        app.edit(uri, version, [change], Encoding.UTF32)
    return version


async def nobody() -> Any:
    return Named()


class Named:
    provider = "m"
    model = "m"
