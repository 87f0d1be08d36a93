"""The files of settings: what they may be, and that nothing that they are can stop the server."""

from __future__ import annotations

import codecs
import errno
import os
import socket
from pathlib import Path

import pytest

from socreates_lsp.settings import (
    Layer,
    Settings,
    Source,
    config_folder,
    config_layer,
    resolve,
    user_layers,
    workspace_layer,
)

TOML = '# Größe\r\n[review]\r\nmax_findings = 3\r\n[policy]\r\nread_deny = ["geheim/**"]\r\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def told(folder: Path) -> str:
    layer = config_layer(folder)
    assert layer.entries == ()
    (problem,) = layer.problems
    assert (problem.source, problem.key) == ("config.toml", "")
    assert resolve([layer]).settings == Settings()
    return problem.message


def test_where_the_users_file_is(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    assert config_folder({"SOCREATES_CONFIG_DIR": str(folder)}) == folder
    assert config_folder({"SOCREATES_CONFIG_DIR": "~/x"}) == Path("~/x").expanduser()
    assert config_folder({"SOCREATES_CONFIG_DIR": " "}) == config_folder({})
    assert config_folder({}).name == "socreates-lsp"
    monkeypatch.setenv("SOCREATES_CONFIG_DIR", str(folder))
    assert config_folder() == folder


def test_the_file_and_the_variables_of_the_user(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    (folder / "config.toml").write_text("plan_mode = true\n[review]\nmax_steps = 4\n")
    monkeypatch.setenv("SOCREATES_CONFIG_DIR", str(folder))
    monkeypatch.setenv("SOCREATES_REVIEW__MAX_STEPS", "5")
    for layers in (user_layers(), user_layers(dict(os.environ))):
        resolved = resolve(layers)
        assert (resolved.settings.plan_mode, resolved.settings.review.max_steps) == (True, 5)
        assert resolved.origins["planMode"] == "config.toml"
        assert resolved.problems == ()


@pytest.mark.parametrize("there", [True, False])
def test_no_file_says_nothing(folder: Path, *, there: bool) -> None:
    place = folder if there else folder / "missing" / "deeper"
    assert config_layer(place) == Layer(Source.CONFIG)
    assert workspace_layer(place) == Layer(Source.WORKSPACE)


def test_a_folder_that_is_a_file_says_nothing(folder: Path) -> None:
    (folder / "file").write_text("")
    assert config_layer(folder / "file").problems == ()


@pytest.mark.parametrize(
    "content",
    [
        TOML.encode(),
        codecs.BOM_UTF8 + TOML.encode(),
        TOML.encode("utf-16"),
        codecs.BOM_UTF16_BE + TOML.encode("utf-16-be"),
        TOML.encode("utf-16-le"),
        TOML.encode("utf-16-be"),
        TOML.replace("\r\n", "\r").encode(),
        TOML.replace("\r\n", "\n").encode(),
    ],
    ids=["utf-8", "utf-8 mark", "utf-16 mark", "utf-16-be mark", "utf-16-le", "utf-16-be", "cr", "lf"],
)
def test_every_usual_encoding_and_line_ending(folder: Path, content: bytes) -> None:
    (folder / "config.toml").write_bytes(content)
    resolved = resolve([config_layer(folder)])
    assert resolved.settings.review.max_findings == 3
    assert resolved.settings.policy.read_deny == ("geheim/**",)
    assert resolved.problems == ()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[review]\nmax_findings = \n", "config.toml: line 2: Invalid value; nothing in it is used."),
        (b"[review]\nmax_findings", "config.toml: line 2: Expected '=' after a key in a key/value pair; nothing"),
        (b"[review\r\nx = 1", "config.toml: line 1: "),
        (b"a = 1\na = 2\n", "config.toml: line 2: Cannot overwrite a value; nothing in it is used."),
        (b'a = 1\n\nb = "\xe9"\n', "config.toml: line 3: it is neither UTF-8 nor UTF-16; nothing in it is used."),
        (b"a = " + b"9" * 5000, "config.toml: a value in it is too large or too deep; nothing in it is used."),
        (b"a = " + b"[" * 50_000, "config.toml: a value in it is too large or too deep; nothing in it is used."),
        (b"#" * (256 * 1024 + 1), "config.toml: it is larger than 256 KiB; nothing in it is used."),
        (b"\x00\x01\x02", "config.toml: line 1: it is neither UTF-8 nor UTF-16; nothing in it is used."),
    ],
    ids=["value", "end", "table", "twice", "latin-1", "digits", "brackets", "large", "binary"],
)
def test_a_file_that_cannot_be_used_is_one_sentence_with_the_line(folder: Path, content: bytes, said: str) -> None:
    (folder / "config.toml").write_bytes(content)
    assert said in told(folder)


def test_dates_and_other_values_that_json_lacks_are_wrong_types(folder: Path) -> None:
    (folder / "config.toml").write_text(
        "[review]\nmax_steps = 2020-01-01\nmax_findings = inf\nmin_confidence = nan\n[rules]\na = 1\n"
    )
    assert [problem.message.partition(": ")[2] for problem in resolve([config_layer(folder)]).problems] == [
        "expected a whole number of 1 or more, not a date; the default 10 holds.",
        "expected a whole number of 0 or more, not inf; the default 12 holds.",
        "expected a number from 0 to 1, not nan; the default 0.3 holds.",
        "expected a list of rules in plain words, not a table; the default holds.",
    ]


def test_no_descriptor_is_left_open(folder: Path) -> None:
    (folder / "config.toml").mkdir()
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0
    for _ in range(5):
        told(folder)
    assert before == (len(os.listdir("/proc/self/fd")) if before else 0)


def test_what_is_no_regular_file_holds_nobody_up(folder: Path) -> None:
    path = folder / "config.toml"
    os.mkfifo(path)
    assert told(folder) == "config.toml: it is not a regular file; nothing in it is used."
    path.unlink()
    path.mkdir()
    assert told(folder).startswith("config.toml: it is not a regular file")
    path.rmdir()
    path.symlink_to("config.toml")
    assert told(folder).startswith("config.toml: it cannot be read (")
    path.unlink()
    path.symlink_to("/dev/zero")
    assert told(folder).startswith("config.toml: it is not a regular file")


def test_a_socket_is_one_sentence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)  # the path of a socket is short
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("config.toml")
        assert told(folder).startswith("config.toml: it cannot be read (")


def test_an_unreadable_file_is_one_sentence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")

    (folder / "config.toml").write_text("")
    monkeypatch.setattr(os, "open", refuse)  # root, as whom tests may run, is refused nothing
    assert told(folder) == "config.toml: it cannot be read (Permission denied); nothing in it is used."


def test_a_path_that_no_system_takes(folder: Path) -> None:
    assert told(folder / "a\0b") == "config.toml: it cannot be read (its path is not valid); nothing in it is used."
    assert workspace_layer(folder / "a\0b").entries == ()


# The workspace's


def test_the_file_of_a_workspace(folder: Path) -> None:
    (folder / "socreates.toml").write_text(
        'rules = ["Handlers check the tenant"]\n'
        '[[questions]]\nglob = "docs/**"\nquestion = "Which claims lack a source?"\n'
        "[review]\nmaxFindings = 1\n"
    )
    resolved = resolve([], workspace=workspace_layer(folder))
    assert resolved.settings.rules == ("Handlers check the tenant",)
    assert resolved.settings.questions[0].glob == "docs/**"
    assert [problem.message for problem in resolved.problems] == [
        "review.maxFindings from socreates.toml of the workspace: a workspace may not set it; the default 12 holds."
    ]


def test_bad_toml_of_a_workspace_names_it_and_the_line(folder: Path) -> None:
    (folder / "socreates.toml").write_text("\n\n= 1\n")
    (problem,) = workspace_layer(folder).problems
    assert problem.message.startswith("socreates.toml of the workspace: line 3: ")


def test_a_link_may_stay_inside_the_workspace_and_not_leave_it(folder: Path) -> None:
    (folder / "secret.toml").write_text('rules = ["leaked"]')
    root = folder / "root"
    root.mkdir()
    link = root / "socreates.toml"
    link.symlink_to("../secret.toml")
    layer = workspace_layer(root)
    assert layer.entries == ()
    assert [problem.message for problem in layer.problems] == [
        "socreates.toml of the workspace: it is a link that leaves the workspace; nothing in it is used."
    ]
    link.unlink()
    (root / "real.toml").write_text('rules = ["inside"]')
    link.symlink_to("real.toml")
    assert resolve([], workspace=workspace_layer(root)).settings.rules == ("inside",)
    link.unlink()
    link.symlink_to("socreates.toml")
    assert workspace_layer(root).problems[0].message.startswith("socreates.toml of the workspace: it cannot be read")


def test_a_workspace_reached_by_a_link_is_itself(folder: Path) -> None:
    (folder / "real").mkdir()
    (folder / "real" / "socreates.toml").write_text('rules = ["inside"]')
    (folder / "link").symlink_to("real")
    assert resolve([], workspace=workspace_layer(folder / "link")).settings.rules == ("inside",)


def test_a_sibling_whose_name_starts_alike_is_outside(folder: Path) -> None:
    for name in ("root", "root-other"):
        (folder / name).mkdir()
    (folder / "root-other" / "x.toml").write_text('rules = ["leaked"]')
    (folder / "root" / "socreates.toml").symlink_to("../root-other/x.toml")
    assert workspace_layer(folder / "root").entries == ()
