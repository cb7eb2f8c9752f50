"""Slots: how much each team may do at a time in this process."""

import asyncio
from collections import defaultdict, deque
from dataclasses import dataclass, field
from typing import Final

from indexer.tenancy import TeamId

_MAX_WAIT_SECONDS: Final = 2.0


class NoSlot(Exception):
    """All slots of the team stayed taken while the caller waited."""


@dataclass(slots=True)
class _Team:
    taken: int = 0
    waiting: "deque[asyncio.Future[None]]" = field(default_factory=deque)


class TeamSlots:
    """The slots of all teams, the same number for each. Who waits for one gets it in the order of asking."""

    def __init__(self, number: int, *, max_wait: float = _MAX_WAIT_SECONDS) -> None:
        self.number = number
        self._max_wait = max_wait
        self._teams: defaultdict[TeamId, _Team] = defaultdict(_Team)

    def taken(self, team: TeamId) -> int:
        """Return how many slots of a team are taken."""
        return self._teams[team].taken

    async def take(self, team: TeamId) -> None:
        """Take a slot of the team, which the caller releases; raise `NoSlot` if none becomes free soon."""
        slots = self._teams[team]
        if slots.taken < self.number:
            slots.taken += 1
            return
        handed_over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        slots.waiting.append(handed_over)
        try:
            async with asyncio.timeout(self._max_wait):
                await handed_over
        except (TimeoutError, asyncio.CancelledError) as error:
            if handed_over in slots.waiting:
                slots.waiting.remove(handed_over)
            elif not handed_over.cancelled():
                self.release(team)  # it was handed over at the same moment
            if isinstance(error, TimeoutError):
                raise NoSlot from None
            raise

    def release(self, team: TeamId) -> None:
        """Hand a slot over to the one who waits longest, if anybody does."""
        slots = self._teams[team]
        while slots.waiting:
            next_one = slots.waiting.popleft()
            if not next_one.cancelled():
                next_one.set_result(None)
                return
        slots.taken -= 1
