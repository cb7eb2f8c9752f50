"""Load on a service: writers and deleters over both doors, and a searcher who must always find everything."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

from tests.faults.calling import PATIENCE, Calling, Unanswered
from tests.faults.ledger import Ledger

WRITERS = 4
DOCUMENTS = 40
"""Of each writer, who changes them again and again."""
PILLARS = {f"pillar-{number}": number for number in range(50)}
"""Documents that nobody changes: every search finds all of them."""
PAUSE = 0.02


class Load:
    """Changes documents until told to stop; what was answered stands in the ledger."""

    def __init__(self, seed: int) -> None:
        self._ledger = Ledger()
        self._chance = random.Random(seed)
        self._changes = 0
        self._stopped = asyncio.Event()
        self.searches = 0
        self.silences: list[Unanswered] = []

    async def raise_pillars(self, client: Calling) -> None:
        with self._ledger.changing(PILLARS):
            await client.add(PILLARS, "a pillar of stone")

    @asynccontextmanager
    async def on(self, client: Calling) -> AsyncIterator[None]:
        """Work while the block runs, whatever the service does meanwhile."""
        self._stopped.clear()
        self.silences.clear()
        async with asyncio.TaskGroup() as group:
            for number in range(WRITERS):
                group.create_task(self._again_and_again(partial(self._write, client, number)))
            group.create_task(self._again_and_again(partial(self._search, client)))
            try:
                yield
            finally:
                self._stopped.set()

    async def answers(self, count: int) -> None:
        """Wait until so many more changes were acknowledged."""
        await self.until(partial(self._has_answered, self._ledger.answered + count), f"{count} changes were answered")

    async def until(self, condition: Callable[[], Awaitable[bool]], what: str) -> None:
        """Wait for a condition while the load goes on; the service may be silent meanwhile."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                if await condition():
                    return
            except Unanswered:
                pass
            assert time.monotonic() < deadline, f"in {PATIENCE:.0f} s it did not come about that {what}"
            await asyncio.sleep(PAUSE)

    async def check(self, client: Calling) -> None:
        """See that all that was acknowledged is there, and nothing twice."""
        self._ledger.check(await client.numbered("*"))

    async def _has_answered(self, count: int) -> bool:
        return self._ledger.answered >= count

    async def _again_and_again(self, call: Callable[[], Awaitable[None]]) -> None:
        while not self._stopped.is_set():
            try:
                await call()
            except Unanswered as silence:
                self.silences.append(silence)
                await asyncio.sleep(PAUSE)

    async def _write(self, client: Calling, writer: int) -> None:
        """Change some of this writer's own documents, so that no two changes of one document are on at once."""
        self._changes += 1
        count = self._chance.choice((1, 1, 5))
        ids = [f"w{writer}-{number}" for number in self._chance.sample(range(DOCUMENTS), count)]
        value, by_tool = self._changes, writer % 2
        if self._chance.random() < 0.3:
            with self._ledger.changing({ids[0]: None}):
                if by_tool:
                    await client.tool("search_delete_document", doc_id=ids[0])
                else:
                    await client.rest("DELETE", f"/indices/default/documents/{ids[0]}")
        elif by_tool:
            with self._ledger.changing({ids[0]: value}):
                await client.tool("search_add_document", doc_id=ids[0], content="a boat", metadata={"n": value})
        else:
            with self._ledger.changing(dict.fromkeys(ids, value)):
                await client.add(dict.fromkeys(ids, value), "a boat")

    async def _search(self, client: Calling) -> None:
        found = await client.rest("POST", "/indices/default/search", {"query": "pillar", "k": 100})
        assert {hit["doc_id"]: hit["metadata"]["n"] for hit in found["results"]} == PILLARS
        self.searches += 1
