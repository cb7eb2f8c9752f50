"""Workers and Redis die again and again while two jobs are on: both end well, each document is archived once."""

import asyncio
import os
import random
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from deploy.local.lifeline import Guarded
from indexer.archives.arguments import ListArchive
from indexer.archives.documents import list_archive
from tests.faults.processes import children
from tests.integration.jobs_worker import Pages, Workshop, held_pages, wait_for, workshop
from tests.made_services import MAIN
from tests.redis import RedisServer
from tests.service import is_alive

FILES = 1_200
PAGES = 300


@pytest.fixture
def redis(own_redis: Callable[..., RedisServer]) -> RedisServer:
    return own_redis()


@pytest.fixture
def shop(tmp_path: Path, redis: RedisServer) -> Iterator[Workshop]:
    with workshop(tmp_path, redis.url) as opened:
        yield opened


@pytest.fixture
def pages() -> Iterator[Pages]:
    with held_pages() as opened:
        opened.serving.set()
        yield opened


class Disasters:
    """What may happen to the queue and its workers; each time somebody sees to it that things go on."""

    def __init__(self, shop: Workshop, redis: RedisServer) -> None:
        self._shop = shop
        self._redis = redis
        self._worker: Guarded = shop.start_worker()

    def the_worker_is_killed(self) -> None:
        self._worker.stop(signal.SIGKILL)
        self._worker = self._shop.start_worker()

    def its_process_is_killed(self) -> None:
        """Kill a process that works; its worker lives and starts another."""
        processes = children(self._worker.pid)
        for pid in processes:
            os.kill(pid, signal.SIGKILL)
        wait_for(lambda: not any(is_alive(pid) for pid in processes), "the processes to be gone")

    def redis_is_killed(self) -> None:
        self._redis.kill()
        self._redis.start()

    def redis_is_flushed(self) -> None:
        self._redis.flush()


def has_asked(pages: Pages, count: int) -> bool:
    return pages.asked >= count


def archived(shop: Workshop) -> Counter[str]:
    """Return the names in the archive and how often each is there."""
    names: Counter[str] = Counter()
    cursor: str | None = None
    while True:
        page = asyncio.run(list_archive(shop.library, MAIN, ListArchive(limit=200, cursor=cursor)))
        names.update(document["url"] or document["path"] for document in page["documents"])
        cursor = page["next_cursor"]
        if cursor is None:
            assert page["total"] == names.total()
            return names


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.timeout(900)
def test_jobs_end_well_whatever_dies(shop: Workshop, redis: RedisServer, pages: Pages, seed: int) -> None:
    chance = random.Random(seed)
    shop.write(FILES)
    disasters = Disasters(shop, redis)
    # Not more deaths of workers: what three of them died of is given up.
    order = [
        disasters.the_worker_is_killed,
        disasters.its_process_is_killed,
        disasters.redis_is_killed,
        disasters.redis_is_flushed,
    ]
    chance.shuffle(order)
    moments = sorted(chance.sample(range(PAGES), len(order)))
    urls = pages.urls(PAGES)
    jobs = {shop.ingest(): FILES, shop.fetch(urls): PAGES}
    for moment, strike in zip(moments, order, strict=True):
        wait_for(partial(has_asked, pages, moment), "pages to be asked for")
        strike()
    for job_id, count in jobs.items():
        job = shop.finished(job_id)
        assert (job["status"], job["errors"]) == ("done", [])
        assert shop.counts(job_id) == (count, count, 0, 0, 0)
    assert archived(shop) == dict.fromkeys([*urls, *(f"notes/{number:04d}.md" for number in range(FILES))], 1)
    assert shop.counts(shop.ingest()) == (FILES, 0, FILES, 0, 0)
