"""Jobs over HTTP; nobody works here, so they stay queued."""

import asyncio
from pathlib import Path

import pytest

from tests.service import application

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
        assert (await client.get(f"{JOBS}/{started['job_id']}")).json()["kind"] == "reindex"
        again = await client.post(f"/api/v1/indices/{name}/reindex", json={})
        assert again.status_code == 409
        assert again.json()["details"]["job_id"] == started["job_id"]
        assert (await client.post("/api/v1/indices/none/reindex")).status_code == 404
