"""tantivy without us: the same searches by hand, with the same analyzers and the same windows."""

import asyncio
import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from indexer.engines.highlighter import Highlighter
from indexer.engines.tantivy.documents import identity_of, payload_of, text_of
from indexer.engines.tantivy.schema import TEXT, open_or_create_index
from tests.bench.case import HITS, SNIPPETS, Case
from tests.bench.rounds import Timed, in_process


class RawTantivy:
    """An opened index: search, stored documents, and three windows of each hit."""

    def __init__(self, data: Path, case: Case) -> None:
        self._case = case
        self._dialect = open_or_create_index(case.target.definition, data / "indices" / case.target.physical)
        self._searcher = self._dialect.index.searcher()
        self._threads = ThreadPoolExecutor((os.cpu_count() or 1) + 4)

    async def ids(self, number: int) -> list[str]:
        return [hit["id"] for hit in self.search(number)]

    def search(self, number: int) -> list[dict[str, Any]]:
        query = self._dialect.index.parse_query(self._case.queries[number], [TEXT])
        answer = self._searcher.search(query, HITS)
        marks = Highlighter(self._case.asked[number].query, self._dialect.definition.analysis, self._dialect.stem)
        hits = []
        for score, address in answer.hits:
            stored = self._searcher.doc(address)
            hits.append(
                {
                    "id": identity_of(stored),
                    "score": score,
                    "metadata": json.loads(payload_of(stored)),
                    "highlights": [window.marked for window in marks.windows(text_of(stored), SNIPPETS)],
                }
            )
        return hits

    async def turn(self, callers: int, searches: int) -> Timed:
        """Search in this thread for one caller, in threads for several."""
        loop = asyncio.get_running_loop()

        async def here(number: int) -> object:
            return self.search(number)

        async def in_thread(number: int) -> object:
            return await loop.run_in_executor(self._threads, self.search, number)

        return await in_process(here if callers == 1 else in_thread, len(self._case.queries))(callers, searches)

    def close(self) -> None:
        self._threads.shutdown()
