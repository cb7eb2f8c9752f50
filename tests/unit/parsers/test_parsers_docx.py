from datetime import UTC, datetime
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZipFile

import pytest
from docx import Document
from docx.document import Document as WordDocument
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.text.paragraph import Paragraph

from workers.parsers.docx import parse
from workers.parsers.failures import ParseError


def saved(document: WordDocument) -> bytes:
    output = BytesIO()
    document.save(output)
    return output.getvalue()


def add_link(paragraph: Paragraph, text: str, target: str) -> None:
    relation = paragraph.part.relate_to(target, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)
    hyperlink = OxmlElement("w:hyperlink")
    hyperlink.set(qn("r:id"), relation)
    run = OxmlElement("w:r")
    run.text = text
    hyperlink.append(run)
    paragraph._p.append(hyperlink)


def with_part(data: bytes, name: str, content: bytes) -> bytes:
    """Return the file with one part replaced."""
    output = BytesIO()
    with ZipFile(BytesIO(data)) as source, ZipFile(output, "w", ZIP_DEFLATED) as target:
        for entry in source.infolist():
            target.writestr(entry.filename, content if entry.filename == name else source.read(entry))
    return output.getvalue()


def test_paragraphs_headings_tables_and_links_are_read() -> None:
    document = Document()
    document.add_heading("The heading", 1)
    paragraph = document.add_paragraph("Text with ")
    add_link(paragraph, "a link", "https://example.org/a")
    document.add_heading("Part", 2)
    table = document.add_table(2, 2)
    for index, cell in enumerate(cell for row in table.rows for cell in row.cells):
        cell.text = f"c{index}"
    read = parse(saved(document))

    assert read.text == "The heading\n\nText with a link\n\nPart\n\nc0 | c1\nc2 | c3"
    assert read.title == "The heading"
    assert [place.heading for place in read.places] == ["The heading", "The heading", "Part", "Part", "Part"]
    assert [(link.target, read.text[link.start :][:6]) for link in read.links] == [("https://example.org/a", "a link")]


def test_lines_count_paragraphs_and_rows() -> None:
    document = Document()
    document.add_paragraph("One")
    document.add_paragraph("")
    document.add_paragraph("Three\nand four")
    table = document.add_table(2, 1)
    table.cell(0, 0).text, table.cell(1, 0).text = "five", "six"
    document.add_paragraph("Seven")

    assert [place.line for place in parse(saved(document)).places] == [1, 3, 5, 6, 7]


def test_core_properties_describe_the_file() -> None:
    document = Document()
    document.add_paragraph("Text")
    properties = document.core_properties
    properties.title, properties.author, properties.keywords = "The title", "Ada; Bob", "a, b"
    properties.created, properties.language = datetime(2025, 5, 20, tzinfo=UTC), "en-US"
    read = parse(saved(document))

    assert (read.title, read.authors, read.tags) == ("The title", ("Ada", "Bob"), ("a", "b"))
    assert (read.date, read.language) == ("2025-05-20", "en")


def test_a_file_without_text_is_refused() -> None:
    with pytest.raises(ParseError, match="holds no text"):
        parse(saved(Document()))


def test_a_merged_cell_is_read_once() -> None:
    document = Document()
    table = document.add_table(1, 3)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "wide"
    table.cell(0, 2).text = "last"

    assert parse(saved(document)).text == "wide | last"


def test_a_zip_bomb_is_refused_before_it_is_unpacked() -> None:
    bomb = with_part(saved(Document()), "word/document.xml", b"<a>" + b" " * 201_000_000)

    assert len(bomb) < 1_000_000
    with pytest.raises(ParseError, match="unpacks to more than 200 MB"):
        parse(bomb)


def test_entities_that_multiply_are_refused() -> None:
    entities = "".join(
        f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    source = (
        f'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">{entities}]><w:document xmlns:w="{space}"><w:body><w:p><w:r>'
        f"<w:t>before</w:t><w:t>&i;</w:t></w:r></w:p></w:body></w:document>"
    )
    bomb = with_part(saved(Document()), "word/document.xml", source.encode())

    with pytest.raises(ParseError, match="is a broken Word file"):
        parse(bomb)


def test_entities_are_not_expanded() -> None:
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    source = (
        f'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><w:document xmlns:w="{space}"><w:body><w:p><w:r>'
        f"<w:t>before</w:t><w:t>&e;</w:t></w:r></w:p></w:body></w:document>"
    )

    assert parse(with_part(saved(Document()), "word/document.xml", source.encode())).text == "before"


def test_a_broken_part_is_refused() -> None:
    broken = with_part(saved(Document()), "word/document.xml", b"<w:document><unclosed>")

    with pytest.raises(ParseError, match="is a broken Word file"):
        parse(broken)


def test_elements_without_end_are_refused() -> None:
    deep = with_part(saved(Document()), "word/document.xml", b"<a>" * 10_000 + b"</a>" * 10_000)

    with pytest.raises(ParseError, match="is a broken Word file"):
        parse(deep)
