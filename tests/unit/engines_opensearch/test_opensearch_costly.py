"""Few costly searches ask the cluster at once, whatever order they want; others do not wait for them."""

import asyncio
from typing import Any

import pytest

from indexer.engines.opensearch.reader import OpenSearchReader
from indexer.engines.port import SearchRequest, Target
from indexer.query.ast import Phrase, SortKey, Word
from indexer.schema.definition import IndexDefinition
from indexer.tenancy import PhysicalName

TARGET = Target(PhysicalName("trawl.main.notes.1"), IndexDefinition("local", 1))
LONG = Phrase(("aa",) * 200)
NOTHING: dict[str, Any] = {"timed_out": False, "_shards": {"failed": 0}, "hits": {"total": {"value": 0}, "hits": []}}


class Cluster:
    """Answers when it is told to, and counts who waits."""

    def __init__(self) -> None:
        self.waiting = self.most = 0
        self.go_on = asyncio.Event()

    async def search(self, **_: object) -> dict[str, Any]:
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        await self.go_on.wait()
        self.waiting -= 1
        return NOTHING


async def let_all_go_on() -> None:
    for _ in range(100):
        await asyncio.sleep(0)


@pytest.mark.parametrize("sort", [(), (SortKey("undeclared", descending=False),)])
async def test_two_costly_searches_run_at_once_and_usual_ones_beside_them(sort: tuple[SortKey, ...]) -> None:
    cluster = Cluster()
    reader = OpenSearchReader(cluster, search_timeout=30)  # type: ignore[arg-type]  # all that is used of a client
    costly = [asyncio.create_task(reader.search(TARGET, SearchRequest(LONG, 10, sort=sort))) for _ in range(6)]
    await let_all_go_on()
    assert cluster.most == 2
    usual = [asyncio.create_task(reader.search(TARGET, SearchRequest(Word("aa"), 10))) for _ in range(3)]
    await let_all_go_on()
    assert cluster.waiting == 2 + 3
    cluster.go_on.set()
    assert [response.total for response in await asyncio.gather(*costly, *usual)] == [0] * 9
