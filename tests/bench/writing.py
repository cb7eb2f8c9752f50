"""Writing in calls of 500 documents: by the operation as tools and routes call it, and by the engine alone."""

import asyncio
import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from itertools import count
from statistics import median

import uvloop

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.local.arguments import CreateIndex, DeleteIndex
from indexer.local.indices import create_index, delete_index
from indexer.tenancy import IndexName
from mcp_server.features.local.operations import ADD_SEVERAL
from mcp_server.run import run
from tests.bench.datasets import collection
from tests.bench.engines import Place
from tests.bench.raw_writing import Given, RawBulk, RawTantivyWriter
from tests.bench.report import Row, Table, ratio
from tests.bench.rounds import Contender, Measured, in_process, take_turns
from tests.bench.scale import Scale
from tests.made_services import MAIN, made_services

AT_ONCE = 500
CALLS = ((1, 2), (4, 4))
"""How many callers there are at once, and how many calls they make together in a round."""
OURS = "search_add_documents"
SEARCHABLE = "helpers.bulk, searchable"
UNREFRESHED = "helpers.bulk, not yet searchable"
BY_HAND = "tantivy by hand"
TARGET = 0.7

Write = Callable[[Sequence[Given]], Awaitable[object]]


def writing(places: Mapping[str, Place], scale: Scale) -> Iterator[Table]:
    """Measure on each engine, in an event loop of the kind that the service has."""
    for place in places.values():
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            yield runner.run(_writing(place, scale))


async def _writing(place: Place, scale: Scale) -> Table:
    index = f"bench-{secrets.token_hex(4)}"
    async with AsyncExitStack() as stack:
        library = open_library(place.settings)
        stack.push_async_callback(library.aclose)
        await create_index(library, MAIN, CreateIndex(index_name=index))
        stack.push_async_callback(delete_index, library, MAIN, DeleteIndex(index_name=index))
        writers = {OURS: _by_operation(library, index), **_raw(place, library, index, stack)}
        contenders = {name: _contender(write, name) for name, write in writers.items()}
        measured = {callers: await take_turns(contenders, callers, calls, scale.rounds) for callers, calls in CALLS}
    title = f"Writing on {place.name}: {AT_ONCE} abstracts a call"
    return Table(title, [row for callers, turns in measured.items() for row in _rows(place, callers, turns)])


def _by_operation(library: Library, index: str) -> Write:
    services = made_services(library)

    async def write(given: Sequence[Given]) -> None:
        documents = [{"doc_id": one.id, "content": one.content, "metadata": one.metadata} for one in given]
        result = await run(ADD_SEVERAL, services, MAIN, {"documents": documents, "index_name": index})
        if result["failed"]:
            raise SystemExit("A document could not be written")

    return write


def _raw(place: Place, library: Library, index: str, stack: AsyncExitStack) -> dict[str, Write]:
    definition = library.registry.get(MAIN.team, IndexName(index)).definition
    if place.name == "tantivy":
        by_hand = RawTantivyWriter(place.folder / "by-hand", definition)
        return {BY_HAND: partial(asyncio.to_thread, by_hand.write)}
    bulks = {SEARCHABLE: RawBulk(place.url, definition, refresh=True), UNREFRESHED: RawBulk(place.url, definition)}
    for bulk in bulks.values():
        stack.callback(bulk.close)
    return {name: partial(asyncio.to_thread, bulk.write) for name, bulk in bulks.items()}


def _contender(write: Write, name: str) -> Contender:
    """Make a contender whose every call writes new documents."""
    texts = list(collection("scifact").documents.values())
    serial = count()

    async def ask(_: int) -> None:
        start = next(serial) * AT_ONCE
        await write(
            [_given(f"{name}-{number}", texts[number % len(texts)]) for number in range(start, start + AT_ONCE)]
        )

    return in_process(ask, 1)


def _given(id_: str, text: str) -> Given:
    return Given(id_, text, {"title": text.partition("\n")[0], "characters": len(text), "collection": "scifact"})


def _rows(place: Place, callers: int, turns: Measured) -> Iterator[Row]:
    others = (BY_HAND,) if place.name == "tantivy" else (SEARCHABLE, UNREFRESHED)
    for other in others:
        value = ratio(turns.rates(OURS), turns.rates(other))
        beside = ", ".join(f"{name} {median(turns.rates(name)) * AT_ONCE:,.0f}/s" for name in (OURS, other))
        at_least = TARGET if other == SEARCHABLE else None
        said = "1 caller" if callers == 1 else f"{callers} callers"
        yield Row(f"{OURS} / {other}, documents per second, {said}", value, beside, at_least=at_least)
