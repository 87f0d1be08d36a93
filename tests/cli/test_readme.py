"""What the README shows is what a reader sees."""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from pathlib import Path

README = Path(__file__).parents[2] / "README.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def test_the_output_in_the_readme_is_what_review_prints(tmp_path: Path) -> None:
    [shown] = blocks("text")
    (tmp_path / "feeds.py").write_text(blocks("python")[0], encoding="utf-8")
    command = [sys.executable, "-m", "socreates_lsp", "review", "feeds.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=True)
    rules = re.compile(r"\d+ rules")
    assert rules.sub("rules", done.stdout) == rules.sub("rules", shown)
    assert done.stderr == ""


def test_the_comment_in_the_readme_hides_the_question(tmp_path: Path) -> None:
    source, suppressed = blocks("python")[:2]
    handler = source[source.index("        except") : source.index("    return")]
    mended = source.replace(handler, textwrap.indent(suppressed, "    "))
    (tmp_path / "feeds.py").write_text(mended, encoding="utf-8")
    command = [sys.executable, "-m", "socreates_lsp", "review", "feeds.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=True)
    assert "python-swallowed" not in done.stdout
    assert "1 more hidden by comments in the code" in done.stdout


def test_the_readme_names_all_that_a_workspace_may_set() -> None:
    from socreates_lsp.settings.keys import describe

    [told] = re.findall(r"may only tighten: (.*?) and nothing else", README.read_text(encoding="utf-8"), re.DOTALL)
    named = set(re.findall(r"`([^`]+)`", told))
    keys = {key.name for key in describe() if "socreates.toml" in (*key.tightens, *key.sources)}
    assert {key for key in keys if not {key, key.partition(".")[0]} & named} == set()
    assert {name for name in named if not any(key == name or key.startswith(f"{name}.") for key in keys)} == set()


def test_the_readme_names_the_editors_that_there_is_a_configuration_for() -> None:
    from socreates_lsp.cli.snippets import SNIPPETS

    [told] = re.findall(r"doctor --editor NAME` prints\s(.*?)does instead", README.read_text("utf-8"), re.DOTALL)
    assert set(re.findall(r"`([\w-]+)`|--editor (\w+)", told)) >= {(name, "") for name in SNIPPETS if name not in _NONE}
    assert "VS Code and Zed" in told


_NONE = {"neovim", "vscode", "zed"}
"""Named otherwise: by the example, and as editors that need an extension."""
