"""Chooses the parser of a file: by its extension, corrected by its content."""

import re
from collections.abc import Mapping
from io import BytesIO
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Final, Literal
from zipfile import BadZipFile, ZipFile

from workers.parsers.failures import ParseError

Kind = Literal["markdown", "html", "pdf", "docx", "text"]
"""Each is also the name of the module in this package that parses it."""

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
"""The kind by lower-case extension."""
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
_HTML_START: Final = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)
_UNSUPPORTED: Final = (
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
_HEADER_SEARCH_BYTES: Final = 1_024


def extension_of(media_type: str) -> str | None:
    """Return the extension for a Content-Type, or None if there is no parser for it."""
    return _MEDIA_TYPES.get(media_type.partition(";")[0].strip().lower())


def kind_of(name: str, data: bytes) -> Kind:
    """Return the kind of a file; `ParseError` if it cannot be parsed."""
    by_name = EXTENSIONS.get(PurePosixPath(name.replace("\\", "/")).suffix.lower())
    if by_name is None:
        raise ParseError(UNKNOWN)
    if not data.strip():
        raise ParseError("is empty")
    by_content = _detect_kind(data)
    if by_content is not None:
        return by_content
    if by_name == "pdf":
        raise ParseError("is named .pdf but is not a PDF")
    if by_name == "docx":
        raise ParseError("is named .docx but is not a Word file")
    return by_name


def _detect_kind(data: bytes) -> Kind | None:
    """Return the kind by the content, or None for text, whose kind only the name says."""
    for signature, reason in _UNSUPPORTED:
        if data.startswith(signature):
            raise ParseError(reason)
    if b"%PDF-" in data[:_HEADER_SEARCH_BYTES] and not _is_text_about_pdf(data):
        return "pdf"
    if data.startswith(b"PK\x03\x04"):
        return _detect_zip_kind(data)
    return "html" if _HTML_START.match(data[: 2 * _HEADER_SEARCH_BYTES]) else None


def _is_text_about_pdf(data: bytes) -> bool:
    """Return whether a text only quotes `%PDF-`: other text stands before it, and no PDF trailer follows."""
    return not data.lstrip(b"\xef\xbb\xbf\r\n\t \0").startswith(b"%PDF-") and b"startxref" not in data[-4_096:]


def _detect_zip_kind(data: bytes) -> Kind:
    try:
        with ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
    except (BadZipFile, ValueError, NotImplementedError):
        raise ParseError("is a broken Word or zip file") from None
    if "word/document.xml" in names:
        return "docx"
    raise ParseError("is a zip file, not a Word file")
