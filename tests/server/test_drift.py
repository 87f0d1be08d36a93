"""A user types while a review runs and after it: a question stands on its lines, or it is stale, or it is gone."""

from __future__ import annotations

import asyncio
import random

import pytest

from tests.server.servers import ThreadedApp, Threads, ask, find, inside, read, scripted, settled, until

TEXT = "def a():\n    one()\n    two()\n\n\ndef b():\n    one()\n    three()\n"
PUBLISHED = "textDocument/publishDiagnostics"


@pytest.fixture
def uri(root) -> str:
    return (root / "app.py").as_uri()


async def taken(client) -> None:
    """Wait until the server has taken everything that was sent so far."""
    assert (await client.answer_to("not a method"))["error"]["code"] == -32601


class Editor:
    """A buffer as the user sees it: edits are made here and sent."""

    def __init__(self, client, uri: str, text: str = TEXT) -> None:
        self.client, self.uri, self.text, self.version = client, uri, text, 1
        client.open(uri, text, version=1)

    @property
    def lines(self) -> list[str]:
        return self.text.split("\n")

    def replace(self, first: int, last: int, text: str) -> None:
        """Replace the lines from ``first`` up to before ``last``."""
        lines = self.lines
        self.text = "\n".join([*lines[:first], *(text.split("\n")[:-1] if text else []), *lines[last:]])
        where = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}
        self._send([{"range": where, "text": text}])

    def whole(self, text: str) -> None:
        """Send a new text as a whole."""
        self.text = text
        self._send([{"text": text}])

    def _send(self, changes: list[dict]) -> None:
        self.version += 1
        document = {"uri": self.uri, "version": self.version}
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    def shows(self, where: dict) -> str:
        """What stands in a range of whole lines (the text is ASCII)."""
        first, last = where["start"]["line"], where["end"]["line"]
        assert (where["start"]["character"], where["end"]["character"]) == (
            len(self.lines[first]) - len(self.lines[first].lstrip()),
            len(self.lines[last].rstrip()),
        )
        return "\n".join(self.lines[first : last + 1]).strip()


@pytest.fixture
async def editor(client, uri) -> Editor:
    return Editor(client, uri)


async def started(editor: Editor, *steps, gate):
    """A review that waits before these steps."""
    _, answer = editor.client.begin("socreates/review", {"uri": editor.uri, "ask": ask(gate.step, *steps)})
    await gate.reached()
    return answer


async def test_lines_put_above_while_it_runs(editor, gate) -> None:
    wait = gate("a")
    answer = await started(editor, find(editor.uri, 6), find(editor.uri, 2), gate=wait)
    editor.replace(0, 0, "import x\nimport y\n")
    await taken(editor.client)
    wait.open()
    findings = (await answer)["result"]["findings"]
    assert [(editor.shows(one["range"]), one["range"]["start"]["line"]) for one in findings] == [
        ("one()", 8),
        ("two()", 4),
    ]
    shown = await editor.client.diagnostics(editor.uri, version=2)
    assert [one["range"]["start"]["line"] for one in shown] == [8, 4]


async def test_five_lines_put_above_do_not_turn_the_question_to_the_lines_that_now_stand_there(editor, gate) -> None:
    """The twin of ``one()`` lands on the very line on which the reviewer saw the one that it asks about."""
    wait = gate("a")
    answer = await started(editor, find(editor.uri, 6), gate=wait)
    editor.replace(0, 0, "\n" * 5)
    assert editor.lines[6].strip() == "one()"
    await taken(editor.client)
    wait.open()
    [finding] = (await answer)["result"]["findings"]
    assert finding["range"]["start"]["line"] == 11


async def test_the_examiner_knows_which_version_it_read(root, uri, gate) -> None:
    """The same with the real examiner, which is held back until the user has typed."""
    wait = gate("a")

    class Held(Threads):
        async def run(self, job):
            await wait.wait()
            return await super().run(job)

    class HeldApp(ThreadedApp):
        pool = Held()

    call = "def {}(url):\n    import requests\n    return requests.get(url)\n"
    async with inside(HeldApp) as client:
        await client.initialize(rootUri=root.as_uri())
        editor = Editor(client, uri, call.format("a") + call.format("b"))
        line = {"start": {"line": 5, "character": 0}, "end": {"line": 5, "character": 9}}
        _, answer = client.begin("socreates/review", {"uri": uri, "range": line})
        await wait.reached()
        editor.replace(0, 0, "# x\n# y\n# z\n")
        assert editor.lines[5] == "    return requests.get(url)"
        await taken(client)
        wait.open()
        [finding] = (await answer)["result"]["findings"]
        assert finding["range"]["start"]["line"] == 8


async def test_the_cited_lines_are_deleted_while_it_runs(editor, gate) -> None:
    wait = gate("a")
    answer = await started(editor, find(editor.uri, 7), find(editor.uri, 1), gate=wait)
    editor.replace(7, 8, "")
    editor.replace(1, 2, "")
    await taken(editor.client)
    wait.open()
    assert (await answer)["result"]["findings"] == [], "the other one() is not asked about"
    kept = (await editor.client.request("socreates/findings", {"uri": editor.uri}))["findings"]
    assert [one["status"] for one in kept] == ["resolved", "resolved"]
    assert not any(one["diagnostics"] for one in editor.client.seen(PUBLISHED))


async def test_everything_is_deleted_while_it_runs(editor, gate) -> None:
    wait = gate("a")
    answer = await started(editor, find(editor.uri, 7, last=7), gate=wait)
    editor.whole("")
    await taken(editor.client)
    wait.open()
    assert (await answer)["result"]["findings"] == []
    [finding] = (await editor.client.request("socreates/findings", {"uri": editor.uri}))["findings"]
    nowhere = {"line": 0, "character": 0}
    assert (finding["status"], finding["range"]) == ("resolved", {"start": nowhere, "end": nowhere})


async def test_the_answer_shows_where_things_stand_when_it_is_given(editor, gate) -> None:
    wait = gate("a")
    steps = ask(find(editor.uri, 2), wait.step, read(editor.uri, 0, 7))
    _, answer = editor.client.begin("socreates/review", {"uri": editor.uri, "ask": steps})
    await wait.reached()
    editor.replace(0, 0, "import x\n")
    await taken(editor.client)
    wait.open()
    [finding] = (await answer)["result"]["findings"]
    assert finding["range"]["start"]["line"] == 3


async def test_an_edited_line_makes_its_question_stale_and_undo_brings_it_back(editor) -> None:
    await editor.client.request("socreates/review", {"uri": editor.uri, "ask": ask(find(editor.uri, 2))})
    editor.replace(2, 3, "    two(timeout=1)\n")
    [stale] = await editor.client.diagnostics(editor.uri, version=2)
    assert stale["message"] == "Stale: What if it fails?"
    editor.replace(2, 3, "    two()\n")
    [again] = await editor.client.diagnostics(editor.uri, version=3)
    assert (again["message"], again["range"]["start"]["line"]) == ("What if it fails?", 2)


async def test_deleted_lines_hide_their_question_and_undo_brings_it_back(editor) -> None:
    steps = ask(find(editor.uri, 2), find(editor.uri, 7, related=[{"uri": editor.uri, "line": 2, "message": "here"}]))
    asked = (await editor.client.request("socreates/review", {"uri": editor.uri, "ask": steps}))["findings"][0]
    editor.replace(2, 3, "")
    [shown] = await editor.client.diagnostics(editor.uri, version=2)
    assert editor.shows(shown["range"]) == "three()"
    held = (await editor.client.request("socreates/findings", {"status": "resolved"}))["findings"]
    assert [one["id"] for one in held] == [asked["id"]]
    editor.replace(0, 0, "# new\n")
    editor.replace(3, 3, "    two()\n")
    shown = await editor.client.diagnostics(editor.uri, version=4)
    assert (shown[0]["data"]["id"], editor.shows(shown[0]["range"])) == (asked["id"], "two()")


async def test_a_line_that_is_written_again_elsewhere_is_not_what_was_asked_about(editor) -> None:
    await editor.client.request("socreates/review", {"uri": editor.uri, "ask": ask(find(editor.uri, 2))})
    editor.replace(2, 3, "")
    editor.replace(6, 6, "    two()\n")
    assert await editor.client.diagnostics(editor.uri, version=3) == []


async def test_an_edit_that_moves_nothing_publishes_nothing(editor) -> None:
    await editor.client.request("socreates/review", {"uri": editor.uri, "ask": ask(find(editor.uri, 2))})
    await settled(editor.client)
    before = len(editor.client.seen(PUBLISHED))
    editor.replace(7, 7, "    four()\n")
    await settled(editor.client)
    assert len(editor.client.seen(PUBLISHED)) == before


async def test_a_user_who_never_stops_typing_sees_questions_move(editor) -> None:
    await editor.client.request("socreates/review", {"uri": editor.uri, "ask": ask(find(editor.uri, 2))})
    await settled(editor.client)
    before = len(editor.client.seen(PUBLISHED))
    for _ in range(10):
        editor.replace(0, 0, "#\n")
        await asyncio.sleep(0.05)
    assert len(editor.client.seen(PUBLISHED)) > before


async def test_a_question_whose_file_was_closed_and_opened_with_another_text_meanwhile(editor, gate) -> None:
    """Versions begin anew: the edits since are not the edits since the review began."""
    wait = gate("a")
    answer = await started(editor, find(editor.uri, 7), gate=wait)
    editor.client.notify("textDocument/didClose", {"textDocument": {"uri": editor.uri}})
    editor.client.open(editor.uri, "\n\n" + TEXT, version=1)
    editor.replace(0, 0, "")
    await taken(editor.client)
    wait.open()
    [finding] = (await answer)["result"]["findings"]
    assert (finding["status"], finding["range"]["start"]["line"]) == ("open", 9)


async def test_a_block_that_is_moved_takes_its_question_along(editor) -> None:
    result = await editor.client.request("socreates/review", {"uri": editor.uri, "ask": ask(find(editor.uri, 7))})
    editor.whole("def b():\n    one()\n    three()\n\n\ndef a():\n    one()\n    two()\n")
    [shown] = await editor.client.diagnostics(editor.uri, version=2)
    assert (editor.shows(shown["range"]), shown["data"]["id"]) == ("three()", result["findings"][0]["id"])


async def test_ids_stay_through_drift_and_a_second_review(editor) -> None:
    steps = ask(find(editor.uri, 6))
    first = (await editor.client.request("socreates/review", {"uri": editor.uri, "ask": steps}))["findings"][0]
    editor.replace(0, 5, "")
    steps = ask(find(editor.uri, 1))
    second = (await editor.client.request("socreates/review", {"uri": editor.uri, "ask": steps}))["findings"][0]
    assert (second["id"], second["range"]["start"]["line"]) == (first["id"], 1)


@pytest.mark.parametrize("seed", range(6))
async def test_whatever_is_typed_every_publication_holds_its_quotation(client, uri, gate, seed: int) -> None:
    chance = random.Random(seed)
    text = "".join(f"    step_{number % 7}()\n" if number % 3 else f"def f{number}():\n" for number in range(40))
    editor = Editor(client, uri, text)
    waits = [gate(str(number)) for number in range(4)]
    marks = [3, 13, 22, 31]
    steps = [step for wait, line in zip(waits, marks, strict=True) for step in (wait.step, find(uri, line))]
    quotes = {line: text.split("\n")[line].strip() for line in marks}
    texts = {1: text}
    _, answer = client.begin("socreates/review", {"uri": uri, "ask": ask(*steps)})
    for wait in waits:
        await wait.reached()
        for _ in range(chance.randrange(4)):
            first = chance.randrange(len(editor.lines) - 1)
            last = min(first + chance.choice([0, 0, 1, 2]), len(editor.lines) - 1)
            editor.replace(first, last, chance.choice(["", "x()\n", "\n\n", "    step_1()\n", "def f3():\n"]))
            texts[editor.version] = editor.text
        if chance.random() < 0.5:
            await taken(client)
        wait.open()
    result = (await answer)["result"]
    kept = (await client.request("socreates/findings", {"uri": uri}))["findings"]
    assert {one["id"] for one in result["findings"]} <= {one["id"] for one in kept}
    ids = dict(zip((one["id"] for one in kept), marks, strict=True))
    await client.diagnostics(uri, version=editor.version)
    for published in client.seen(PUBLISHED):
        lines = texts[published["version"]].split("\n")
        for shown in published["diagnostics"]:
            assert shown["range"]["end"]["line"] < len(lines)
            if not shown["message"].startswith("Stale: "):
                line = lines[shown["range"]["start"]["line"]]
                assert line.strip() == quotes[ids[shown["data"]["id"]]]


# Documents come and go


async def test_closing_and_opening_again_keeps_the_questions(client, root, uri) -> None:
    (root / "app.py").write_text(TEXT)
    editor = Editor(client, uri)
    await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 7))})
    editor.replace(0, 0, "# not saved\n")
    assert (await client.diagnostics(uri, version=2))[0]["range"]["start"]["line"] == 8
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    await until(lambda: "version" not in client.seen(PUBLISHED)[-1])
    [shown] = client.seen(PUBLISHED)[-1]["diagnostics"]
    assert shown["range"]["start"]["line"] == 7, "what was not saved is gone"
    client.open(uri, f"\n\n{TEXT}", version=1)
    await until(lambda: client.seen(PUBLISHED)[-1].get("version") == 1)
    assert client.seen(PUBLISHED)[-1]["diagnostics"][0]["range"]["start"]["line"] == 9


async def test_opening_a_file_that_was_reviewed_closed_shows_its_questions_in_the_buffer(client, root, uri) -> None:
    (root / "app.py").write_text(TEXT)
    await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 7))})
    client.open(uri, f"# unsaved\n{TEXT}", version=4)
    [shown] = await client.diagnostics(uri, version=4)
    assert shown["range"]["start"]["line"] == 8


async def test_an_unsaved_document_that_is_closed_takes_its_questions_along(client) -> None:
    uri = "untitled:Untitled-1"
    client.open(uri, TEXT)
    await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 7))})
    assert len(await client.diagnostics(uri)) == 1
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    await until(lambda: client.seen(PUBLISHED)[-1] == {"uri": uri, "diagnostics": []})
    assert (await client.request("socreates/findings"))["findings"] == []


async def test_a_document_closed_while_it_is_reviewed(client, uri, gate) -> None:
    wait = gate("a")
    editor = Editor(client, uri)
    answer = await started(editor, find(uri, 7), gate=wait)
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    await taken(editor.client)
    wait.open()
    result = (await answer)["result"]
    assert [one["status"] for one in result["findings"]] == ["stale"], "it was never saved, so there is no text"
    await settled(client)
    assert [one["diagnostics"] for one in client.seen(PUBLISHED)][-1:] in ([], [[]])


async def test_an_edit_to_a_document_that_was_never_opened_is_passed_over(client, root, uri) -> None:
    (root / "app.py").write_text(TEXT)
    document = {"uri": uri, "version": 3}
    client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": "nothing"}]})
    result = await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 7))})
    assert result["findings"][0]["quote"] == "three()"
    assert client.seen("window/showMessage") == []


async def test_a_version_that_goes_backwards_changes_nothing(editor) -> None:
    editor.version = 9
    editor.replace(0, 0, "# nine to ten\n")
    for version in (9, 3, -1):
        document = {"uri": editor.uri, "version": version}
        editor.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": "no"}]})
    steps = ask(find(editor.uri, 8))
    result = await editor.client.request("socreates/review", {"uri": editor.uri, "ask": steps})
    assert result["findings"][0]["quote"] == "three()"
    assert len(await editor.client.diagnostics(editor.uri, version=10)) == 1


async def test_opening_twice_takes_the_second_text(client, uri) -> None:
    client.open(uri, "old()\n", version=1)
    client.open(uri, "new()\n", version=1)
    result = await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 0))})
    assert result["findings"][0]["quote"] == "new()"


async def test_closing_what_was_never_opened_is_passed_over(client, uri) -> None:
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    client.notify("textDocument/didSave", {"textDocument": {"uri": uri}, "text": "x"})
    assert (await client.request("socreates/status"))["running"] == 0


async def test_many_changes_in_one_notification_are_applied_in_order(client, root, uri) -> None:
    async with scripted(rootUri=root.as_uri(), capabilities={"general": {"positionEncodings": ["utf-8"]}}) as client:
        client.open(uri, "'😀'; a()\f\nb()\n", version=1)
        changes = [
            {"range": {"start": {"line": 0, "character": 8}, "end": {"line": 0, "character": 11}}, "text": "c()"},
            {"range": {"start": {"line": 1, "character": 0}, "end": {"line": 1, "character": 1}}, "text": "d"},
            {"range": {"start": {"line": 2, "character": 0}, "end": {"line": 2, "character": 0}}, "text": "e()"},
        ]
        client.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": changes})
        steps = ask(*(find(uri, line) for line in range(3)))
        result = await client.request("socreates/review", {"uri": uri, "ask": steps})
        assert [one["quote"] for one in result["findings"]] == ["'😀'; c()", "d()", "e()"]
