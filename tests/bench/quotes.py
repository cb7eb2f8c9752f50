"""How often a distorted quotation finds its document first, and how long it takes."""

import asyncio
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from uuid import uuid4

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.local.arguments import AddDocuments, CreateIndex, DeleteIndex
from indexer.local.documents import add_documents
from indexer.local.indices import create_index, delete_index
from indexer.quotes.find import find_quote
from indexer.tenancy import Principal, TeamId
from tests.bench.datasets import collection, documentation
from tests.bench.engines import Place
from tests.bench.report import Row, Table
from tests.bench.scale import Scale
from tests.distortion import KINDS, distorted, passage

_QUOTES = 200
_TARGET = 0.95
_AT_ONCE = 500
_SEED = 15
_SIZES = (8, 40)
"""Words of a quotation, fewest and most."""


@dataclass(frozen=True)
class Quote:
    """A quotation, and the passage that it comes from."""

    text: str
    original: str


def quotes(places: Mapping[str, Place], _: Scale) -> Iterator[Table]:
    """Measure 200 quotations of each collection on each engine."""
    rows = []
    for name in ("cranfield", "scifact", "documentation"):
        documents = _documents(name)
        asked = _distorted_quotes(list(documents.values()))
        for place in places.values():
            share, milliseconds = asyncio.run(_on_engine(place, documents, asked))
            beside = f"{len(documents):,} documents, median {milliseconds:.0f} ms"
            rows.append(Row(f"{name} on {place.name}: come first", share, beside, at_least=_TARGET, digits=3))
    yield Table(f"{_QUOTES} distorted quotations", rows)


def _documents(name: str) -> dict[str, str]:
    if name == "documentation":
        return {path[-500:]: data.decode(errors="replace") for path, data in documentation()}
    return {id_: text for id_, text in collection(name).documents.items() if text.strip()}


def _distorted_quotes(texts: Sequence[str]) -> list[Quote]:
    chance = random.Random(_SEED)
    made = []
    while len(made) < _QUOTES:
        original = passage(chance.choice(texts), chance, chance.randint(*_SIZES))
        # A table or a heading of a few words is no quotation.
        if len(original.split()) >= _SIZES[0] and len(original) < 1_500:
            kind = "words" if len(made) % 2 else KINDS[len(made) // 2 % len(KINDS)]
            made.append(Quote(distorted(original, kind, chance), original))
    return made


async def _on_engine(place: Place, documents: Mapping[str, str], asked: Sequence[Quote]) -> tuple[float, float]:
    library = open_library(place.settings)
    try:
        return await _measure(library, documents, asked)
    finally:
        await library.aclose()


async def _measure(library: Library, documents: Mapping[str, str], asked: Sequence[Quote]) -> tuple[float, float]:
    principal = Principal(TeamId(f"bench{uuid4().hex[:8]}"), "bench")
    rows = [{"doc_id": id_, "content": text} for id_, text in documents.items()]
    await create_index(library, principal, CreateIndex(index_name="quoted"))
    try:
        for start in range(0, len(rows), _AT_ONCE):
            await add_documents(
                library, principal, AddDocuments(documents=rows[start : start + _AT_ONCE], index_name="quoted")
            )
        outcomes = [await _ask(library, principal, quote) for quote in asked]
    finally:
        await delete_index(library, principal, DeleteIndex(index_name="quoted"))
    return sum(first for first, _ in outcomes) / len(outcomes), median(took for _, took in outcomes)


async def _ask(library: Library, principal: Principal, quote: Quote) -> tuple[bool, float]:
    """Return whether the passage stands in the first document, and the milliseconds taken."""
    started = time.perf_counter()
    found = await find_quote(library, principal.team, quote.text, limit=5)
    took = (time.perf_counter() - started) * 1_000
    # Several documents may have the same passage, so it decides, and not where it was taken from.
    return bool(found) and quote.original in found[0].document.text, took
