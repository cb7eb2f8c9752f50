"""IDs of documents of all sources: opaque, safe in URLs, and always the same for the same document."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import Final

from indexer.errors import NotFound
from mcp_server.search_source import SourceName

_VERSION: Final = "1"
_LETTERS: Final[dict[SourceName, str]] = {"archive": "a", "indices": "i", "osdu": "o", "quilt": "q"}
SOURCES_OF_DOCUMENTS: Final = frozenset(_LETTERS)
"""The sources with documents that can be fetched; a page of the web is read where it is."""
_SOURCES: Final = {letter: name for name, letter in _LETTERS.items()}
_SEPARATOR: Final = "\0"


class UnknownId(NotFound):
    """No search returned this ID."""

    def __init__(self) -> None:
        super().__init__("There is no document with this id", action="Use an id as search or quote_find returned it")


@dataclass(frozen=True, slots=True)
class DocumentKey:
    """A document by its source, its index if the source has several, and its ID there."""

    source: SourceName
    index_name: str | None
    id: str

    def encode(self) -> str:
        """Return the ID that callers get."""
        raw = f"{_LETTERS[self.source]}{self.index_name or ''}{_SEPARATOR}{self.id}"
        return _VERSION + urlsafe_b64encode(raw.encode()).decode().rstrip("=")


def decode_id(text: str) -> DocumentKey:
    """Return the document that an ID names; `UnknownId` if it is none of ours."""
    try:
        encoded = text.removeprefix(_VERSION)
        raw = urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)).decode()
        place, separator, id_ = raw.partition(_SEPARATOR)
        key = DocumentKey(_SOURCES[place[:1]], place[1:] or None, id_)
    except (ValueError, KeyError):
        raise UnknownId from None
    # Base64 has several spellings of the same bytes; a document has one ID.
    if not separator or not id_ or key.encode() != text:
        raise UnknownId
    return key
