import asyncio
import re
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import anyio
import pytest

from indexer.bootstrap import open_library
from indexer.errors import Unavailable
from indexer.settings import IndexerSettings
from tests.foreign_locks import BEGIN, holding
from tests.redis import RedisServer
from tests.service import application

LINUX = pytest.mark.skipif(not Path("/proc/locks").exists(), reason="only Linux tells who holds a lock")


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


async def test_health_waits_for_no_thread_that_others_keep_busy(tmp_path: Path) -> None:
    release = threading.Event()
    loop = asyncio.get_running_loop()
    async with application(tmp_path) as client:
        assert (await client.get("/readyz")).json()["parts"]["engine"] == "ok"
        # More than any pool of this process has.
        busy = [loop.run_in_executor(None, release.wait, 60) for _ in range(100)]
        limiter = anyio.to_thread.current_default_thread_limiter()
        tokens, limiter.total_tokens = limiter.total_tokens, 1
        busy.append(asyncio.ensure_future(anyio.to_thread.run_sync(release.wait, 60)))
        try:
            began = time.monotonic()
            assert (await client.get("/livez")).status_code == 200
            assert time.monotonic() - began < 0.5
            parts = (await client.get("/readyz")).json()["parts"]
            assert {name: parts[name] for name in ("engine", "disk", "writes")} == dict.fromkeys(
                ("engine", "disk", "writes"), "ok"
            )
        finally:
            release.set()
            limiter.total_tokens = tokens
            await asyncio.gather(*busy)


async def test_a_service_whose_searches_fill_the_pool_is_ready(tmp_path: Path) -> None:
    library = open_library(IndexerSettings(_env_file=None, engine="tantivy", data_dir=tmp_path / "data"))
    release, threads = threading.Event(), library.engine.reader._threads  # type: ignore[attr-defined]
    busy = [asyncio.ensure_future(threads.run(lambda _: release.wait(60), 60)) for _ in range(200)]
    try:
        async with application(tmp_path, library=library) as client:
            assert (await client.get("/readyz")).json()["parts"]["engine"] == "ok"
    finally:
        release.set()
        assert all(await asyncio.gather(*busy))
        await library.aclose()


async def test_readiness_says_which_jobs_wait_while_no_worker_lives(
    tmp_path: Path, own_redis: Callable[..., RedisServer]
) -> None:
    async with application(tmp_path, worker={"redis_url": own_redis().url}) as client:
        source = {"type": "urls", "urls": ["https://example.org/a"]}
        assert (await client.post("/api/v1/archives/ingest", json={"source": source})).status_code == 200
        state = (await client.get("/readyz")).json()["parts"]["workers"]
        assert re.fullmatch(r"none answer; 1 job waits, the oldest for \d+ s", state)


async def test_a_rude_caller_of_readiness_writes_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = open_library(IndexerSettings(_env_file=None, engine="tantivy", data_dir=tmp_path / "data"))
    written = []

    def count() -> None:
        written.append(1)

    monkeypatch.setattr(library.engine.records, "check_writable", count)
    async with application(tmp_path, library=library) as client:
        await asyncio.gather(*(client.get("/readyz") for _ in range(30)))
    await library.aclose()
    assert len(written) == 1


@LINUX
async def test_readiness_says_who_locks_the_records_and_searches_go_on(tmp_path: Path) -> None:
    library = open_library(IndexerSettings(_env_file=None, engine="tantivy", data_dir=tmp_path / "data"))
    try:
        async with application(tmp_path, library=library) as client:
            written = await client.put("/api/v1/indices/default/documents/a", json={"content": "walrus"})
            assert written.status_code == 200
            with holding(BEGIN, tmp_path / "data" / "records.sqlite3") as process:
                state = (await client.get("/readyz")).json()["parts"]["writes"]
                assert re.search(rf"locked by process {process} \(python", state)
                found = await client.post("/api/v1/indices/default/search", json={"query": "walrus"})
                assert (found.status_code, found.json()["total_matches"]) == (200, 1)
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
