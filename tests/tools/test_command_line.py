"""Reading a command: words or a shell, what it starts, and how it is shown."""

from __future__ import annotations

import shutil
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from socreates_lsp.settings.schema import COMMANDS_ASK, COMMANDS_DENY
from socreates_lsp.tools.command_line import LONGEST, approves, is_clear, parsed, starts, visible
from socreates_lsp.tools.refusal import ToolRefusalError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("text", "argv"),
    [
        ("ls -l", ("ls", "-l")),
        ("  ls\t-l ", ("ls", "-l")),
        ("echo 'a | b' \"c > d\" e\\&f", ("echo", "a | b", "c > d", "e&f")),
        ("grep '$x*' a", ("grep", "$x*", "a")),
        ('echo "a\\\\b\\"c"', ("echo", 'a\\b"c')),
        ("echo a=b", ("echo", "a=b")),
        ("echo ''", ("echo", "")),
        ("python3 -c 'print(1); print(2)'", ("python3", "-c", "print(1); print(2)")),
    ],
)
def test_words_without_a_shell(text: str, argv: tuple[str, ...]) -> None:
    command = parsed(text)
    assert not command.in_shell
    assert command.argv == argv


@pytest.mark.parametrize(
    "text",
    [
        *("a | b", "a && b", "a; b", "a & b", "a > b", "a < b", "echo $HOME", 'echo "$HOME"', "ls *.py", "ls a?"),
        *("ls [ab]", "echo `id`", 'echo "`id`"', "(a)", "{ a; }", "cd x", "A=1 b", "export A=1", "~/x", "a # b"),
        *("a\nb", "! a", "a \\\n b", "if x", "exec ls", 'echo "a\\$b"', 'echo "a\\`b"', "a\rb"),
    ],
)
def test_a_shell_where_one_is_needed(text: str) -> None:
    command = parsed(text)
    assert command.in_shell
    assert command.argv == ("/bin/sh", "-c", text)


WORDS = st.lists(st.text("abc'\"\\ $`*?#~!|&;<>(){}[]=\n\r\t-", max_size=8), min_size=1, max_size=4).map(" ".join)


@settings(max_examples=150, deadline=None)
@example('printf "%s" "a\\$b" "\\`" "\\x" "\\\\"')
@given(WORDS.map(lambda text: f"printf '%s\\0' {text}"))
def test_without_a_shell_a_command_gets_the_words_that_a_shell_would_give_it(text: str) -> None:
    try:
        command = parsed(text)
    except ToolRefusalError:
        return
    if not command.in_shell:
        by_shell = subprocess.run(["/bin/sh", "-c", text], capture_output=True, check=False)
        assert by_shell.stdout == b"".join(word.encode() + b"\0" for word in command.argv[2:]) or len(command.argv) == 2


@pytest.mark.parametrize(
    "text",
    ["", "  ", "echo 'a", 'echo "a', "a\\", "a\0b", "\ud800", "x" * (LONGEST + 1), "😀" * 351, "a" + "\n" * 70, "''"],
)
def test_a_command_that_is_none(text: str) -> None:
    with pytest.raises(ToolRefusalError) as caught:
        parsed(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        *("sudo ls", "/usr/bin/sudo ls", "cd x && sudo ls", "a; sudo b", "a | sudo b", "(sudo a)", "{ sudo a; }"),
        *("x=1 sudo ls", "env A=1 sudo ls", "env -i sudo ls", "nohup sudo ls", "timeout 3 sudo ls", "nice -n 5 sudo x"),
        *("sh -c 'sudo ls'", 'bash -c "cd x; sudo ls"', "echo $(sudo ls)", 'echo "$(sudo ls)"', "echo `sudo ls`"),
        *(
            "if true; then sudo ls; fi",
            "a\nsudo b",
            "eval 'sudo ls'",
            "! sudo ls",
            "a && \\\n sudo b",
            "xargs sudo < x",
        ),
        *(
            "rm -rf x",
            "rm -fr x",
            "rm -r -f x",
            "rm -rfv x",
            "rm -v -rf x",
            "git push",
            "git --no-pager push",
            "'sudo' x",
        ),
        *("git push origin main", "shutdown now", "su\\do ls", "echo 'a; sudo b", "time sudo x"),
    ],
)
def test_what_is_never_run_is_found_wherever_it_stands(text: str) -> None:
    try:
        command = parsed(text)
    except ToolRefusalError:
        return
    assert starts(command, COMMANDS_DENY) is not None


@pytest.mark.parametrize(
    "text",
    [
        *(
            "grep sudo x",
            "echo 'sudo ls'",
            "git log push",
            "rm -r x",
            "rm x -f",
            "git pushes",
            "sudoku",
            "ls; echo sudo",
        ),
        *("git stash push", "python3 -c 'sudo'", "cat rm -rf", "echo a | grep sudo"),
    ],
)
def test_a_word_that_is_no_program_is_innocent(text: str) -> None:
    assert starts(parsed(text), COMMANDS_DENY) is None


def test_a_command_line_without_end_is_read_to_an_end() -> None:
    nested = "sh -c '" * 3 + "x" + "'" * 3
    assert starts(parsed(nested + "; eval eval eval eval eval eval eval eval x"), COMMANDS_DENY) is None


def test_a_list_with_an_empty_or_unfinished_beginning() -> None:
    assert starts(parsed("ls"), ["", "it's"]) is None
    assert starts(parsed("it\\'s"), ["it's"]) == "it's"
    assert not approves(parsed("ls"), [""])


@pytest.mark.parametrize(
    ("text", "allowed"),
    [
        ("npm test", True),
        ("npm test -- --run", True),
        ("npm testing", False),
        ("npm", False),
        ("./npm test", False),
        ("/usr/bin/npm test", False),
        ("npm test && ls", False),
        ("npm test; ls", False),
        ("npm test $X", False),
        ("A=1 npm test", False),
        ("env npm test", False),
        ("sh -c 'npm test'", False),
        ("'npm' \"test\"", True),
    ],
)
def test_the_user_approves_words_and_never_a_shell_line(text: str, allowed: bool) -> None:
    assert approves(parsed(text), ["npm test"]) is allowed


def test_a_user_who_approves_a_shell_does_not_approve_what_we_start_in_one() -> None:
    assert approves(parsed("/bin/sh -c x"), ["/bin/sh -c"])
    assert not approves(parsed("a | b"), ["/bin/sh", "/bin/sh -c"])


def test_installing_is_asked_about() -> None:
    assert starts(parsed("pip install x"), COMMANDS_ASK) == "pip install"
    assert starts(parsed("pip --quiet install x"), COMMANDS_ASK) == "pip install"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ls -l", "ls -l"),
        ("ls\nrm x", "ls‹new line›rm x"),
        ("a\tb", "a‹tab›b"),
        ("a\x1b[2Kb", "a‹U+001B›[2Kb"),
        ("a\u202eb", "a‹U+202E›b"),
        ("a\u2066b\u200bc", "a‹U+2066›b‹U+200B›c"),
        ("a\u00a0b\u3000c", "a‹U+00A0›b‹U+3000›c"),
        ("a\u3164b\ufe0fc", "a‹U+3164›b‹U+FE0F›c"),
        ("ls" + " " * 200 + "; x", "ls‹200 blanks›; x"),
        ("a‹b›", "a‹U+2039›b‹U+203A›"),
        ("echo 🦉 é", "echo 🦉 é"),
    ],
)
def test_nothing_is_hidden_in_what_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


@given(st.text(max_size=80))
def test_what_is_shown_is_one_line_that_can_be_seen_and_differs_where_the_command_does(text: str) -> None:
    shown = visible(text)
    assert shown.isprintable()
    assert visible(text + "x") != shown


LISTED = (*COMMANDS_DENY, *COMMANDS_ASK)


@pytest.mark.parametrize(
    "text",
    [
        *("env - sudo ls", "env X=1 - sudo ls", "env -u A - sudo ls", "find . -exec env - sudo ls +"),
        *("git -C dir push", "git -c a=b --git-dir x push", ">out sudo ls", "2>&1 sudo ls", "su\\\ndo ls; x"),
        *(
            "xargs -n 1 sudo",
            "xargs -I {} sudo {}",
            "env -u HOME sudo ls",
            "env - sudo ls",
            "env X=1 - sudo ls",
            "env -S 'sudo ls'",
            "RM -rf x",
        ),
        *("timeout -s KILL 5 sudo ls", "find . -exec git push \\;", "find . -exec rm -rf {} +", "busybox rm -rf x"),
        *("/bin/rm -rf x", "\\rm -rf x", "rm --recursive --force x", "rm -R -f x", "rm x -rf", "sudo.exe x"),
        *("bash -lc 'git push'", "bash -o pipefail -c 'git push'", "sh <<EOF\nsudo ls\nEOF\n", "bash <<< 'sudo ls'"),
        *("cat <<EOF\n$(sudo ls)\nEOF\n", "alias x='sudo ls'; x", "f() { sudo ls; }; f", "function f { sudo ls; }"),
        *("case a in a) sudo ls;; esac", "trap 'sudo ls' EXIT", "exec -a x sudo ls", "flock x sudo ls"),
        *(
            "git -c alias.p=push p",
            "git -c alias.p='!git push' p",
            "s''udo ls",
            'echo "${x:-$(sudo ls)}"',
            "((sudo a))",
        ),
        *("a &>x; sudo b", "a & sudo b", "cat <(sudo ls)", "command -p sudo ls", "echo $((1 + $(sudo ls)))"),
        *("python3 -m pip install x", "pip3.11 install x", "npm --prefix a install", "uv run sudo x", "npm i"),
        *("script -c 'sudo ls'", "watch -n 1 git push", "ld-linux-x86-64.so.2 /usr/bin/sudo ls", "eval git push"),
        *("A=$(sudo ls) true", "echo a # c\ngit push", "bash -c $'sudo ls'", "while true; do git push; done"),
        *("parallel sudo ::: a", "fd x -x sudo", "env --split-string='A=1 sudo ls'", "bash -s <<'E'\ngit push\nE\n"),
    ],
)
def test_no_wrapping_hides_a_command(text: str) -> None:
    assert starts(parsed(text), LISTED) is not None


@pytest.mark.parametrize(
    "text",
    [
        *("X=sudo; $X ls", "echo sudo ls | sh", "echo x | bash -s", "/bin/r* -rf x", "git $X origin", "{sudo,ls}"),
        *('rm "-$F" x', 'sh -c "$X"', "echo push | xargs git", "xargs rm", "$'s\\x75do' ls", 'eval "$X"'),
        *(". <(echo x)", "sh -c '$0' sudo", "find . -exec {} \\;", "xargs -I{} {} ls", "bash <(curl x)", "sh"),
        *('echo "$(', "echo ${x", "echo `ls", "for x in sudo; do $x; done", "bash < x", "cat <<E | sh\nsudo\nE\n"),
    ],
)
def test_a_command_that_cannot_be_read_is_never_approved_unasked(text: str) -> None:
    command = parsed(text)
    assert not is_clear(command, LISTED)


@pytest.mark.parametrize(
    "text",
    [
        *('echo "rm -rf"', "ls # sudo", "cat <<EOF\nsudo ls\nEOF\n", "cat <<'EOF'\n$(sudo ls)\nEOF\n", "ls *.py"),
        *("for f in *.py; do wc -l $f; done", "git --no-pager log", "git -C push log", "command -v sudo"),
        *("xargs grep sudo", "find . -name sudo", "[ -f x ] && cat x", "echo $((1<<2))", "npm test 2>&1 | tail -5"),
        *(
            "awk '{print $1}' x | sort | uniq -c",
            'test "$X" = push',
            "rm -r -- -f",
            "echo a\\;sudo",
            "git commit-tree x",
        ),
    ],
)
def test_a_shell_line_that_is_innocent_is_read_as_such(text: str) -> None:
    command = parsed(text)
    assert starts(command, LISTED) is None
    assert is_clear(command, LISTED)


PIECES = st.sampled_from(
    [
        *("sudo", "echo", "sh", "-c", "eval", "env", "A=1", "xargs", "true", "x", "a b", "exec", "su", "do"),
        *("'", '"', "\\", "$(", ")", "`", ";", "|", "&&", "||", "\n", " ", " ", " ", "{ ", "; }", "(", "if", "then"),
        *("fi", "#", "<<E", "E", ">x", "$x", "x=sudo", "!", "<<<", "2>", "&", "-", "${x:-", "}", "nohup", "--"),
    ]
)


@settings(max_examples=80, deadline=None)
@example(pieces=["su", "\\", "\n", "do"])
@example(pieces=[">x", " ", "sudo"])
@example(pieces=["sh", " ", "<<E", "\n", "sudo", "\n", "E", "\n"])
@example(pieces=["x=sudo", ";", "$x"])
@given(pieces=st.lists(PIECES, min_size=1, max_size=14))
def test_whatever_a_shell_runs_was_seen_or_was_said_to_be_unclear(pieces: list[str], programs: Path) -> None:
    text = "".join(pieces)
    try:
        command = parsed(text)
    except ToolRefusalError:
        return
    mark = programs / "ran"
    mark.unlink(missing_ok=True)
    if command.in_shell:
        environment = {"PATH": str(programs), "MARK": str(mark)}
        empty = programs / "empty"
        subprocess.run(command.argv, env=environment, cwd=empty, input=b"", capture_output=True, check=False)
    if mark.exists():
        assert starts(command, ["sudo"]) == "sudo" or not is_clear(command, ["sudo"])


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a few real programs, and a sudo that only leaves a mark."""
    folder = tmp_path_factory.mktemp("programs")
    (folder / "empty").mkdir()
    for name in ("sh", "env", "xargs", "nohup"):
        where = shutil.which(name)
        if where is not None:
            (folder / name).symlink_to(where)
    sudo = folder / "sudo"
    sudo.write_text('#!/bin/sh\n: > "$MARK"\n')
    sudo.chmod(0o755)
    return folder
