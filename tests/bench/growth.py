"""`python -m tests.bench.growth`: what writing and searching cost in an index of a million small documents.

A million documents in calls of one caller would take half an hour on each engine. So the index is filled through the
engine's writer, in batches of 5,000, and the last 5,000 of each size are written by `add_documents`, which is timed.
"""

import argparse
import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final
from uuid import uuid4

from indexer.bootstrap import open_library
from indexer.engines.port import Target
from indexer.library import Library
from indexer.local.arguments import AddDocuments, CreateIndex, SearchIndex
from indexer.local.documents import add_documents
from indexer.local.indices import create_index
from indexer.local.mapping import stored_document
from indexer.local.search import search
from indexer.settings import EngineName
from indexer.tenancy import DocumentId, IndexName, Principal, TeamId
from tests.bench.engines import Place, engine
from tests.bench.report import Row, Table, write
from tests.bench.small_documents import documents, rare_queries, rare_word, usual_queries

ENGINES: Final[tuple[EngineName, ...]] = ("opensearch", "tantivy")
INDEX: Final = IndexName("growth")
_CALL: Final = 500
_BATCH: Final = 5_000
_SMALLEST: Final = 10_000
_QUERIES: Final = 200
_TURNS: Final = 10
_SLOW_SECONDS: Final = 60.0


@dataclass
class Growing:
    """The index, and how many documents it has."""

    library: Library
    principal: Principal
    count: int = 0
    rates: list[float] = field(default_factory=list)
    """Documents per second of `add_documents` at each size."""

    async def grow(self, size: int) -> None:
        """Fill the index through the writer, and the last part of it by calls as callers make them."""
        await asyncio.to_thread(self._fill, size - _BATCH)
        started, first = time.perf_counter(), self.count
        while self.count < size:
            rows = list(documents(range(self.count, min(size, self.count + _CALL))))
            result = await add_documents(self.library, self.principal, AddDocuments(documents=rows, index_name=INDEX))
            if result["failed"]:
                raise SystemExit("A document was refused")
            self.count += len(rows)
        self.rates.append((self.count - first) / (time.perf_counter() - started))

    def _fill(self, size: int) -> None:
        while self.count < size:
            target, end = self._target(), min(size, self.count + _BATCH)
            made = [
                stored_document(
                    target.definition,
                    DocumentId(row["doc_id"]),
                    self.library.clock.next(),
                    row["content"],
                    row["metadata"],
                )
                for row in documents(range(self.count, end))
            ]
            self.library.engine.writer.write(target, made)
            self.count = end
        if self.count:
            self.library.engine.writer.refresh(self._target())

    def _target(self) -> Target:
        target = self.library.registry.get(self.principal.team, INDEX).serving_target()
        if target is None:
            raise SystemExit("The index has no documents yet")
        return target

    async def latencies(self, queries: Sequence[str]) -> list[float]:
        """Return the sorted milliseconds of searches, one after the other, after a warming round."""
        for query in queries[:20]:
            await self.milliseconds(query=query)
        return sorted([await self.milliseconds(query=query) for query in queries])

    async def milliseconds(self, **arguments: Any) -> float:
        started = time.perf_counter()
        await search(self.library, self.principal, SearchIndex(index_name=INDEX, **arguments))
        return (time.perf_counter() - started) * 1_000

    async def side_by_side(self, *contenders: Callable[[int], dict[str, Any]]) -> list[float]:
        """Return the median milliseconds of searches that take turns; each is told the number of the turn."""
        turns = [[await self.milliseconds(**arguments(turn)) for arguments in contenders] for turn in range(_TURNS)]
        return [median(each) for each in zip(*turns[1:], strict=True)]


async def measure(place: Place, size: int) -> list[Table]:
    """Grow an index to 10,000, a tenth and the whole of the size, and measure at each."""
    settings = place.settings.model_copy(update={"search_timeout": _SLOW_SECONDS})
    library = open_library(settings)
    growing = Growing(library, Principal(TeamId(f"bench{uuid4().hex[:8]}"), "bench"))
    try:
        wanted = CreateIndex(index_name=INDEX, sortable_fields={"declared": "number"})
        await create_index(library, growing.principal, wanted)
        sizes = sorted({_SMALLEST, max(_SMALLEST, size // 10), size})
        searched: dict[str, list[list[float]]] = {"rare": [], "usual": []}
        await growing.grow(_BATCH)
        growing.rates.clear()
        for each in sizes:
            await growing.grow(each)
            print(f"{place.name}: {each:,} documents", flush=True)
            searched["rare"].append(await growing.latencies(rare_queries(each, _QUERIES)))
            searched["usual"].append(await growing.latencies(usual_queries(_QUERIES)))
        rows = [*_rate_rows(growing.rates, sizes), *_search_rows(searched, sizes)]
        rows += [row async for row in _filter_rows(growing)]
        rows += [row async for row in _other_rows(growing)]
        return [Table(f"{size:,} small documents on {place.name}", rows)]
    finally:
        for target in library.registry.remove(growing.principal.team, INDEX).all_physical():
            library.engine.writer.drop(target.physical)
        await library.aclose()


def _rate_rows(rates: Sequence[float], sizes: Sequence[int]) -> Iterator[Row]:
    for rate, size in zip(rates[1:], sizes[1:], strict=True):
        beside = f"{rate:,.0f} and {rates[0]:,.0f} documents/s"
        what = f"`add_documents` in calls of {_CALL}, rate at {size:,} / at {sizes[0]:,}"
        yield Row(what, rate / rates[0], beside, at_least=0.8)


def _search_rows(searched: dict[str, list[list[float]]], sizes: Sequence[int]) -> Iterator[Row]:
    said = {"rare": "words in 10 documents each", "usual": "words in a fixed share of the documents"}
    for kind, (small, *_, large) in searched.items():
        for name, share in (("median", 0.5), ("p99", 0.99)):
            before, after = _quantile(small, share), _quantile(large, share)
            what = f"search, {said[kind]}, {name} at {sizes[-1]:,} / at {sizes[0]:,}"
            at_most = 2 if kind == "rare" else None
            yield Row(what, after / before, f"{after:.1f} and {before:.1f} ms", at_most=at_most)


async def _filter_rows(growing: Growing) -> AsyncIterator[Row]:
    """Compare each range with an equality filter that matches about as many documents.

    The bounds are others in each turn, because OpenSearch remembers what a repeated filter matches.
    """
    every, half, few = {"all": 1}, {"half": 1}, {"group": 7}
    compared: tuple[tuple[str, Callable[[int], dict[str, Any]], dict[str, Any], float | None], ...] = (
        ("numbers, nearly all", lambda turn: {"number": {"gte": 100 + turn}}, every, 3),
        ("numbers, half", lambda turn: {"number": {"gte": 500_000 + turn}}, half, 3),
        ("numbers, a thousandth", lambda turn: {"number": {"gte": 500_000 + turn, "lt": 501_000 + turn}}, few, 3),
        (
            "prices, half, bounds of many digits",
            lambda turn: {"price": {"gt": 5_000 + turn / 7, "lt": 9_999 + turn / 13}},
            half,
            3,
        ),
        ("dates, half", lambda turn: {"at": {"gte": f"2020-01-06T18:53:{turn + 20}Z"}}, half, 3),
        (
            "dates, an hour",
            lambda turn: {"at": {"gte": f"2020-01-03T10:00:{turn + 10}Z", "lt": f"2020-01-03T11:00:{turn + 10}Z"}},
            few,
            3,
        ),
        ("strings, half", lambda turn: {"path": {"gte": f"docs/54/{turn}"}}, half, None),
        ("strings, a hundredth", lambda turn: {"path": {"gte": f"docs/54/{turn}", "lt": f"docs/55/{turn}"}}, few, None),
        ("strings with a prefix, a tenth", lambda turn: {"path": {"prefix": f"docs/{turn}"}}, half, None),
    )
    for what, within, equal, at_most in compared:
        took, beside = await growing.side_by_side(
            lambda turn, within=within: {"query": "*", "filters": within(turn)},
            lambda _, equal=equal: {"query": "*", "filters": equal},
        )
        said = f"{took:.1f} and {beside:.1f} ms"
        yield Row(f"range of {what} / equality", took / beside, said, at_most=at_most)


async def _other_rows(growing: Growing) -> AsyncIterator[Row]:
    """Give milliseconds of what has a bound of its own."""
    word, sample = rare_word(growing.count // 2), {"group": list(range(10_000 * 1_000 // (growing.count + 1_000)))}
    misspelt = f"{word[:3]}f{word[4:]}"
    searches: tuple[tuple[str, dict[str, Any]], ...] = (
        ("facet of 1,000 values, all documents", {"query": "*", "facets": ["group"]}),
        (f"facet of {growing.count:,} values, all documents", {"query": "*", "facets": ["number"]}),
        (f"facet of {growing.count:,} values, 20 documents", {"query": f"{word} rare1", "facets": ["number"]}),
        ("sort by a declared field, all documents", {"query": "*", "sort": ["-declared"]}),
        ("sort by an undeclared field, at most 10,000", {"query": "*", "filters": sample, "sort": ["-number"]}),
        ("one word, exact", {"query": word}),
        ("one word, misspelt and fuzzy", {"query": misspelt, "fuzzy": True}),
        ("all documents", {"query": "*"}),
    )
    for what, arguments in searches:
        [took] = await growing.side_by_side(lambda _, arguments=arguments: arguments)
        yield Row(f"milliseconds: {what}", took, digits=1)


def _quantile(values: Sequence[float], share: float) -> float:
    return values[int(share * (len(values) - 1))]


def main() -> None:
    """Run on the engines asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.growth", description=__doc__)
    parser.add_argument("--documents", type=int, default=1_000_000, metavar="N", help="a million by default")
    parser.add_argument("--engine", choices=(*ENGINES, "both"), default="both")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the tables between the markers in this file")
    given = parser.parse_args()
    if given.documents <= _SMALLEST:
        parser.error(f"measure more than {_SMALLEST:,} documents")
    for name in ENGINES:
        if given.engine not in {name, "both"}:
            continue
        with engine(name) as place:
            tables = asyncio.run(measure(place, given.documents))
        print(*(table.text() for table in tables), sep="\n\n", flush=True)
        if given.write:
            write(given.write, f"growth on {name}", tables)


if __name__ == "__main__":
    main()
