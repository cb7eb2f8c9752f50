"""How long `trawl serve` takes until it answers, with an empty data folder and everything by default."""

import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

import httpx

from tests.bench.engines import Place
from tests.bench.report import Row, Table
from tests.bench.scale import Scale
from tests.service import run_service


def startup(_: Mapping[str, Place], scale: Scale) -> Iterator[Table]:
    """Start it several times, embedded, and wait for the answer to a search."""
    taken = [_start() for _ in range(scale.starts)]
    beside = f"{min(taken):.2f} to {max(taken):.2f} s in {len(taken)} starts"
    row = Row("seconds from `trawl serve` to the first answer, median", median(taken), beside, at_most=1.2)
    yield Table("Start-up, embedded", [row])


def _start() -> float:
    with tempfile.TemporaryDirectory(prefix="trawl-bench-") as folder:
        started = time.perf_counter()
        with run_service(Path(folder)) as service:
            answer = httpx.post(f"{service.url}/api/v1/indices/default/search", json={"query": "net"})
            answer.raise_for_status()
            return time.perf_counter() - started
