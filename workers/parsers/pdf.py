"""PDF: the text page by page, link annotations, and metadata."""

import logging
from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

from pypdf import PageObject, PdfReader
from pypdf.errors import DependencyError, LimitReachedError, PyPdfError
from pypdf.generic import ArrayObject, DictionaryObject

from indexer.archives.parsed import ParsedDocument
from workers.parsers import identifiers, text
from workers.parsers.builder import TEXT_LIMIT, TOO_MUCH_TEXT, Builder, DeclaredMetadata
from workers.parsers.cleaning import clean, one_line
from workers.parsers.dates import iso_date
from workers.parsers.failures import NO_TEXT, ParseError
from workers.parsers.linked_text import LinkSpan

# The warnings of pypdf quote the file.
logging.getLogger("pypdf").setLevel(logging.CRITICAL + 1)

ENCRYPTED: Final = "is encrypted"
BROKEN: Final = "is a broken PDF"
TOO_BIG: Final = "unpacks to more than the reader allows"
_GENERATED_TITLES: Final = ("microsoft word - ", "untitled", "slide 1")
_MAX_PAGES: Final = 20_000
_MAX_ANNOTATIONS: Final = 2_000
_MARGIN: Final = 3.0


def parse(data: bytes) -> ParsedDocument:
    """Parse a PDF; `ParseError` if it is scanned, encrypted or broken."""
    try:
        return _parse(data)
    except (ParseError, MemoryError, RecursionError):
        raise
    except DependencyError:
        raise ParseError(ENCRYPTED) from None
    except LimitReachedError:
        raise ParseError(TOO_BIG) from None
    except (PyPdfError, ValueError, TypeError, KeyError, IndexError, AttributeError, OSError, AssertionError) as error:
        # pypdf raises arbitrary errors for broken files.
        raise ParseError(BROKEN) from error


def _parse(data: bytes) -> ParsedDocument:
    reader = PdfReader(BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        raise ParseError(ENCRYPTED)
    builder = Builder()
    length = 0
    for number, page in enumerate(reader.pages, 1):
        if number > _MAX_PAGES:
            raise ParseError(f"has more than {_MAX_PAGES:,} pages")
        builder.page = number
        length += _add_page(builder, page)
        if length > TEXT_LIMIT:
            raise ParseError(TOO_MUCH_TEXT)
    if not length:
        raise ParseError(f"{NO_TEXT}: its pages may be scanned pictures")
    return builder.finish(_metadata(reader))


def _add_page(builder: Builder, page: PageObject) -> int:
    links = _annotations(page)
    pieces: list[tuple[float, float, str]] = []

    def visit(piece: str, _cm: Any, matrix: list[float], _font: Any, _size: float) -> None:
        if piece.strip():
            pieces.append((matrix[4], matrix[5], piece.strip()))

    content = clean(page.extract_text(visitor_text=visit) if links else page.extract_text())
    spans = [_find_span(content, target, rectangle, pieces) for target, rectangle in links]
    text.add_blocks(builder, content, first_line=1, spans=spans)
    return len(content.strip())


def _annotations(page: PageObject) -> list[tuple[str, tuple[float, ...]]]:
    """Return the target and the rectangle of each link annotation of a page."""
    links = []
    annotations = page.get("/Annots")
    annotations = annotations.get_object() if annotations is not None else None
    for reference in annotations[:_MAX_ANNOTATIONS] if isinstance(annotations, ArrayObject) else ():
        annotation = reference.get_object()
        if not isinstance(annotation, DictionaryObject) or annotation.get("/Subtype") != "/Link":
            continue
        action = annotation.get("/A")
        action = action.get_object() if action is not None else None
        target = action.get("/URI") if isinstance(action, DictionaryObject) else None
        rectangle = annotation.get("/Rect")
        if target is not None:
            value = target.get_object()
            address = value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
            corners = rectangle.get_object() if rectangle is not None else ()
            links.append((address, tuple(float(corner) for corner in corners)))
    return links


def _find_span(
    content: str, target: str, rectangle: tuple[float, ...], pieces: list[tuple[float, float, str]]
) -> LinkSpan:
    """Return the range of the words in the rectangle, else of the printed address, else the start of the page."""
    if len(rectangle) == 4:
        left, right = sorted((rectangle[0], rectangle[2]))
        bottom, top = sorted((rectangle[1], rectangle[3]))
        for x, y, piece in pieces:
            if left - _MARGIN <= x <= right + _MARGIN and bottom - _MARGIN <= y <= top + _MARGIN:
                start = content.find(clean(piece))
                if start >= 0:
                    return LinkSpan(target, start, start + len(piece))
    start = content.find(target)
    return LinkSpan(target, start, start + len(target)) if start >= 0 else LinkSpan(target, 0, 0)


def _metadata(reader: PdfReader) -> DeclaredMetadata:
    information: Mapping[str, Any] = reader.metadata or {}
    fields = {str(key).lower(): one_line(str(value)) for key, value in information.items()}
    title = fields.get("/title", "")
    return DeclaredMetadata(
        title="" if title.lower().startswith(_GENERATED_TITLES) else title,
        date=iso_date(fields.get("/creationdate", "")) or iso_date(fields.get("/moddate", "")),
        authors=tuple(filter(None, (part.strip() for part in fields.get("/author", "").split(";")))),
        tags=tuple(filter(None, (part.strip() for part in fields.get("/keywords", "").replace(";", ",").split(",")))),
        doi=identifiers.doi(fields.get("/doi", "")) or identifiers.doi(fields.get("/wps-articledoi", "")),
    )
