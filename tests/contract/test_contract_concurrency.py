import asyncio

from indexer.bootstrap import open_library
from indexer.errors import NotFound
from indexer.settings import IndexerSettings
from tests.contract.caller import Caller


async def test_first_writes_at_once_make_one_index(caller: Caller, engine_settings: IndexerSettings) -> None:
    second = open_library(engine_settings)
    twin = Caller(second, caller.principal)
    try:
        await asyncio.gather(
            *(who.add(f"d{n}-{at}", "boat") for n in range(4) for at, who in enumerate((caller, twin)))
        )
        expected = {f"d{n}-{at}" for n in range(4) for at in range(2)}
        assert await caller.matching("boat") == expected
        assert await twin.matching("boat") == expected
        prefix = f"trawl.{caller.principal.team}.default."
        assert len(caller.library.engine.writer.physical_names(prefix)) == 1
    finally:
        await second.aclose()


async def test_writers_at_once_lose_nothing(caller: Caller) -> None:
    rows = [[{"doc_id": f"d{writer}-{n}", "content": "boat"} for n in range(25)] for writer in range(6)]
    results = await asyncio.gather(*(caller.add_all(some) for some in rows))
    assert [result["indexed"] for result in results] == [25] * 6
    assert len(await caller.matching("boat")) == 150


async def test_writers_of_one_document_all_succeed_and_the_last_one_stays(caller: Caller) -> None:
    await caller.add("doc", "start")
    added = await asyncio.gather(*(caller.add("doc", f"boat number {n}", {"n": n}) for n in range(10)))
    assert {result["status"] for result in added} <= {"indexed", "re-indexed"}
    assert await caller.matching("boat") == {"doc"}
    await caller.add("doc", "final harbour")
    assert (await caller.get("doc"))["content"] == "final harbour"
    assert await caller.matching("harbour") == {"doc"}
    assert await caller.matching("boat") == set()


async def test_adding_and_deleting_at_once_ends_in_one_of_both(caller: Caller) -> None:
    await caller.add("doc", "boat")
    await asyncio.gather(*(call for _ in range(5) for call in (caller.add("doc", "boat"), caller.delete("doc"))))
    found = await caller.matching("boat")
    assert found in (set(), {"doc"})
    assert (await caller.delete("doc"))["status"] == ("deleted" if found else "absent")
    assert await caller.matching("boat") == set()
    assert (await caller.add("doc", "boat"))["status"] == "indexed"
    assert await caller.matching("boat") == {"doc"}


async def test_one_of_several_creators_wins(caller: Caller) -> None:
    outcomes = await asyncio.gather(*(caller.create("notes") for _ in range(5)), return_exceptions=True)
    assert sum(isinstance(outcome, dict) for outcome in outcomes) == 1
    assert {str(outcome) for outcome in outcomes if not isinstance(outcome, dict)} == {"Index already exists: notes"}


async def test_another_process_sees_writes_deletions_and_new_indices_at_once(
    caller: Caller, engine_settings: IndexerSettings
) -> None:
    second = open_library(engine_settings)
    twin = Caller(second, caller.principal)
    try:
        assert await twin.matching("boat") == set()
        await caller.add("a", "boat")
        assert await twin.matching("boat") == {"a"}
        await caller.create("notes")
        await caller.add("n", "boat", index_name="notes")
        assert await twin.matching("boat", index_name="notes") == {"n"}
        await caller.delete("a")
        assert await twin.matching("boat") == set()
        await caller.drop("notes")
        assert (await twin.failure("boat", index_name="notes"))["error_category"] == "not_found"
        await caller.create("notes")
        await caller.add("m", "boat", index_name="notes")
        assert await twin.matching("boat", index_name="notes") == {"m"}
        cursor = (await caller.search("boat", index_name="notes"))["next_cursor"]
        assert cursor is None
    finally:
        await second.aclose()


async def test_a_first_pages_cursor_works_in_another_process(caller: Caller, engine_settings: IndexerSettings) -> None:
    second = open_library(engine_settings)
    twin = Caller(second, caller.principal)
    try:
        await caller.fill({f"d{n}": "boat " * (n + 1) for n in range(6)})
        first = await caller.search("boat", k=2)
        rest = await twin.search("boat", k=10, cursor=first["next_cursor"])
        assert len({hit["doc_id"] for page in (first, rest) for hit in page["results"]}) == 6
    finally:
        await second.aclose()


async def test_searches_go_on_while_an_index_is_deleted_and_made_again(caller: Caller) -> None:
    await caller.create("notes")
    await caller.add("a", "boat", index_name="notes")
    running = True
    answers: set[str] = set()

    async def keep_searching() -> None:
        while running:
            try:
                found = await caller.matching("boat", index_name="notes")
                answers.add(",".join(sorted(found)))
            except NotFound:
                answers.add("not found")

    searchers = [asyncio.create_task(keep_searching()) for _ in range(2)]
    try:
        for _ in range(3):
            await caller.drop("notes")
            await caller.create("notes")
            await caller.add("a", "boat", index_name="notes")
    finally:
        running = False
        await asyncio.gather(*searchers)
    assert answers <= {"a", "", "not found"}
    assert await caller.matching("boat", index_name="notes") == {"a"}
