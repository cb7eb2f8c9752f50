"""Jobs when parts of the service die: no job is lost, no file is counted twice, and what cannot be done is told."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.local.lifeline import Guarded, Lifeline
from tests.integration.jobs_worker import Pages, Workshop, held_pages, wait_for, workshop
from tests.made_services import MAIN
from tests.redis import RedisServer, server_binary
from workers.jobs.arguments import JobRetry

CHUNK = 50
"""Pages in one chunk."""


@pytest.fixture
def pages() -> Iterator[Pages]:
    with held_pages() as opened:
        yield opened


def is_alive(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return False


def kill_whoever_works(shop: Workshop, job_id: str) -> int:
    """Kill the process that works on the job's chunk, and return its number."""
    wait_for(lambda: bool(shop.chunk_workers(job_id)), "somebody to work on a chunk")
    pid = next(iter(shop.chunk_workers(job_id).values()))
    os.kill(pid, signal.SIGKILL)
    wait_for(lambda: not is_alive(pid), "the process to be gone")
    return pid


def wait_for_the_lease_to_end(shop: Workshop, job_id: str, killed: int) -> None:
    wait_for(lambda: killed not in shop.chunk_workers(job_id).values(), "the dead one's lease to end")


def test_a_killed_process_leaves_its_chunk_to_another_one(shop: Workshop, pages: Pages) -> None:
    shop.start_worker()
    job_id = shop.fetch(pages.urls(CHUNK + 5))
    wait_for(lambda: pages.asked > 0, "the first page to be asked for")
    kill_whoever_works(shop, job_id)
    pages.serving.set()
    assert shop.counts(job_id) == (CHUNK + 5, CHUNK + 5, 0, 0, 0)


def test_a_page_that_killed_three_workers_is_given_up_alone_and_can_be_retried(shop: Workshop, pages: Pages) -> None:
    shop.start_worker()
    job_id = shop.fetch(pages.urls(3))
    for _ in range(3):
        killed = kill_whoever_works(shop, job_id)
        wait_for_the_lease_to_end(shop, job_id, killed)
    pages.serving.set()
    job = shop.finished(job_id)
    assert job["status"] == "done"
    assert job["counts"] == {"found": 3, "indexed": 2, "unchanged": 0, "removed": 0, "failed": 1, "skipped": 0}
    assert [error["reason"] for error in job["errors"]] == ["gave up after 3 attempts"]
    shop.background.retry(MAIN, JobRetry(job_id=job_id))
    assert shop.counts(job_id) == (3, 3, 0, 0, 0)


def test_a_page_that_is_tried_again_alone_outlives_the_worker_that_does_it(shop: Workshop, pages: Pages) -> None:
    pages.broken = {"/page/1", "/page/2"}
    pages.serving.set()
    shop.start_worker()
    urls = pages.urls(4)
    job_id = shop.fetch(urls)
    assert shop.counts(job_id) == (4, 2, 0, 0, 2)
    pages.broken = set()
    pages.serving.clear()
    asked = pages.asked
    shop.background.retry(MAIN, JobRetry(job_id=job_id, paths=[urls[1]]))
    killed = kill_whoever_works(shop, job_id)
    wait_for_the_lease_to_end(shop, job_id, killed)
    pages.serving.set()
    assert shop.counts(job_id) == (4, 3, 0, 0, 1)
    assert [error["path"] for error in shop.status(job_id)["errors"]] == [urls[2]]
    assert pages.asked <= asked + 2, "no other page is fetched"


def test_a_killed_worker_takes_its_processes_along_and_the_next_one_goes_on(shop: Workshop, pages: Pages) -> None:
    worker = shop.start_worker()
    job_id = shop.fetch(pages.urls(3))
    wait_for(lambda: bool(shop.chunk_workers(job_id)), "somebody to work on the chunk")
    (process,) = shop.chunk_workers(job_id).values()
    worker.stop(signal.SIGKILL)
    wait_for(lambda: not is_alive(process), "the working process to end")
    pages.serving.set()
    shop.start_worker()
    assert shop.counts(job_id) == (3, 3, 0, 0, 0)


def test_a_job_whose_message_was_lost_with_redis_is_done(shop: Workshop, redis: RedisServer) -> None:
    shop.write(5)
    job_id = shop.ingest()
    redis.flush()
    shop.start_worker()
    assert shop.counts(job_id) == (5, 5, 0, 0, 0)


def test_redis_may_be_emptied_in_the_middle_of_a_job(shop: Workshop, redis: RedisServer, pages: Pages) -> None:
    shop.start_worker()
    job_id = shop.fetch(pages.urls(3 * CHUNK))
    wait_for(lambda: pages.asked > 0, "the first page to be asked for")
    wait_for(lambda: shop.status(job_id)["counts"]["found"] == 3 * CHUNK, "the end of the planning")
    redis.flush()
    pages.serving.set()
    assert shop.counts(job_id) == (3 * CHUNK, 3 * CHUNK, 0, 0, 0)


def test_without_redis_a_job_is_taken_all_the_same_and_done_when_redis_is_back(
    shop: Workshop, redis: RedisServer
) -> None:
    shop.write(5)
    redis.kill()
    started = shop.ingest()
    assert shop.status(started)["status"] == "queued"
    health = shop.background.health()
    assert health["redis"].startswith("unavailable: ")
    assert health["workers"] == "none answer"
    shop.start_worker()
    redis.start()
    assert shop.counts(started) == (5, 5, 0, 0, 0)


def test_a_worker_outlives_a_redis_that_goes_and_comes_again(shop: Workshop, redis: RedisServer) -> None:
    shop.write(5)
    shop.start_worker()
    assert shop.counts(shop.ingest()) == (5, 5, 0, 0, 0)
    redis.kill()
    job_id = shop.ingest()
    redis.start()
    assert shop.counts(job_id) == (5, 0, 5, 0, 0)


def test_a_worker_goes_on_whose_work_was_done_while_redis_was_away(
    shop: Workshop, redis: RedisServer, pages: Pages
) -> None:
    shop.write(5)
    shop.start_worker()
    job_id = shop.fetch(pages.urls(3))
    wait_for(lambda: pages.asked > 0, "a page to be asked for")
    redis.kill()
    pages.serving.set()
    assert shop.counts(job_id) == (3, 3, 0, 0, 0)
    # So long may it take to give up telling Redis.
    time.sleep(5)
    redis.start()
    assert shop.counts(shop.ingest()) == (5, 5, 0, 0, 0)


def test_a_worker_that_is_told_to_end_finishes_its_chunk_first(shop: Workshop, pages: Pages) -> None:
    worker = shop.start_worker()
    job_id = shop.fetch(pages.urls(3))
    wait_for(lambda: pages.asked > 0, "a page to be asked for")
    os.kill(worker.pid, signal.SIGTERM)
    pages.serving.set()
    wait_for(lambda: not worker.is_running(), "the worker to end")
    assert shop.chunk_workers(job_id) == {}
    assert shop.counts(job_id) == (3, 3, 0, 0, 0)


def test_redis_may_be_a_socket_in_the_data_folder(tmp_path: Path) -> None:
    address = tmp_path / "redis.sock"
    (tmp_path / "own").mkdir()
    with Lifeline(tmp_path / "own" / "line") as lifeline:
        process = subprocess.Popen(
            [server_binary(), "--port", "0", "--unixsocket", str(address), "--save", "", "--dir", str(tmp_path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        server = Guarded(process, lifeline.path)
        try:
            wait_for(address.exists, "Redis to start")
            with workshop(tmp_path, f"unix://{address}") as shop:
                shop.write(3)
                shop.start_worker()
                assert shop.counts(shop.ingest()) == (3, 3, 0, 0, 0)
                assert shop.background.health()["redis"] == "ok"
        finally:
            server.stop(signal.SIGKILL)
