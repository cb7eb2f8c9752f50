"""A search whose caller is gone ends on the cluster, too."""

import asyncio
import time
from typing import Any

import pytest
from opensearchpy import AsyncOpenSearch

from indexer.engines.port import Engine, SearchRequest, Target
from indexer.query.ast import Everything
from tests.integration.opensearch_engine.notes import document, put

DOCUMENTS = 20_000
SLOW: dict[str, Any] = {
    "query": {
        "script_score": {
            "query": {"match_all": {}},
            "script": {"source": "double sum = 1; for (int i = 0; i < 20000; i++) { sum += Math.sin(i) } sum * sum"},
        }
    },
    "size": 0,
}
PATIENCE = 60.0


async def test_a_cancelled_search_is_cancelled_on_the_cluster(
    opensearch_url: str, engine: Engine, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(engine, target, *(document(f"{number}", "net") for number in range(DOCUMENTS)))
    monkeypatch.setattr("indexer.engines.opensearch.reader.search_body", lambda *_: dict(SLOW))
    async with AsyncOpenSearch(opensearch_url) as client:

        async def states() -> list[bool]:
            """Say for each search of this index that runs on the cluster whether it is cancelled."""
            tasks = await client.tasks.list(params={"actions": "indices:data/read/search", "detailed": "true"})
            return [
                task["cancelled"]
                for node in tasks["nodes"].values()
                for task in node["tasks"].values()
                if target.physical in task["description"]
            ]

        async def wait_until(wanted: list[list[bool]]) -> None:
            deadline = time.monotonic() + PATIENCE
            while await states() not in wanted:
                assert time.monotonic() < deadline
                await asyncio.sleep(0.02)

        search = asyncio.create_task(engine.reader.search(target, SearchRequest(Everything(), 1)))
        await wait_until([[False]])
        search.cancel()
        with pytest.raises(asyncio.CancelledError):
            await search
        started = time.monotonic()
        await wait_until([[True], []])
        assert time.monotonic() - started < 5
