"""What is kept beside the conversation: merged under a lock, nothing lost that somebody else wrote, and whose it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from socreates_lsp.memory import kept as kept_module
from socreates_lsp.memory.files import unfinished
from socreates_lsp.memory.kept import Kept
from socreates_lsp.memory.locks import Lock
from socreates_lsp.memory.own import Own, digest_of

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def kept(root: Path, state: Path) -> Kept:
    return Kept(str(root), state, name="dismissed.json", member="dismissed")


def entry(number: int, **more: Any) -> dict[str, Any]:
    return {"id": f"{number:016x}", "path": f"src/{number % 3}.py", "message": "Why?", **more}


def file_of(root: Path) -> Path:
    return root / ".socreates" / "dismissed.json"


def ids(one: Kept) -> list[str]:
    return sorted(fields["id"] for fields in one.read().entries)


def test_nothing_is_made_by_reading(root: Path, state: Path) -> None:
    assert kept(root, state).read() == ((), ())
    kept(root, state).share()
    assert kept(root, state).change(drop=["x"]) == ()
    assert list(root.iterdir()) == []
    assert not state.exists()


def test_entries_are_put_in_replaced_and_taken_out(root: Path, state: Path) -> None:
    one = kept(root, state)
    assert one.change(put=[entry(1), entry(2)]) == ()
    assert one.change(put=[entry(1, message="Ein Grund: ü?")], drop=[entry(2)["id"]]) == ()
    assert kept(root, state).read() == ((entry(1, message="Ein Grund: ü?"),), ())


def test_the_file_is_sorted_indented_private_and_hidden_from_git(root: Path, state: Path) -> None:
    kept(root, state).change(put=[entry(5, message="ü"), entry(3), entry(4)])
    text = file_of(root).read_text("utf-8")
    assert [fields["path"] for fields in json.loads(text)["dismissed"]] == ["src/0.py", "src/1.py", "src/2.py"]
    assert '\n      "message": "ü"\n' in text
    assert file_of(root).stat().st_mode & 0o077 == 0
    assert (root / ".socreates" / ".gitignore").read_text() == "*\n"
    lines = text.splitlines()
    kept(root, state).change(put=[entry(9)])
    after = file_of(root).read_text("utf-8").splitlines()
    assert [line for line in lines if line not in after] == []


def test_what_a_newer_or_another_program_wrote_stays(root: Path, state: Path) -> None:
    file_of(root).parent.mkdir()
    strange = {"version": 1, "more": [1], "dismissed": [7, {"no": "id"}, {"id": "a", "unknown": {"deep": True}}]}
    file_of(root).write_text(json.dumps(strange))
    one = kept(root, state)
    assert ids(one) == ["a"]
    one.change(put=[entry(1)])
    now = json.loads(file_of(root).read_text())
    assert now["more"] == [1]
    assert now["dismissed"] == [{"id": "a", "unknown": {"deep": True}}, entry(1), 7, {"no": "id"}]


@pytest.mark.parametrize("damage", ["{", "[]", '{"version": "x"}', '{"dismissed": {}}', "<<<<<<< ours\n{}", "\0"])
def test_a_damaged_file_is_said_and_set_aside_never_overwritten(root: Path, state: Path, damage: str) -> None:
    file_of(root).parent.mkdir()
    for round_ in range(2):
        file_of(root).write_text(damage)
        one = kept(root, state)
        assert [("damaged" in sentence) for sentence in one.read().warnings] == [True]
        assert file_of(root).read_text() == damage
        (sentence,) = one.change(put=[entry(round_)])
        aside = file_of(root).with_name(f"dismissed.json.damaged{round_ or ''}")
        assert aside.name in sentence
        assert aside.read_text() == damage
        assert ids(one) == [entry(round_)["id"]]


def test_a_file_of_a_newer_version_is_left_alone_and_the_state_folder_takes_over(root: Path, state: Path) -> None:
    file_of(root).parent.mkdir()
    newer = '{"version": 2, "dismissed": []}'
    file_of(root).write_text(newer)
    one = kept(root, state)
    (sentence,) = one.change(put=[entry(1)])
    assert "newer version" in sentence
    assert file_of(root).read_text() == newer
    assert ids(kept(root, state)) == [entry(1)["id"]]
    one.change(drop=[entry(1)["id"]])
    assert ids(one) == []


def test_a_link_is_not_followed_and_the_state_folder_takes_over(root: Path, state: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (root / ".socreates").symlink_to(elsewhere)
    one = kept(root, state)
    one.change(put=[entry(1)])
    assert list(elsewhere.iterdir()) == []
    assert ids(kept(root, state)) == [entry(1)["id"]]
    assert "not a folder of its own" in one.read().warnings[0]


def test_a_link_in_the_place_of_the_file_is_not_followed(root: Path, state: Path, tmp_path: Path) -> None:
    target = tmp_path / "target.json"
    target.write_text('{"version": 1, "dismissed": [{"id": "z"}]}')
    file_of(root).parent.mkdir()
    file_of(root).symlink_to(target)
    one = kept(root, state)
    assert ids(one) == []
    one.change(put=[entry(1)])
    assert '"z"' in target.read_text()
    assert ids(one) == [entry(1)["id"]]


def test_where_nothing_can_be_written_it_is_said(root: Path, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kept_module, "replace", full)
    warnings = kept(root, state).change(put=[entry(1)])
    assert warnings[-1].startswith("Not kept")
    assert "No space left" in warnings[0]


def test_a_kill_in_the_middle_leaves_the_old_content(root: Path, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(root, state).change(put=[entry(1)])
    before = file_of(root).read_bytes()
    unfinished(file_of(root)).write_text("{")

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        kept(root, state).change(put=[entry(2)])
    assert file_of(root).read_bytes() == before
    monkeypatch.undo()
    assert kept(root, state).change(put=[entry(2)]) == ()


def test_several_editors_lose_nothing_of_each_other(root: Path, state: Path) -> None:
    def work(number: int) -> None:
        one = kept(root, state)
        for step in range(10):
            assert one.change(put=[entry(number * 100 + step)]) == ()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert len(ids(kept(root, state))) == 40


def test_two_hundred_writes_of_two_processes_at_once_lose_nothing(root: Path, state: Path) -> None:
    code = (
        "import sys\nfrom pathlib import Path\nfrom socreates_lsp.memory.kept import Kept\n"
        "one = Kept(sys.argv[1], Path(sys.argv[2]), name='dismissed.json', member='dismissed')\n"
        "for step in range(100):\n"
        "    assert one.change(put=[{'id': f'{sys.argv[3]}-{step}'}]) == ()\n"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(root), str(state), str(number)]) for number in range(2)
    ]
    assert [process.wait(60) for process in running] == [0, 0]
    assert len(ids(kept(root, state))) == 200


def test_a_lock_that_is_never_given_back_costs_no_entry(
    root: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_module, "_WAIT_S", 0.05)
    kept(root, state).change(put=[entry(1)])
    lock = Lock.take(file_of(root).with_name("dismissed.json.lock"))
    assert lock is not None
    assert "another process" in kept(root, state).change(put=[entry(2)])[0]
    lock.release()
    assert ids(kept(root, state)) == [entry(1)["id"], entry(2)["id"]]


def test_a_file_that_is_far_too_large_is_left_alone(root: Path, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept(root, state).change(put=[entry(1, message="x" * 500)])
    monkeypatch.setattr(kept_module, "MOST_BYTES", 100)
    before = file_of(root).read_bytes()
    assert "left alone" in kept(root, state).read().warnings[0]
    kept(root, state).change(put=[entry(2)])
    assert file_of(root).read_bytes() == before
    assert ids(kept(root, state)) == []  # the one in the state folder is larger than that, too


def test_git_sees_the_file_if_it_is_shared_and_nothing_else(root: Path, state: Path) -> None:
    subprocess.run(["git", "init", "-q", str(root)], check=True)

    def seen() -> list[str]:
        command = ["git", "-C", str(root), "status", "--porcelain", "-uall"]
        listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return sorted(line[3:] for line in listed.splitlines())

    one = kept(root, state)
    one.change(put=[entry(1)])
    assert seen() == []
    one.share()
    assert seen() == [".socreates/.gitignore", ".socreates/dismissed.json"]
    ignore = root / ".socreates" / ".gitignore"
    ignore.write_text("*.jsonl\n")
    one.share()
    assert ignore.read_text() == "*.jsonl\n"


def test_lone_surrogates_survive(root: Path, state: Path) -> None:
    kept(root, state).change(put=[entry(1, message="\ud800")])
    assert kept(root, state).read().entries[0]["message"] == "\ud800"


# Whose it is


def own(root: Path, state: Path) -> Own:
    return Own(str(root), state, name="dismissals.json")


def test_an_entry_is_the_users_own_with_every_member_of_it(root: Path, state: Path) -> None:
    assert own(root, state).change(add=[digest_of(entry(1))]) is None
    known = own(root, state).digests()
    assert digest_of(dict(reversed(entry(1).items()))) in known
    for forged in ({**entry(1), "message": "Why??"}, {**entry(1), "more": 1}, {"id": entry(1)["id"]}):
        assert digest_of(forged) not in known


def test_the_record_is_of_one_root_and_outside_of_it(root: Path, state: Path, tmp_path: Path) -> None:
    own(root, state).change(add=["a", "b"], drop=["b"])
    assert own(root, state).digests() == {"a"}
    assert own(tmp_path / "other", state).digests() == frozenset()
    assert list(root.iterdir()) == []


def test_a_record_that_is_damaged_or_cannot_be_written_grants_nothing_more(
    root: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = own(root, state)
    one.change(add=["a"])
    (path,) = (state / "roots").rglob("dismissals.json")
    path.write_text("{")
    assert own(root, state).digests() == frozenset()

    def refused(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("socreates_lsp.memory.own.replace", refused)
    sentence = one.change(add=["b"])
    assert sentence is not None
    assert "Permission denied" in sentence
    assert "b" in one.digests()
    assert own(root, state).digests() == frozenset()


def test_what_is_nested_too_deep_is_nobodys(root: Path, state: Path) -> None:
    deep: dict[str, Any] = {}
    for _ in range(200_000):
        deep = {"d": deep}
    own(root, state).change(add=[digest_of(deep)])
    assert digest_of(deep) not in own(root, state).digests()


def test_notes_are_kept_and_taken_away(root: Path, state: Path) -> None:
    own(root, state).note({"a": {"path": "x.py"}, "b": 1})
    own(root, state).note({"b": None})
    own(root, state).change(add=["d"])
    assert own(root, state).notes() == {"a": {"path": "x.py"}}
