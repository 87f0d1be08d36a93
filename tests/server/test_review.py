"""``socreates/review``: what it answers, in both forms, waiting and not."""

from __future__ import annotations

import re

import pytest

from tests.server.servers import ask, find, read, scripted, until

TEXT = "import requests\n\n\ndef fetch(url):\n    return requests.get(url)\n"
WORDY = "def a():\n    one()\n    two()\n"
FIELDS = {
    "findings", "summary", "stop", "rounds", "usage", "reviewer", "examined", "skipped", "unread", "ungrounded",
    "withheld", "refuted", "suppressed", "dismissed", "capped",
}  # fmt: skip
FINDING = {
    "id", "kind", "category", "rule", "uri", "range", "message", "why", "quote", "related", "confidence", "source",
    "status", "thread",
}  # fmt: skip


def span(line: int, column: int, end_line: int, end_column: int) -> dict:
    return {"start": {"line": line, "character": column}, "end": {"line": end_line, "character": end_column}}


@pytest.fixture
def uri(root) -> str:
    return (root / "app.py").as_uri()


def review(client, params, *, command: bool):
    """As a custom request, or as a command."""
    if command:
        return client.request("workspace/executeCommand", {"command": "socreates/review", "arguments": [params]}, 60)
    return client.request("socreates/review", params, 60)


@pytest.mark.parametrize("command", [False, True])
async def test_the_unsaved_text_is_what_is_examined(client, uri, command: bool) -> None:
    client.open(uri, TEXT, version=7)
    result = await review(client, {"uri": uri}, command=command)
    assert set(result) == FIELDS
    [finding] = result["findings"]
    assert set(finding) == FINDING
    assert re.fullmatch(r"[0-9a-f]{16}", finding["id"])
    assert finding["range"] == span(4, 4, 4, 28)
    assert finding["quote"] == "return requests.get(url)"
    assert (finding["uri"], finding["kind"], finding["category"]) == (uri, "question", "resources")
    assert (finding["source"], finding["status"], finding["thread"]) == ("examiner", "open", [])
    assert 0 < finding["confidence"] <= 1
    assert finding["message"].endswith("?")
    assert result["stop"] == "answered"
    assert result["reviewer"] == {"provider": "examiner", "model": None}
    assert result["usage"] == {"inputTokens": 0, "cachedTokens": 0, "outputTokens": 0, "costUsd": 0}
    [examined] = result["examined"]
    assert (examined["uri"], examined["ranges"]) == (uri, [span(0, 0, 4, 28)])
    assert examined["rules"] > 0
    assert [result[name] for name in ("rounds", "ungrounded", "withheld", "refuted", "dismissed", "capped")] == [0] * 6
    published = client.seen("textDocument/publishDiagnostics")
    assert [(one["version"], len(one["diagnostics"])) for one in published] == [(7, 1)], "before the answer, once"


async def test_silence_says_what_was_examined_and_by_whom(client, uri) -> None:
    client.open(uri, "x = 1\ny = 2\n")
    result = await client.request("socreates/review", {"uri": uri}, 60)
    assert result["findings"] == []
    assert result["stop"] == "answered"
    assert re.fullmatch(r"No questions: the examiner read 2 lines, \d+ rules\.", result["summary"])
    assert result["examined"][0]["ranges"] == [span(0, 0, 1, 5)]


async def test_a_selection_counts_only_its_lines(client, uri) -> None:
    client.open(uri, TEXT + TEXT.replace("fetch", "again"))
    params = {"uri": uri, "range": span(8, 0, 10, 0)}
    result = await client.request("socreates/review", params, 60)
    assert [finding["range"]["start"]["line"] for finding in result["findings"]] == [9]
    assert result["examined"][0]["ranges"] == [span(8, 0, 9, 28)], "ends where the last selected line ends"


async def test_a_selection_that_ends_where_a_line_begins_does_not_hold_that_line(client, uri) -> None:
    client.open(uri, TEXT)
    result = await client.request("socreates/review", {"uri": uri, "range": span(3, 0, 4, 0)}, 60)
    assert result["examined"][0]["ranges"] == [span(3, 0, 3, 15)]
    assert result["findings"] == []


async def test_a_selection_written_backwards_is_the_same_selection(client, uri) -> None:
    client.open(uri, TEXT)
    backwards = {"start": {"line": 4, "character": 9}, "end": {"line": 3, "character": 0}}
    result = await client.request("socreates/review", {"uri": uri, "range": backwards, "scope": "selection"}, 60)
    assert result["examined"][0]["ranges"] == [span(3, 0, 4, 9)]


async def test_an_empty_range_means_the_file(client, uri) -> None:
    client.open(uri, TEXT)
    result = await client.request("socreates/review", {"uri": uri, "range": span(0, 0, 0, 0)}, 60)
    assert len(result["findings"]) == 1


async def test_a_file_that_is_not_open_is_read_from_disk(client, root, uri) -> None:
    (root / "app.py").write_text(TEXT)
    result = await client.request("socreates/review", {"uri": uri}, 60)
    assert len(result["findings"]) == 1
    [question] = await client.diagnostics(uri)
    assert question["range"] == span(4, 4, 4, 28)
    assert "version" not in client.seen("textDocument/publishDiagnostics")[-1]


async def test_without_a_uri_and_without_git_the_workspace_is_reviewed(client, root) -> None:
    for name in ("a.py", "b.py"):
        (root / name).write_text(TEXT.replace("fetch", name[0]))
    result = await client.request("socreates/review", {}, 60)
    assert [one["uri"] for one in result["examined"]] == [(root / name).as_uri() for name in ("a.py", "b.py")]
    assert len(result["findings"]) == 2


async def test_no_more_than_the_setting_allows_and_the_rest_is_counted(root, uri) -> None:
    text = "import requests\n" + "".join(f"\n\ndef f{n}(u):\n    return requests.get(u + '{n}')\n" for n in range(5))
    async with scripted(rootUri=root.as_uri(), initializationOptions={"review": {"maxFindings": 2}}) as client:
        client.open(uri, text)
        result = await client.request("socreates/review", {"uri": uri}, 60)
    assert len(result["findings"]) == 2
    assert result["capped"] == 3


async def test_what_a_comment_hides_is_counted(client, uri) -> None:
    client.open(uri, TEXT.replace("get(url)", "get(url)  # socreates: ignore"))
    result = await client.request("socreates/review", {"uri": uri}, 60)
    assert (result["findings"], result["suppressed"]) == ([], 1)


# Without waiting


@pytest.mark.parametrize("command", [False, True])
async def test_without_waiting_it_starts_at_once_and_the_rest_comes_as_diagnostics(client, uri, gate, command) -> None:
    wait = gate("a")
    client.open(uri, WORDY)
    params = {"uri": uri, "wait": False, "ask": ask(wait.step, find(uri, 1))}
    assert await review(client, params, command=command) == {"started": True}
    assert client.seen("textDocument/publishDiagnostics") == []
    wait.open()
    assert len(await client.diagnostics(uri, version=1)) == 1


async def test_what_stands_on_no_line_is_told_once_without_waiting(client, uri) -> None:
    client.open(uri, WORDY)
    steps = ask({"skip": "x" * 400})
    await client.request("socreates/review", {"uri": uri, "wait": False, "ask": steps})
    [told] = await client.wait_for(lambda: client.seen("window/showMessage"))
    assert told["message"].startswith("No questions: the script read it. xxx")
    assert len(told["message"]) <= 300


async def test_whoever_waits_is_told_in_the_answer_and_by_no_message(client, uri) -> None:
    client.open(uri, WORDY)
    result = await client.request("socreates/review", {"uri": uri, "ask": ask({"skip": "Not read."})})
    assert result["skipped"] == [{"reason": "Not read."}]
    assert client.seen("window/showMessage") == []


async def test_a_failure_without_waiting_is_told(client, uri) -> None:
    await client.request("socreates/review", {"uri": uri, "wait": False, "ask": ask({"fail": "It is too late."})})
    [told] = await client.wait_for(lambda: client.seen("window/showMessage"))
    assert told["message"] == "It is too late."


@pytest.mark.usefixtures("errors_are_meant")
async def test_a_fault_of_our_own_without_waiting_is_told_too(client, uri) -> None:
    await client.request("socreates/review", {"uri": uri, "wait": False, "ask": ask({"crash": "two() of the buffer"})})
    [told] = await client.wait_for(lambda: client.seen("window/showMessage"))
    assert "--log-file" in told["message"]
    assert "two()" not in told["message"]


# Failures


async def test_a_failure_before_any_finding_is_an_error_of_one_sentence(client, uri) -> None:
    steps = ask(read(uri, 0, 1), {"fail": "The lamp went out."})
    answer = await client.answer_to("socreates/review", {"uri": uri, "ask": steps})
    assert answer["error"] == {"code": -32803, "message": "The lamp went out."}


async def test_a_failure_after_a_finding_keeps_it_and_says_why_first(client, uri) -> None:
    client.open(uri, WORDY)
    steps = ask(find(uri, 1), {"fail": "The lamp went out."})
    result = await client.request("socreates/review", {"uri": uri, "ask": steps})
    assert result["stop"] == "failed"
    assert result["summary"].startswith("The lamp went out.")
    assert len(result["findings"]) == 1
    assert len(await client.diagnostics(uri)) == 1


@pytest.mark.usefixtures("errors_are_meant")
async def test_a_fault_of_our_own_shows_no_traceback_and_no_text_of_the_buffer(client, uri) -> None:
    client.open(uri, WORDY)
    answer = await client.answer_to("socreates/review", {"uri": uri, "ask": ask({"crash": "two() of the buffer"})})
    assert answer["error"]["code"] == -32603
    assert set(answer["error"]) == {"code", "message"}
    assert "two()" not in answer["error"]["message"]
    assert client.seen("window/showMessage") == []


# What a second review replaces


async def test_a_second_review_replaces_what_it_does_not_find_again(client, uri) -> None:
    client.open(uri, WORDY)
    first = await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 1), find(uri, 2))})
    second = await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 2))})
    assert second["findings"][0]["id"] == first["findings"][1]["id"]
    assert [one["id"] for one in (await client.request("socreates/findings"))["findings"]] == [
        first["findings"][1]["id"]
    ]
    assert len(await client.diagnostics(uri)) == 1


@pytest.mark.parametrize("end", [{"fail": "No."}, {"end": {"stop": "step-limit", "summary": "Enough."}}])
async def test_a_review_that_does_not_end_well_replaces_nothing(client, uri, end) -> None:
    client.open(uri, WORDY)
    await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 1))})
    await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 2), end)})
    assert len((await client.request("socreates/findings"))["findings"]) == 2


async def test_a_review_of_a_selection_leaves_the_rest_of_the_file_alone(client, uri) -> None:
    client.open(uri, WORDY)
    await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 1), find(uri, 2))})
    params = {"uri": uri, "range": span(2, 0, 2, 9), "ask": ask()}
    assert (await client.request("socreates/review", params))["stop"] == "answered"
    left = (await client.request("socreates/findings"))["findings"]
    assert [one["range"]["start"]["line"] for one in left] == [1]


async def test_what_is_withdrawn_on_the_way_leaves_the_editor(client, uri, gate) -> None:
    shown, gone = gate("shown"), gate("gone")
    client.open(uri, WORDY)
    once = await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 1))})
    finding = once["findings"][0]["id"]
    steps = ask(find(uri, 1), find(uri, 2), shown.step, {"withdraw": finding}, gone.step)
    _, answer = client.begin("socreates/review", {"uri": uri, "ask": steps})
    await until(lambda: len(client.seen("textDocument/publishDiagnostics")[-1]["diagnostics"]) == 2)
    shown.open()
    await until(lambda: len(client.seen("textDocument/publishDiagnostics")[-1]["diagnostics"]) == 1)
    gone.open()
    assert [one["range"]["start"]["line"] for one in (await answer)["result"]["findings"]] == [2]
    left = await client.request("socreates/findings", {"status": "withdrawn"})
    assert [one["id"] for one in left["findings"]] == [finding]


# Pieces on the way


async def test_partial_results_say_each_finding_and_each_withdrawal_and_the_answer_repeats_all(client, uri) -> None:
    client.open(uri, WORDY)
    known = (await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 1))}))["findings"][0]
    steps = ask(find(uri, 1), find(uri, 2), {"withdraw": known["id"]})
    result = await client.request("socreates/review", {"uri": uri, "partialResultToken": 0, "ask": steps})
    pieces = [one["value"] for one in client.seen("$/progress") if one["token"] == 0]
    assert [set(piece) for piece in pieces] == [{"findings"}, {"findings"}, {"withdrawn"}]
    assert pieces[0]["findings"] == [known]
    assert pieces[1]["findings"] == result["findings"]
    assert pieces[2]["withdrawn"] == [known["id"]]
    order = [one.get("method", one.get("id")) for one in client.messages]
    assert order.index("$/progress") < len(order) - 1


async def test_a_client_of_ours_hears_of_findings_by_notification(root, uri) -> None:
    async with scripted(
        rootUri=root.as_uri(), capabilities={"experimental": {"socreates": {"findings": True}}}
    ) as client:
        client.open(uri, WORDY, version=3)
        result = await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 1))})
        [told] = client.seen("socreates/didChangeFindings")
        assert told.pop("told").keys() == {one["id"] for one in result["findings"]}
        assert told == {"uri": uri, "version": 3, "findings": result["findings"]}
        await client.request("socreates/review", {"uri": uri, "wait": False, "ask": ask()})
        await client.wait_for(lambda: client.seen("socreates/didChangeFindings")[-1]["findings"] == [])
        assert client.seen("window/showMessage") == [], "it has a view of its own for what stands on no line"


async def test_other_clients_hear_nothing_of_ours(client, uri) -> None:
    client.open(uri, WORDY)
    await client.request("socreates/review", {"uri": uri, "ask": ask(find(uri, 1))})
    assert client.seen("socreates/didChangeFindings") == []
