"""The project's own questions, asked by the examiner through the command."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from tests.cli.test_review import git, ran

if TYPE_CHECKING:
    from pathlib import Path

TABLE = """\
[[questions]]
glob = "docs/**"
question = "Which claims in this page lack a source?"

[[questions]]
question = "Does every handler check the tenant?"
glob = "**/*.py"

[[questions]]
question = "Who is this for?"
glob = "**/*.md"
"""


def made(folder: Path, files: dict[str, str]) -> None:
    for name, content in {"socreates.toml": TABLE, **files}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)


def result(folder: Path, *arguments: str) -> Any:
    done = ran(folder, "review", *arguments, "--format", "json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def asked(answer: Any) -> list[tuple[str, int, str]]:
    return [
        (one["path"], one["line"], one["message"]) for one in answer["findings"] if one["rule"] == "standing-question"
    ]


def test_a_page_without_rules_is_asked_each_question_once(tmp_path: Path) -> None:
    made(tmp_path, {"docs/a.md": "\n\n  # Title\n\nIt is fast.\n", "docs/b.csv": "a,b\n", "other.toml": "x = 1\n"})
    answer = result(tmp_path, "docs", "other.toml")
    assert asked(answer) == [
        ("docs/a.md", 3, "Which claims in this page lack a source?"),
        ("docs/a.md", 3, "Who is this for?"),
        ("docs/b.csv", 1, "Which claims in this page lack a source?"),
    ]
    first = answer["findings"][0]
    assert (first["kind"], first["category"], first["source"]) == ("question", "documentation", "examiner")
    assert (first["quote"], first["range"]["start"]) == ("# Title", {"line": 2, "character": 2})
    assert first["why"] == "A standing question of this project, for `docs/**`."
    assert len({one["id"] for one in answer["findings"]}) == 3
    assert answer["summary"].startswith("3 questions: the examiner read 2 files, 6 lines, 2 rules.")
    assert [one["reason"] for one in answer["skipped"]] == [
        "The examiner has no rules for toml (1 file): read, but nothing to ask."
    ]
    again = result(tmp_path, "docs", "other.toml")
    assert [one["id"] for one in again["findings"]] == [one["id"] for one in answer["findings"]]


def test_code_is_asked_besides_its_rules_and_a_comment_hides_it(tmp_path: Path) -> None:
    swallowed = "def load(path):\n    try:\n        return open(path).read()\n    except Exception:\n        pass\n"
    made(tmp_path, {"app.py": swallowed, "quiet.py": f"# socreates: ignore-file[standing-question] known\n{swallowed}"})
    answer = result(tmp_path, "app.py")
    assert asked(answer) == [("app.py", 1, "Does every handler check the tenant?")]
    assert answer["findings"][0]["rule"] == "standing-question"
    assert len(answer["findings"]) > 1
    quiet = result(tmp_path, "quiet.py")
    assert asked(quiet) == []
    assert quiet["suppressed"] == 1
    assert quiet["skipped"] == []
    assert len(asked(result(tmp_path, "quiet.py", "--no-suppress"))) == 1


def test_a_page_hides_a_question_by_a_comment_of_its_own(tmp_path: Path) -> None:
    made(tmp_path, {"a.md": "<!-- socreates: ignore[standing-question] for us -->\n# Title\n"})
    answer = result(tmp_path, "a.md")
    assert (answer["findings"], answer["suppressed"]) == ([], 1)


def test_lines_and_changes_are_asked_where_they_begin(tmp_path: Path) -> None:
    page = "# Title\n\nOne.\n\nTwo.\n\nThree.\n"
    made(tmp_path, {"docs/a.md": page, "docs/empty.md": "", "docs/b.md": "b\n"})
    assert {line for _, line, _ in asked(result(tmp_path, "docs/a.md", "--lines", "4-7"))} == {5}
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "x")
    (tmp_path / "docs" / "a.md").write_text(page.replace("Three.", "\nMore.\n"))
    answer = result(tmp_path, "--changes")
    assert {(path, line) for path, line, _ in asked(answer)} == {("docs/a.md", 8)}
    assert len(asked(answer)) == 2


def test_hundreds_of_pages_leave_the_reader_a_list_to_bear(tmp_path: Path) -> None:
    made(tmp_path, {f"docs/{number:03}.md": f"# Page {number}\n" for number in range(200)})
    answer = result(tmp_path)
    assert len(answer["findings"]) == 12
    assert {message for _, _, message in asked(answer)[:2]} == {
        "Which claims in this page lack a source?", "Who is this for?",
    }  # fmt: skip
    assert answer["capped"] == 388
    assert "Standing questions are about 200 files and show in 6" in answer["summary"]


def test_a_hostile_question_shows_as_plain_words(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Title\n")
    (tmp_path / "socreates.toml").write_text(
        '[[questions]]\nquestion = "Is ![x](https://evil.example/?q=1) <b>it</b> [so](command:evil.run)?"\n'
    )
    shown = ran(tmp_path, "review", "a.md").stdout
    assert "evil" not in shown
    assert "Is [image withheld] it so?" in shown
