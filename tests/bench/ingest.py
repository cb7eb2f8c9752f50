"""Files per second from a folder to the archive, against the bare pipeline, and what searches notice of it."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.tenancy import ARCHIVE_INDEX, Principal, TeamId
from tests.bench import bare_pipeline
from tests.bench.corpus import File, files, two_word_queries
from tests.bench.engines import Place
from tests.bench.report import Row, Table, ratio
from tests.bench.scale import Scale
from tests.bench.searching import latencies_while
from tests.bench.worker_process import Worker, worker

_WARMING = 32
_BARE = (1, 2)
"""With how many processes the bare pipeline is run: a worker's one process parses in a child of its own."""
_BOUNDED = 1.5


@dataclass(frozen=True)
class Folder:
    """Some files on the disk, and the documents that they become."""

    path: Path
    files: Sequence[File]
    sources: Path


@dataclass(frozen=True)
class _Rates:
    """Files per second, by the number of files, in each repeat."""

    ours: dict[int, list[float]]
    bare: dict[tuple[int, int], list[float]]
    memory: dict[int, int]
    """The worker's peak after the first folder of each size, in bytes."""


def ingest(places: Mapping[str, Place], scale: Scale) -> Iterator[Table]:
    """Measure on each engine; the bare pipeline is there for OpenSearch only."""
    for place in places.values():
        library = open_library(place.settings)
        try:
            yield Table(f"Ingestion on {place.name}", list(_measure(place, library, scale)))
        finally:
            library.close()


def _measure(place: Place, library: Library, scale: Scale) -> Iterator[Row]:
    chosen = files(scale.files[-1])
    roots = place.folder / "roots"
    folders = {count: _folder(roots, f"files-{count}", chosen[:count]) for count in scale.files}
    if place.name == "opensearch":
        for folder in folders.values():
            bare_pipeline.prepare(folder.files, folder.sources)
    with worker(place, library, roots) as working:
        with _team(library) as team:
            working.ingest(team, _folder(roots, "warming", chosen[:_WARMING]).path)
        rates = _rates(place, library, working, folders, scale.repeats)
        yield from _rate_rows(rates, scale.files)
        with _team(library) as team:
            yield from _with_archive(place, working, team, folders[scale.files[-1]])


def _rates(place: Place, library: Library, working: Worker, folders: Mapping[int, Folder], repeats: int) -> _Rates:
    rates = _Rates({count: [] for count in folders}, {(count, many): [] for count in folders for many in _BARE}, {})
    for _ in range(repeats):
        for count, folder in folders.items():
            with _team(library) as team:
                seconds, _ = working.ingest(team, folder.path)
            rates.ours[count].append(count / seconds)
            rates.memory.setdefault(count, working.peak_memory())
            if place.name == "opensearch":
                for many in _BARE:
                    seconds = bare_pipeline.run(place.url, folder.sources, folder.path, many)
                    rates.bare[count, many].append(count / seconds)
    return rates


def _rate_rows(rates: _Rates, sizes: tuple[int, int]) -> Iterator[Row]:
    for count in sizes:
        ours = rates.ours[count]
        for many in _BARE:
            if bare := rates.bare[count, many]:
                beside = f"{median(ours):.0f} and {median(bare):.0f} files/s"
                what = f"ingestion / bare pipeline in {many} process{'es' * (many > 1)}, {count:,} files"
                yield Row(what, ratio(ours, bare), beside, at_least=0.8)
    small, large = sizes
    slow, fast = median(rates.ours[small]), median(rates.ours[large])
    beside = f"{slow:.0f} and {fast:.0f} files/s"
    growth = ratio(rates.ours[large], rates.ours[small])
    yield Row(f"rate at {large:,} files / at {small:,}", growth, beside, at_least=0.8, at_most=1.2)
    before, after = rates.memory[small], rates.memory[large]
    beside = f"{after / 1e6:.0f} and {before / 1e6:.0f} MB"
    yield Row(f"worker's peak memory at {large:,} files / at {small:,}", after / before, beside, at_most=_BOUNDED)


def _with_archive(place: Place, working: Worker, team: Principal, folder: Folder) -> Iterator[Row]:
    """Ingest a folder twice, then another one while searches go on."""
    count = len(folder.files)
    first, _ = working.ingest(team, folder.path)
    second, status = working.ingest(team, folder.path)
    if status["counts"]["unchanged"] != count:
        raise SystemExit("The second run found changed files")
    beside = f"{first:.2f} s and {second:.2f} s"
    yield Row(f"first run / unchanged second run, seconds, {count:,} files", first / second, beside, at_least=20)
    other = _folder(folder.path.parent, f"{folder.path.name}-again", folder.files)
    queries = two_word_queries(folder.files, 50)
    idle, busy = latencies_while(place.settings, team, queries, working, other.path)
    for name, share in (("median", 0.5), ("95th percentile", 0.95)):
        before, during = _quantile(idle, share), _quantile(busy, share)
        beside = f"{during * 1000:.1f} and {before * 1000:.1f} ms, {len(busy)} searches"
        yield Row(f"archive search while ingesting / idle, {name} latency", during / before, beside)


def _folder(roots: Path, name: str, chosen: Sequence[File]) -> Folder:
    for file in chosen:
        path = roots / name / file.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.data)
    return Folder(roots / name, chosen, roots / f"{name}.jsonl")


@contextmanager
def _team(library: Library) -> Iterator[Principal]:
    """Give a team with an empty archive, and remove it afterwards."""
    team = TeamId(f"bench{secrets.token_hex(4)}")
    try:
        yield Principal(team, "bench")
    finally:
        for target in library.registry.remove(team, ARCHIVE_INDEX).all_physical():
            library.engine.writer.drop(target.physical)


def _quantile(values: Sequence[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))]
