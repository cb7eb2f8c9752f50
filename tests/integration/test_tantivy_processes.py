"""Several processes on one data folder, some of which die."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from indexer.engines.port import Document, Engine, SearchRequest, Target
from indexer.engines.tantivy.engine import open_engine
from indexer.query.ast import Everything, Word
from indexer.schema.definition import IndexDefinition
from indexer.tenancy import DocumentId, PhysicalName

TARGET = Target(PhysicalName("trawl.main.notes.1"), IndexDefinition("local", 1))
WRITING = """
import sys
from pathlib import Path
from indexer.schema.definition import IndexDefinition
from indexer.engines.port import Document, Target
from indexer.engines.tantivy.engine import open_engine
from indexer.tenancy import DocumentId, PhysicalName
folder, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
target = Target(PhysicalName("trawl.main.notes.1"), IndexDefinition("local", 1))
writer = open_engine(folder, search_timeout=60).writer
writer.create(target, "trawl.main.notes")
for at in range(count):
    shared = Document(DocumentId("shared"), at * 10 + int(name[-1]), "boat", b"{}")
    own = Document(DocumentId(f"{name}-{at}"), 1, f"boat of {name}", b"{}")
    statuses = [one.status for one in writer.write(target, [own, shared])]
    assert statuses[0] == "created", statuses
    print(f"{name}-{at}", flush=True)
"""

WITHOUT_ROOM = """
import resource, sys
from pathlib import Path
from indexer.schema.definition import IndexDefinition
from indexer.engines.port import Document, Target
from indexer.engines.tantivy.engine import open_engine
from indexer.errors import Unavailable
from indexer.tenancy import DocumentId, PhysicalName
target = Target(PhysicalName("trawl.main.notes.1"), IndexDefinition("local", 1))
writer = open_engine(Path(sys.argv[1]), search_timeout=60).writer
texts = [" ".join(f"w{at}x{number}" for number in range(300)) for at in range(50)]
documents = [Document(DocumentId(f"lost{at}"), 1, text, b"{}") for at, text in enumerate(texts)]
most = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), most))
try:
    writer.write(target, documents)
except Unavailable:
    sys.exit(7)
"""


def started(folder: Path, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITING, str(folder), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@contextmanager
def opened(folder: Path) -> Iterator[Engine]:
    engine = open_engine(folder, search_timeout=60)
    yield engine
    engine.writer.close()


def stored(folder: Path) -> dict[str, int]:
    with opened(folder) as engine:
        return {one.id: one.revision for batch in engine.writer.scan(TARGET, text=True) for one in batch}


async def test_processes_that_write_at_once_lose_nothing_and_searches_go_on(tmp_path: Path) -> None:
    with opened(tmp_path) as engine:
        engine.writer.create(TARGET, "trawl.main.notes")
        names = ["writer1", "writer2", "writer3"]
        processes = [started(tmp_path, name, 25) for name in names]
        totals = []
        while any(process.poll() is None for process in processes):
            totals.append((await engine.reader.search(TARGET, SearchRequest(Word("boat"), 10, snippets=1))).total)
        assert [process.wait() for process in processes] == [0, 0, 0]
        assert totals == sorted(totals)
        assert (await engine.reader.search(TARGET, SearchRequest(Everything(), 1))).total == 76
        await engine.reader.close()
    for process in processes:
        assert process.stdout is not None
        process.stdout.close()
    expected = {f"{name}-{at}": 1 for name in names for at in range(25)}
    assert stored(tmp_path) == {**expected, "shared": 24 * 10 + 3}


async def test_files_of_merged_segments_are_removed_whichever_process_made_them(tmp_path: Path) -> None:
    with opened(tmp_path) as engine:
        engine.writer.create(TARGET, "trawl.main.notes")
        for turn in range(4):
            process = started(tmp_path, f"writer{turn}", 4)
            assert process.wait(120) == 0
            assert process.stdout is not None
            process.stdout.close()
            for at in range(5):
                engine.writer.write(TARGET, [Document(DocumentId(f"own{turn}-{at}"), 1, "boat", b"{}")])
        index = engine.reader
        await index.close()
    folder = tmp_path / "indices" / TARGET.physical
    segments = {path.name.split(".")[0] for path in folder.iterdir() if len(path.name.split(".")[0]) == 32}
    meta = (folder / "meta.json").read_text().replace("-", "")
    assert [segment for segment in segments if segment not in meta] == []


@pytest.mark.parametrize("after", [1, 3, 6])
def test_a_writer_killed_at_work_loses_nothing_acknowledged_and_blocks_nobody(tmp_path: Path, after: int) -> None:
    process = started(tmp_path, "writer1", 100_000)
    assert process.stdout is not None
    acknowledged = [process.stdout.readline().strip() for _ in range(after)]
    process.kill()
    acknowledged += [line.strip() for line in process.stdout.read().splitlines() if line.strip()]
    process.stdout.close()
    process.wait(60)
    assert set(acknowledged) <= set(stored(tmp_path))
    with opened(tmp_path) as engine:
        (written,) = engine.writer.write(TARGET, [Document(DocumentId("next"), 1, "boat", b"{}")])
        assert written.status == "created"
    assert {*acknowledged, "next"} <= set(stored(tmp_path))


@pytest.mark.parametrize("bytes_a_file", [300, 5_000, 60_000])
def test_a_write_that_finds_no_room_fails_whole_and_leaves_the_index_as_it_was(
    tmp_path: Path, bytes_a_file: int
) -> None:
    with opened(tmp_path) as engine:
        engine.writer.create(TARGET, "trawl.main.notes")
        engine.writer.write(TARGET, [Document(DocumentId("before"), 1, "boat", b"{}")])
        command = [sys.executable, "-c", WITHOUT_ROOM, str(tmp_path), str(bytes_a_file)]
        assert subprocess.run(command, stderr=subprocess.PIPE, timeout=120, check=False).returncode == 7
        engine.writer.write(TARGET, [Document(DocumentId("after"), 1, "boat", b"{}")])
    assert stored(tmp_path) == {"before": 1, "after": 1}
