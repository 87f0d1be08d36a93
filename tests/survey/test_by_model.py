"""A survey by a scripted model: it is steered to what is there, and its report is checked claim by claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.testkit.script import Reply
from tests.server.talking import PROGRESS, talking
from tests.survey.shop import build

if TYPE_CHECKING:
    from pathlib import Path

    from socreates_lsp.testkit.script import Asked

REPORT = """# The shop

## Architecture
- Billing is split into an application and a domain layer. [repo: src/Billing/Domain/Invoice.php:5]
- The models live in the usual place. [repo: app/Models/User.php:3]
- Controllers are in `app/Http/Controllers`. [inference]
- Products have a type of their own. [repo: src/Catalog/Domain/Product.php:5]
- Nothing else is there.

## Dependencies
- It runs on Laravel 11. [repo: composer.json:7]
- Its guide explains the container. [docs: vendor/laravel/framework/README.md#about-laravel]
- The invoice goes on for long. [repo: src/Billing/Domain/Invoice.php:900]

## Commands
- `composer test` runs the tests. [repo: composer.json:22]

```php
$invoice = new Invoice();
```
"""


def guess(path: str = "app") -> Reply:
    return Reply(calls=(("list_files", {"path": path}),))


def by_role(*main: Reply, **team: str) -> Any:
    """A model that says these things in turn to the main agent, and to each specialist its report."""
    turns = iter(main)

    def answer(asked: Asked) -> Reply:
        head = str(asked.body["messages"][0]["content"])
        for role, text in team.items():
            if f"the {role} of a small team" in head:
                return Reply(text=text)
        return next(turns, Reply(status=500, error="the script is over"))

    return answer


async def survey(root: Path, *replies: Any, **params: Any) -> tuple[dict[str, Any], Any]:
    async with talking(root, *replies, capabilities=PROGRESS) as (client, model):
        result = await client.request("socreates/survey", params)
        return result, list(model.chats)


def section(report: str, name: str) -> str:
    return report.partition(f"## {name}\n")[2].partition("\n## ")[0]


def line(report: str, words: str) -> str:
    [found] = [one for one in report.split("\n") if words in one]
    return found


async def test_a_guessed_folder_is_answered_by_the_tree_and_never_cited(root: Path) -> None:
    build(root)
    script = by_role(
        guess(),
        Reply(calls=(("read_file", {"path": "src/Billing/Domain/Invoice.php"}),)),
        Reply(text=REPORT),
    )
    result, asked = await survey(root, *[script] * 3)
    report = result["report"]
    assert result["stop"] == "answered"
    task = asked[0]["messages"][-1]["content"]
    assert "[repo: src/Billing/Domain/]" in task
    assert "composer.json:7" in task
    assert "app does not exist" in asked[1]["messages"][-1]["content"]
    assert "[unverified]" not in line(report, "Billing is split")
    assert line(report, "The models live") == (
        "- The models live in the usual place. [unverified] (not there: `app/Models/User.php`)"
    )
    assert "[unverified] (not there: `app/Http/Controllers`)" in line(report, "Controllers are")
    assert line(report, "Products have").endswith("[repo: src/Catalog/Domain/Product.php:5] [unverified]")
    assert line(report, "Nothing else").endswith("[unverified]")
    assert "[unverified]" not in line(report, "It runs on Laravel")
    assert "[unverified]" not in line(report, "Its guide explains")
    assert "past its end" in line(report, "goes on for long")
    assert "[unverified]" not in line(report, "`composer test` runs the tests")
    assert "new Invoice" not in report
    assert "read off the files" in section(report, "Risks")
    assert "no CI" in section(report, "Risks")
    assert "5 claims without such a place" in report
    references = {one["reference"] for one in result["sources"]}
    assert {"src/Billing/Domain/Invoice.php:5", "composer.json:7"} <= references
    assert not any(reference.startswith("app/") for reference in references)


async def test_guessing_again_and_again_is_ended_and_the_files_speak(root: Path) -> None:
    build(root)
    result, asked = await survey(root, *[guess()] * 8)
    assert result["stop"] == "looping"
    assert len(asked) < 8
    assert "list_files" in result["report"].split("## Architecture")[0]
    assert "src/Billing/Domain/" in section(result["report"], "Architecture")
    assert result["report"].count("## ") == 4
    assert not any(one["reference"].startswith("app/") for one in result["sources"])


async def test_it_delegates_and_what_its_colleagues_read_is_a_source(root: Path) -> None:
    build(root)
    tasks = (
        ("delegate", {"agent": "explorer", "task": "How is src/Billing organised?"}),
        ("delegate", {"agent": "researcher", "task": "What does the README of laravel/framework say?"}),
    )
    script = by_role(
        Reply(calls=tasks),
        Reply(text="## Architecture\n- Two contexts. [repo: src/Billing/]\n"),
        explorer="Two contexts. [repo: src/Billing/Domain/Invoice.php:1]",
        researcher="It is a framework. [inference]",
    )
    result, asked = await survey(root, *[script] * 4, focus="billing")
    heads = [one["messages"][0]["content"] for one in asked]
    assert sum("the explorer of a small team" in head for head in heads) == 1
    assert sum("the researcher of a small team" in head for head in heads) == 1
    assert "The developer wants to know most: billing" in asked[0]["messages"][-1]["content"]
    tools = [tool["function"]["name"] for tool in asked[0]["tools"]]
    assert "delegate" in tools
    assert "Two contexts. [repo: src/Billing/]" in result["report"]


async def test_what_it_raises_is_a_finding_on_its_line(root: Path) -> None:
    build(root)
    raised = (
        "raise_question",
        {
            "path": "routes/web.php",
            "line": 3,
            "quote": "Route::get('/', fn () => view('home'));",
            "kind": "question",
            "category": "design",
            "question": "Who else than the `home` view is served from `routes/web.php`?",
            "why": "A visitor would see nothing.",
        },
    )
    result, _ = await survey(root, Reply(calls=(raised,)), Reply(text=REPORT))
    [finding] = result["findings"]
    assert finding["uri"].endswith("routes/web.php")
    assert finding["range"]["start"]["line"] == 2


async def test_a_model_that_fails_loses_nothing(root: Path) -> None:
    build(root)
    result, _ = await survey(root, Reply(status=400, error="out of order"))
    assert result["stop"] == "failed"
    assert "No model wrote this" in result["report"]
    assert "`acme/shop`" in result["report"]
    assert result["skipped"]


@pytest.mark.parametrize("text", ["", "I could not.", "## Risks\n\n## Commands\n"])
async def test_an_answer_without_sections_is_filled(root: Path, text: str) -> None:
    build(root)
    result, _ = await survey(root, Reply(text=text), Reply(text=text))
    assert result["report"].count("\n## ") == 4
    assert "`acme/shop`" in result["report"]
