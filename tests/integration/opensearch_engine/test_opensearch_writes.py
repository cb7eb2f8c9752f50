import pytest

from indexer.engines.opensearch.bulk import write_alias
from indexer.engines.port import Deletion, Engine, Target
from indexer.errors import MissingIndex
from indexer.tenancy import DocumentId, IndexName, TeamId, alias, physical_name
from tests.integration.opensearch_engine.notes import DEFINITION, document, identities, put


async def test_a_deletion_is_remembered_for_a_while(engine: Engine, target: Target) -> None:
    put(engine, target, document("a", "first", 5))
    assert engine.writer.delete(target, [Deletion(DocumentId("a"), 7)])[0].status == "deleted"
    assert engine.writer.write(target, [document("a", "late", 6)])[0].status == "superseded"
    assert engine.writer.get_many(target, identities("a"), text=False) == [None]


async def test_an_alias_is_not_moved_to_a_missing_index(engine: Engine, target: Target) -> None:
    engine.writer.drop(target.physical)
    with pytest.raises(MissingIndex):
        engine.writer.publish("trawl.nobody.nothing", target.physical)


async def test_a_scan_gives_whole_documents_and_bounds_its_batches(
    engine: Engine, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("indexer.engines.opensearch.scan._BATCH_CHARACTERS", 50_000)
    documents = [document(f"{at:03}", "short", at + 1, year=float(at), tags=["x"]) for at in range(600)]
    documents += [document(f"long{at}", "long " * 4_000, 1) for at in range(3)]
    put(engine, target, *documents)
    batches = list(engine.writer.scan(target, text=True))
    assert max(sum(len(found.text) for found in batch) for batch in batches) <= 50_000
    assert sorted((found for batch in batches for found in batch), key=lambda found: found.id) == documents
    bare = [found for batch in engine.writer.scan(target, text=False) for found in batch]
    assert sorted((found.id, found.revision) for found in bare) == [(found.id, found.revision) for found in documents]
    assert (await engine.reader.size(target)).documents == 603


async def test_an_alias_moves_in_one_step(engine: Engine, target: Target, team: TeamId) -> None:
    public = alias(team, IndexName("notes"))
    second = Target(physical_name(team, IndexName("notes"), 2), DEFINITION)
    engine.writer.create(second, public)
    engine.writer.create(second, public)
    assert engine.writer.physical_names(f"trawl.{team}.") == [target.physical, second.physical]

    def behind() -> set[str]:
        return set(engine.writer._client.indices.get_alias(name=public))  # type: ignore[attr-defined] # its own client

    assert behind() == {target.physical}
    engine.writer.publish(public, second.physical)
    engine.writer.publish(public, second.physical)
    assert behind() == {second.physical}
    assert write_alias(second.physical) != public
