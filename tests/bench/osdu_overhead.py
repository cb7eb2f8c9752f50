"""What search_query adds to the bare HTTP call, at 16 callers, with limits and breaker in Redis.

The server is a process of its own that takes as long as a quick search does; both sides ask it alike, in turns.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from statistics import median

import httpx
import uvloop

from mcp_server.features.osdu.operations import QUERY
from mcp_server.protocol.tools import Tools
from tests.bench.engines import Place
from tests.bench.report import Row, Table
from tests.bench.scale import Scale
from tests.made_services import MAIN, made_services, made_upstreams
from tests.redis import redis_server
from tests.service import ROOT
from tests.upstreams.osdu import TOKEN, OsduServer
from tests.upstreams.osdu_caller import settings
from tests.upstreams.osdu_records import PARTITION, WELL, record

CALLERS = 16
CALLS = 25
LIMIT = 10
SEARCH_SECONDS = 0.1


def osdu_overhead(_: Mapping[str, Place], scale: Scale) -> Iterator[Table]:
    """Measure in an event loop of the kind that the service has."""
    with serving() as url, redis_server() as redis, asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        bare, tool = runner.run(_measured(url, redis.url, scale.rounds))
    added = median(one - other for one, other in zip(tool, bare, strict=True))
    beside = f"httpx {median(bare):.1f} ms, tool {median(tool):.1f} ms"
    row = Row(f"milliseconds that search_query adds, {CALLERS} callers", added, beside, at_most=5, digits=1)
    yield Table(f"OSDU: {LIMIT} records from a server that takes {SEARCH_SECONDS * 1_000:.0f} ms", [row])


async def _measured(url: str, redis_url: str, rounds: int) -> tuple[list[float], list[float]]:
    """Return the medians of each round in milliseconds, by httpx alone and by the tool."""
    bare: list[float] = []
    tool: list[float] = []
    upstreams = made_upstreams(osdu=settings(url, cache_seconds=10), redis_url=redis_url)
    tools = Tools(made_services(upstreams=upstreams), frozenset({"osdu"}))
    headers = {"authorization": f"Bearer {TOKEN}", "data-partition-id": PARTITION}
    async with httpx.AsyncClient(headers=headers, trust_env=False) as client:

        async def ask_bare(query: str) -> None:
            body = {"kind": "*:*:*:*", "query": query, "limit": LIMIT, "offset": 0, "trackTotalCount": True}
            reply = await client.post(f"{url}/api/search/v2/query", json=body)
            assert len(reply.json()["results"]) == LIMIT

        async def ask_tool(query: str) -> None:
            said = await tools.call(QUERY, {"query": query, "limit": LIMIT}, MAIN)
            assert said.result is not None
            assert said.result["success"], said.result

        for number in range(rounds):
            bare.append(median(await _latencies(ask_bare, f"bare-{number}")) * 1_000)
            tool.append(median(await _latencies(ask_tool, f"tool-{number}")) * 1_000)
    await upstreams.aclose()
    return bare, tool


async def _latencies(ask: Callable[[str], Awaitable[None]], name: str) -> list[float]:
    taken: list[float] = []

    async def caller(number: int) -> None:
        for call in range(CALLS):
            started = time.perf_counter()
            await ask(f"{name}-{number}-{call}")
            taken.append(time.perf_counter() - started)

    await asyncio.gather(*(caller(number) for number in range(CALLERS)))
    return taken


@contextmanager
def serving() -> Iterator[str]:
    """Run the server in a process of its own and give its address."""
    command = [sys.executable, "-m", "tests.bench.osdu_overhead"]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().decode().strip()
    finally:
        process.communicate()


async def serve() -> None:
    """Answer until standard input ends."""
    server = OsduServer(None)
    data = {"FacilityName": "Well Alpha", "Remark": "x" * 300, "Depth": 1000.0, "UWI": "8601"}
    records = [record(f"opendes:master-data--Well:{number}", WELL, dict(data)) for number in range(LIMIT)]
    server.answer = json.dumps({"results": records, "aggregations": [], "totalCount": LIMIT}).encode()
    server.delay = SEARCH_SECONDS
    async with server.running():
        print(server.url, flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve())
