"""The payload of an archive's document: everything that is stored besides its text."""

from bisect import bisect_right
from typing import Final, Literal, NotRequired, TypedDict

import orjson

from indexer.archives.incoming import HttpCacheHeaders

# Names of internal terms, which only our own code can search (`schema/metadata_terms.py`).
KEY: Final = "key"
"""A key under which the document can be cited; see `citations/keys.py`."""
CITES: Final = "cites"
"""A key that the document cites."""
VERSION: Final = "version"
ROOT: Final = "root"


class Cited(TypedDict):
    """One citation, as stored with the citing document."""

    target: str
    """The link as written, or the URL of an identifier."""
    context: str
    """The text around the link."""
    candidates: list[tuple[str, float]]
    """Keys of documents that the link may mean, with a confidence; best first."""


StoredPlace = tuple[int, int | None, str | None, int | None]
"""Start offset in the text, and page, heading and line of the original."""


class StoredFields(TypedDict):
    """The payload of an archive's document."""

    title: str
    path: str
    source: Literal["research", "url"]
    date: str | None
    authors: list[str]
    tags: list[str]
    language: str | None
    url: str | None
    doi: str | None
    places: list[StoredPlace]
    """Sorted by offset."""
    keys: list[str]
    """All keys under which this document can be cited."""
    cites: list[Cited]
    root: str
    version: str
    ingested_at: str
    validators: NotRequired[HttpCacheHeaders]
    """Only for fetched pages whose server sent validators."""


def stored_fields(payload: bytes) -> StoredFields:
    """Parse a payload that `archive_document` wrote."""
    fields: StoredFields = orjson.loads(payload)
    return fields


def place_at(fields: StoredFields, offset: int) -> StoredPlace | None:
    """Return the place (start, page, heading, line) that contains this offset of the text."""
    position = bisect_right(fields["places"], offset, key=lambda place: place[0])
    return fields["places"][position - 1] if position else None
