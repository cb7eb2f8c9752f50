import pytest

from indexer.archives.parsed import Place
from tests.unit.parsers.parser_files import encrypted_pdf, pdf
from workers.parsers.failures import ParseError
from workers.parsers.pdf import parse

INFORMATION = "/Title (The title) /Author (Ada Lovelace; Bob) /CreationDate (D:20250520101112Z) /Keywords (a, b)"


def test_the_text_comes_page_by_page() -> None:
    document = parse(pdf([["First page", "second line"], ["Next page"]]))

    assert document.text == "First page\nsecond line\n\nNext page"
    assert document.places == (Place(0, page=1, line=1), Place(24, page=2, line=1))


def test_the_file_describes_itself() -> None:
    document = parse(pdf([["Text"]], information=INFORMATION))

    assert (document.title, document.date) == ("The title", "2025-05-20")
    assert (document.authors, document.tags) == (("Ada Lovelace", "Bob"), ("a", "b"))


def test_a_title_that_names_the_word_file_is_none() -> None:
    assert parse(pdf([["Text"]], information="/Title (Microsoft Word - draft.doc)")).title == ""


def test_link_annotations_stand_at_the_words_under_them() -> None:
    # The helper writes its second line at 72, 700.
    document = parse(pdf([["Some text", "The link"]], links=[("https://example.org/a", (70, 698, 150, 712))]))

    assert [(link.target, document.text[link.start :]) for link in document.links] == [
        ("https://example.org/a", "The link")
    ]


def test_an_annotation_over_nothing_stands_at_the_page() -> None:
    document = parse(pdf([["Some text"]], links=[("https://example.org/a", (0, 0, 1, 1))]))

    assert [(link.target, link.start) for link in document.links] == [("https://example.org/a", 0)]


def test_addresses_and_identifiers_in_the_text_are_links() -> None:
    document = parse(pdf([["See https://example.org/a and doi:10.1000/B"]]))

    assert [(link.target, link.kind) for link in document.links] == [
        ("https://example.org/a", "link"),
        ("10.1000/b", "doi"),
    ]


def test_an_address_that_is_printed_and_annotated_is_one_link() -> None:
    document = parse(pdf([["https://example.org/a"]], links=[("https://example.org/a", (70, 718, 200, 732))]))

    assert [(link.target, link.start) for link in document.links] == [("https://example.org/a", 0)]


def test_pages_without_text_are_refused_as_scanned() -> None:
    with pytest.raises(ParseError, match="holds no text: its pages may be scanned pictures"):
        parse(pdf([[], []]))


def test_an_encrypted_file_is_refused() -> None:
    with pytest.raises(ParseError, match="is encrypted"):
        parse(encrypted_pdf())


@pytest.mark.parametrize("kept", [20, 200, 500])
def test_a_truncated_file_is_refused_or_read_without_an_accident(kept: int) -> None:
    with pytest.raises(ParseError, match=r"is a broken PDF|holds no text"):
        parse(pdf([["Some text"]])[:kept])


def test_a_file_whose_table_stands_elsewhere_is_still_read() -> None:
    whole = pdf([["Some text"]])

    assert parse(whole.replace(b"startxref\n", b"startxref\n9")).text == "Some text"
