"""``socreates/survey`` and ``socreates-lsp survey`` with the examiner alone."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from socreates_lsp.app import App
from tests.server.servers import check_manners, inside
from tests.survey.shop import build

if TYPE_CHECKING:
    from pathlib import Path

EXAMINER = {"model": {"provider": "examiner"}}
SWALLOWED = "<?php\n\ntry {\n    run();\n} catch (\\Exception $e) {\n}\n"


async def test_over_the_wire_with_progress(root: Path) -> None:
    build(root)
    (root / "src" / "Catalog" / "App" / "Import.php").write_text(SWALLOWED)
    async with inside(App) as client:
        await client.initialize(rootUri=root.as_uri(), capabilities={}, initializationOptions=EXAMINER)
        result = await client.request("socreates/survey", {"workDoneToken": "t", "focus": "catalog"})
        assert set(result) >= {"report", "sources", "findings", "stop", "usage", "reviewer"}
        assert result["stop"] == "answered"
        assert result["findings"] == []
        assert result["reviewer"] == {"provider": "examiner", "model": None}
        assert (
            "`src/Catalog/App/Import.php`: 1 (php-swallowed-error) [repo: src/Catalog/App/Import.php:5]"
            in result["report"]
        )
        assert {"origin": "repo", "reference": "composer.json:7", "detail": "laravel/framework"} in result["sources"]
        kinds = [one["value"]["kind"] for one in client.seen("$/progress")]
        assert (kinds[0], kinds[-1]) == ("begin", "end")
        same = await client.request("workspace/executeCommand", {"command": "socreates/survey", "arguments": [{}]})
        assert same["report"].startswith("# Survey of `workspace`")
        check_manners(client)


async def test_without_a_folder_it_says_so(root: Path) -> None:
    async with inside(App) as client:
        await client.initialize(rootUri=None, capabilities={}, initializationOptions=EXAMINER)
        answer = await client.answer_to("socreates/survey", {})
        assert answer["error"]["message"] == "There is no folder open that could be surveyed."


def run(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "socreates_lsp", "survey", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, encoding="utf-8", check=False)


def test_on_the_command_line(root: Path) -> None:
    build(root)
    done = run(str(root), "--set", "model.provider=examiner", cwd=root.parent)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("# Survey of `workspace`\n")
    assert "[repo: composer.json:7]" in done.stdout
    told = json.loads(run("--format", "json", "--set", "model.provider=examiner", cwd=root).stdout)
    assert told["report"].count("\n## ") == 4
    missing = run("nowhere", cwd=root)
    assert (missing.returncode, missing.stdout) == (2, "")
    assert missing.stderr == "socreates-lsp: nowhere is no folder: name the folder of a project.\n"
    assert sorted(one.name for one in root.iterdir() if one.name.startswith(".")) == [".gitignore"]
