"""The tools of background work; nobody works here, so jobs stay queued."""

import asyncio
from typing import Any

import pytest
from mcp import Client

from mcp_server.features.jobs.text import changed_text, list_text, status_text
from mcp_server.protocol.server import OperationServer
from tests.unit.mcp_server.test_mcp_archives import checked
from workers.jobs.results import JobCounts, JobEntry, JobError, JobListResult, JobSource, JobStatusResult, SkippedKind

COUNTED = "7 indexed, 2 unchanged, 0 removed, 1 failed, 4 skipped"
SOURCE = {"source": {"type": "urls", "urls": ["https://example.org/a"]}}


def entry(**given: Any) -> JobEntry:
    counts = JobCounts(found=14, indexed=7, unchanged=2, removed=0, failed=1, skipped=4)
    job = JobEntry(
        job_id="j_1",
        kind="ingest",
        source=JobSource(type="folder", name="notes"),
        index_name=None,
        subject="me",
        status="running",
        counts=counts,
        progress=0.9,
        error_count=0,
        created_at="2026-01-01T00:00:00Z",
        started_at=None,
        finished_at=None,
    )
    return {**job, **given}  # type: ignore[typeddict-item] # as given


async def test_the_hints_are_true(server: OperationServer) -> None:
    async with Client(server) as client:
        tools = {tool.name: tool.annotations for tool in (await client.list_tools()).tools}
    assert all(tools[name].read_only_hint for name in ("job_status", "job_list"))
    assert not any(tools[name].read_only_hint for name in ("job_cancel", "job_retry", "reindex_start"))
    assert not any(tools[name].destructive_hint for name in ("job_cancel", "job_retry", "reindex_start"))


async def test_a_job_is_started_looked_at_listed_and_cancelled(server: OperationServer) -> None:
    async with Client(server) as client:
        started, text = await checked(client, "archive_ingest", SOURCE)
        assert started == {"success": True, "job_id": started["job_id"], "status": "queued"}
        job = {"job_id": started["job_id"]}
        assert started["job_id"] in text
        status, text = await checked(client, "job_status", job)
        assert (status["kind"], status["status"], status["progress"]) == ("ingest", "queued", 0.0)
        assert status["counts"] == {"found": 0, "indexed": 0, "unchanged": 0, "removed": 0, "failed": 0, "skipped": 0}
        assert text.startswith(f"ingest {started['job_id']} is queued (0%)")
        listed, text = await checked(client, "job_list", {"status": "queued"})
        assert [entry["job_id"] for entry in listed["jobs"]] == [started["job_id"]]
        assert started["job_id"] in text
        early, _ = await checked(client, "job_retry", job)
        assert (early["success"], early["error_category"]) == (False, "conflict")
        cancelled, _ = await checked(client, "job_cancel", job)
        assert cancelled["status"] == "cancelled"
        retried, _ = await checked(client, "job_retry", job)
        assert retried["status"] == "queued"


async def test_a_wait_is_told_of_and_has_an_end(server: OperationServer) -> None:
    heard: list[str | None] = []

    async def hear(_progress: float, _total: float | None, message: str | None) -> None:
        heard.append(message)

    async with Client(server) as client:
        started, _ = await checked(client, "archive_ingest", SOURCE)
        asked = {"job_id": started["job_id"], "wait_seconds": 0.1}
        result = await client.call_tool("job_status", asked, progress_callback=hear)
        too_long = await client.call_tool("job_status", asked | {"wait_seconds": 51})
    assert result.structured_content is not None
    assert result.structured_content["status"] == "queued"
    assert heard == ["queued: 0 found, 0 indexed, 0 unchanged, 0 removed, 0 failed, 0 skipped"]
    assert too_long.is_error


async def test_an_unknown_job_is_not_found(server: OperationServer) -> None:
    async with Client(server) as client:
        failed, text = await checked(client, "job_status", {"job_id": "j_none"})
    assert (failed["success"], failed["error_category"]) == (False, "not_found")
    assert "Or job_list" in text


@pytest.mark.parametrize("index", ["default", "archive"])
async def test_an_index_is_built_anew_by_one_job_at_a_time(server: OperationServer, index: str) -> None:
    async with Client(server) as client:
        started, _ = await checked(client, "reindex_start", {"index_name": index})
        assert started["status"] == "queued"
        again, _ = await checked(client, "reindex_start", {"index_name": index})
        assert (again["success"], again["error_category"]) == (False, "conflict")
        unknown, _ = await checked(client, "reindex_start", {"index_name": "none"})
    assert unknown["error"] == "Index not found: none"


async def test_calls_about_jobs_do_not_hold_up_others(server: OperationServer) -> None:
    async with Client(server) as client:
        calls = [client.call_tool("archive_ingest", SOURCE) for _ in range(5)]
        results = await asyncio.gather(*calls)
        listed, _ = await checked(client, "job_list", {"limit": 3})
    assert len({result.structured_content["job_id"] for result in results}) == 5
    assert len(listed["jobs"]) == 3


def test_failed_files_are_named_and_the_rest_counted() -> None:
    errors = [JobError(path="notes/broken.pdf", reason="is damaged")]
    assert changed_text({**entry(error_count=3), "success": True, "errors": errors}).splitlines() == [
        f"ingest j_1 is running (90%): 14 found, {COUNTED}, created 2026-01-01T00:00:00Z, from folder notes",
        "- notes/broken.pdf: is damaged",
        "- and 2 more",
    ]


def test_skipped_files_are_told_by_kind_and_by_name() -> None:
    reason = "no reader for this kind"
    status: JobStatusResult = {
        **entry(),
        "success": True,
        "errors": [],
        "skipped": [
            JobError(path="notes/a.dwg", reason=reason),
            JobError(path="notes/build/", reason="left out by .gitignore: build/"),
        ],
        "skipped_kinds": [SkippedKind(kind=".dwg", count=2, reason=reason)],
        "warning": "Nothing was indexed: 4 skipped",
    }
    assert status_text(status).splitlines()[1:] == [
        "Warning: Nothing was indexed: 4 skipped",
        "skipped, no reader for this kind: 2 .dwg",
        "- skipped notes/build/: left out by .gitignore: build/",
        "- and 1 more skipped",
    ]


def test_jobs_are_listed_one_a_line() -> None:
    done = entry(job_id="j_2", status="done", progress=1.0, finished_at="2026-01-01T00:01:00Z")
    lines = list_text(JobListResult(success=True, jobs=[entry(), done])).splitlines()
    assert lines[0] == "2 jobs"
    assert lines[2].endswith("finished 2026-01-01T00:01:00Z, from folder notes")


def test_a_job_is_named_after_what_it_concerns() -> None:
    pages = JobSource(type="urls", name="example.org/a and 2 more")
    rebuilt = entry(kind="reindex", source=None, index_name="default")
    lines = list_text(JobListResult(success=True, jobs=[entry(source=pages), rebuilt])).splitlines()
    assert lines[1].endswith(", from pages example.org/a and 2 more")
    assert lines[2].endswith(", of index default")
