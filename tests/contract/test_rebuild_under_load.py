"""Writers, deleters and searchers go on while an index is rebuilt, on both engines."""

import asyncio
import random
from dataclasses import dataclass, field

from indexer.reindex.rebuild import RebuildReport, rebuild
from indexer.tenancy import DEFAULT_INDEX
from tests.contract.caller import Caller

WRITERS = 3
OPERATIONS = 25
REBUILDS = 2


@dataclass
class Author:
    """Adds, changes and deletes documents of its own, and knows what must be there after each answer."""

    caller: Caller
    name: str
    seed: int
    present: dict[str, int] = field(default_factory=dict)

    async def work(self) -> None:
        chance = random.Random(f"{self.name} {self.seed}")
        for number in range(OPERATIONS):
            ids = [f"{self.name}-{chance.randrange(12)}" for _ in range(chance.choice((1, 1, 5)))]
            if chance.random() < 0.3:
                await self.caller.delete(ids[0])
                self.present.pop(ids[0], None)
            else:
                rows = [{"doc_id": id_, "content": f"boat {self.name}", "metadata": {"n": number}} for id_ in set(ids)]
                assert (await self.caller.add_all(rows))["failed"] == 0
                self.present.update(dict.fromkeys(ids, number))
            if number % 5 == 0:
                assert await self.caller.matching(self.name) == set(self.present)


async def rebuilt(caller: Caller, owner: str) -> RebuildReport:
    return await asyncio.to_thread(
        rebuild,
        caller.library,
        caller.principal.team,
        DEFAULT_INDEX,
        owner=owner,
        progress=lambda _: None,
        cancelled=lambda: False,
    )


async def test_nothing_is_lost_brought_back_or_doubled_and_no_search_fails(caller: Caller) -> None:
    fixed = {f"first{n}": ("boat harbour", {"n": n}) for n in range(600)}
    await caller.fill(fixed)
    authors = [Author(caller, f"author{n}", seed=7) for n in range(WRITERS)]
    running = True
    searches = 0

    async def keep_searching() -> None:
        nonlocal searches
        while running:
            assert await caller.matching("harbour") == set(fixed)
            found = await caller.found("boat", k=1_000)
            assert len(found) == len(set(found))
            searches += 1

    async def keep_rebuilding() -> None:
        reports.extend([await rebuilt(caller, f"j_{number}") for number in range(REBUILDS)])

    reports: list[RebuildReport] = []
    searcher = asyncio.create_task(keep_searching())
    try:
        await asyncio.gather(keep_rebuilding(), *(author.work() for author in authors))
    finally:
        running = False
        await searcher
    assert searches > 0
    assert len({report.generation for report in reports}) == REBUILDS
    expected = {id_: number for author in authors for id_, number in author.present.items()}
    for _ in range(2):
        result = await caller.search("boat", k=1_000)
        found = {hit["doc_id"]: hit["metadata"]["n"] for hit in result["results"]}
        assert len(result["results"]) == len(found)
        assert {id_: n for id_, n in found.items() if id_.startswith("author")} == expected
        assert set(found) == {*expected, *fixed}
        last = await rebuilt(caller, "j_last")
        assert last.documents == len(found)
