"""Documents and calls for the tests of the engine port."""

from typing import Any

import orjson

from indexer.engines.port import Document, Engine, SearchRequest, Target
from indexer.query.ast import Query, SortKey
from indexer.schema.definition import Analysis, IndexDefinition
from indexer.schema.metadata_terms import keys_of, terms_of
from indexer.schema.sortable import sortable_values
from indexer.tenancy import DocumentId

DEFINITION = IndexDefinition("local", 1, Analysis(min_length=1), {"year": "number", "title": "string", "on": "boolean"})


def document(id_: str, text: str = "a boat", revision: int = 1, **metadata: Any) -> Document:
    return Document(
        id=DocumentId(id_),
        revision=revision,
        text=text,
        payload=orjson.dumps(metadata),
        terms=terms_of(metadata),
        keys=keys_of(metadata),
        sortable=sortable_values(DEFINITION, metadata),
    )


def write(engine: Engine, target: Target, *documents: Document) -> list[str]:
    """Write, make it searchable, and return the statuses."""
    statuses = [written.status for written in engine.writer.write(target, documents)]
    engine.writer.refresh(target)
    return statuses


def put(engine: Engine, target: Target, *documents: Document) -> None:
    """Write documents that are all new."""
    assert set(write(engine, target, *documents)) == {"created"}


async def ids(engine: Engine, target: Target, query: Query, *sort: SortKey, size: int = 100) -> list[str]:
    """Return the ids of all matches, which must fit on one page."""
    response = await engine.reader.search(target, SearchRequest(query, size, sort))
    assert response.total == len(response.hits)
    return [hit.id for hit in response.hits]


def identities(*ids: str) -> list[DocumentId]:
    return [DocumentId(id_) for id_ in ids]
