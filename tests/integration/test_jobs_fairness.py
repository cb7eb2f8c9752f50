"""Teams share the workers fairly: with a real Redis and one real worker process."""

import time

import redis as redis_client

from indexer.tenancy import Principal, TeamId
from tests.integration.jobs_worker import Workshop, wait_for
from tests.redis import RedisServer
from workers.celery_app import QUEUE_OF_TASK
from workers.jobs.arguments import JobStatus
from workers.sources.arguments import FolderSource

BIG = Principal(TeamId("big"), "anonymous")
SMALL = Principal(TeamId("small"), "anonymous")
BOUND_SECONDS = 30
"""Generous: an idle machine needs about a second."""


def folder(shop: Workshop, name: str, files: int) -> FolderSource:
    path = shop.files.parent / name
    path.mkdir()
    for number in range(files):
        (path / f"{number:04d}.md").write_text(f"# Note {number}\n\nIts body", encoding="utf-8")
    return FolderSource(type="folder", path=str(path))


def unfinished(shop: Workshop, principal: Principal) -> int:
    jobs = [record.value for record in shop.jobs.all.list(f"{principal.team}/")]
    return sum(not job.is_finished for job in jobs)


def is_done(shop: Workshop, principal: Principal, job_id: str) -> bool:
    return shop.background.status(principal, JobStatus(job_id=job_id))["status"] == "done"


def test_the_small_job_of_one_team_is_done_while_many_large_ones_of_another_go_on(shop: Workshop) -> None:
    many, one = folder(shop, "many", 400), folder(shop, "one", 1)
    for _ in range(150):
        shop.background.ingest(BIG, many)
    shop.start_worker()
    wait_for(lambda: unfinished(shop, BIG) < 150, "the first of the large jobs to be done")
    started = time.monotonic()
    job_id = shop.background.ingest(SMALL, one)["job_id"]
    wait_for(lambda: is_done(shop, SMALL, job_id), "the end of the small job")
    assert time.monotonic() - started < BOUND_SECONDS
    assert unfinished(shop, BIG) > 75, "the large ones were not waited for"


def test_the_small_job_of_one_team_is_done_while_one_huge_job_of_another_goes_on(shop: Workshop) -> None:
    huge, one = folder(shop, "huge", 8_000), folder(shop, "one", 1)
    shop.start_worker()
    huge_id = shop.background.ingest(BIG, huge)["job_id"]
    wait_for(
        lambda: shop.background.status(BIG, JobStatus(job_id=huge_id))["counts"]["indexed"] > 0, "the first documents"
    )
    started = time.monotonic()
    job_id = shop.background.ingest(SMALL, one)["job_id"]
    wait_for(lambda: is_done(shop, SMALL, job_id), "the end of the small job")
    assert time.monotonic() - started < BOUND_SECONDS
    assert not is_done(shop, BIG, huge_id)


def test_jobs_are_done_though_all_messages_were_lost_and_the_queue_was_not(shop: Workshop, redis: RedisServer) -> None:
    job_ids = [shop.background.ingest(SMALL, folder(shop, f"f{number}", 2))["job_id"] for number in range(3)]
    with redis_client.Redis.from_url(redis.url) as client:
        assert client.delete(*QUEUE_OF_TASK.values()) == 1
    shop.start_worker()
    for job_id in job_ids:
        wait_for(lambda job_id=job_id: is_done(shop, SMALL, job_id), "the end of a job")  # type: ignore[misc] # bound
