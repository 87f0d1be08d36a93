"""Bytes to text: each encoding round trips, and nothing but its own error ever comes out."""

import codecs

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from socreates_lsp.workspace.decoding import SAMPLE, NotTextError, decode


def looks_binary(sample: bytes) -> bool:
    """Whether the start of a file, which may end inside a character, is no text."""
    try:
        decode(sample[:SAMPLE])
    except NotTextError:
        return True
    return False


# Any character but surrogates and the controls that no text has.
CHARACTERS = st.characters(exclude_categories=("Cs", "Cc"))
TEXTS = st.text(st.one_of(CHARACTERS, st.sampled_from("\t\n\r\f")), max_size=200)
CODE = st.text(st.sampled_from("abcxyz_ ()=:\n\t'\"0123"), min_size=1, max_size=200)

MARKED = [
    ("utf-8", codecs.BOM_UTF8),
    ("utf-16-le", codecs.BOM_UTF16_LE),
    ("utf-16-be", codecs.BOM_UTF16_BE),
    ("utf-32-le", codecs.BOM_UTF32_LE),
    ("utf-32-be", codecs.BOM_UTF32_BE),
]


@pytest.mark.parametrize(("encoding", "mark"), MARKED)
@given(text=TEXTS)
def test_marked_text_round_trips_without_its_mark(encoding, mark, text):
    assert decode(mark + text.encode(encoding)) == text


@given(TEXTS)
@example("\ufeffa")
@example("é")
def test_utf8_round_trips(text):
    data = text.encode()
    assert decode(data) == text.removeprefix("\ufeff")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@given(text=CODE)
def test_utf16_of_code_round_trips_without_a_mark(encoding, text):
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_with_foreign_comments_round_trips_without_a_mark(encoding):
    text = "# 一つの定義 – größer\ndef f(x):\n    return 'Ж' + x\n"
    assert decode(text.encode(encoding)) == text


@given(st.text(st.characters(codec="latin-1", exclude_categories=("Cc",)), min_size=1))
def test_latin1_is_read_one_byte_a_character_unless_it_is_utf8(text):
    data = text.encode("latin-1")
    try:
        expected = data.decode("utf-8")
    except UnicodeDecodeError:
        expected = text
        # Several pairs of bytes that happen to be UTF-8 make a file that is UTF-8 with a fault.
        if "\ufffd" in decode(data):
            return
    assert decode(data) == expected


def test_windows_1252_has_its_quotation_marks_and_latin1_for_its_gaps():
    assert decode(b"# \x93caf\xe9\x94 costs 5 \x80\n") == "# \u201ccafé\u201d costs 5 €\n"
    assert decode(b"x = '\x81\xff'\n") == "x = '\x81\xff'\n"


def test_a_latin1_letter_at_the_very_end_is_no_cut_character():
    assert decode(b"# caf\xe9") == "# café"


@pytest.mark.parametrize("cut", [1, 2, 3])
def test_a_sample_that_ends_inside_a_character_stays_utf8(cut):
    whole = ("# größer ist nicht länger \N{GRINNING FACE}" * 400).encode()
    end = whole.index("\N{GRINNING FACE}".encode(), SAMPLE // 2) + cut
    text = decode(whole[:end])
    assert "größer" in text
    assert text.endswith("\ufffd")
    assert not looks_binary(whole[:end])


def test_ascii_with_one_cut_character_at_the_end_of_a_sample_stays_utf8():
    data = (b"a" * (SAMPLE - 1)) + "é".encode()[:1]
    assert decode(data).endswith("a\ufffd")


def test_one_bad_byte_does_not_turn_a_utf8_file_into_latin1():
    data = "äöü ÄÖÜ ß é è ê".encode() + b" \xff " + b"rest"
    assert decode(data) == "äöü ÄÖÜ ß é è ê \ufffd rest"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le"])
def test_a_lone_surrogate_becomes_one_replacement_character(encoding):
    mark = dict(MARKED)[encoding]
    data = mark + "a\ud800b".encode(encoding, "surrogatepass")
    assert decode(data) == "a\ufffdb"


@given(st.binary(max_size=400))
@example(b"\xff\xfe\0\0\xff\xff\xff\xff\x01\0\0\0")
@example(b"\0")
@example(b"\x00\xd8")
@example(b"\xff\xfe\x00")
def test_decode_raises_only_its_own_error_and_gives_text_that_can_be_encoded(data):
    try:
        text = decode(data)
    except NotTextError:
        return
    text.encode("utf-8")
    assert "\0" not in text


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0",
        b"a = 1\0\nb = 2\n",
        bytes(range(1, 256)) * 4,
        b"\x01\0\x02\0\x03\0\x04\0\x05\0",
        b"\xff\xfea\0\0\0b\0",
    ],
)
def test_binary_data_is_refused(data):
    with pytest.raises(NotTextError):
        decode(data)
    assert looks_binary(data)


@pytest.mark.parametrize("text", ["", "a", "print(1)\n", "\x1b[31mred\x1b[0m\n", "page\fbreak\n"])
def test_text_is_not_taken_for_binary(text):
    assert not looks_binary(text.encode())
    assert decode(text.encode()) == text
