"""Arguments of the command line: what becomes of them, with an App that only notes what it is asked."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

import socreates_lsp.app
from socreates_lsp import __version__
from socreates_lsp.cli.main import COMMANDS, main
from socreates_lsp.errors import ReviewError
from socreates_lsp.review.finding import Category, Finding, Kind, Source
from socreates_lsp.review.outcome import Examined, Outcome
from socreates_lsp.review.reviewer import Closed, Reading, ReviewRequest, Scope, Skipped, Stop
from socreates_lsp.settings import resolve
from socreates_lsp.workspace import uris
from socreates_lsp.workspace.text import Range, Text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

SPAN = Range.of(0, 0, 0, 4)


class FakeApp:
    """Notes requests, and answers with ``outcome`` or raises it."""

    def __init__(self) -> None:
        self.requests: list[ReviewRequest] = []
        self.flags: list[str] = []
        self.closed = 0
        self.kinds: tuple[Kind, ...] = ()
        self.stop = Stop.ANSWERED
        self.examined = True
        self.rounds = 1
        self.skipped: tuple[Skipped, ...] = ()
        self.error: BaseException | None = None
        self.resolved = resolve(())
        self.settings = self.resolved.settings

    def for_command_line(self, flags: Any = (), *_: Any) -> FakeApp:
        self.flags = list(flags)
        return self

    async def review(self, request: ReviewRequest, on_event: Callable[[Any], None]) -> Outcome:
        self.requests.append(request)
        await asyncio.sleep(0)
        if self.error is not None:
            raise self.error
        uri = request.uri or "file:///app.py"
        on_event(Reading(uri, SPAN, 3, 1, 1))
        findings = tuple(
            Finding(str(n), kind, Category.DESIGN, uri, SPAN, "Why?", "So.", "f(x)", 0.5, Source.EXAMINER)
            for n, kind in enumerate(self.kinds)
        )
        examined = (Examined(uri, (SPAN,), 3),) if self.examined else ()
        return Outcome(
            findings, Closed(self.stop, "All read.", rounds=self.rounds), "examiner", None, examined, self.skipped
        )

    def text(self, uri: str) -> Text:
        return Text("f(x)\n")

    def display_path(self, uri: str) -> str:
        return "app.py"

    def outcome_json(self, outcome: Outcome) -> dict[str, Any]:
        return {"findings": len(outcome.findings), "skipped": [one.reason for one in outcome.skipped], "x": "é\ud800"}

    async def status(self) -> dict[str, Any]:
        setting = {"value": 3, "source": "flags"}
        return {
            "endpoint": "http://127.0.0.1:11434",
            "config": "/nowhere/config.toml",
            "skipped": [{"model": "big:cloud", "reason": "it runs elsewhere"}],
            "version": "1.2.3",
            "python": "3.11",
            "packages": {"pygls": "2"},
            "reviewer": {"provider": "examiner", "model": None, "why": "No model is set up."},
            "settings": {"review.maxFindings": setting, "review.maxSteps": {"value": 10, "source": "default"}},
            "problems": ["review.maxFnidings is no setting."],
            "tools": {"git": "/usr/bin/git\x1b", "rg": None},
        }

    async def close(self) -> None:
        self.closed += 1


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> FakeApp:
    fake = FakeApp()
    monkeypatch.setattr(socreates_lsp.app, "App", fake)
    monkeypatch.chdir(tmp_path)
    for name in ("a.py", "b.py", "sub/c.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("f(x)\n" * 5)
    return fake


def request_of(app: FakeApp, *arguments: str) -> ReviewRequest:
    assert main(["review", *arguments]) == 0
    [request] = app.requests
    assert app.closed == 1
    return request


def test_nothing_named_is_this_folder(app: FakeApp, tmp_path: Path) -> None:
    request = request_of(app)
    assert (request.scope, request.paths, request.root) == (Scope.WORKSPACE, (), str(tmp_path))
    assert (request.max_findings, request.suppress, request.ask) == (12, True, None)


def test_one_file(app: FakeApp, tmp_path: Path) -> None:
    request = request_of(app, "a.py")
    assert (request.scope, request.uri, request.range) == (Scope.FILE, uris.from_path(str(tmp_path / "a.py")), None)


def test_lines_of_one_file(app: FakeApp, tmp_path: Path) -> None:
    request = request_of(app, "./sub/../a.py", "--lines", "2-4")
    assert (request.scope, request.uri) == (Scope.SELECTION, uris.from_path(str(tmp_path / "a.py")))
    assert request.range is not None
    assert (request.range.start.line, request.range.start.column, request.range.end.line) == (1, 0, 3)


def test_a_single_line(app: FakeApp) -> None:
    request = request_of(app, "a.py", "--lines", "2")
    assert request.range is not None
    assert (request.range.start.line, request.range.end.line) == (1, 1)


@pytest.mark.parametrize("paths", [["sub"], ["a.py", "b.py"], ["a.py", "sub"]])
def test_folders_and_several_paths(app: FakeApp, tmp_path: Path, paths: list[str]) -> None:
    request = request_of(app, *paths)
    assert (request.scope, request.paths) == (Scope.WORKSPACE, tuple(str(tmp_path / path) for path in paths))


def test_the_flags_reach_the_request(app: FakeApp) -> None:
    request = request_of(
        app, "--ask", "Is it safe?", "--max-findings", "0", "--no-suppress", "--set", "a=1", "--set", "b=2"
    )
    assert (request.ask, request.max_findings, request.suppress) == ("Is it safe?", 0, False)
    assert app.flags == ["a=1", "b=2"]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    for command in (
        ["init", "-q", "-b", "main"],
        ["add", "."],
        ["-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-q", "-m", "first"],
        ["branch", "sub"],
        ["branch", "dev"],
    ):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "base", "paths"),
    [
        (["--changes"], None, []),
        (["--changes", "dev"], "dev", []),
        (["--changes=dev"], "dev", []),
        (["--changes", "dev", "a.py"], "dev", ["a.py"]),
        (["a.py", "--changes"], None, ["a.py"]),
        (["--changes", "a.py"], None, ["a.py"]),
        (["--changes", "a.py", "b.py"], None, ["a.py", "b.py"]),
        (["--changes", "sub"], "sub", []),
        (["--changes", "sub", "sub"], "sub", ["sub"]),
        (["--changes", "./sub"], None, ["sub"]),
        (["--changes", "HEAD", "sub"], "HEAD", ["sub"]),
        (["--changes", "nowhere"], "nowhere", []),
        (["--changes", "--", "a.py"], None, ["a.py"]),
    ],
)
def test_what_follows_changes(
    app: FakeApp, repository: Path, arguments: list[str], base: str | None, paths: list[str]
) -> None:
    request = request_of(app, *arguments)
    assert (request.scope, request.base) == (Scope.CHANGES, base)
    assert request.paths == tuple(str(repository / path) for path in paths)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["review", "nowhere.py"], "nowhere.py: there is no such file or folder."),
        (["review", "a.py", "b.py", "--lines", "1-2"], "--lines needs exactly one file."),
        (["review", "sub", "--lines", "1-2"], "--lines needs exactly one file."),
        (["review", "--lines", "1-2"], "--lines needs exactly one file."),
        (["review", "--changes", "--lines", "1-2"], "--lines and --changes do not go together"),
        (["review", "a.py", "--lines", "0-2"], "'0-2' is no range of lines"),
        (["review", "a.py", "--lines", "4-2"], "'4-2' is no range of lines"),
        (["review", "a.py", "--lines", "²"], "'²' is no range of lines"),
        (["review", "a.py", "--lines", "1" * 5000], "is no range of lines"),
        (["review", "--max-findings", "-1"], "--max-findings"),
        (["review", "--max-findings", "x"], "'x' is no number of 0 or more"),
        (["review", "--format", "xml"], "--format"),
        (["review", "--fail-on", "maybe"], "--fail-on"),
        (["review", "--no-such"], "--no-such"),
        (["review", "--max", "3"], "--max"),
        (["reveiw", "a.py"], "there is no command 'reveiw': did you mean review?"),
        (["a.py"], "say socreates-lsp review a.py"),
        (["nonsense"], "the commands are review, ask, chat, survey, memory, doctor, serve"),
        (["--tcp", "here"], "'here' is no HOST:PORT"),
        (["serve", "--socket", "99999"], "'99999' is no port"),
        (["doctor", "--editor", "ed"], "--editor"),
    ],
)
def test_what_cannot_run_says_so_in_one_sentence(
    app: FakeApp, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    try:
        code = main(arguments)
    except SystemExit as end:
        code = end.code
    said = capsys.readouterr()
    assert code == 2
    assert said.out == ""
    assert says in said.err
    assert said.err.startswith("socreates-lsp: ")
    assert said.err.count("\n") == 1
    assert app.requests == []


def test_the_rest_is_reviewed_where_something_is_missing(app: FakeApp, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", "a.py", "no\x1b.py", "nor.py", "b.py"]) == 0
    assert [len(request.paths) for request in app.requests] == [2]
    assert capsys.readouterr().err.splitlines() == [
        "socreates-lsp: no\\x1b.py: there is no such file or folder.",
        "socreates-lsp: nor.py: there is no such file or folder.",
    ]


def test_one_bad_link_among_several_loses_nothing(
    app: FakeApp, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "round").symlink_to("about")
    (tmp_path / "about").symlink_to("round")
    (tmp_path / "dangling").symlink_to("nowhere")
    request = request_of(app, "round", "a.py", "dangling", "x" * 300, "a.py/inner.py", "b.py")
    assert request.paths == (str(tmp_path / "a.py"), str(tmp_path / "b.py"))
    assert capsys.readouterr().err.splitlines() == [
        "socreates-lsp: round is a symbolic link that leads back to itself: mend the link.",
        "socreates-lsp: dangling is a symbolic link to what does not exist: mend the link.",
        f"socreates-lsp: {'x' * 300} has too long a name for this system: check the name.",
        "socreates-lsp: a.py/inner.py does not exist, as a part of its path is no folder: check the name.",
    ]


def test_what_may_not_be_seen_is_not_called_missing(
    app: FakeApp, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stat(self: Path, **_: Any) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr("pathlib.Path.stat", stat)
    assert main(["review", "closed/a.py"]) == 2
    assert capsys.readouterr().err == (
        "socreates-lsp: closed/a.py may not be read by you: ask for the right to read it.\n"
    )


def test_missing_paths_stand_in_the_object_too(app: FakeApp, capsys: pytest.CaptureFixture[str]) -> None:
    app.skipped = (Skipped("b.py is binary."),)
    assert main(["review", "a.py", "no.py", "--format", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["skipped"] == ["no.py: there is no such file or folder.", "b.py is binary."]


@pytest.mark.parametrize(
    ("kinds", "fail_on", "code"),
    [
        ((), "question", 0),
        ((Kind.QUESTION,), "never", 0),
        ((Kind.QUESTION,), "warning", 0),
        ((Kind.QUESTION,), "question", 1),
        ((Kind.WARNING,), "never", 0),
        ((Kind.WARNING,), "warning", 1),
        ((Kind.WARNING,), "question", 1),
        ((Kind.QUESTION, Kind.WARNING), "warning", 1),
    ],
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_the_exit_code_by_fail_on(app: FakeApp, kinds: tuple[Kind, ...], fail_on: str, code: int, form: str) -> None:
    app.kinds = kinds
    assert main(["review", "--fail-on", fail_on, "--format", form]) == code


def test_never_is_the_default(app: FakeApp) -> None:
    app.kinds = (Kind.WARNING,)
    assert main(["review"]) == 0


@pytest.mark.parametrize(
    ("stop", "examined", "skipped", "code"),
    [
        (Stop.ANSWERED, True, True, 0),
        (Stop.ANSWERED, False, False, 0),
        (Stop.ANSWERED, False, True, 2),
        (Stop.LIMIT, True, False, 0),
        (Stop.FAILED, True, False, 2),
        (Stop.CANCELLED, True, False, 130),
    ],
)
def test_the_exit_code_by_how_it_ended(app: FakeApp, stop: Stop, examined: bool, skipped: bool, code: int) -> None:
    app.stop, app.examined = stop, examined
    app.skipped = (Skipped("x is binary."),) if skipped else ()
    assert main(["review"]) == code


def test_a_limit_before_the_first_request_is_no_review(app: FakeApp) -> None:
    app.stop, app.rounds = Stop.LIMIT, 0
    assert main(["review"]) == 2


def test_json_is_one_object_in_ascii(app: FakeApp, capsys: pytest.CaptureFixture[str]) -> None:
    app.kinds = (Kind.QUESTION,)
    assert main(["review", "--format", "json"]) == 0
    output = capsys.readouterr().out
    assert output.isascii()
    assert json.loads(output) == {"findings": 1, "skipped": [], "x": "é\ud800"}


def test_an_error_is_its_sentence(app: FakeApp, capsys: pytest.CaptureFixture[str]) -> None:
    app.error = ReviewError("The model went\naway\x1b[2J.")
    assert main(["review"]) == 2
    assert capsys.readouterr().err == "socreates-lsp: The model went away\\x1b[2J.\n"
    assert app.closed == 1


def test_an_interrupt_is_quiet(app: FakeApp, capsys: pytest.CaptureFixture[str]) -> None:
    app.error = KeyboardInterrupt()
    assert main(["review"]) == 130
    assert capsys.readouterr() == ("", "")


def test_doctor(app: FakeApp, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--set", "review.maxFindings=3"]) == 0
    output = capsys.readouterr().out
    assert app.flags == ["review.maxFindings=3"]
    for part in [
        "socreates-lsp 1.2.3 on Python 3.11 (pygls 2)",
        "No model is set up.",
        "review.maxFindings = 3  (flags)",
        "review.maxFnidings is no setting.",
        "/usr/bin/git\\x1b",
        "Endpoint  http://127.0.0.1:11434",
        "Your file /nowhere/config.toml  (not there)",
        "Skipped   big:cloud: it runs elsewhere",
    ]:
        assert part in output
    assert "maxSteps" not in output
    assert "rg" in output
    assert "not found" in output


@pytest.mark.parametrize("editor", ["vscode", "neovim", "emacs", "helix", "zed", "sublime", "kakoune"])
def test_doctor_has_a_word_for_every_editor(app: FakeApp, capsys: pytest.CaptureFixture[str], editor: str) -> None:
    assert main(["doctor", "--editor", editor]) == 0
    assert "socreates-lsp" in capsys.readouterr().out.partition("not found")[2]


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_a_screen_and_shows_an_example(capsys: pytest.CaptureFixture[str], command: str) -> None:
    with pytest.raises(SystemExit) as end:
        main([command, "--help"] if command else ["--help"])
    output = capsys.readouterr().out
    assert end.value.code == 0
    assert len(output.splitlines()) <= 40
    assert max(map(len, output.splitlines())) <= 80
    assert "xample" in output


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert (end.value.code, capsys.readouterr().out) == (0, f"socreates-lsp {__version__}\n")


@pytest.mark.parametrize(
    "arguments", [[], ["--stdio"], ["serve"], ["serve", "--stdio"], ["--stdio", "--clientProcessId=1"]]
)
def test_without_a_command_it_serves(monkeypatch: pytest.MonkeyPatch, arguments: list[str]) -> None:
    import socreates_lsp.cli.serve

    served = []
    monkeypatch.setattr(socreates_lsp.cli.serve, "run", lambda options: served.append(options) or 7)
    assert main(arguments) == 7
    assert len(served) == 1


def test_nothing_heavy_before_the_command_is_known() -> None:
    code = (
        "import sys; from socreates_lsp.cli.main import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'rich', 'pygls', 'lsprotocol', 'ast_grep_py', 'attrs', 'asyncio', 'yaml'} & set(sys.modules)\n"
        "sys.exit(sorted(heavy) or None)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
