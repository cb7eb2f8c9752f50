from io import BytesIO
from typing import get_args
from zipfile import ZipFile

import pytest

from indexer.archives.parsed import ParsedDocument
from tests.unit.parsers.parser_files import pdf
from workers.parsers.failures import ParseFailure
from workers.parsers.kinds import EXTENSIONS, Kind, extension_of
from workers.parsers.parse import parse_file, parser_for


def refusal(name: str, data: bytes) -> str:
    result = parse_file(name, data)
    assert isinstance(result, ParseFailure)
    return result.reason


def text(name: str, data: bytes) -> str:
    result = parse_file(name, data)
    assert isinstance(result, ParsedDocument)
    return result.text


def zipped(name: str) -> bytes:
    output = BytesIO()
    with ZipFile(output, "w") as archive:
        archive.writestr(name, "x")
    return output.getvalue()


def test_the_extension_chooses_in_any_case() -> None:
    assert text("A.MD", b"*a*") == "a"
    assert text("folder.pdf/a.txt", b"*a*") == "*a*"
    assert text("C:\\x\\a.htm", b"<p>a") == "a"


def test_a_pdf_under_another_name_is_read_as_a_pdf() -> None:
    assert text("notes.md", pdf([["Hello there"]])) == "Hello there"


def test_a_page_under_another_name_is_read_as_a_page() -> None:
    assert text("notes.txt", b"<!DOCTYPE html>\n<html><body><p>Hello<p>there") == "Hello\n\nthere"


def test_a_text_that_mentions_pdf_headers_stays_text() -> None:
    assert text("notes.md", b"A PDF begins with %PDF-1.7") == "A PDF begins with %PDF-1.7"


@pytest.mark.parametrize("name", ["a.exe", "a", ".md", "a.md.zip", "README", "a.doc"])
def test_unknown_kinds_are_refused(name: str) -> None:
    assert refusal(name, b"text") == "is not a kind of file that can be read (md, html, pdf, docx, txt, …)"


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [
        ("a.txt", bytes(range(256)) * 20, "is not text: it looks like binary data"),
        ("a.md", b"text\0\0\0\0" * 100, "is not text: it looks like binary data"),
        ("a.txt", b"\x89PNG\r\n\x1a\n", "is a picture"),
        ("a.docx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old", "is an old Office file: save it as .docx or .pdf"),
        ("a.pdf", b"just text", "is named .pdf but is not a PDF"),
        ("a.docx", b"just text", "is named .docx but is not a Word file"),
        ("a.docx", zipped("xl/workbook.xml"), "is a zip file, not a Word file"),
        ("a.docx", b"PK\x03\x04 broken", "is a broken Word or zip file"),
        ("a.md", b"", "is empty"),
        ("a.md", b" \n\t", "is empty"),
    ],
)
def test_what_is_not_what_its_name_says_is_refused_with_a_reason(name: str, data: bytes, reason: str) -> None:
    assert refusal(name, data) == reason


def test_media_types_lead_to_extensions_that_can_be_read() -> None:
    assert extension_of("text/html; charset=utf-8") in EXTENSIONS
    assert extension_of("Application/PDF") == ".pdf"
    assert extension_of("image/png") is None


@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_kind_has_a_module_that_reads_it_and_a_name_that_it_goes_by(kind: Kind) -> None:
    assert callable(parser_for(kind))
    assert kind in EXTENSIONS.values()
