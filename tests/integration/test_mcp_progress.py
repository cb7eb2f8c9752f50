"""Waiting for a job over real HTTP: the caller hears how far it is before the answer comes."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest
from mcp import Client

from indexer.library import Library
from indexer.schema.dates import utc_now
from tests.made_services import MAIN
from workers.jobs.jobs import Jobs
from workers.jobs.records import Job, Tally, new_job_id

ERAS = ["2026-07-28", "legacy"]
HEADERS = {"accept": "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25"}


class Running:
    """A job that runs as fast as a test says."""

    def __init__(self, library: Library) -> None:
        self._jobs = Jobs(library.engine.records)
        self._job = Job(
            team=MAIN.team,
            id=new_job_id(),
            kind="ingest",
            created_at=utc_now(),
            revision=library.clock.next(),
            source={"type": "folder", "path": "/notes", "mirror": False},
            status="running",
            phase="working",
            tally=Tally(found=10),
        )
        self._jobs.start(self._job)
        self.asked = {"job_id": self._job.id, "wait_seconds": 50}

    def go_on(self, indexed: int) -> None:
        self._change(lambda job: replace(job, tally=Tally(found=10, indexed=indexed)))

    def end(self) -> None:
        self._change(lambda job: job.ended("done"))

    def _change(self, changed: Callable[[Job], Job]) -> None:
        assert self._jobs.all.change(self._job.key, changed) is not None


@pytest.fixture
def job(library: Library) -> Running:
    return Running(library)


@pytest.fixture
async def raw() -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(headers=HEADERS, timeout=60) as opened:
        yield opened


def call(arguments: dict[str, Any], **more: Any) -> dict[str, Any]:
    params = {"name": "job_status", "arguments": arguments, **more}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


@pytest.mark.parametrize("era", ERAS)
async def test_a_caller_hears_how_far_the_job_is_while_it_waits(address: str, job: Running, era: str) -> None:
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        """Let the job go on only now: without this the call would last until its time is over."""
        heard.append((progress, total, message))
        if len(heard) < 3:
            await asyncio.to_thread(job.go_on, len(heard) * 4)
        else:
            await asyncio.to_thread(job.end)

    async with Client(address, mode=era) as client:
        result = await client.call_tool("job_status", job.asked, progress_callback=hear)
    assert result.structured_content is not None
    assert result.structured_content["status"] == "done"
    assert [(progress, total) for progress, total, _ in heard] == [(0.0, 1.0), (0.4, 1.0), (0.8, 1.0)]
    assert heard[1][2] == "running: 10 found, 4 indexed, 0 unchanged, 0 removed, 0 failed, 0 skipped"


@pytest.mark.parametrize("era", ERAS)
async def test_a_caller_that_does_not_listen_gets_its_answer_when_the_job_has_ended(
    address: str, job: Running, era: str
) -> None:
    async with Client(address, mode=era) as client:
        waiting = asyncio.create_task(client.call_tool("job_status", job.asked))
        done, _ = await asyncio.wait({waiting}, timeout=1)
        assert not done
        await asyncio.to_thread(job.end)
        result = await waiting
    assert result.structured_content is not None
    assert result.structured_content["status"] == "done"


@pytest.mark.parametrize("era", ERAS)
async def test_a_job_that_takes_longer_is_answered_as_it_is_then(address: str, job: Running, era: str) -> None:
    async with Client(address, mode=era) as client:
        result = await client.call_tool("job_status", job.asked | {"wait_seconds": 0.1})
        missing = await client.call_tool("job_status", job.asked | {"job_id": "j_none"})
    assert result.structured_content is not None
    assert result.structured_content["status"] == "running"
    assert missing.structured_content is not None
    assert missing.structured_content["error_category"] == "not_found"


async def test_only_who_waits_and_listens_gets_a_stream(address: str, job: Running, raw: httpx.AsyncClient) -> None:
    token = {"_meta": {"progressToken": "p"}}
    at_once = {"job_id": job.asked["job_id"]}
    briefly = at_once | {"wait_seconds": 0.1}
    for body in (call(at_once), call(at_once, **token), call(briefly)):
        answer = await raw.post(address, json=body)
        assert answer.headers["content-type"] == "application/json"
        assert answer.json()["result"]["structuredContent"]["status"] == "running"
    answer = await raw.post(address, json=call(briefly, **token))
    assert answer.headers["content-type"].startswith("text/event-stream")
    told, last = (json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: {"))
    assert told["params"]["progressToken"] == "p"
    assert last["result"]["structuredContent"]["status"] == "running"


async def test_a_call_in_pieces_is_answered(address: str, job: Running, raw: httpx.AsyncClient) -> None:
    body = json.dumps(call({"job_id": job.asked["job_id"]})).encode()

    async def pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(body), 20):
            yield body[start : start + 20]
            await asyncio.sleep(0)

    for length in ({}, {"content-length": str(len(body))}):
        headers = {"content-type": "application/json", **length}
        answer = await raw.post(address, content=pieces(), headers=headers)
        assert answer.json()["result"]["structuredContent"]["status"] == "running"
