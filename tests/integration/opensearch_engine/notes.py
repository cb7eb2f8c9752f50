"""Documents for the tests of the engine."""

from indexer.engines.port import Document, Engine, SearchRequest, Target
from indexer.query.ast import Query, SortKey
from indexer.schema.definition import Analysis, IndexDefinition
from indexer.schema.metadata_terms import keys_of, terms_of
from indexer.tenancy import DocumentId

DEFINITION = IndexDefinition("local", 1, Analysis(min_length=1), {"year": "number", "title": "string", "on": "boolean"})


def document(identity: str, text: str, revision: int = 1, **metadata: object) -> Document:
    declared = {name: value for name, value in metadata.items() if name in DEFINITION.sortable}
    return Document(
        DocumentId(identity), revision, text, b'{"of": "' + identity.encode() + b'"}', terms_of(metadata),
        keys_of(metadata), declared,  # type: ignore[arg-type] # the tests' values are scalars
    )  # fmt: skip


def put(engine: Engine, target: Target, *documents: Document) -> None:
    assert {written.status for written in engine.writer.write(target, documents)} == {"created"}
    engine.writer.refresh(target)


async def ids(engine: Engine, target: Target, query: Query, *sort: SortKey, limit: int = 100) -> list[str]:
    found = await engine.reader.search(target, SearchRequest(query, limit, sort))
    assert found.total == len(found.hits)
    return [hit.id for hit in found.hits]


def identities(*given: str) -> list[DocumentId]:
    return [DocumentId(identity) for identity in given]
