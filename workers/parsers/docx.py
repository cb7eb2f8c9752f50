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
from workers.parsers.builder import Builder, Declared, Span
from workers.parsers.cleaning import one_line
from workers.parsers.failures import ParseError
from workers.parsers.language import declared as declared_language
from workers.parsers.markdown.inline import Inline

BROKEN: Final = "is a broken Word file"
_UNPACKED_LIMIT: Final = 200_000_000
_HEADING: Final = re.compile(r"heading ([1-9])", re.IGNORECASE)
_SEPARATORS: Final = re.compile(r"[;,]")
_DEEPEST_TABLE: Final = 20


def parse(data: bytes) -> ParsedDocument:
    """Read a Word file; one that unpacks to far more than a text can be is refused before it is unpacked."""
    try:
        with ZipFile(BytesIO(data)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > _UNPACKED_LIMIT:
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
        # python-docx meets broken files with whatever its code runs into.
        raise ParseError(BROKEN) from error


def _parse(data: bytes) -> ParsedDocument:
    document = Document(BytesIO(data))
    builder = Builder()
    names = {style.style_id: style.name or "" for style in document.styles}
    for item in document.iter_inner_content():
        if isinstance(item, Paragraph):
            inline = _inline(item)
            # By the style's id: asking the paragraph for its style searches all styles each time.
            name = names.get(item._p.style or "", "")  # noqa: SLF001 (there is no other way to the id)
            heading = _HEADING.match(name)
            if heading or name.lower() == "title":
                builder.head(inline.text, int(heading[1]) if heading else 1)
            builder.block(inline.text, inline.spans)
        else:
            for row, inline in enumerate(_rows(item)):
                builder.block(inline.text, inline.spans, close=row > 0)
    return builder.finish(_declared(document.core_properties))


def _inline(paragraph: Paragraph) -> Inline:
    pieces: list[str] = []
    spans: list[Span] = []
    length = 0
    for part in paragraph.iter_inner_content():
        shown = part.text
        if isinstance(part, Hyperlink) and part.url:
            spans.append(Span(part.url, length, length + len(shown)))
        pieces.append(shown)
        length += len(shown)
    return Inline("".join(pieces), spans)


def _rows(table: Table, depth: int = 0) -> Iterator[Inline]:
    for row in table.rows:
        line = Inline("", ())
        previous: Any = None
        for cell in row.cells:
            if cell._tc is previous:  # noqa: SLF001 (a merged cell comes once for each column)
                continue
            previous = cell._tc  # noqa: SLF001 (as above)
            for item in cell.iter_inner_content():
                for inner in [_inline(item)] if isinstance(item, Paragraph) else _inner_rows(item, depth):
                    placed = inner.after(f"{line.text} | " if line.text else "") if inner.text else inner
                    if inner.text:
                        line = Inline(placed.text, [*line.spans, *placed.spans])
        yield line


def _inner_rows(table: Table, depth: int) -> Iterator[Inline]:
    if depth < _DEEPEST_TABLE:
        yield from _rows(table, depth + 1)


def _declared(properties: Any) -> Declared:
    moment = properties.created or properties.modified
    return Declared(
        title=one_line(properties.title or ""),
        date=moment.date().isoformat() if moment else None,
        authors=_listed(properties.author),
        tags=_listed(properties.keywords),
        language=declared_language(properties.language or ""),
    )


def _listed(text: str | None) -> tuple[str, ...]:
    return tuple(filter(None, (one_line(part) for part in _SEPARATORS.split(text or ""))))
