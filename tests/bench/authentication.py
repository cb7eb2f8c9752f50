"""What authentication costs: the same searches at a service with tokens, limits and audit, and at one without."""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import AsyncExitStack

import uvloop

from mcp_server.access.token_store import TokenStore
from tests.bench.case import Case, searched_case
from tests.bench.engines import Place
from tests.bench.http_load import ERAS, LoadGenerator, load_generator, mcp_request, rest_request
from tests.bench.report import Row, Table, ratio
from tests.bench.rounds import Contender, Measured, take_turns
from tests.bench.scale import Scale
from tests.made_services import MAIN
from tests.redis import redis_server
from tests.service import run_service

WAYS = ("REST", "MCP")
AT_LEAST = 0.95
TURNS = 2
"""How many times as many rounds and searches as elsewhere: a difference of a few percent is looked for."""
UNHINDERED = {"TRAWL_CALLS_PER_MINUTE": "60000000", "TRAWL_CALLS_BURST": "1000000"}
"""The limit of a token is checked, and never reached."""


def authentication(places: Mapping[str, Place], scale: Scale) -> Iterator[Table]:
    """Measure on each engine."""
    for place in places.values():
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            yield runner.run(_authentication(place, scale))


async def _authentication(place: Place, scale: Scale) -> Table:
    callers, searches = scale.searches[-1]
    async with AsyncExitStack() as stack:
        case = await stack.enter_async_context(searched_case(place, scale))
        load = await stack.enter_async_context(load_generator())
        # with a queue of its own a service starts no worker, which would take part of the processor
        environment = {**place.environment, "TRAWL_REDIS_URL": stack.enter_context(redis_server()).url, **UNHINDERED}
        store = TokenStore(case.library.engine.records)
        issued = await asyncio.to_thread(store.issue, MAIN.team, ["search"], name="bench", created_by="bench")
        contenders: dict[str, Contender] = {}
        for auth, token in (("off", None), ("on", issued.token)):
            folder = place.folder / auth
            folder.mkdir(exist_ok=True)
            service = stack.enter_context(run_service(folder, env={**environment, "TRAWL_AUTH": auth}))
            contenders |= await _served(case, load, service.url, auth, token)
        turns = await take_turns(contenders, callers, searches * TURNS, scale.rounds * TURNS)
        await asyncio.to_thread(store.revoke, MAIN.team, issued.record.id)
    title = (
        f"Authentication on {place.name}: {len(case.files):,} documents, {callers} callers, each with the same token"
    )
    return Table(title, [_row(turns, way) for way in WAYS])


async def _served(case: Case, load: LoadGenerator, url: str, auth: str, token: str | None) -> dict[str, Contender]:
    by_rest = [rest_request(url, case.index, query, token) for query in case.queries]
    arguments = [{"query": query, "index_name": case.index} for query in case.queries]
    by_mcp = [mcp_request(url, ERAS[0], "search_index", each, token) for each in arguments]
    return {
        _name(way, auth): await load.contender(_name(way, auth), requests, url)
        for way, requests in zip(WAYS, (by_rest, by_mcp), strict=True)
    }


def _row(turns: Measured, way: str) -> Row:
    on, off = _name(way, "on"), _name(way, "off")
    value = ratio(turns.rates(on), turns.rates(off))
    return Row(f"{on} / {off}, searches per second", value, turns.beside(on, off), at_least=AT_LEAST, digits=3)


def _name(way: str, auth: str) -> str:
    return f"{way}, authentication {auth}"
