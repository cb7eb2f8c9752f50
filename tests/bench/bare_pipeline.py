"""`python -m tests.bench.bare_pipeline URL SOURCES FOLDER PROCESSES`: parsing and `helpers.bulk`, and nothing else.

The same parser reads the same files, and the documents that we would make of them are sent with the same settings
and the same mapping. They lie ready: only reading, parsing and sending is timed. With two processes one parses
while the other one sends, as a worker does it. Prints the seconds until everything is found.
"""

import gc
import json
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any

from opensearchpy import OpenSearch, helpers

from indexer.archives.definition import ARCHIVE
from indexer.archives.ids import file_id
from indexer.archives.incoming import IncomingDocument
from indexer.archives.mapping import archive_document
from indexer.archives.parsed import ParsedDocument
from indexer.engines.opensearch.connection import Connection
from indexer.engines.opensearch.documents import source_of
from indexer.engines.opensearch.mappings import index_body
from tests.bench.corpus import File
from workers.parsers.failures import ParseFailure
from workers.parsers.parse import parse_file
from workers.sources.versions import version_of

_BATCH = 250
_AHEAD = 4
_MOST_BYTES = 10_000_000

Source = Mapping[str, Any]


def prepare(files: Sequence[File], path: Path) -> None:
    """Write the documents that we make of files: a line of JSON each, with the file's path below its folder."""
    with path.open("w", encoding="utf-8") as lines:
        for file in files:
            parsed = parse_file(file.path, file.data)
            if isinstance(parsed, ParsedDocument):
                print(json.dumps({"file": file.path, "source": _source(file, parsed)}), file=lines)


def run(url: str, sources: Path, folder: Path, processes: int) -> float:
    """Run it in a process of its own, which has nothing else in its memory; return the seconds."""
    command = [sys.executable, "-m", "tests.bench.bare_pipeline", url, str(sources), str(folder), str(processes)]
    return float(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def main(url: str, sources: str, folder: str, processes: str) -> None:
    with Path(sources).open(encoding="utf-8") as lines:
        found = map(json.loads, lines)
        documents = [(Path(folder) / one["file"], one["source"]) for one in found]
    client, index = OpenSearch(hosts=[url], timeout=120), f"bench-{secrets.token_hex(4)}"
    # as in the parser's own process
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)
    with ExitStack() as stack:
        stack.callback(client.indices.delete, index=index, params={"ignore": [404]})
        pool = stack.enter_context(ProcessPoolExecutor(1)) if processes == "2" else None
        if pool is not None:
            pool.submit(parse, [documents[0][0]]).result()
        parse([documents[0][0]])
        client.info()
        started = time.perf_counter()
        client.indices.create(index=index, body=index_body(ARCHIVE, Connection((url,))))
        for batch in _parsed(documents, pool):
            actions = ({"_index": index, "_id": source["id"], "_source": source} for source in batch)
            helpers.bulk(client, actions, chunk_size=_BATCH, max_chunk_bytes=_MOST_BYTES)
        client.indices.refresh(index=index)
        print(time.perf_counter() - started)


def parse(paths: Sequence[Path]) -> list[ParsedDocument | ParseFailure]:
    return [parse_file(path.name, path.read_bytes()) for path in paths]


def _parsed(documents: Sequence[tuple[Path, Source]], pool: ProcessPoolExecutor | None) -> Iterator[list[Source]]:
    """Yield documents in batches as soon as their files are parsed."""
    batches = [documents[start : start + _BATCH] for start in range(0, len(documents), _BATCH)]
    if pool is None:
        for batch in batches:
            parse([path for path, _ in batch])
            yield [source for _, source in batch]
        return
    waiting = iter(batches)
    running = [(pool.submit(parse, [path for path, _ in batch]), batch) for batch in islice(waiting, _AHEAD)]
    while running:
        parsing, batch = running.pop(0)
        parsing.result()
        running += [(pool.submit(parse, [path for path, _ in more]), more) for more in islice(waiting, 1)]
        yield [source for _, source in batch]


def _source(file: File, parsed: ParsedDocument) -> Source:
    arrival = IncomingDocument(
        id=file_id(file.path),
        path=file.path,
        source="research",
        root=file.path.partition("/")[0],
        url=None,
        fallback_date="2025-01-01",
        version=version_of(file.data, ""),
        parsed=parsed,
    )
    return source_of(archive_document(arrival, revision=1), ARCHIVE)


if __name__ == "__main__":
    main(*sys.argv[1:])
