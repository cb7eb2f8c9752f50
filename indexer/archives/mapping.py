"""Maps a parsed file or page to the document that an engine stores."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import orjson

from indexer.archives.citations.extract import citations
from indexer.archives.citations.keys import own_keys
from indexer.archives.definition import ARCHIVE
from indexer.archives.incoming import IncomingDocument
from indexer.archives.stored import CITES, KEY, ROOT, VERSION, StoredFields, StoredPlace, stored_fields
from indexer.archives.titles import begin_with_title, title_of
from indexer.engines.port import Document
from indexer.schema.definition import IndexDefinition
from indexer.schema.metadata_terms import internal_term, keys_of, terms_of
from indexer.schema.sortable import sortable_values
from indexer.tenancy import DocumentId


def archive_document(incoming: IncomingDocument, revision: int) -> Document:
    """Build the document that an engine stores."""
    parsed = incoming.parsed
    path = incoming.path if incoming.source == "research" else None
    urls = tuple(url for url in (incoming.url, parsed.canonical_url) if url)
    title = title_of(parsed.title, parsed.text, incoming.path)
    places: list[StoredPlace] = [(place.start, place.page, place.heading, place.line) for place in parsed.places]
    text, places = begin_with_title(title, parsed.text, places)
    fields = StoredFields(
        title=title,
        path=incoming.path,
        source=incoming.source,
        date=parsed.date or incoming.fallback_date,
        authors=list(parsed.authors),
        tags=list(parsed.tags),
        language=parsed.language,
        url=incoming.url or parsed.canonical_url,
        doi=parsed.doi,
        places=places,
        keys=own_keys(path, urls, parsed.doi, parsed.title),
        cites=citations(parsed, path, incoming.url),
        root=incoming.root,
        version=incoming.version,
        ingested_at=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    if incoming.validators is not None:
        fields["validators"] = incoming.validators
    filterable = filterable_fields(fields)
    return Document(
        id=incoming.id,
        revision=revision,
        text=text,
        payload=orjson.dumps(fields),
        terms=(*terms_of(filterable), *_internal_terms(incoming.id, fields)),
        keys=keys_of(filterable),
        sortable=sortable_values(ARCHIVE, filterable),
    )


def remap_document(document: Document, definition: IndexDefinition) -> Document:
    """Rebuild what is derived from a stored document's text and payload: title, terms, keys and sortable values."""
    fields = stored_fields(document.payload)
    fields["title"] = title_of(fields["title"], document.text, fields["path"])
    text, fields["places"] = begin_with_title(fields["title"], document.text, fields["places"])
    filterable = filterable_fields(fields)
    return replace(
        document,
        text=text,
        payload=orjson.dumps(fields),
        terms=(*terms_of(filterable), *_internal_terms(document.id, fields)),
        keys=keys_of(filterable),
        sortable=sortable_values(definition, filterable),
    )


def version_value(id_: str, version: str) -> str:
    """Return the value of the internal term that identifies this version of this document."""
    return f"{id_}:{version}"


def filterable_fields(fields: StoredFields) -> dict[str, Any]:
    """Return the fields that a document is filtered, sorted and counted by."""
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
    cited_keys = {key for cited in fields["cites"] for key, _ in cited["candidates"]}
    return [
        internal_term(VERSION, version_value(id_, fields["version"])),
        internal_term(ROOT, fields["root"]),
        *(internal_term(KEY, key) for key in fields["keys"]),
        *(internal_term(CITES, key) for key in sorted(cited_keys)),
    ]
