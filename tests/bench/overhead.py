"""What we add to the engine: the same searches by its own client, by the indexer, over REST and over MCP."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack

import uvloop

from tests.bench.bare_tool import TOOL, bare_tool
from tests.bench.case import Case, searched_case
from tests.bench.engines import Place
from tests.bench.http_load import ERAS, LoadGenerator, load_generator, mcp_request, rest_request
from tests.bench.raw_opensearch import raw_opensearch
from tests.bench.raw_tantivy import RawTantivy
from tests.bench.report import Row, Table, ratio
from tests.bench.rounds import Contender, Measured, in_process, take_turns
from tests.bench.scale import Scale
from tests.redis import redis_server
from tests.service import run_service

RAW = "raw"
READER = "reader.search"
INDEXER = "indexer.local.search"
REST = "REST"
ENGLISH = "raw on defaults"


def overhead(places: Mapping[str, Place], scale: Scale) -> Iterator[Table]:
    """Measure on each engine, in an event loop of the kind that the service has."""
    for place in places.values():
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            yield runner.run(_overhead(place, scale))


async def _overhead(place: Place, scale: Scale) -> Table:
    async with AsyncExitStack() as stack:
        case = await stack.enter_async_context(searched_case(place, scale))
        load = await stack.enter_async_context(load_generator())
        # with a queue of its own the service starts no worker, which would take part of the processor
        queue = stack.enter_context(redis_server())
        environment = {**place.environment, "TRAWL_REDIS_URL": queue.url}
        service = stack.enter_context(run_service(place.folder, env=environment))
        contenders = {
            **(await _raw(place, case, load, stack)),
            READER: in_process(case.by_reader, len(case.queries)),
            INDEXER: in_process(case.by_indexer, len(case.queries)),
            **(await _served(case, load, service.url)),
        }
        measured = {
            callers: await take_turns(contenders, callers, searches, scale.rounds)
            for callers, searches in scale.searches
        }
    rows = _opensearch_rows if place.name == "opensearch" else _tantivy_rows
    title = f"Overhead on {place.name}: {len(case.files):,} documents, ten hits with three snippets each"
    return Table(title, [row for callers, turns in measured.items() for row in rows(callers, turns)])


async def _raw(place: Place, case: Case, load: LoadGenerator, stack: AsyncExitStack) -> dict[str, Contender]:
    if place.name == "tantivy":
        by_hand = RawTantivy(place.settings.data_dir, case)
        stack.callback(by_hand.close)
        await case.check(by_hand.ids)
        return {RAW: by_hand.turn}
    raw = await stack.enter_async_context(raw_opensearch(place.url, case))
    bodies = dict(zip(case.queries, raw.bodies, strict=True))
    url = stack.enter_context(bare_tool(place.url, case.target.physical, bodies, place.folder))
    contenders = {
        RAW: in_process(raw.same_request, len(case.queries)),
        ENGLISH: in_process(raw.default_mapping, len(case.queries)),
    }
    for era in ERAS:
        requests = [mcp_request(url, era, TOOL, {"query": query}) for query in case.queries]
        contenders[_bare(era)] = await load.contender(_bare(era), requests, url)
    return contenders


async def _served(case: Case, load: LoadGenerator, url: str) -> dict[str, Contender]:
    requests = [rest_request(url, case.index, query) for query in case.queries]
    contenders = {REST: await load.contender(REST, requests, url)}
    for era in ERAS:
        arguments = [{"query": query, "index_name": case.index} for query in case.queries]
        requests = [mcp_request(url, era, "search_index", each) for each in arguments]
        contenders[_mcp(era)] = await load.contender(_mcp(era), requests, url)
    return contenders


def _opensearch_rows(callers: int, turns: Measured) -> Iterator[Row]:
    yield _latency(callers, turns, READER, None)
    yield _latency(callers, turns, INDEXER, 1.25)
    yield _rate(callers, turns, REST, RAW)
    for era in ERAS:
        yield _rate(callers, turns, _mcp(era), RAW)
        yield _rate(callers, turns, _bare(era), RAW)
        yield _rate(callers, turns, _mcp(era), _bare(era), None if callers == 1 else 0.9)
        yield _rate(callers, turns, _mcp(era), ENGLISH, None if callers == 1 else 1)


def _tantivy_rows(callers: int, turns: Measured) -> Iterator[Row]:
    yield _latency(callers, turns, READER, None)
    yield _latency(callers, turns, INDEXER, 1.3 if callers == 1 else None)
    yield _rate(callers, turns, REST, RAW)
    for era in ERAS:
        yield _rate(callers, turns, _mcp(era), RAW)


def _latency(callers: int, turns: Measured, of: str, at_most: float | None) -> Row:
    value = ratio(turns.latencies(of), turns.latencies(RAW))
    return Row(f"{of} / {RAW}, median latency, {_said(callers)}", value, turns.beside(of, RAW), at_most=at_most)


def _rate(callers: int, turns: Measured, of: str, to: str, at_least: float | None = None) -> Row:
    value = ratio(turns.rates(of), turns.rates(to))
    return Row(f"{of} / {to}, searches per second, {_said(callers)}", value, turns.beside(of, to), at_least=at_least)


def _said(callers: int) -> str:
    return "1 caller" if callers == 1 else f"{callers} callers"


def _mcp(era: str) -> str:
    return f"MCP {era}"


def _bare(era: str) -> str:
    return f"bare tool {era}"
