"""What a model is asked about a selection and about changes, and where its points may then stand."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

from tests.server.talking import said, talking

if TYPE_CHECKING:
    from pathlib import Path

FILLING = "".join(f"x{number} = {number}\n" for number in range(600))
SHOP = f"import os\n{FILLING}\n\ndef sell(what):\n    price = what\n    return price\n"
CALLER = "from shop import sell\n\n\nsell(None)\n"
SELECTED = {"start": {"line": 604, "character": 0}, "end": {"line": 604, "character": 9}}

AT_THE_CALLER = """[question] use.py:4 correctness
> sell(None)
What does `sell` return for the `None` that is given here?
Why: nothing looks at it.
"""

GONE = """[question] app.py:2 correctness
> - check(path)
Who looks at `path` now that `check(path)` is gone?
Why: nothing does.
"""


def git(root: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


async def test_a_selection_comes_with_its_function_imports_and_callers_where_a_point_may_stand(root: Path) -> None:
    (root / "shop.py").write_text(SHOP)
    (root / "use.py").write_text(CALLER)
    uri = (root / "shop.py").as_uri()
    async with talking(root, AT_THE_CALLER) as (client, model):
        client.open(uri, SHOP)
        result = await client.request("socreates/review", {"uri": uri, "range": SELECTED})
        task = said(model.chats[0])[-1][1]
        assert "    1\timport os\n" in task
        assert "  604\tdef sell(what):\n  605\t    price = what\n  606\t    return price" in task
        assert "x100 = 100" not in task
        assert "Where sell is called or named elsewhere (1 line):\nuse.py:4: sell(None)" in task
        (finding,) = result["findings"]
        assert finding["uri"] == (root / "use.py").as_uri()
        assert finding["range"]["start"]["line"] == 3
        assert {"uri": (root / "use.py").as_uri()}.items() <= next(
            one for one in result["examined"] if one["uri"].endswith("use.py")
        ).items()


async def test_the_preview_of_a_selection_names_its_callers(root: Path) -> None:
    (root / "shop.py").write_text(SHOP)
    (root / "use.py").write_text(CALLER)
    uri = (root / "shop.py").as_uri()
    async with talking(root) as (client, _):
        preview = await client.request("socreates/preview", {"uri": uri, "range": SELECTED})
        ranges = {one["uri"]: one["ranges"] for one in preview["files"]}
        assert [span["start"]["line"] for span in ranges[(root / "use.py").as_uri()]] == [3]


async def test_a_point_on_a_line_that_is_gone_stands_on_no_line(root: Path) -> None:
    git(root, "init", "-q")
    filling = "".join(f"y{number} = {number}\n" for number in range(60))
    (root / "app.py").write_text(
        f"def load(path):\n    check(path)\n    return path\n{filling}def other(path):\n    check(path)\n"
    )
    git(root, "add", "-A")
    git(root, "commit", "-qm", "x")
    (root / "app.py").write_text(f"def load(path):\n    return path\n{filling}def other(path):\n    check(path)\n")
    async with talking(root, GONE) as (client, model):
        result = await client.request("socreates/review", {"scope": "changes"})
        task = said(model.chats[0])[-1][1]
        assert "Lines marked with - are gone" in task
        assert "      1\tdef load(path):\n-      \t    check(path)\n      2\t    return path\n" in task
        assert result["findings"] == []
        assert "Who looks at `path` now" in result["summary"]
