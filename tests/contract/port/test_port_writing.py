from dataclasses import replace

import pytest

from indexer.engines.port import Deletion, Document, Engine, SearchRequest, Target
from indexer.errors import MissingIndex
from indexer.query.ast import Everything, Word
from indexer.tenancy import DocumentId, IndexName, TeamId, alias, physical_name
from tests.contract.port.notes import DEFINITION, document, identities, ids, put, write


def delete(engine: Engine, target: Target, *deletions: tuple[str, int]) -> list[str]:
    wanted = [Deletion(DocumentId(id_), revision) for id_, revision in deletions]
    statuses = [deleted.status for deleted in engine.writer.delete(target, wanted)]
    engine.writer.refresh(target)
    return statuses


async def test_a_document_is_found_and_read_back_whole(engine: Engine, target: Target) -> None:
    given = document("ü/1 ", "The boats — 日本", 2**62 + 5, year=2020, tag=["a", "b"])
    put(engine, target, given)
    (hit,) = (await engine.reader.search(target, SearchRequest(Word("boat"), 10, snippets=3, text=True))).hits
    assert (hit.id, hit.revision, hit.text, hit.payload) == (given.id, given.revision, given.text, given.payload)
    assert hit.highlights == ("The <mark>boats</mark> — 日本",)
    brief = replace(given, terms=(), keys=(), sortable={})
    absent = DocumentId("absent")
    assert await engine.reader.get(target, [absent, given.id], text=True) == [None, brief]
    assert engine.writer.get_many(target, [given.id, absent], text=False) == [replace(brief, text=""), None]
    assert engine.writer.revisions(target, [given.id, absent]) == {given.id: given.revision}
    assert engine.writer.revisions(target, []) == {}
    assert list(engine.writer.scan(target, text=True)) == [[given]]


async def test_only_a_higher_revision_replaces_a_document(engine: Engine, target: Target) -> None:
    statuses = [write(engine, target, document("a", text, revision)) for revision, text in ((5, "five"), (5, "again"))]
    statuses += [write(engine, target, document("a", text, revision)) for revision, text in ((4, "four"), (6, "six"))]
    assert statuses == [["created"], ["superseded"], ["superseded"], ["updated"]]
    assert await ids(engine, target, Word("six")) == ["a"]
    assert await ids(engine, target, Everything()) == ["a"]


async def test_the_same_id_several_times_in_one_call_counts_in_order(engine: Engine, target: Target) -> None:
    given = [document("a", "one", 1), document("a", "three", 3), document("a", "two", 2)]
    assert write(engine, target, *given) == ["created", "updated", "superseded"]
    assert (await engine.reader.search(target, SearchRequest(Everything(), 10, text=True))).hits[0].text == "three"
    assert (await engine.reader.size(target)).documents == 1


async def test_a_deletion_removes_all_but_newer_revisions(engine: Engine, target: Target) -> None:
    put(engine, target, *(document(id_, revision=5) for id_ in "abc"))
    assert delete(engine, target, ("a", 6), ("b", 4), ("x", 9)) == ["deleted", "superseded", "absent"]
    assert delete(engine, target, ("c", 6), ("c", 7)) == ["deleted", "absent"]
    assert await ids(engine, target, Everything()) == ["b"]
    assert engine.writer.get_many(target, identities("a"), text=False) == [None]


async def test_a_document_that_is_refused_spoils_no_other_and_its_text_is_not_told(
    engine: Engine, target: Target
) -> None:
    wrong = Document(DocumentId("b"), 1, "canary", b"{}", sortable={"year": "canary"})
    written = engine.writer.write(target, [document("a"), wrong, document("c")])
    engine.writer.refresh(target)
    assert [outcome.status for outcome in written] == ["created", "failed", "created"]
    assert written[1].reason
    assert "canary" not in written[1].reason
    assert sorted(await ids(engine, target, Everything())) == ["a", "c"]


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
    for call in (
        lambda: engine.writer.write(target, [document("a")]),
        lambda: engine.writer.delete(target, [Deletion(DocumentId("a"), 1)]),
        lambda: engine.writer.refresh(target),
        lambda: engine.writer.get_many(target, identities("a"), text=True),
        lambda: engine.writer.revisions(target, identities("a")),
        lambda: list(engine.writer.scan(target, text=True)),
    ):
        with pytest.raises(MissingIndex):
            call()
    assert engine.writer.physical_names(target.physical) == []


async def test_a_dropped_index_that_is_made_again_is_empty(engine: Engine, target: Target, team: TeamId) -> None:
    put(engine, target, document("a"))
    engine.writer.drop(target.physical)
    engine.writer.create(target, alias(team, IndexName("notes")))
    assert (await engine.reader.size(target)).documents == 0
    put(engine, target, document("a"))


async def test_making_an_index_twice_changes_nothing(engine: Engine, target: Target, team: TeamId) -> None:
    put(engine, target, document("a"))
    engine.writer.create(target, alias(team, IndexName("notes")))
    second = Target(physical_name(team, IndexName("notes"), 2), DEFINITION)
    engine.writer.create(second, alias(team, IndexName("notes")))
    assert engine.writer.physical_names(f"trawl.{team}.") == [target.physical, second.physical]
    assert await ids(engine, target, Everything()) == ["a"]


async def test_a_scan_gives_whole_documents_as_they_were_at_its_start(engine: Engine, target: Target) -> None:
    documents = [document(f"{at:04}", "short", at + 1, year=float(at), tags=["x"]) for at in range(1_200)]
    put(engine, target, *documents)
    batches = engine.writer.scan(target, text=True)
    first = next(batches)
    write(engine, target, document("new"), document("0599", revision=9_999))
    scanned = sorted([*first, *(found for batch in batches for found in batch)], key=lambda found: found.id)
    assert scanned == documents
    bare = [found for batch in engine.writer.scan(target, text=False) for found in batch]
    assert {found.text for found in bare} == {""}
    assert len(bare) == engine.writer.count(target) == 1_201
