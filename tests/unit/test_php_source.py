"""The page around PHP is blanked out, and nothing moves."""

from __future__ import annotations

import pytest
from ast_grep_py import SgRoot
from hypothesis import given
from hypothesis import strategies as st

from socreates_lsp.examiner.parsed import ParsedFile
from socreates_lsp.examiner.php_source import without_page
from socreates_lsp.workspace.text import Text

_PIECES = [
    "<?php ",
    "<?= ",
    "?>",
    "<?xml ?>",
    "'",
    '"',
    "// x",
    "# y",
    "/* z */",
    "$a",
    "f();",
    "\n",
    "\r\n",
    "<b>",
    "{",
    "}",
]


@given(st.lists(st.sampled_from(_PIECES)).map("".join))
def test_every_offset_and_every_line_stays(source: str) -> None:
    blanked = without_page(source)
    assert len(blanked) == len(source)
    assert [i for i, c in enumerate(blanked) if c in "\r\n"] == [i for i, c in enumerate(source) if c in "\r\n"]


@pytest.mark.parametrize(
    "source",
    [
        "<html><?php if ($a): ?>\n<b><?= $name ?></b>\n<?php endif; ?>\n</html>",
        "<ul>\n<?php foreach ($all as $one) { ?><li><?=$one?></li><?php } ?>\n</ul>",
        '<?xml version="1.0"?>\n<?php echo "?>"; // done ?>\n<p>',
        "<?php\n$text = <<<EOT\nnot ?> here\nEOT;\nprint($text);\n",
    ],
)
def test_a_page_parses_without_errors(source: str) -> None:
    assert SgRoot(without_page(source), "php").root().find(kind="ERROR") is None


def test_what_a_short_tag_prints_is_seen_where_it_stands() -> None:
    file = ParsedFile("page.php", "php", Text("<p>\nHello <?= $_GET['name'] ?>!\n</p>\n"))
    echo = file.root.find(kind="echo_statement")
    assert echo is not None
    assert file.line_of(echo) == 1
    assert "$_GET['name']" in echo.text()


def test_php_alone_is_left_as_it_is() -> None:
    source = "<?php\nfunction f() { return 1; }\n"
    assert without_page(source) is source
