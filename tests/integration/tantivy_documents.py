"""An index of its own on the embedded engine, and documents for it."""

from typing import Any

import orjson

from indexer.engines.port import Document, Engine, SearchRequest, Target
from indexer.schema.definition import IndexDefinition
from indexer.schema.metadata_terms import keys_of, terms_of
from indexer.tenancy import DocumentId, PhysicalName

DEFINITION = IndexDefinition("local", 1, sortable={"year": "number"})
TARGET = Target(PhysicalName("trawl.main.notes.1"), DEFINITION)
ALIAS = "trawl.main.notes"


def document(identity: str, text: str = "a boat", revision: int = 1, **metadata: Any) -> Document:
    year = metadata.get("year")
    return Document(
        id=DocumentId(identity),
        revision=revision,
        text=text,
        payload=orjson.dumps(metadata),
        terms=terms_of(metadata),
        keys=keys_of(metadata),
        sortable={"year": float(year)} if isinstance(year, int) else {},
    )


def identity(given: str) -> DocumentId:
    return DocumentId(given)


async def ids(engine: Engine, wanted: SearchRequest) -> list[str]:
    return [hit.id for hit in (await engine.reader.search(TARGET, wanted)).hits]
