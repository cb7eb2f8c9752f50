import codecs

import pytest

from indexer.archives.parsed import Place
from workers.parsers.failures import ParseError
from workers.parsers.text import parse

GERMAN = "Größe und Maß: das Übermaß der Müller ist schön für die Straße, sagte Jürgen über Österreich."
RUSSIAN = "Это простой русский текст в старой кодировке, который нужно прочитать правильно."
JAPANESE = "これは日本語のテキストです。文字コードを判定してください。"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "utf-8"),
        (GERMAN, "utf-8-sig"),
        (GERMAN, "utf-16"),
        (GERMAN, "utf-16-le"),
        (GERMAN, "utf-16-be"),
        (GERMAN, "utf-32"),
        (GERMAN, "cp1252"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "utf-8"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "utf-16"),
    ],
)
def test_usual_encodings_are_understood(text: str, encoding: str) -> None:
    assert parse(text.encode(encoding)).text == text


def test_a_mark_of_the_other_byte_order_is_understood() -> None:
    assert parse(codecs.BOM_UTF16_BE + GERMAN.encode("utf-16-be")).text == GERMAN


def test_paragraphs_know_their_lines_and_keep_their_indentation() -> None:
    document = parse(b"\n\nFirst\nstill first\r\n\r\n  \r\n    indented\n\n\nlast\n")

    assert document.text == "First\nstill first\n\n    indented\n\nlast"
    assert document.places == (Place(0, line=3), Place(19, line=7), Place(33, line=10))


def test_control_and_hidden_characters_are_removed() -> None:
    document = parse("a\x07b\x0cc\u200bd\u2066e\ufefff\U000e0041g\u2028h\ttab".encode())

    assert document.text == "ab cdefg h\ttab"


def test_addresses_and_identifiers_are_links_where_they_stand() -> None:
    document = parse(b"One\n\nSee https://example.org/a and 10.1000/b.")

    assert [(link.target, document.text[link.start :][:5]) for link in document.links] == [
        ("https://example.org/a", "https"),
        ("10.1000/b", "10.10"),
    ]


def test_ten_megabytes_are_read_and_one_more_byte_is_refused() -> None:
    assert len(parse(b"a" * 10_000_000).text) == 10_000_000
    with pytest.raises(ParseError, match="holds more than 10 MB of text"):
        parse(b"a" * 10_000_001)


def test_the_limit_counts_bytes_of_utf_8() -> None:
    with pytest.raises(ParseError, match="holds more than 10 MB of text"):
        parse(("ä" * 5_000_001).encode())
