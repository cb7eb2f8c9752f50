"""Files made to hurt: each must end quickly, in text or in a reason."""

import pytest

from indexer.archives.parsed import ParsedDocument
from workers.parsers.failures import ParseFailure
from workers.parsers.parse import parse_file


@pytest.mark.parametrize(
    "data",
    [
        b">" * 10_000 + b" the text",
        b"- " * 10_000 + b"the text",
        b"\n".join(b"  " * depth + b"- the text" for depth in range(500)),
        b"[" * 5_000 + b"the text" + b"]" * 5_000,
        b"![" * 2_000 + b"the text",
        b"*a **b " * 5_000 + b"the text",
        b" ".join(b"`" * length for length in range(1, 300)) + b" the text",
        b"<a " * 10_000 + b"the text",
        b"x <!-- " * 10_000 + b"the text",
        b"[a](b " * 5_000 + b"the text",
        b"[a]: b\n" * 5_000 + b"\nthe text",
        b"|a" * 3_000 + b"|\n" + b"|-" * 3_000 + b"|\n" + b"|the text" * 3_000 + b"|\n",
        b"http://a((" + b")" * 100_000 + b" the text",
        b"[^a]: " * 5_000 + b"the text",
        b"^[" * 2_000 + b"the text",
        b"[[" * 5_000 + b"the text",
    ],
)
def test_markdown_that_nests_without_end_keeps_its_text(data: bytes) -> None:
    result = parse_file("a.md", data)

    assert isinstance(result, ParsedDocument)
    assert "the text" in result.text


def test_a_page_of_a_thousand_levels_is_read() -> None:
    result = parse_file("a.html", b"<div>" * 1_000 + b"the text")

    assert isinstance(result, ParsedDocument)
    assert result.text == "the text"


@pytest.mark.parametrize("tags", [b"<div>", b"<b><i>", b"<table><tr><td>"])
def test_a_page_of_ten_thousand_levels_is_refused(tags: bytes) -> None:
    assert parse_file("a.html", tags * 10_000 + b"the text") == ParseFailure("is nested too deeply")


def test_entities_of_a_page_are_not_expanded() -> None:
    page = b'<!DOCTYPE html [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><p>the text &b;</p>'
    result = parse_file("a.html", page)

    assert isinstance(result, ParsedDocument)
    assert "aaaa" not in result.text.replace("the text", "")


@pytest.mark.parametrize(("name", "words"), [("a.md", 8_000_000), ("a.txt", 8_000_000), ("a.html", 2_100_000)])
def test_a_line_of_many_megabytes_is_refused(name: str, words: int) -> None:
    assert parse_file(name, b"word " * words) == ParseFailure("holds more than 10 MB of text")


def test_a_parser_that_stumbles_costs_one_file_and_tells_no_content(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(_data: bytes) -> ParsedDocument:
        raise ZeroDivisionError("the content")

    monkeypatch.setattr("workers.parsers.text.parse", stumble)

    assert parse_file("a.txt", b"the content") == ParseFailure("could not be read (ZeroDivisionError)")


def test_recursion_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    def recurse(data: bytes) -> ParsedDocument:
        return recurse(data)

    monkeypatch.setattr("workers.parsers.text.parse", recurse)

    assert parse_file("a.txt", b"text") == ParseFailure("is nested too deeply")


def test_thousands_of_links_are_bounded() -> None:
    result = parse_file("a.md", b"[a](b) " * 11_000)

    assert isinstance(result, ParsedDocument)
    assert len(result.links) == 10_000


def test_thousands_of_places_are_bounded() -> None:
    result = parse_file("a.txt", b"a\n\n" * 60_000)

    assert isinstance(result, ParsedDocument)
    assert len(result.places) == 30_000
