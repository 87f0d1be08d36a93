"""Consents: only what the user agreed to, and all of it."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from socreates_lsp.memory import consents as module
from socreates_lsp.memory.consents import Consents
from socreates_lsp.memory.locks import Lock
from socreates_lsp.settings.endpoints import Address


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def test_a_consent_is_remembered_per_scheme_and_host(state: Path) -> None:
    consents = Consents(state)
    assert not consents.has("https", "api.example")
    assert not state.exists()
    consents.add("HTTPS", "API.example")
    other = Consents(state)
    assert other.has("https", "api.example")
    assert not other.has("http", "api.example"), "nobody else may take the lock off the wire"
    assert not other.has("https", "example")
    assert not other.has("https", "x.api.example")
    other.add("http", "[2001:DB8::1]")
    assert consents.has("http", "2001:db8::1")
    assert consents.has("https", "2001:db8::1")
    assert consents.addresses() == {Address("https", "api.example"), Address("http", "2001:db8::1")}
    assert consents.warnings == other.warnings == ()
    file = state / "consents.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in state.iterdir() if path.suffix == ".part"] == []
    file.unlink()
    assert not consents.has("https", "api.example"), "what the user deletes is gone"


@pytest.mark.parametrize(("scheme", "host"), [("ftp", "a.example"), ("https", "a b"), ("https", ""), ("", "a")])
def test_what_is_no_address_is_never_agreed_to(scheme: str, host: str, state: Path) -> None:
    consents = Consents(state)
    with pytest.raises(ValueError, match="is no address"):
        consents.add(scheme, host)
    assert not consents.has(scheme, host)


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"hosts": 1}', b"\xff", b"[" * 100_000, b'{"hosts": {"a": 1}}'])
def test_a_damaged_file_is_no_consent_and_a_warning(content: bytes, state: Path) -> None:
    state.mkdir()
    (state / "consents.json").write_bytes(content)
    consents = Consents(state)
    assert not consents.has("https", "api.example")
    assert not consents.has("https", "api.example")
    assert len(consents.warnings) == 1
    consents.add("https", "api.example")
    assert Consents(state).has("https", "api.example")


def test_entries_that_are_none_are_passed_over(state: Path) -> None:
    state.mkdir()
    good = {"scheme": "https", "host": "api.example", "later": [1]}
    entries = [1, None, {}, {"host": "a"}, {"scheme": [], "host": "a"}, {"scheme": "https", "host": {}}, good]
    (state / "consents.json").write_text(json.dumps({"hosts": entries, "later": 1}))
    assert Consents(state).addresses() == {Address("https", "api.example")}


@pytest.mark.parametrize("kind", ["link", "folder"])
def test_what_is_no_file_in_its_place_is_no_consent(kind: str, state: Path, tmp_path: Path) -> None:
    state.mkdir()
    if kind == "folder":
        (state / "consents.json").mkdir()
    else:
        target = tmp_path / "elsewhere.json"
        target.write_text('{"hosts": [{"scheme": "https", "host": "api.example"}]}')
        (state / "consents.json").symlink_to(target)
    consents = Consents(state)
    assert not consents.has("https", "api.example")
    assert consents.warnings


def test_where_nothing_can_be_saved_the_consent_holds_for_this_process() -> None:
    consents = Consents(Path("/dev/null"))
    assert not consents.has("https", "api.example")
    consents.add("https", "api.example")
    assert consents.has("https", "api.example")
    assert "asked about hosts again" in consents.warnings[-1]


def test_a_failure_half_way_leaves_the_file_as_it_was(state: Path, monkeypatch) -> None:
    consents = Consents(state)
    consents.add("https", "one.example")
    before = (state / "consents.json").read_bytes()

    def refusing(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", refusing)
    consents.add("https", "two.example")
    assert (state / "consents.json").read_bytes() == before
    assert sorted(path.name for path in state.iterdir()) == ["consents.json", "consents.lock"]
    assert consents.has("https", "two.example")


def test_a_holder_that_hangs_does_not_hold_the_server_up(state: Path, monkeypatch) -> None:
    monkeypatch.setattr(module, "_WAIT_S", 0.05)
    state.mkdir()
    lock = Lock.take(state / "consents.lock")
    assert lock is not None
    Consents(state).add("https", "api.example")
    assert Consents(state).has("https", "api.example")
    lock.release()
    lock.release()
