"""What a client says of its documents: what is no text is never taken for one, and no edit is lost in silence."""

from __future__ import annotations

import logging

import pytest

from tests.server.servers import scripted, settled

TEXT = "import requests\n\n\ndef fetch(url):\n    return requests.get(url)\n"
NO_TEXTS = [None, 12345, True, ["x"], {"x": 1}]


@pytest.fixture
def uri(root) -> str:
    return (root / "app.py").as_uri()


@pytest.fixture
async def client(root):
    (root / "other.py").write_text(TEXT)
    async with scripted(rootUri=root.as_uri(), initializationOptions={"model": {"provider": "examiner"}}) as client:
        yield client


def change(client, uri, changes, version=2) -> None:
    document = {"uri": uri, "version": version}
    client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})


async def quotes(client, uri) -> list[str]:
    return [one["quote"] for one in (await client.request("socreates/review", {"uri": uri}, 60))["findings"]]


async def refusal(client, uri) -> str:
    error = (await client.answer_to("socreates/review", {"uri": uri}, 60))["error"]
    assert error["code"] == -32803
    return error["message"]


LOST = "app.py cannot be read: the editor sent an edit that could not be read. Close it and open it again."


def place(line, character):
    return {"line": line, "character": character}


@pytest.mark.parametrize(
    "changes",
    [
        *([{"text": text}] for text in NO_TEXTS),
        [{"range": {"start": place(0, 0), "end": place(0, 0)}, "text": None}],
        [{"range": {"start": place(0, 0), "end": place(0, None)}, "text": "x"}],
        [{"range": {"start": place(0, 0)}, "text": "x"}],
        [{"range": {"start": place(True, 0), "end": place(3, 0)}, "text": "x"}],
        [{"range": {"start": place(-1, 0), "end": place(3, 0)}, "text": "x"}],
        [{"range": 5, "text": "x"}],
        [{"text": "whole\n"}, {}],
        [None],
        ["text"],
        None,
        {},
        "text",
    ],
    ids=repr,
)
async def test_an_edit_that_cannot_be_read_puts_its_document_out_of_step_until_it_is_opened_again(
    client, uri, changes, caplog
) -> None:
    client.open(uri, TEXT)
    with caplog.at_level(logging.WARNING):
        change(client, uri, changes)
        assert await refusal(client, uri) == LOST
    assert "textDocument/didChange was left out" in caplog.text
    change(client, uri, [{"range": {"start": place(0, 0), "end": place(0, 0)}, "text": "\n"}], version=3)
    assert await refusal(client, uri) == LOST, "an edit to lines that we do not know brings nothing back"
    client.open(uri, TEXT, version=4)
    assert await quotes(client, uri) == ["return requests.get(url)"]


async def test_the_whole_text_brings_a_document_back(client, uri) -> None:
    client.open(uri, "old\n")
    change(client, uri, [{"text": None}])
    insert = {"range": {"start": place(0, 0), "end": place(0, 0)}, "text": "# x\n"}
    change(client, uri, [insert, {"text": TEXT}, insert], version=3)
    result = await client.request("socreates/review", {"uri": uri}, 60)
    assert [one["range"]["start"]["line"] for one in result["findings"]] == [5]


async def test_a_document_that_is_out_of_step_is_passed_over_with_a_sentence_in_a_review_of_all(
    client, root, uri
) -> None:
    (root / "app.py").write_text(TEXT)
    client.open(uri, TEXT)
    change(client, uri, [{"text": None}])
    result = await client.request("socreates/review", {"scope": "workspace"}, 60)
    assert [one["uri"].rpartition("/")[2] for one in result["examined"]] == ["other.py"]
    [skipped] = result["skipped"]
    assert "app.py was passed over: the editor sent an edit" in str(skipped)


@pytest.mark.parametrize("text", NO_TEXTS, ids=repr)
async def test_a_document_that_is_opened_without_a_text_is_not_open(client, root, uri, text) -> None:
    (root / "app.py").write_text(TEXT)
    client.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "text": text}})
    assert await quotes(client, uri) == ["return requests.get(url)"], "it is read from the disk"
    client.open(uri, TEXT)
    client.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "python", "text": text}})
    assert await refusal(client, uri) == LOST


@pytest.mark.parametrize("version", [None, "3", 2.5, True])
async def test_an_edit_without_a_version_counts(client, uri, version) -> None:
    client.open(uri, "old\n", version=7)
    change(client, uri, [{"text": TEXT}], version=version)
    assert await quotes(client, uri) == ["return requests.get(url)"]
    change(client, uri, [{"text": "new\n"}], version=8)
    assert await quotes(client, uri) == []


@pytest.mark.parametrize("language", [None, 5])
async def test_a_document_whose_language_is_not_said_is_known_by_its_name(client, uri, language) -> None:
    client.open(uri, TEXT, language=language)
    assert await quotes(client, uri) == ["return requests.get(url)"]


@pytest.mark.parametrize("name", [None, 5, ""])
async def test_what_names_no_document_is_left_out(client, uri, name, caplog) -> None:
    client.open(uri, TEXT)
    item = {"textDocument": {"uri": name, "version": 1, "text": TEXT, "languageId": "python"}, "contentChanges": []}
    with caplog.at_level(logging.WARNING):
        for method in ("didOpen", "didChange", "didSave", "didClose"):
            client.notify(f"textDocument/{method}", item)
        await settled(client)
    left_out = [one for one in caplog.messages if "was left out" in one]
    assert len(left_out) == (2 if name == "" else 4)
    assert await quotes(client, uri) == ["return requests.get(url)"]
    params = {**item, "position": place(4, 0)}
    answer = await client.answer_to("textDocument/hover", params)
    assert answer.get("result", "refused") is None if name == "" else answer["error"]["code"] == -32602
