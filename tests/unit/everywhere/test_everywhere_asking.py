"""Sources side by side: one that is late or broken takes nothing from the others."""

import asyncio
import logging

import pytest

from indexer.errors import Unavailable
from mcp_server.search_source import Answer, Question
from tests.unit.everywhere.made_sources import PATIENT, answered, fails, finding, finds, source

SHORT = 0.05


async def test_a_late_source_is_cancelled_and_the_others_answer() -> None:
    cancelled = asyncio.Event()

    async def hangs(_: Question) -> Answer:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled.set()
            raise
        raise AssertionError

    result = await answered(finds("archive", finding("a")), source("osdu", hangs, deadline=SHORT))
    assert cancelled.is_set()
    assert [hit["id"] for hit in result["results"]] == ["a"]
    archive, osdu = result["sources"]
    assert archive["success"]
    assert (osdu["success"], osdu["count"], osdu["error_category"]) == (False, 0, "timeout")
    assert osdu["error"] == "No answer within 0.05 s"
    assert "search_osdu" in osdu["fix"]["required_action"]
    assert osdu["took_ms"] >= SHORT * 900


async def test_sources_are_asked_at_the_same_time() -> None:
    both = asyncio.Barrier(2)

    async def meets(_: Question) -> Answer:
        async with asyncio.timeout(PATIENT):
            await both.wait()
        return Answer([finding("met")])

    result = await answered(source("archive", meets), source("osdu", meets))
    assert [outcome["count"] for outcome in result["sources"]] == [1, 1]


async def test_a_source_that_fails_says_so_beside_the_others() -> None:
    down = fails("osdu", Unavailable("It is down", action="Wait"))
    result = await answered(down, finds("archive", finding("a")))
    osdu, archive = result["sources"]
    assert {**osdu, "took_ms": 0} == {
        "source": "osdu",
        "success": False,
        "count": 0,
        "total": None,
        "took_ms": 0,
        "error": "It is down",
        "error_category": "unavailable",
        "fix": {"required_action": "Wait"},
    }
    assert set(archive) == {"source", "success", "count", "total", "took_ms"}
    assert [hit["source"] for hit in result["results"]] == ["archive"]


async def test_a_bug_in_one_source_is_reported_by_reference_and_shows_no_text(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        result = await answered(fails("osdu", KeyError("secret words")), finds("archive", finding("a")))
    osdu = result["sources"][0]
    assert osdu["error"].startswith("Internal error")
    assert "secret" not in str(result) + caplog.text
    assert "KeyError" in caplog.text
    assert [hit["id"] for hit in result["results"]] == ["a"]


async def test_a_time_out_of_the_source_s_own_making_is_a_bug_and_not_lateness() -> None:
    result = await answered(fails("osdu", TimeoutError()), finds("archive"))
    assert result["sources"][0]["error_category"] == "unavailable"


async def test_a_caller_who_goes_away_takes_all_sources_along() -> None:
    waiting, gone = asyncio.Semaphore(0), asyncio.Semaphore(0)

    async def hangs(_: Question) -> Answer:
        waiting.release()
        try:
            await asyncio.Event().wait()
        finally:
            gone.release()
        raise AssertionError

    call = asyncio.create_task(answered(source("archive", hangs), source("osdu", hangs)))
    async with asyncio.timeout(PATIENT):
        for _ in range(2):
            await waiting.acquire()
        call.cancel()
        for _ in range(2):
            await gone.acquire()
    with pytest.raises(asyncio.CancelledError):
        await call


async def test_a_source_that_could_be_asked_only_in_part_gives_what_it_has() -> None:
    async def part(_: Question) -> Answer:
        return Answer([finding("i")], Unavailable("1 of 2 indices could not be searched", action="Repair it"))

    result = await answered(source("indices", part))
    [indices] = result["sources"]
    assert (indices["success"], indices["count"]) == (False, 1)
    assert [hit["id"] for hit in result["results"]] == ["i"]
