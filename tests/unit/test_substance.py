"""Substance: a remark that would fit any file is told from one about the lines it stands on."""

from __future__ import annotations

import pytest

from socreates_lsp.review.nearby import nearby
from socreates_lsp.review.substance import names_nothing, names_one_of
from socreates_lsp.workspace.text import Text

QUOTES = (
    "result += item.price",
    "for (const row of rows) {",
    'conn, err := net.Dial("tcp", addr)',
    "    except Exception as error:",
)

GENERIC = """\
Consider adding error handling.
What happens if the input is invalid?
What if the input is null or empty?
Have you considered edge cases?
This function is too long; consider splitting it into smaller functions.
Consider adding more tests to improve coverage.
Is this code thread-safe?
Could this be a performance bottleneck for large inputs?
Consider using more descriptive variable names.
Add documentation to explain the purpose of this function.
Magic numbers should be avoided.
Should there be logging here for debugging purposes?
How does this code handle errors?
Have you thought about security implications?
What if an exception is thrown here?
This may lead to unexpected behavior in some cases.
Ensure that all resources are properly released.
Is there a reason why this isn't tested?
Consider refactoring this code for better readability and maintainability.
Are there any potential race conditions?
Could this value be `None`?
What happens when an error occurs?
Does this follow the project's coding conventions?
Is the return value validated by the caller?
This could raise a `ValueError`.
It would be better to validate user input before using it.
Have you considered the impact of this change on performance?
Potential memory leak.
Missing docstring.
Is this the most efficient way to do this?
Can this be simplified?
Do we need a unit test for this?""".splitlines()

SPECIFIC = (
    ("What if a price is None?", "result += item.price"),
    ("Does `result` start at zero for each cart?", "result += item.price"),
    ("Who closes the connection if the handshake fails?", 'conn, err := net.Dial("tcp", addr)'),
    ("What does Dial do when the address has no port?", 'conn, err := net.Dial("tcp", addr)'),
    ("Why 86400 and not the length of the day in that zone?", "ttl = 86400"),
    ("Can two retries overlap?", "self.retry(request)"),
    ("Is the cache invalidated when the tenant changes?", "cache[key] = value"),
    ("Who calls `shutdown()` after this returns?", "return None"),
    ("What if two carts are refunded on the same evening by the same cashier?", "return None"),
    ("Was passiert, wenn `price` fehlt?", "result += item.price"),
    ("price 为空时会发生什么？", "result += item.price"),
    ("Is utf-16 decoded here?", "text = raw.decode('utf-16')"),
    ("Why is KeyError swallowed?", "except KeyError:"),
    ("Is the user_id checked against the session's owner?", "return None"),
    ("Does the timeout of 30 hold for uploads?", "requests.post(url, timeout=30)"),
    ("Which thread runs on_done?", "future.add_done_callback(on_done)"),
    ("Are rows with equal timestamps ordered?", "rows.sort(key=by_timestamp)"),
)


@pytest.mark.parametrize("remark", GENERIC)
@pytest.mark.parametrize("quote", QUOTES)
def test_a_remark_for_any_file_names_nothing(remark: str, quote: str) -> None:
    assert names_nothing(remark, "", quote)


@pytest.mark.parametrize(("remark", "quote"), SPECIFIC)
def test_a_remark_about_its_lines_names_something(remark: str, quote: str) -> None:
    assert not names_nothing(remark, "", quote)


@pytest.mark.parametrize(
    ("remark", "quote"),
    [
        ("What is `a` when it is text?", "return a + 1"),
        ("Can `i` be negative here?", "return rows[i]"),
        ("What if `data` is empty?", "total = sum(data)"),
    ],
)
def test_a_short_or_common_name_in_backticks_counts_if_it_is_quoted(remark: str, quote: str) -> None:
    assert not names_nothing(remark, "", quote)
    assert names_nothing(remark, "", "return total")
    assert names_nothing(remark.replace("`", ""), "", "return total")


def test_names_in_backticks_are_looked_for_whole_and_not_those_of_the_language() -> None:
    near = "def parse(text):\n    if text is None:\n        raise ValueError\n"
    assert names_one_of("What does `parse` do with a leading minus?", "", near)
    assert names_one_of("What of a minus?", "`parse(text)` is given one.", near)
    assert not names_one_of("What does parse do with a leading minus?", "", near)
    assert not names_one_of("What does `par` do?", "", near)
    assert not names_one_of("Could it be `None`, does it `raise` a `ValueError`?", "", near)


def test_what_is_near_are_the_lines_around_and_the_names_of_what_they_are_in() -> None:
    body = "".join(f"        value{number} = {number}\n" for number in range(40))
    text = Text(f"class Reader:\n    def parse(self, text):\n{body}\n\ndef other():\n    pass\n")
    near = nearby(text, "python", 21, 21)
    assert near.splitlines()[:2] == ["Reader", "parse"]
    assert "value19 = 19" in near
    assert "value8 " in near
    assert "value2 " not in near
    assert "other" not in near


def test_the_reason_may_name_what_the_question_does_not() -> None:
    assert names_nothing("What happens if the input is invalid?", "It may fail.", "total(items)")
    assert not names_nothing("What happens if the input is invalid?", "A negative price is added.", "sum += price")


def test_a_short_remark_in_another_language_that_names_nothing_is_generic() -> None:
    assert names_nothing("Fehlerbehandlung fehlt", "", "result += item.price")
    assert names_nothing("请添加错误处理", "", "result += item.price")


@pytest.mark.parametrize("text", ["", "`", "?" * 10_000, "a_" * 10_000, "\x00\ud800"])
def test_nothing_that_is_said_makes_it_raise(text: str) -> None:
    assert names_nothing(text, text, "") in {True, False}
    assert names_nothing("", "", text) in {True, False}
