"""Word files (.docx): paragraphs, headings, tables, hyperlinks and core properties."""

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any, Final
from zipfile import BadZipFile, LargeZipFile, ZipFile
from zlib import error as ZlibError  # noqa: N812 (the library names it in lower case)

from docx import Document
from docx.table import Table
from docx.text.hyperlink import Hyperlink
from docx.text.paragraph import Paragraph
from lxml.etree import ErrorTypes, XMLSyntaxError

from indexer.archives.parsed import ParsedDocument
from workers.parsers.builder import Builder, DeclaredMetadata
from workers.parsers.cleaning import one_line
from workers.parsers.failures import ParseError
from workers.parsers.language import parse_language_tag
from workers.parsers.linked_text import LinkedText, LinkSpan

BROKEN: Final = "is a broken Word file"
_MAX_UNPACKED_BYTES: Final = 200_000_000
_HEADING: Final = re.compile(r"heading ([1-9])", re.IGNORECASE)
_SEPARATORS: Final = re.compile(r"[;,]")
_MAX_TABLE_DEPTH: Final = 20


def parse(data: bytes) -> ParsedDocument:
    """Parse a Word file; the unpacked size is checked before anything is unpacked."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > _MAX_UNPACKED_BYTES:
                raise ParseError("unpacks to more than 200 MB")
        return _parse(data)
    except XMLSyntaxError as error:
        if error.code == ErrorTypes.ERR_NO_MEMORY:
            raise MemoryError from None
        raise ParseError(BROKEN) from error
    except (
        BadZipFile,
        LargeZipFile,
        ZlibError,
        KeyError,
        ValueError,
        AttributeError,
        EOFError,
    ) as error:
        # python-docx raises arbitrary errors for broken files.
        raise ParseError(BROKEN) from error


def _parse(data: bytes) -> ParsedDocument:
    document = Document(BytesIO(data))
    builder = Builder()
    style_names = {style.style_id: style.name or "" for style in document.styles}
    line = 0
    for item in document.iter_inner_content():
        if isinstance(item, Paragraph):
            line += 1
            content = _paragraph_text(item)
            # `paragraph.style` would search all styles for each paragraph.
            name = style_names.get(item._p.style or "", "")  # noqa: SLF001 (the id has no public accessor)
            heading = _HEADING.match(name)
            if heading or name.lower() == "title":
                builder.set_heading(content.text, int(heading[1]) if heading else 1)
            builder.add_block(content.text, content.spans, line=line)
            line += content.text.count("\n")
        else:
            for row, content in enumerate(_rows(item)):
                line += 1
                builder.add_block(content.text, content.spans, line=line, tight=row > 0)
    return builder.finish(_metadata(document.core_properties))


def _paragraph_text(paragraph: Paragraph) -> LinkedText:
    pieces: list[str] = []
    spans: list[LinkSpan] = []
    length = 0
    for part in paragraph.iter_inner_content():
        piece = part.text
        if isinstance(part, Hyperlink) and part.url:
            spans.append(LinkSpan(part.url, length, length + len(piece)))
        pieces.append(piece)
        length += len(piece)
    return LinkedText("".join(pieces), spans)


def _rows(table: Table, depth: int = 0) -> Iterator[LinkedText]:
    for row in table.rows:
        line = LinkedText("", ())
        previous: Any = None
        for cell in row.cells:
            if cell._tc is previous:  # noqa: SLF001 (a merged cell is repeated for each column)
                continue
            previous = cell._tc  # noqa: SLF001 (as above)
            for item in cell.iter_inner_content():
                for inner in [_paragraph_text(item)] if isinstance(item, Paragraph) else _inner_rows(item, depth):
                    appended = inner.prefixed(f"{line.text} | " if line.text else "") if inner.text else inner
                    if inner.text:
                        line = LinkedText(appended.text, [*line.spans, *appended.spans])
        yield line


def _inner_rows(table: Table, depth: int) -> Iterator[LinkedText]:
    if depth < _MAX_TABLE_DEPTH:
        yield from _rows(table, depth + 1)


def _metadata(properties: Any) -> DeclaredMetadata:
    created = properties.created or properties.modified
    return DeclaredMetadata(
        title=one_line(properties.title or ""),
        date=created.date().isoformat() if created else None,
        authors=_split_list(properties.author),
        tags=_split_list(properties.keywords),
        language=parse_language_tag(properties.language or ""),
    )


def _split_list(text: str | None) -> tuple[str, ...]:
    return tuple(filter(None, (one_line(part) for part in _SEPARATORS.split(text or ""))))
