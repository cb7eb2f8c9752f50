"""The limits of calls as `run` applies them: what counts, what does not, and what a refused caller is told."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from indexer.errors import RateLimited
from indexer.library import Library
from indexer.tenancy import Principal, TeamId
from mcp_server.access.limits.limits import CallLimits
from mcp_server.access.scopes import ALL_SCOPES
from mcp_server.admission import Admission, Call
from mcp_server.operation import Operation
from mcp_server.run import run
from mcp_server.services import Services
from tests.made_services import MAIN, with_jobs
from tests.operations import OPERATIONS

TOKEN = Principal(TeamId("red"), "token:x", ALL_SCOPES, credential="t_1")
OTHER = Principal(TeamId("blue"), "token:y", ALL_SCOPES, credential="t_2")
BY_NAME: dict[str, Operation[Any, Any]] = {operation.name: operation for operation in OPERATIONS}
SEARCH, EVERYWHERE, LIST = BY_NAME["search_index"], BY_NAME["search_everywhere"], BY_NAME["search_list_indices"]


def limited(library: Library, **settings: Any) -> Services:
    services = with_jobs(library, **settings)
    return replace(services, admission=Admission(services.limits))


async def test_a_token_makes_its_burst_of_calls_and_is_told_when_to_call_again(library: Library) -> None:
    services = limited(library, calls_per_minute=6, calls_burst=3)
    for _ in range(3):
        await run(LIST, services, TOKEN, {})
    with pytest.raises(RateLimited, match="Too many calls with this token") as refused:
        await run(LIST, services, TOKEN, {})
    assert refused.value.details == {"limit": {"name": "calls_per_minute", "number": 6}, "retry_after_s": 10}
    assert await run(LIST, services, OTHER, {}), "another token has its own"
    assert services.limits.refusals == {"calls": 1}
    assert services.metrics.calls["search_list_indices", "rate_limit"] == 1


async def test_a_caller_without_a_token_is_not_limited(library: Library) -> None:
    services = limited(library, calls_per_minute=1, calls_burst=1, searches_per_team=1)
    for _ in range(5):
        await run(LIST, services, MAIN, {})


async def test_no_rate_means_no_limit(library: Library) -> None:
    services = limited(library, calls_per_minute=0, calls_burst=1)
    for _ in range(5):
        await run(LIST, services, TOKEN, {})
    assert (await services.limits.of(TOKEN))["calls_per_minute"] == {"limit": None, "used": None}


async def test_a_call_that_makes_calls_of_its_own_counts_once(library: Library) -> None:
    services = limited(library, calls_per_minute=1, calls_burst=2, searches_per_team=1)
    for _ in range(2):
        result = await run(EVERYWHERE, services, TOKEN, {"query": "reef"})
        assert [source["success"] for source in result["sources"]] == [True, True]
    with pytest.raises(RateLimited):
        await run(EVERYWHERE, services, TOKEN, {"query": "reef"})


@asynccontextmanager
async def under_way(limits: CallLimits, principal: Principal, number: int) -> AsyncIterator[None]:
    """Let so many searches of a team run."""
    begun, end = asyncio.Barrier(number + 1), asyncio.Event()

    async def search() -> None:
        async with limits.call(Call(SEARCH, principal)):
            await begun.wait()
            await end.wait()

    running = [asyncio.create_task(search()) for _ in range(number)]
    await begun.wait()
    yield
    end.set()
    await asyncio.gather(*running)


async def test_a_team_has_a_bound_on_its_searches_and_other_teams_search_meanwhile(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    services = limited(library, searches_per_team=2)
    monkeypatch.setattr(services.limits._searches, "_max_wait", 0.01)
    colleague = replace(TOKEN, credential="t_3")
    async with under_way(services.limits, TOKEN, 2):
        with pytest.raises(RateLimited, match="Too many searches of this team at a time") as refused:
            await run(SEARCH, services, colleague, {"query": "reef"})
        assert refused.value.details == {"limit": {"name": "searches", "number": 2}, "retry_after_s": 1}
        assert (await run(SEARCH, services, OTHER, {"query": "reef"}))["success"]
        await run(BY_NAME["search_add_document"], services, colleague, {"doc_id": "a", "content": "a reef"})
        assert (await services.limits.of(TOKEN))["searches"] == {"limit": 2, "used": 2}
    assert (await run(SEARCH, services, colleague, {"query": "reef"}))["total_matches"] == 1
    assert services.limits.refusals == {"searches": 1}


def test_reading_a_teams_own_data_takes_a_slot_and_nothing_else_does() -> None:
    names = {operation.name for operation in OPERATIONS if operation.is_search}
    assert {"search_index", "searchLocalArchives", "search", "fetch", "quote_find", "search_everywhere"} <= names
    assert not names & {"job_status", "search_add_document", "search_web", "search_query", "search_catalog", "account"}


async def test_limits_are_shown_with_what_is_used_of_them(library: Library) -> None:
    services = limited(library, max_jobs=5)
    await run(BY_NAME["search_add_document"], services, TOKEN, {"doc_id": "a", "content": "a reef"})
    await run(BY_NAME["archive_ingest"], services, TOKEN, {"source": {"type": "urls", "urls": ["https://a.org/"]}})
    shown = (await run(BY_NAME["account"], services, TOKEN, {}))["limits"]
    assert shown["bytes"].pop("used") > 0
    assert shown == {
        "calls_per_minute": {"limit": 600, "used": None},
        "calls_burst": {"limit": 100, "used": None},
        "searches": {"limit": 32, "used": 0},
        "documents": {"limit": None, "used": 1},
        "bytes": {"limit": None},
        "indices": {"limit": 200, "used": 1},
        "jobs": {"limit": 5, "used": 1},
    }
    nobody = (await run(BY_NAME["account"], services, MAIN, {}))["limits"]
    assert nobody["calls_per_minute"] == nobody["searches"] | {"used": None} == {"limit": None, "used": None}


async def test_a_team_has_a_quota_of_unfinished_jobs(library: Library) -> None:
    services = limited(library, max_jobs=2)
    page = {"source": {"type": "urls", "urls": ["https://example.org/"]}}
    first = await run(BY_NAME["archive_ingest"], services, TOKEN, page)
    await run(BY_NAME["reindex_start"], services, TOKEN, {"index_name": "default"})

    def never() -> Any:
        raise AssertionError("the upload was read")
        yield

    asked = {"archive_ingest": page, "archive_upload": {"files": never()}, "job_retry": {"job_id": first["job_id"]}}
    for name, arguments in asked.items():
        with pytest.raises(Exception, match="This team has reached its limit of 2 jobs") as full:
            await run(BY_NAME[name], services, TOKEN, arguments)
        assert full.value.details == {"limit": {"name": "jobs", "number": 2, "used": 2}}  # type: ignore[attr-defined]
    await run(BY_NAME["archive_ingest"], services, OTHER, page)
    await run(BY_NAME["job_cancel"], services, TOKEN, {"job_id": first["job_id"]})
    await run(BY_NAME["job_retry"], services, TOKEN, {"job_id": first["job_id"]})
    assert services.limits.refusals == {"jobs": 3}
