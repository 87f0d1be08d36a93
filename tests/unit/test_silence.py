"""What says that there is nothing to say, and what only begins like it."""

from __future__ import annotations

import pytest

from socreates_lsp.review.silence import says_nothing


@pytest.mark.parametrize(
    "message",
    [
        "No issues found in app.py:1-11.",
        "No further problems in these lines.",
        "Nothing to ask. I checked app.py:8.",
        "None. I checked that load returns what its callers expect.",
        "None survives. I checked app.py:3 and app.py:8: the garbage collector closes handle.",
        "I checked app.py:8 and app.py:10: both are fine.",
        "- **I found no issue** at app.py:3.",
        "I raised one question, on app.py:3.",
        "Everything in app.py:1-11 looks fine.",
        "All of app.py:1-11 is correct.",
    ],
)
def test_silence(message: str) -> None:
    assert says_nothing(message)


@pytest.mark.parametrize(
    "message",
    [
        "No timeout is set at app.py:5.",
        "No error handling at app.py:5.",
        "No error message is shown at app.py:3.",
        "No issue is raised at app.py:3 when the list is empty, is it?",
        "All callers of load (app.py:3) pass None.",
        "I checked load at app.py:3 but it never closes the handle.",
        "I traced app.py:3: it leaks a descriptor.",
        "None is returned at app.py:3 when the list is empty.",
        "Nothing closes the handle at app.py:3.",
        "Both branches at app.py:3 are the same.",
    ],
)
def test_no_silence(message: str) -> None:
    assert not says_nothing(message)
