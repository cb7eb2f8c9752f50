"""What an archive stores with each document besides its text."""

from bisect import bisect_right
from typing import Final, Literal, NotRequired, TypedDict

import orjson

from indexer.archives.incoming import HttpCacheHeaders

KEY: Final = "key"
CITES: Final = "cites"
VERSION: Final = "version"
ROOT: Final = "root"
"""Names of internal terms: see `metadata_terms.internal_term`."""


class Cited(TypedDict):
    """One citation as stored with the document that makes it."""

    target: str
    context: str
    candidates: list[tuple[str, float]]


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
    places: list[tuple[int, int | None, str | None, int | None]]
    keys: list[str]
    cites: list[Cited]
    root: str
    version: str
    ingested_at: str
    validators: NotRequired[HttpCacheHeaders]
    """Only of fetched pages whose servers gave any."""


def stored_fields(payload: bytes) -> StoredFields:
    """Read a payload that `archive_document` wrote."""
    fields: StoredFields = orjson.loads(payload)
    return fields


def place_at(fields: StoredFields, offset: int) -> tuple[int, int | None, str | None, int | None] | None:
    """Return the place that holds this character of the text: its start, page, heading and line."""
    found = bisect_right(fields["places"], offset, key=lambda place: place[0])
    return fields["places"][found - 1] if found else None
