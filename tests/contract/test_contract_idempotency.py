"""Adding a document again without a change: the answer is `re-indexed`, and nothing in the index changes."""

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from indexer.bootstrap import DEFINITIONS
from indexer.index.registry import Registry
from indexer.local.definition import LOCAL
from indexer.reindex.backfill import copy_documents, replay_deletions
from indexer.reindex.session import rebuilding
from indexer.reindex.verify import verify
from indexer.tenancy import DEFAULT_INDEX
from tests.contract.caller import Caller, failure_of

TIES: list[dict[str, Any]] = [
    {"doc_id": f"tie-{number}", "content": "coral reef", "metadata": {"n": number}} for number in range(6)
]
OTHERS: list[dict[str, Any]] = [
    {"doc_id": f"other-{number}", "content": "harbour wall and boat"} for number in range(6)
]
RE_INDEXED = {"success": True, "status": "re-indexed", "doc_id": "doc", "token_count": 2}


async def state(caller: Caller) -> list[tuple[object, ...]]:
    """Return what an agent sees of the index: order, scores and revisions."""
    hits = (await caller.search("coral", k=100))["results"]
    revisions = [(await caller.get(hit["doc_id"]))["revision"] for hit in hits]
    return [(hit["doc_id"], hit["score"], revision) for hit, revision in zip(hits, revisions, strict=True)]


async def revision(caller: Caller) -> int:
    return (await caller.get("doc"))["revision"]


async def test_six_identical_adds_change_no_score_no_order_and_no_revision(caller: Caller) -> None:
    await caller.add_all(TIES + OTHERS)
    before = await state(caller)
    for number in (3, 0, 5, 3, 3, 0):
        again = await caller.add(**TIES[number])
        assert again == RE_INDEXED | {"doc_id": f"tie-{number}"}
    assert await state(caller) == before


async def test_six_identical_batches_change_no_score_no_order_and_no_revision(caller: Caller) -> None:
    await caller.add_all(TIES + OTHERS)
    before = await state(caller)
    for start in range(6):
        result = await caller.add_all(TIES[start:] + OTHERS + TIES[:start])
        assert {row["status"] for row in result["results"]} == {"re-indexed"}
        assert {row["token_count"] for row in result["results"]} == {2, 4}
        assert (result["indexed"], result["failed"]) == (12, 0)
    assert await state(caller) == before


async def test_only_what_differs_in_a_batch_is_written(caller: Caller) -> None:
    await caller.add_all(TIES)
    before = {row["doc_id"]: (await caller.get(row["doc_id"]))["revision"] for row in TIES}
    changed = {"doc_id": "tie-2", "content": "coral harbour"}
    result = await caller.add_all([*TIES[:2], changed, {"doc_id": "new", "content": "coral"}, *TIES[3:]])
    assert [row["status"] for row in result["results"]] == ["re-indexed"] * 3 + ["indexed"] + ["re-indexed"] * 3
    after = {row["doc_id"]: (await caller.get(row["doc_id"]))["revision"] for row in TIES}
    assert {id_ for id_ in before if after[id_] != before[id_]} == {"tie-2"}
    assert await caller.matching("harbour") == {"tie-2"}


@pytest.mark.parametrize(
    ("stored", "given"),
    [
        ({"n": 1}, {"n": 2}),
        ({"n": 1}, {"n": 1.0}),
        ({"n": 1}, {"n": True}),
        ({"n": 1}, {"n": "1"}),
        ({"n": 2**70}, {"n": 2**70 + 1}),
        ({"n": None}, {}),
        ({"n": [1, 2]}, {"n": [2, 1]}),
        ({"deep": {"n": 1}}, {"deep": {"n": 1.0}}),
    ],
)
async def test_a_change_of_metadata_alone_is_written(
    caller: Caller, stored: dict[str, Any], given: dict[str, Any]
) -> None:
    await caller.add("doc", "coral reef", stored)
    first = await revision(caller)
    assert await caller.add("doc", "coral reef", given) == RE_INDEXED
    assert await revision(caller) > first
    assert repr((await caller.get("doc"))["metadata"]) == repr(given)


async def test_the_order_of_keys_and_the_form_of_letters_are_no_change(caller: Caller) -> None:
    await caller.add("doc", "caf\u00e9 reef", {"b": {"y": 1, "x": 2}, "a": 2**70})
    first = await caller.get("doc")
    assert await caller.add("doc", "cafe\u0301 reef", {"a": 2**70, "b": {"x": 2, "y": 1}}) == RE_INDEXED
    assert await caller.get("doc") == first
    assert list((await caller.get("doc"))["metadata"]) == ["b", "a"]
    assert await caller.add("doc", "caf\u00e9 reef") == RE_INDEXED
    assert (await caller.get("doc"))["metadata"] == {}
    assert (await caller.describe())["fields"] == []


async def test_a_document_that_was_changed_and_changed_back_is_written_each_time(caller: Caller) -> None:
    revisions = []
    for content in ("coral reef", "harbour wall", "coral reef", "coral reef"):
        await caller.add("doc", content)
        revisions.append(await revision(caller))
    assert revisions[0] < revisions[1] < revisions[2] == revisions[3]
    assert await caller.matching("coral") == {"doc"}
    assert await caller.matching("harbour") == set()


@pytest.mark.parametrize("contents", [["b", "a"], ["a", "b", "a"], ["b", "b", "a", "a"], ["a", "a"]])
async def test_the_last_of_several_in_one_batch_stays(caller: Caller, contents: list[str]) -> None:
    await caller.add("doc", "a coral")
    result = await caller.add_all([{"doc_id": "doc", "content": f"{content} coral"} for content in contents])
    assert {row["status"] for row in result["results"]} == {"re-indexed"}
    assert (await caller.get("doc"))["content"] == "a coral"
    assert await caller.matching("coral") == {"doc"}


async def test_a_new_document_twice_in_one_batch_is_indexed_then_unchanged(caller: Caller) -> None:
    rows = [{"doc_id": "doc", "content": "coral reef"}] * 2
    result = await caller.add_all(rows)
    assert [row["status"] for row in result["results"]] == ["indexed", "re-indexed"]
    first = await revision(caller)
    await caller.add_all(rows)
    assert await revision(caller) == first


async def test_a_deleted_document_is_indexed_anew(caller: Caller) -> None:
    await caller.fill({"doc": "coral reef", "gone": "coral"})
    await caller.delete("doc")
    assert (await caller.add("doc", "coral reef"))["status"] == "indexed"
    first = await revision(caller)
    await caller.delete("gone")
    assert await caller.add("doc", "coral reef") == RE_INDEXED
    assert await revision(caller) == first
    assert await caller.matching("coral") == {"doc"}
    assert (await failure_of(caller.get("gone")))["error_category"] == "not_found"


async def test_an_index_of_an_older_version_stays_as_it_is_too(caller: Caller) -> None:
    await caller.add_all(TIES)
    before = await state(caller)
    newer = {**DEFINITIONS, "local": replace(LOCAL, version=LOCAL.version + 1)}
    registry = Registry(caller.library.engine.records, newer, max_indices=200)
    later = Caller(replace(caller.library, registry=registry), caller.principal)
    assert (await later.indices())["indices"][0]["outdated"] is True
    await later.add_all(TIES)
    assert await state(later) == before


async def test_unchanged_adds_during_a_re_index_are_there_after_it(caller: Caller) -> None:
    await caller.add_all(TIES)
    before = await state(caller)
    library, team = caller.library, caller.principal.team

    def rebuild(add: Any) -> None:
        with rebuilding(library, team, DEFAULT_INDEX, LOCAL, "j_1") as session:
            add()
            copy_documents(session, lambda _: None)
            add()
            replay_deletions(session)
            verify(session, lambda: None)
            add()

    loop = asyncio.get_running_loop()
    await asyncio.to_thread(
        rebuild, lambda: asyncio.run_coroutine_threadsafe(caller.add_all(TIES), loop).result(timeout=60)
    )
    assert sorted(await state(caller), key=str) == sorted(before, key=str)
