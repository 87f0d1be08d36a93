"""Real files, real git and real rg. What a machine lacks is skipped with its reason."""

import multiprocessing
import os
import shutil
import subprocess

import pytest

from socreates_lsp.errors import TargetError

NOBODY = 65534


@pytest.fixture(autouse=True)
def no_git_of_the_user(monkeypatch, tmp_path_factory):
    """The user's own git configuration does not count, nor does git's environment in a hook."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path_factory.mktemp("config") / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


class Repository:
    """A git repository to play with."""

    def __init__(self, root):
        self.root = root

    def git(self, *arguments):
        identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"]
        done = subprocess.run(["git", *identity, *arguments], cwd=self.root, check=True, capture_output=True, text=True)
        return done.stdout

    def write(self, files):
        for name, content in files.items():
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(self, files=None):
        self.write(files or {})
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "A step")


@pytest.fixture
def repository(tmp_path):
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    root = tmp_path / "repository"
    root.mkdir()
    repo = Repository(root)
    repo.git("init", "-q", "-b", "main")
    return repo


def as_nobody(function, *arguments):
    """Call a function in a process that may not read everything; root may read what nobody else can."""
    if os.geteuid() != 0:
        return _answer(function, arguments)
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)

    def work():
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        sender.send(_answer(function, arguments))

    process = context.Process(target=work)
    process.start()
    process.join(60)
    assert process.exitcode == 0
    return receiver.recv()


def _answer(function, arguments):
    try:
        return function(*arguments)
    except TargetError as error:
        return error
