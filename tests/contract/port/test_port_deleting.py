from indexer.engines.port import Deletion, Engine, Target
from indexer.query.ast import Everything
from indexer.tenancy import DocumentId
from tests.contract.port.notes import document, ids, put


def delete(engine: Engine, target: Target, revision: int) -> str:
    (deleted,) = engine.writer.delete(target, [Deletion(DocumentId("a"), revision)])
    engine.writer.refresh(target)
    return deleted.status


async def test_a_document_is_deleted_at_its_own_revision_once(engine: Engine, target: Target) -> None:
    put(engine, target, document("a", revision=5))
    assert delete(engine, target, 4) == "superseded"
    assert await ids(engine, target, Everything()) == ["a"]
    assert delete(engine, target, 5) == "deleted"
    assert delete(engine, target, 5) == "absent"
    assert await ids(engine, target, Everything()) == []
    put(engine, target, document("a", revision=6))
