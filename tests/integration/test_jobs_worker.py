"""Jobs with a real Redis and a real worker process: what goes in, what comes out."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from indexer.archives.arguments import SearchLocalArchives
from indexer.archives.search import search_archive
from indexer.errors import Conflict, NotFound, PlatformError
from indexer.local.arguments import AddDocument, SearchIndex
from indexer.local.documents import add_document
from indexer.local.search import search
from indexer.tenancy import Principal, TeamId
from tests.integration.jobs_worker import Workshop, held_pages, wait_for, workshop
from tests.integration.source_site import Page, serving
from tests.made_services import MAIN
from tests.redis import RedisServer
from workers.jobs.arguments import JobCancel, JobList, JobRetry, JobStatus, ReindexStart
from workers.sources.arguments import FolderSource


@pytest.fixture
def shop(tmp_path: Path, own_redis: Callable[..., RedisServer]) -> Iterator[Workshop]:
    with workshop(tmp_path, own_redis().url) as opened:
        yield opened


def found(shop: Workshop, query: str) -> list[str]:
    arguments = SearchLocalArchives(query=query, fuzzy=False)
    result = asyncio.run(search_archive(shop.library, MAIN, arguments))
    return [hit["document"]["path"] for hit in result["results"]]


def test_a_folder_is_ingested_and_found_and_the_next_run_finds_it_unchanged(shop: Workshop) -> None:
    shop.write(30)
    (shop.files / "broken.pdf").write_bytes(b"no pdf")
    shop.start_worker()
    first = shop.finished(shop.ingest())
    assert first["status"] == "done"
    assert first["counts"] == {"found": 31, "indexed": 30, "unchanged": 0, "removed": 0, "failed": 1, "skipped": 0}
    assert first["errors"] == [{"path": "notes/broken.pdf", "reason": "is named .pdf but is not a PDF"}]
    assert (first["progress"], first["error_count"]) == (1.0, 1)
    assert found(shop, "n0017") == ["notes/0017.md"]
    assert shop.counts(shop.ingest()) == (31, 0, 30, 0, 1)


def test_a_retry_looks_again_at_what_failed(shop: Workshop) -> None:
    shop.write(3)
    (shop.files / "broken.pdf").write_bytes(b"no pdf")
    shop.start_worker()
    job_id = shop.ingest()
    assert shop.counts(job_id) == (4, 3, 0, 0, 1)
    (shop.files / "broken.pdf").write_bytes(b"<!doctype html><html><body><p>A page after all</p></body></html>")
    again = shop.background.retry(MAIN, JobRetry(job_id=job_id))
    assert (again["status"], again["finished_at"]) == ("queued", None)
    assert shop.counts(job_id) == (4, 4, 0, 0, 0)


def test_a_mirror_removes_what_is_gone_from_its_folder(shop: Workshop) -> None:
    shop.write(5)
    shop.start_worker()
    shop.finished(shop.ingest())
    (shop.files / "0003.md").unlink()
    assert shop.counts(shop.ingest(mirror=True)) == (4, 0, 4, 1, 0)
    assert found(shop, "n0003") == []


def test_pages_are_fetched_and_found(shop: Workshop) -> None:
    with held_pages() as pages:
        pages.serving.set()
        shop.start_worker()
        urls = pages.urls(3)
        assert shop.counts(shop.fetch(urls)) == (3, 3, 0, 0, 0)
        assert shop.counts(shop.fetch(urls)) == (3, 0, 3, 0, 0)


def test_pages_that_have_not_changed_are_not_sent_again(shop: Workshop) -> None:
    with serving() as site:
        site.pages = {f"/{name}": Page(f"<p>{name}".encode(), headers={"ETag": f'"{name}"'}) for name in "abc"}
        urls = [site.address + path for path in site.pages]
        shop.start_worker()
        assert shop.counts(shop.fetch(urls)) == (3, 3, 0, 0, 0)
        site.pages["/c"] = Page(b"<p>changed", headers={"ETag": '"d"'})
        site.asked.clear()
        assert shop.counts(shop.fetch(urls)) == (3, 1, 2, 0, 0)
        assert {path: headers.get("If-None-Match") for path, headers in site.asked if path in site.pages} == {
            "/a": '"a"',
            "/b": '"b"',
            "/c": '"c"',
        }


def test_a_job_cancelled_before_it_began_does_nothing(shop: Workshop) -> None:
    shop.write(3)
    job_id = shop.ingest()
    cancelled = shop.background.cancel(MAIN, JobCancel(job_id=job_id))
    assert cancelled["status"] == "cancelled"
    shop.start_worker()
    with held_pages() as pages:
        pages.serving.set()
        shop.finished(shop.fetch(pages.urls(1)))
    assert shop.counts(job_id) == (0, 0, 0, 0, 0)
    assert found(shop, "note") == []


def test_a_job_cancelled_under_way_stops_and_can_be_retried(shop: Workshop) -> None:
    with held_pages() as pages:
        shop.start_worker()
        job_id = shop.fetch(pages.urls(120))
        wait_for(lambda: pages.asked > 0, "the first page to be asked for")
        assert shop.background.cancel(MAIN, JobCancel(job_id=job_id))["status"] == "cancelled"
        pages.serving.set()
        wait_for(lambda: not shop.jobs.unfinished.list(), "the sweep to drop the chunks")
        stopped = shop.status(job_id)
        assert stopped["status"] == "cancelled"
        assert stopped["counts"]["indexed"] < 120
        shop.background.retry(MAIN, JobRetry(job_id=job_id))
        assert shop.counts(job_id) == (120, 120, 0, 0, 0)


def test_an_index_is_rebuilt_and_keeps_its_documents(shop: Workshop) -> None:
    asyncio.run(add_document(shop.library, MAIN, AddDocument(doc_id="one", content="a red boat")))
    shop.start_worker()
    started = shop.background.reindex(MAIN, ReindexStart(index_name="default"))
    job = shop.finished(started["job_id"])
    assert (job["kind"], job["status"], job["progress"]) == ("reindex", "done", 1.0)
    assert job["counts"]["indexed"] == 1
    assert asyncio.run(search(shop.library, MAIN, SearchIndex(query="boat")))["total_matches"] == 1


def test_only_one_rebuild_of_an_index_is_on_at_a_time(shop: Workshop) -> None:
    first = shop.background.reindex(MAIN, ReindexStart(index_name="default"))
    with pytest.raises(Conflict) as raised:
        shop.background.reindex(MAIN, ReindexStart(index_name="default"))
    assert raised.value.details == {"job_id": first["job_id"]}
    with pytest.raises(NotFound):
        shop.background.reindex(MAIN, ReindexStart(index_name="unheard-of"))


def test_a_folder_outside_the_roots_is_refused_before_a_job_is_made(shop: Workshop) -> None:
    with pytest.raises(PlatformError):
        shop.background.ingest(MAIN, FolderSource(type="folder", path="/etc"))
    assert shop.background.list(MAIN, JobList())["jobs"] == []


def test_a_folder_that_is_not_there_fails_its_job_with_a_reason(shop: Workshop) -> None:
    shop.start_worker()
    source = FolderSource(type="folder", path=str(shop.files.parent / "nowhere"))
    job = shop.finished(shop.background.ingest(MAIN, source)["job_id"])
    assert job["status"] == "failed"
    assert job["errors"][0]["path"] == "nowhere"


def test_another_team_sees_none_of_it(shop: Workshop) -> None:
    job_id = shop.ingest()
    stranger = Principal(TeamId("strangers"), "anonymous")
    with pytest.raises(NotFound, match="Job not found"):
        shop.background.status(stranger, JobStatus(job_id=job_id))
    with pytest.raises(NotFound):
        shop.background.cancel(stranger, JobCancel(job_id=job_id))
    with pytest.raises(NotFound):
        shop.background.retry(stranger, JobRetry(job_id=job_id))
    assert shop.background.list(stranger, JobList())["jobs"] == []
    assert [job["job_id"] for job in shop.background.list(MAIN, JobList())["jobs"]] == [job_id]


def test_a_running_job_is_not_retried(shop: Workshop) -> None:
    job_id = shop.ingest()
    with pytest.raises(Conflict, match="Job is still queued"):
        shop.background.retry(MAIN, JobRetry(job_id=job_id))


def test_health_tells_whether_a_worker_is_there(shop: Workshop) -> None:
    assert shop.background.health() == {"redis": "ok", "workers": "none answer"}
    shop.start_worker()
    wait_for(lambda: shop.background.health() == {"redis": "ok", "workers": "ok"}, "a worker to show life")
