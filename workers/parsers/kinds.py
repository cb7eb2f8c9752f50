"""Which parser reads a file: by its name, corrected by what the bytes really are."""

import re
from collections.abc import Mapping
from io import BytesIO
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Final, Literal
from zipfile import BadZipFile, ZipFile

from workers.parsers.failures import ParseError

Kind = Literal["markdown", "html", "pdf", "docx", "text"]
"""Each is the name of the module beside this one that reads it."""

EXTENSIONS: Final[Mapping[str, Kind]] = MappingProxyType(
    {
        ".md": "markdown",
        ".markdown": "markdown",
        ".mdown": "markdown",
        ".mkd": "markdown",
        ".mdx": "markdown",
        ".html": "html",
        ".htm": "html",
        ".xhtml": "html",
        ".pdf": "pdf",
        ".docx": "docx",
        ".txt": "text",
        ".text": "text",
        ".rst": "text",
        ".adoc": "text",
        ".org": "text",
        ".tex": "text",
    }
)
"""The files that can be read, by lower-case extension."""
_MEDIA_TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "text/markdown": ".md",
        "text/x-markdown": ".md",
        "text/html": ".html",
        "application/xhtml+xml": ".xhtml",
        "application/pdf": ".pdf",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
        "text/plain": ".txt",
    }
)
UNKNOWN: Final = "is not a kind of file that can be read (md, html, pdf, docx, txt, …)"
_PAGE: Final = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)
_FOREIGN: Final = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is an old Office file: save it as .docx or .pdf"),
    (b"\x89PNG\r\n", "is a picture"),
    (b"\xff\xd8\xff", "is a picture"),
    (b"GIF8", "is a picture"),
    (b"\x1f\x8b", "is a compressed file"),
    (b"7z\xbc\xaf", "is a compressed file"),
    (b"Rar!", "is a compressed file"),
    (b"\x7fELF", "is a program"),
    (b"%!PS", "is PostScript: convert it to PDF"),
    (b"{\\rtf", "is RTF: save it as .docx or .pdf"),
)
_HEADER_REACH: Final = 1_024


def extension_of(media_type: str) -> str | None:
    """Return the extension to name fetched content by, from its Content-Type; None for what cannot be read."""
    return _MEDIA_TYPES.get(media_type.partition(";")[0].strip().lower())


def kind_of(name: str, data: bytes) -> Kind:
    """Decide how to read a file; the reason of a refusal says what is the matter with it."""
    named = EXTENSIONS.get(PurePosixPath(name.replace("\\", "/")).suffix.lower())
    if named is None:
        raise ParseError(UNKNOWN)
    if not data.strip():
        raise ParseError("is empty")
    actual = _actual(data)
    if actual is not None:
        return actual
    if named == "pdf":
        raise ParseError("is named .pdf but is not a PDF")
    if named == "docx":
        raise ParseError("is named .docx but is not a Word file")
    return named


def _actual(data: bytes) -> Kind | None:
    """Recognise what says itself what it is; text of any sort is left to the name."""
    for beginning, reason in _FOREIGN:
        if data.startswith(beginning):
            raise ParseError(reason)
    if b"%PDF-" in data[:_HEADER_REACH] and not _reads_as_text(data):
        return "pdf"
    if data.startswith(b"PK\x03\x04"):
        return _packed(data)
    return "html" if _PAGE.match(data[: 2 * _HEADER_REACH]) else None


def _reads_as_text(data: bytes) -> bool:
    """Say whether `%PDF-` is only quoted by a text: then something else stands before it, and no PDF's end follows."""
    return not data.lstrip(b"\xef\xbb\xbf\r\n\t \0").startswith(b"%PDF-") and b"startxref" not in data[-4_096:]


def _packed(data: bytes) -> Kind:
    try:
        with ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
    except (BadZipFile, ValueError, NotImplementedError):
        raise ParseError("is a broken Word or zip file") from None
    if "word/document.xml" in names:
        return "docx"
    raise ParseError("is a zip file, not a Word file")
