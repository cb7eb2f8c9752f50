"""Slots: how much each team may do at a time in this process."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from indexer.tenancy import TeamId

_MAX_WAIT_SECONDS: Final = 2.0


class NoSlot(Exception):
    """All slots of the team stayed taken while the caller waited."""


class TeamSlots:
    """The slots of all teams, the same number for each. Who waits for one gets it in the order of asking."""

    def __init__(self, number: int, *, max_wait: float = _MAX_WAIT_SECONDS) -> None:
        self.number = number
        self._max_wait = max_wait
        self._teams: defaultdict[TeamId, asyncio.Semaphore] = defaultdict(lambda: asyncio.Semaphore(number))
        self._taken: defaultdict[TeamId, int] = defaultdict(int)

    def taken(self, team: TeamId) -> int:
        """Return how many slots of a team are taken."""
        return self._taken[team]

    @asynccontextmanager
    async def slot(self, team: TeamId) -> AsyncIterator[None]:
        """Hold a slot of the team; raise `NoSlot` if none becomes free soon."""
        slots = self._teams[team]
        if slots.locked():
            try:
                async with asyncio.timeout(self._max_wait):
                    await slots.acquire()
            except TimeoutError:
                raise NoSlot from None
        else:
            await slots.acquire()
        self._taken[team] += 1
        try:
            yield
        finally:
            self._taken[team] -= 1
            slots.release()
