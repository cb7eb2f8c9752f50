"""Jobs over HTTP; nobody works here, so they stay queued."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.schema.dates import utc_now
from indexer.settings import IndexerSettings
from tests.contract.shelf import Shelf, paper
from tests.made_services import MAIN
from tests.service import application
from workers.jobs.jobs import Jobs
from workers.jobs.records import Job, Problem, Tally, new_job_id

JOBS = "/api/v1/jobs"
SOURCE = {"source": {"type": "urls", "urls": ["https://example.org/a"]}}


async def test_a_job_is_started_shown_listed_cancelled_and_done_again(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        started = (await client.post("/api/v1/archives/ingest", json=SOURCE)).json()
        assert started == {"success": True, "job_id": started["job_id"], "status": "queued"}
        job = f"{JOBS}/{started['job_id']}"
        shown = (await client.get(job)).json()
        assert (shown["success"], shown["kind"], shown["status"], shown["errors"]) == (True, "ingest", "queued", [])
        assert shown["finished_at"] is None
        assert shown["source"] == {"type": "urls", "name": "example.org/a"}
        assert (shown["index_name"], shown["subject"]) == (None, "anonymous")
        listed = (await client.get(JOBS, params={"status": "queued", "limit": "5"})).json()
        assert [entry["job_id"] for entry in listed["jobs"]] == [started["job_id"]]
        assert (await client.get(JOBS, params={"status": "done"})).json()["jobs"] == []
        early = await client.post(f"{job}/retry")
        assert (early.status_code, early.json()["error_category"]) == (409, "conflict")
        assert (await client.delete(job)).json()["status"] == "cancelled"
        again = await client.post(f"{job}/retry")
        assert (again.status_code, again.json()["status"]) == (200, "queued")


@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("DELETE", ""), ("POST", "/retry")])
async def test_an_unknown_job_is_not_found(tmp_path: Path, method: str, path: str) -> None:
    async with application(tmp_path) as client:
        answer = await client.request(method, f"{JOBS}/j_none{path}")
    assert (answer.status_code, answer.json()["error"]) == (404, "Job not found")


async def test_an_answer_may_wait_for_the_end_of_a_job(tmp_path: Path) -> None:
    async with application(tmp_path) as client:
        started = (await client.post("/api/v1/archives/ingest", json=SOURCE)).json()
        job = f"{JOBS}/{started['job_id']}"
        assert (await client.get(job, params={"wait_seconds": "0.1"})).json()["status"] == "queued"
        waiting = asyncio.create_task(client.get(job, params={"wait_seconds": "50"}))
        await client.delete(job)
        assert (await waiting).json()["status"] == "cancelled"
        assert (await client.get(job, params={"wait_seconds": "51"})).status_code == 422


@pytest.mark.parametrize("query", [{"status": "canary"}, {"limit": "0"}, {"limit": "201"}])
async def test_wrong_arguments_are_refused(tmp_path: Path, query: dict[str, str]) -> None:
    async with application(tmp_path) as client:
        answer = await client.get(JOBS, params=query)
    assert answer.status_code == 422
    assert "canary" not in answer.text


@pytest.mark.parametrize("name", ["default", "archive"])
async def test_an_index_is_built_anew_by_one_job_at_a_time(tmp_path: Path, name: str) -> None:
    async with application(tmp_path) as client:
        started = (await client.post(f"/api/v1/indices/{name}/reindex")).json()
        assert started["status"] == "queued"
        shown = (await client.get(f"{JOBS}/{started['job_id']}")).json()
        assert (shown["kind"], shown["source"], shown["index_name"]) == ("reindex", None, name)
        again = await client.post(f"/api/v1/indices/{name}/reindex", json={})
        assert again.status_code == 409
        assert again.json()["details"]["job_id"] == started["job_id"]
        assert (await client.post("/api/v1/indices/none/reindex")).status_code == 404


@pytest.fixture
async def library(tmp_path: Path) -> AsyncIterator[Library]:
    opened = open_library(IndexerSettings(_env_file=None, engine="tantivy", data_dir=tmp_path / "library"))
    yield opened
    await opened.aclose()


def recorded(library: Library, source: dict[str, Any], *failed: str, **fields: Any) -> Job:
    """Record a job that reached its end, with files that failed."""
    problems = tuple(Problem(path, "is empty") for path in failed)
    tally = Tally(found=5, indexed=5 - len(failed), failed=len(failed), errors=problems)
    finished = {"status": "done", "phase": "done", "tally": tally, "finished_at": utc_now(), **fields}
    job = Job(MAIN.team, new_job_id(), "ingest", utc_now(), revision=1, source=source, **finished)
    Jobs(library.engine.records).start(job)
    return job


PAGES = {"type": "urls", "urls": ["https://example.org/a?key=secret", "https://example.org/b", "https://other.example"]}
A, B = "https://example.org/a?key=secret", "https://example.org/b"


async def test_single_files_that_failed_are_tried_again_and_the_others_stay_listed(
    tmp_path: Path, library: Library
) -> None:
    job = recorded(library, PAGES, A, B)
    async with application(tmp_path, library=library) as client:
        for wrong in ([], ["https://example.org/c"], "a", [7], [A] * 101):
            refused = await client.post(f"{JOBS}/{job.id}/retry", json={"paths": wrong})
            assert (refused.status_code, refused.json()["error_category"]) == (422, "validation")
        closest = await client.post(f"{JOBS}/{job.id}/retry", json={"paths": [A, "https://example.org/c"]})
        assert B in closest.json()["details"]["closest"]
        assert (await client.get(f"{JOBS}/{job.id}")).json()["status"] == "done"
        again = (await client.post(f"{JOBS}/{job.id}/retry", json={"paths": [A]})).json()
        assert (again["status"], again["error_count"]) == ("queued", 1)
        assert again["errors"] == [{"path": B, "reason": "is empty"}]
        assert again["source"] == {"type": "urls", "name": "example.org/a and 2 more"}
        await client.delete(f"{JOBS}/{job.id}")
        early = await client.post(f"{JOBS}/{job.id}/retry", json={"paths": [B]})
        assert (early.status_code, early.json()["error_category"]) == (409, "conflict")
        assert "whole job" in early.json()["fix"]["required_action"]
        assert (await client.post(f"{JOBS}/{job.id}/retry")).json()["errors"] == []


async def test_the_overview_says_where_the_archive_comes_from_and_how_fresh_it_is(
    tmp_path: Path, library: Library
) -> None:
    async with application(tmp_path, library=library) as client:
        empty = (await client.get("/api/v1/archives/overview")).json()
        assert empty == {"success": True, "documents": 0, "sources": []}
        sent = {"type": "upload", "staged": "u_1", "name": "notes", "origin": "notes"}
        await Shelf(library, MAIN).put(paper("notes/a.md"), paper("notes/b.md"), paper("papers/a.md"))
        older = recorded(library, sent, finished_at="2026-01-01T00:00:00Z")
        told = (await client.get("/api/v1/archives/overview")).json()
        assert [(each["type"], each["name"], each["documents"]) for each in told["sources"]] == [
            ("upload", "notes", 2),
            ("folder", "papers", 1),
        ]
        notes, papers = told["sources"]
        assert notes["last_read_at"] == "2026-01-01T00:00:00Z"
        assert notes["last_job"]["job_id"] == older.id
        assert notes["action"].endswith("days ago: send the files again to have what changed since")
        assert (papers["last_job"], papers["action"]) == (None, None)
        assert papers["last_read_at"] >= utc_now()[:10]

        async def action(**fields: Any) -> str | None:
            recorded(library, sent, *fields.pop("failed", ()), **fields)
            (first, _) = (await client.get("/api/v1/archives/overview")).json()["sources"]
            return first["action"]

        assert await action() is None
        assert await action(failed=["notes/c.pdf"]) == ("1 file could not be read: see why, then try again what failed")
        assert await action(status="failed") == "The last job failed: see why, then send the files again"
        assert await action(status="running", finished_at=None) is None
        assert "stopped before its end" in str(await action(status="cancelled"))
