"""Questions about changes in a real repository, with open buffers and all the states that a file can be in."""

import pytest

from socreates_lsp.errors import TargetError
from socreates_lsp.examiner.changes.engine import examine
from socreates_lsp.examiner.changes.reading import read_changes

GUARDED = """import json


def load(path):
    try:
        return json.load(open(path))
    except OSError:
        return {}
"""
BARE = """import json


def load(path):
    return json.load(open(path))
"""


def examine_changes(root, base=None, within=(), open_texts=None):
    return examine(read_changes(root, base, within, open_texts))


def asked(root, *arguments, **named):
    return sorted(
        (hit.path, hit.first + 1, hit.rule.removeprefix("changes-"))
        for hit in examine_changes(root, *arguments, **named)
    )


@pytest.mark.parametrize("staged", [True, False])
def test_staged_and_unstaged_changes_are_examined(repository, staged):
    repository.commit({"a.py": GUARDED})
    repository.write({"a.py": BARE})
    if staged:
        repository.git("add", "-A")
    assert asked(repository.root) == [("a.py", 5, "handler-removed")]


def test_untracked_files_are_examined(repository):
    repository.commit({"a.py": GUARDED})
    repository.write({"b.py": "def run(x):\n    breakpoint()\n    return x\n"})
    assert asked(repository.root) == [("b.py", 2, "debugger-left")]


def test_a_base_of_the_past(repository):
    repository.commit({"a.py": GUARDED})
    repository.commit({"a.py": BARE})
    assert asked(repository.root) == []
    assert asked(repository.root, "HEAD~1") == [("a.py", 5, "handler-removed")]


def test_callers_are_found_in_files_that_did_not_change(repository):
    repository.commit(
        {
            "shop/price.py": "def total(items, rate):\n    return sum(items) * rate\n",
            "job.py": "from shop.price import total\n\ntotal([1], 2)\n",
        }
    )
    repository.write({"shop/price.py": "def total(items, rate, currency):\n    return sum(items) * rate, currency\n"})
    (hit,) = [hit for hit in examine_changes(repository.root) if hit.rule == "changes-signature-callers"]
    assert (hit.path, hit.first) == ("shop/price.py", 0)
    assert [(place.path, place.first) for place in hit.related] == [("job.py", 2)]


def test_a_deleted_file_is_asked_about_where_it_is_still_used(repository):
    repository.commit(
        {"shop/old.py": "def convert(x):\n    return x\n", "app.py": "from shop.old import convert\n\n\nconvert(1)\n"}
    )
    (repository.root / "shop" / "old.py").unlink()
    assert asked(repository.root) == [("app.py", 1, "import-gone"), ("app.py", 4, "gone-called")]


def test_an_open_buffer_stands_for_its_file(repository):
    repository.commit({"a.py": GUARDED, "b.py": "x = 1\n"})
    assert asked(repository.root, open_texts={"a.py": "# a line more\n" + BARE}) == [("a.py", 6, "handler-removed")]
    repository.write({"a.py": BARE})
    assert asked(repository.root, open_texts={"a.py": GUARDED, "b.py": "x = 1\n"}) == []


def test_a_new_buffer_without_a_file(repository):
    repository.commit({"a.py": "x = 1\n"})
    assert asked(repository.root, open_texts={"new.py": "breakpoint()\n"}) == [("new.py", 1, "debugger-left")]


def test_a_caller_in_an_open_buffer_is_read_there(repository):
    repository.commit(
        {"price.py": "def total(items):\n    return sum(items)\n", "job.py": "from price import total\n\ntotal([1])\n"}
    )
    repository.write({"price.py": "def total(items, rate):\n    return sum(items) * rate\n"})
    assert ("price.py", 1, "signature-callers") in asked(repository.root)
    fixed = {"job.py": "from price import total\n\ntotal([1], 2)\n"}
    assert asked(repository.root, open_texts=fixed) == []


def test_within(repository):
    repository.commit({"a/a.py": GUARDED, "b/b.py": GUARDED})
    repository.write({"a/a.py": BARE, "b/b.py": BARE})
    root = repository.root
    assert [path for path, _, _ in asked(root, None, [root / "a"])] == ["a/a.py"]
    opened = {"b/b.py": BARE}
    assert [path for path, _, _ in asked(root, None, [root / "a"], opened)] == ["a/a.py"]


def test_what_could_not_be_read_is_told(repository):
    repository.commit({"a.py": BARE, "b.png": b"\x89PNG\0"})
    repository.write({"a.py": "x = 1\n" * 900_000, "b.png": b"\x89PNG\0\0"})
    assert [sentence.split(" ")[0] for sentence in read_changes(repository.root, None).unread] == ["a.py", "b.png"]


def test_no_repository(tmp_path):
    with pytest.raises(TargetError, match="not in a git repository"):
        list(examine_changes(tmp_path))
