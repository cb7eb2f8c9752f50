"""Rights that can be withdrawn are looked up anew within a second."""

import asyncio

import pytest

from app.auth.recent_lookups import RecentLookups
from indexer.errors import Unavailable


class Store:
    """Counts lookups, which take as long as the test wants."""

    def __init__(self) -> None:
        self.now = 0.0
        self.takes = 0.0
        self.asked = 0
        self.is_denied = False
        self.recent: RecentLookups[bool] = RecentLookups(lambda: self.now)

    async def look_up(self) -> bool:
        self.asked += 1
        answer = self.is_denied
        await asyncio.sleep(0)
        self.now += self.takes
        return answer

    async def get(self, key: str = "ann") -> bool:
        return await self.recent.get(key, self.look_up)


async def test_an_answer_is_remembered_for_less_than_a_second() -> None:
    store = Store()
    assert [await store.get(), await store.get()] == [False, False]
    assert store.asked == 1
    store.is_denied, store.now = True, 0.59
    assert await store.get() is False
    store.now = 0.6
    assert await store.get() is True


async def test_an_answer_is_as_old_as_its_question() -> None:
    store = Store()
    store.takes = 0.5
    await store.get()
    store.is_denied, store.now, store.takes = True, 0.6, 0.0
    assert await store.get() is True


async def test_lookups_of_one_key_at_a_time_are_one() -> None:
    store = Store()
    await asyncio.gather(*(store.get() for _ in range(20)), store.get("ben"))
    assert store.asked == 2


async def test_a_failed_lookup_is_not_remembered() -> None:
    recent: RecentLookups[bool] = RecentLookups()

    async def fail() -> bool:
        raise Unavailable("down", action="wait")

    async def succeed() -> bool:
        return True

    with pytest.raises(Unavailable):
        await recent.get("ann", fail)
    assert await recent.get("ann", succeed) is True
