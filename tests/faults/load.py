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
WORDS = 100


def pillar_text(_: str, __: int) -> str:
    return "a pillar of stone"


def text_of(id_: str, value: int) -> str:
    """Return what a document says at a time: words of its own, one of which says the value."""
    words = random.Random(f"{id_} {value}").choices(range(100_000), k=WORDS)
    return f"a boat value{value} " + " ".join(f"w{word}" for word in words)


class Load:
    """Changes documents until told to stop; what was answered stands in the ledger."""

    def __init__(self, seed: int, *, writers: int = WRITERS, documents: int = DOCUMENTS, pause: float = PAUSE) -> None:
        self.ledger = Ledger()
        self._chance = random.Random(seed)
        self._writers = writers
        self._documents = documents
        self._pause = pause
        self._changes = 0
        self._stopped = asyncio.Event()
        self.searches = 0
        self.silences: list[Unanswered] = []
        self.wrong: list[str] = []
        """Answers that no fault excuses."""

    async def raise_pillars(self, client: Calling) -> None:
        with self.ledger.changing(PILLARS):
            await client.add(PILLARS, pillar_text)

    @asynccontextmanager
    async def on(self, *clients: Calling) -> AsyncIterator[None]:
        """Work while the block runs, whatever the services of these clients do meanwhile."""
        self._stopped.clear()
        self.silences.clear()
        async with asyncio.TaskGroup() as group:
            for number in range(self._writers):
                client = clients[number % len(clients)]
                group.create_task(self.again_and_again(partial(self._write, client, number)))
            group.create_task(self.again_and_again(partial(self._search, clients[-1])))
            try:
                yield
            finally:
                self.stop()

    def stop(self) -> None:
        """Let every call that is on be the last."""
        self._stopped.set()

    @property
    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    async def answers(self, count: int) -> None:
        """Wait until so many more changes were acknowledged."""
        await self.until(partial(self._has_answered, self.ledger.answered + count), f"{count} changes were answered")

    async def until(self, condition: Callable[[], Awaitable[bool]], what: str) -> None:
        """Wait for a condition while the load goes on; the service may be silent meanwhile."""
        deadline = time.monotonic() + PATIENCE
        while True:
            assert self.wrong == []
            try:
                if await condition():
                    return
            except Unanswered:
                pass
            assert time.monotonic() < deadline, f"in {PATIENCE:.0f} s it did not come about that {what}"
            await asyncio.sleep(PAUSE)

    async def check(self, client: Calling) -> None:
        """See that all that was acknowledged is there, and nothing twice."""
        assert self.wrong == []
        self.ledger.check(await client.numbered("*"))

    async def _has_answered(self, count: int) -> bool:
        return self.ledger.answered >= count

    async def again_and_again(self, call: Callable[[], Awaitable[None]]) -> None:
        """Call until told to stop; a call without an answer is made again after a while."""
        while not self._stopped.is_set():
            try:
                await call()
            except Unanswered as silence:
                self.silences.append(silence)
                await asyncio.sleep(self._pause)
            except AssertionError as error:
                self.wrong.append(str(error))
                await asyncio.sleep(self._pause)

    async def _write(self, client: Calling, writer: int) -> None:
        """Change some of this writer's own documents, so that no two changes of one document are on at once."""
        self._changes += 1
        count = self._chance.choice((1, 1, 5))
        ids = [f"w{writer}-{number}" for number in self._chance.sample(range(self._documents), count)]
        value, by_tool = self._changes, writer % 2
        if self._chance.random() < 0.3:
            with self.ledger.changing({ids[0]: None}):
                if by_tool:
                    await client.tool("search_delete_document", doc_id=ids[0])
                else:
                    await client.rest("DELETE", f"/indices/default/documents/{ids[0]}")
        elif by_tool:
            with self.ledger.changing({ids[0]: value}):
                text = text_of(ids[0], value)
                await client.tool("search_add_document", doc_id=ids[0], content=text, metadata={"n": value})
        else:
            with self.ledger.changing(dict.fromkeys(ids, value)):
                await client.add(dict.fromkeys(ids, value), text_of)
        if self._chance.random() < 0.2:
            await self._read_back(client, ids[0])

    async def _read_back(self, client: Calling, id_: str) -> None:
        """See that a document is at once as it was acknowledged, when it is read and when it is found."""
        document = await client.document(id_)
        value = None if document is None else document["metadata"]["n"]
        if value not in self.ledger.possible(id_):
            raise AssertionError(self.ledger.told(id_, value))
        if document is None:
            return
        assert document["content"] == text_of(id_, document["metadata"]["n"]), f"{id_} says what was never written"
        asked = {"query": f"+value{value}", "fuzzy": False}
        found = await client.rest("POST", "/indices/default/search", asked)
        assert id_ in {hit["doc_id"] for hit in found["results"]}, f"not found: {self.ledger.told(id_, value)}"

    async def _search(self, client: Calling) -> None:
        found = await client.rest("POST", "/indices/default/search", {"query": "pillar", "k": 100})
        assert {hit["doc_id"]: hit["metadata"]["n"] for hit in found["results"]} == PILLARS, "not all pillars are found"
        self.searches += 1
