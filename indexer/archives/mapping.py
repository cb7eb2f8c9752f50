"""Archives: how a parsed file or page is kept, and by what it can be filtered, sorted and cited."""

from bisect import bisect_right
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Final, Literal, NotRequired, TypedDict

import orjson

from indexer.archives.citations.extract import Cited, citations
from indexer.archives.citations.keys import own_keys
from indexer.archives.incoming import Arrival, Validators
from indexer.archives.parsed import ParsedDocument
from indexer.engines.port import Document
from indexer.local.mapping import sortable_values
from indexer.schema.definition import IndexDefinition
from indexer.schema.metadata_terms import internal_term, keys_of, terms_of
from indexer.tenancy import DocumentId

ARCHIVE_VERSION: Final = 1
"""Raised whenever the same document would be indexed in another way; older archives are then outdated."""
ARCHIVE: Final = IndexDefinition(
    kind="archive",
    version=ARCHIVE_VERSION,
    sortable=MappingProxyType({"date": "date", "title": "string", "path": "string"}),
)
FILTERABLE: Final = ("source", "date", "author", "tags", "path", "language", "title")
KEY: Final = "key"
CITES: Final = "cites"
VERSION: Final = "version"
ROOT: Final = "root"
"""Names of internal terms: see `metadata.internal_term`."""


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
    validators: NotRequired[Validators]
    """Only of fetched pages whose servers gave any."""


def archive_document(arrival: Arrival, revision: int) -> Document:
    """Make what engines keep of an arrival."""
    parsed = arrival.parsed
    path = arrival.path if arrival.source == "research" else None
    urls = tuple(url for url in (arrival.url, parsed.canonical_url) if url)
    fields = StoredFields(
        title=parsed.title,
        path=arrival.path,
        source=arrival.source,
        date=parsed.date or arrival.fallback_date,
        authors=list(parsed.authors),
        tags=list(parsed.tags),
        language=parsed.language,
        url=arrival.url or parsed.canonical_url,
        doi=parsed.doi,
        places=_places(parsed),
        keys=own_keys(path, urls, parsed.doi, parsed.title),
        cites=citations(parsed, path, arrival.url),
        root=arrival.root,
        version=arrival.version,
        ingested_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    if arrival.validators is not None:
        fields["validators"] = arrival.validators
    filterable = _filterable(fields)
    return Document(
        id=arrival.id,
        revision=revision,
        text=_heading(parsed) + parsed.text,
        payload=orjson.dumps(fields),
        terms=(*terms_of(filterable), *_internal_terms(arrival.id, fields)),
        keys=keys_of(filterable),
        sortable=sortable_values(ARCHIVE, filterable),
    )


def renewed_archive_document(document: Document, definition: IndexDefinition = ARCHIVE) -> Document:
    """Make a stored document's terms, keys and sortable values anew, from what is stored."""
    fields = stored_fields(document.payload)
    filterable = _filterable(fields)
    return replace(
        document,
        terms=(*terms_of(filterable), *_internal_terms(document.id, fields)),
        keys=keys_of(filterable),
        sortable=sortable_values(definition, filterable),
    )


def stored_fields(payload: bytes) -> StoredFields:
    """Read a payload that `archive_document` wrote."""
    fields: StoredFields = orjson.loads(payload)
    return fields


def version_value(arrival_id: str, version: str) -> str:
    """Return the internal term's value that only this version of this document has."""
    return f"{arrival_id}:{version}"


def place_at(fields: StoredFields, offset: int) -> tuple[int, int | None, str | None, int | None] | None:
    """Return the place that holds this character of the text: its start, page, heading and line."""
    found = bisect_right(fields["places"], offset, key=lambda place: place[0])
    return fields["places"][found - 1] if found else None


def _filterable(fields: StoredFields) -> dict[str, Any]:
    return {
        "source": fields["source"],
        "date": fields["date"],
        "author": fields["authors"],
        "tags": fields["tags"],
        "path": fields["path"],
        "language": fields["language"],
        "title": fields["title"],
    }


def _internal_terms(id_: DocumentId, fields: StoredFields) -> list[str]:
    cited = {key for cited in fields["cites"] for key, _ in cited["candidates"]}
    return [
        internal_term(VERSION, version_value(id_, fields["version"])),
        internal_term(ROOT, fields["root"]),
        *(internal_term(KEY, key) for key in fields["keys"]),
        *(internal_term(CITES, key) for key in sorted(cited)),
    ]


def _heading(parsed: ParsedDocument) -> str:
    """Return what stands before the text, so that a title is found however the document shows it."""
    return "" if not parsed.title or parsed.text.startswith(parsed.title) else f"{parsed.title}\n\n"


def _places(parsed: ParsedDocument) -> list[tuple[int, int | None, str | None, int | None]]:
    shift = len(_heading(parsed))
    return [(place.start + shift, place.page, place.heading, place.line) for place in parsed.places]
