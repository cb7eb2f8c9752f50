"""What `fuzzy` does to relevance and latency, for queries as written and with one typing error each."""

import asyncio
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from statistics import median

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.local.arguments import SearchIndex
from indexer.local.search import search
from indexer.tenancy import Principal
from tests.bench.datasets import Collection, collection
from tests.bench.engines import Place
from tests.bench.http_load import ERAS, load_generator, mcp_request
from tests.bench.misspelling import misspelt
from tests.bench.relevance import TARGETS, gain, indexed
from tests.bench.report import Row, Table, ratio
from tests.bench.rounds import take_turns
from tests.bench.scale import QUICK, Scale
from tests.made_services import MAIN
from tests.redis import redis_server
from tests.service import run_service

LOSS = 0.003
RECOVERED = 0.95
SLOWER = 1.5
_SEEDS = (1, 2, 3)
_TIMED_ROUNDS = 5


def fuzzy(places: Mapping[str, Place], scale: Scale) -> Iterator[Table]:
    """Measure both collections on each engine."""
    seeds, rounds = (_SEEDS[:1], 1) if scale is QUICK else (_SEEDS, _TIMED_ROUNDS)
    for place in places.values():
        rows: list[Row] = []
        for name in TARGETS:
            rows += asyncio.run(_on_engine(place, collection(name), seeds, rounds))
            rows += asyncio.run(_over_mcp(place, collection(name), scale))
        yield Table(f"Fuzzy words on {place.name}", rows)


async def _on_engine(place: Place, chosen: Collection, seeds: Sequence[int], rounds: int) -> list[Row]:
    library = open_library(place.settings)
    try:
        async with indexed(library, chosen) as principal:
            return await _measure(_Index(library, principal, chosen), seeds, rounds)
    finally:
        await library.aclose()


class _Index:
    """A collection in an index, to be searched with and without `fuzzy`."""

    def __init__(self, library: Library, principal: Principal, chosen: Collection) -> None:
        self._library, self._principal, self.chosen = library, principal, chosen

    async def found(self, query: str, *, fuzzy: bool) -> list[str]:
        arguments = SearchIndex(query=query, index_name=self.chosen.name, fuzzy=fuzzy)
        return [hit["doc_id"] for hit in (await search(self._library, self._principal, arguments))["results"]]

    async def mean_gain(self, queries: Mapping[str, str], *, fuzzy: bool) -> float:
        gains = [gain(await self.found(text, fuzzy=fuzzy), self.chosen.relevant[id_]) for id_, text in queries.items()]
        return sum(gains) / len(gains)

    async def slowdown(self, queries: Sequence[str], rounds: int) -> float:
        """Return the median of how many times as long a query takes with `fuzzy`, each beside itself without."""
        ratios = []
        for _ in range(rounds):
            for query in queries:
                exact = await self._seconds(query, fuzzy=False)
                ratios.append(await self._seconds(query, fuzzy=True) / exact)
        return median(ratios)

    async def _seconds(self, query: str, *, fuzzy: bool) -> float:
        started = time.perf_counter()
        await self.found(query, fuzzy=fuzzy)
        return time.perf_counter() - started


async def _measure(index: _Index, seeds: Sequence[int], rounds: int) -> list[Row]:
    name, queries = index.chosen.name, index.chosen.queries
    with_errors = [_misspelt_queries(queries, seed) for seed in seeds]
    exact = await index.mean_gain(queries, fuzzy=False)
    clean = await index.mean_gain(queries, fuzzy=True)
    missed = [await index.mean_gain(wrong, fuzzy=False) for wrong in with_errors]
    corrected = [await index.mean_gain(wrong, fuzzy=True) for wrong in with_errors]
    recovered = sum(corrected) / len(corrected)
    unaided = sum(missed) / len(missed)
    by_seed = ", ".join(f"{value / exact:.3f}" for value in corrected)
    return [
        Row(f"{name}: nDCG@10 lost by fuzzy", exact - clean, f"{exact:.4f} and {clean:.4f}", at_most=LOSS, digits=4),
        Row(f"{name}: misspelt and fuzzy, of exact", recovered / exact, f"by seed {by_seed}", RECOVERED, digits=3),
        Row(f"{name}: misspelt and not fuzzy, of exact", unaided / exact, digits=3),
        Row(f"{name}: time of the function with fuzzy, of exact", await index.slowdown([*queries.values()], rounds)),
        Row(
            f"{name}: time of the function with fuzzy if misspelt, of exact",
            await index.slowdown([*with_errors[0].values()], rounds),
        ),
    ]


async def _over_mcp(place: Place, chosen: Collection, scale: Scale) -> list[Row]:
    """Measure what a caller of the tool waits."""
    library = open_library(place.settings)
    try:
        async with indexed(library, chosen, MAIN), AsyncExitStack() as stack:
            queue = stack.enter_context(redis_server())
            environment = {**place.environment, "TRAWL_REDIS_URL": queue.url}
            service = stack.enter_context(run_service(place.folder, env=environment))
            load = await stack.enter_async_context(load_generator())
            kinds = {"": chosen.queries, " if misspelt": _misspelt_queries(chosen.queries, _SEEDS[0])}
            contenders = {}
            for kind, queries in kinds.items():
                for fuzzy in (False, True):
                    arguments = [
                        {"query": query, "index_name": chosen.name, "fuzzy": fuzzy} for query in queries.values()
                    ]
                    requests = [mcp_request(service.url, ERAS[0], "search_index", each) for each in arguments]
                    label = _label(kind, fuzzy=fuzzy)
                    contenders[label] = await load.contender(label, requests, service.url)
            searches = min(scale.searches[0][1], len(chosen.queries))
            turns = await take_turns(contenders, 1, searches, scale.rounds)
    finally:
        await library.aclose()
    rows = []
    for kind in kinds:
        exact, fuzzily = (_label(kind, fuzzy=fuzzy) for fuzzy in (False, True))
        value = ratio(turns.latencies(fuzzily), turns.latencies(exact))
        name = f"{chosen.name}: time over MCP with fuzzy{kind}, of exact"
        rows.append(Row(name, value, turns.beside(fuzzily, exact), at_most=SLOWER))
    return rows


def _label(kind: str, *, fuzzy: bool) -> str:
    return f"{'fuzzy' if fuzzy else 'exact'}{kind}"


def _misspelt_queries(queries: Mapping[str, str], seed: int) -> dict[str, str]:
    chance = random.Random(seed)
    return {id_: misspelt(text, chance) for id_, text in queries.items()}
