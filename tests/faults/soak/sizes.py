"""What lies on the disk, against what the live indices take of it."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from indexer.bootstrap import open_library
from indexer.index.generations import every_index
from indexer.index.reading import read_size
from indexer.settings import IndexerSettings
from tests.faults.soak.stage import Stage


@dataclass(frozen=True, slots=True)
class Sizes:
    """Bytes."""

    disk: int
    live: int


async def sizes_of(stage: Stage) -> Sizes:
    """Measure; the live indices are those that serve searches."""
    with patch.dict("os.environ", stage.environment):
        library = open_library(IndexerSettings(_env_file=None))
    try:
        records = await asyncio.to_thread(lambda: list(every_index(library)))
        live = sum([(await read_size(library, record)).size_bytes for record in records])
    finally:
        await library.aclose()
    return Sizes(_bytes_below(stage.disk), live)


def _bytes_below(folder: Path) -> int:
    """Count the blocks that files take, not their lengths: some have holes."""
    return sum(path.lstat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())
