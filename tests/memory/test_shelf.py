"""The books of a session: each made once, in one hand at a time; work in the background ends with it."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

from socreates_lsp.memory.background import Background
from socreates_lsp.memory.shelf import Shelf

if TYPE_CHECKING:
    from pathlib import Path

    import pytest


class Notes:
    """A book that sees whether two have it at once."""

    made = 0

    def __init__(self, root: str | None, state: Path) -> None:
        type(self).made += 1
        self.root, self.inside, self.most = root, 0, 0
        self.other = threading.Event()

    def write(self) -> str | None:
        self.inside += 1
        self.most = max(self.most, self.inside)
        self.other.wait(0.05)
        self.inside -= 1
        return self.root


async def test_a_book_is_made_once_and_is_in_one_hand_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Notes, "made", 0)
    shelf = Shelf(Notes)
    found = await asyncio.gather(*(shelf.use(root, Notes.write) for root in ("a", "a", None, "a")))
    assert found == ["a", "a", None, "a"]
    assert (Notes.made, set(shelf.roots)) == (2, {"a", None})
    assert (await shelf.book("a")).most == 1


async def test_the_books_of_two_roots_do_not_wait_for_each_other() -> None:
    shelf = Shelf(Notes)
    both = threading.Barrier(2, timeout=20)
    await asyncio.gather(*(shelf.use(root, lambda _: both.wait()) for root in ("a", "b")))


async def test_a_warning_is_kept_once() -> None:
    shelf = Shelf(Notes)
    for _ in range(2):
        await shelf.change("a", lambda _: ("The disk is full.",))
    assert shelf.warnings == ["The disk is full."]


async def test_the_end_breaks_work_off_but_not_what_is_being_written() -> None:
    background, written, begun = Background(), [], asyncio.Event()

    async def write() -> None:
        begun.set()
        for _ in range(20):
            await asyncio.sleep(0)
        written.append("whole")

    async def ask() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            written.append("broken off")
            raise

    background.start(ask())
    background.write(write())
    await begun.wait()
    await background.close()
    await asyncio.sleep(0)
    assert sorted(written) == ["broken off", "whole"]
