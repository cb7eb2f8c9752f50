from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from indexer.bootstrap import open_library
from indexer.errors import Unavailable
from indexer.settings import IndexerSettings
from tests.redis import RedisServer
from tests.service import application


class UnreachableReader:
    async def health(self) -> None:
        raise Unavailable("the engine does not answer", action="Start it")


async def test_a_running_process_is_alive(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        alive = await client.get("/livez")
        assert (alive.status_code, alive.json()["alive"]) == (200, True)
        assert (await client.head("/livez")).status_code == 200


async def test_a_service_without_workers_is_not_ready(tmp_path: Path, own_redis: Callable[..., RedisServer]) -> None:
    queue = own_redis()
    async with application(tmp_path, worker={"redis_url": queue.url}) as client:
        ready = await client.get("/readyz")
        parts = {"engine": "ok", "disk": "ok", "writes": "ok", "redis": "ok", "workers": "none answer"}
        assert (ready.status_code, ready.json()) == (503, {"ready": False, "parts": parts})
        assert (await client.head("/readyz")).status_code == 503
        queue.kill()
        gone = (await client.get("/readyz")).json()
        assert gone["parts"]["redis"].startswith("unavailable: ")


async def test_jobs_are_taken_while_redis_is_down(tmp_path: Path, own_redis: Callable[..., RedisServer]) -> None:
    queue = own_redis()
    async with application(tmp_path, worker={"redis_url": queue.url}) as client:
        queue.kill()
        source = {"type": "urls", "urls": ["https://example.org/a"]}
        started = await client.post("/api/v1/archives/ingest", json={"source": source})
        assert (started.status_code, started.json()["status"]) == (200, "queued")


async def test_a_service_without_its_engine_is_alive_but_not_ready(tmp_path: Path) -> None:
    library = open_library(IndexerSettings(_env_file=None, engine="tantivy", data_dir=tmp_path / "data"))
    down = replace(library, engine=replace(library.engine, reader=UnreachableReader()))
    try:
        async with application(tmp_path, library=down) as client:
            assert (await client.get("/livez")).status_code == 200
            ready = await client.get("/readyz")
            assert ready.status_code == 503
            assert ready.json()["ready"] is False
            assert ready.json()["parts"]["engine"] == "unavailable: the engine does not answer"
    finally:
        await library.aclose()


async def test_the_status_names_the_engine_and_the_versions(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        status = (await client.get("/api/v1/status")).json()
        assert status["success"] is True
        assert status["engine"]["name"] == "tantivy"
        assert "trawl" in status["versions"]
        assert set(status["queues"]) == {"redis", "workers"}
        assert status["outdated_indices"] == []
