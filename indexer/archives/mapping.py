"""From a parsed file or page to the document that an engine keeps."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import orjson

from indexer.archives.citations.extract import citations
from indexer.archives.citations.keys import own_keys
from indexer.archives.definition import ARCHIVE
from indexer.archives.incoming import IncomingDocument
from indexer.archives.parsed import ParsedDocument
from indexer.archives.stored import CITES, KEY, ROOT, VERSION, StoredFields, stored_fields
from indexer.engines.port import Document
from indexer.schema.definition import IndexDefinition
from indexer.schema.metadata_terms import internal_term, keys_of, terms_of
from indexer.schema.sortable import sortable_values
from indexer.tenancy import DocumentId


def archive_document(arrival: IncomingDocument, revision: int) -> Document:
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


def remapped_document(document: Document, definition: IndexDefinition) -> Document:
    """Make a stored document's terms, keys and sortable values anew, from what is stored."""
    fields = stored_fields(document.payload)
    filterable = _filterable(fields)
    return replace(
        document,
        terms=(*terms_of(filterable), *_internal_terms(document.id, fields)),
        keys=keys_of(filterable),
        sortable=sortable_values(definition, filterable),
    )


def version_value(arrival_id: str, version: str) -> str:
    """Return the internal term's value that only this version of this document has."""
    return f"{arrival_id}:{version}"


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
