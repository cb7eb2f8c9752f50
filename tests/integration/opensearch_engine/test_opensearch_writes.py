import pytest

from indexer.engines.opensearch.bulk import write_alias
from indexer.engines.port import Deletion, Document, Engine, SearchRequest, Target
from indexer.errors import MissingIndex
from indexer.query.ast import (
    Everything,
)
from indexer.tenancy import DocumentId, IndexName, TeamId, alias, physical_name
from tests.integration.opensearch_engine.notes import DEFINITION, document, identities, put


async def test_the_newest_revision_wins(engine: Engine, target: Target) -> None:
    def written(*documents: Document) -> list[str]:
        return [outcome.status for outcome in engine.writer.write(target, documents)]

    def deleted(identity: str, revision: int) -> str:
        return engine.writer.delete(target, [Deletion(DocumentId(identity), revision)])[0].status

    assert written(document("a", "first", 5), document("b", "other", 5)) == ["created", "created"]
    assert written(document("a", "old", 4), document("a", "same", 5), document("a", "new", 6)) == [
        "superseded",
        "superseded",
        "updated",
    ]
    found = await engine.reader.get(target, identities("a", "z", "b"), text=True)
    assert [document and document.text for document in found] == ["new", None, "other"]
    assert (deleted("a", 5), deleted("a", 7), deleted("z", 1)) == ("superseded", "deleted", "absent")
    assert written(document("a", "late", 6)) == ["superseded"]
    assert engine.writer.get_many(target, identities("a"), text=False) == [None]


async def test_a_refused_document_spoils_no_other_and_its_text_is_not_told(engine: Engine, target: Target) -> None:
    wrong = Document(DocumentId("a"), 1, "canary", b"{}", sortable={"year": "canary"})
    outcomes = engine.writer.write(target, [wrong, document("b", "fine")])
    assert [outcome.status for outcome in outcomes] == ["failed", "created"]
    assert "canary" not in (outcomes[0].reason or "canary")


async def test_a_missing_index_is_missing_to_all_and_made_by_none(engine: Engine, target: Target) -> None:
    engine.writer.drop(target.physical)
    engine.writer.drop(target.physical)
    for read in (
        lambda: engine.reader.search(target, SearchRequest(Everything(), 1)),
        lambda: engine.reader.get(target, identities("a"), text=True),
        lambda: engine.reader.open_view(target),
        lambda: engine.reader.keys(target),
        lambda: engine.reader.size(target),
    ):
        with pytest.raises(MissingIndex):
            await read()
    for write in (
        lambda: engine.writer.write(target, [document("a", "x")]),
        lambda: engine.writer.delete(target, [Deletion(DocumentId("a"), 1)]),
        lambda: engine.writer.get_many(target, identities("a"), text=True),
        lambda: engine.writer.refresh(target),
        lambda: list(engine.writer.scan(target, text=True)),
        lambda: engine.writer.publish("trawl.nobody.nothing", target.physical),
    ):
        with pytest.raises(MissingIndex):
            write()
    assert engine.writer.physical_names(target.physical) == []


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
