"""Slots: how much a team may do at a time, who waits, and that one team takes none of another's."""

import asyncio

import pytest

from indexer.tenancy import TeamId
from mcp_server.access.limits.slots import NoSlot, TeamSlots

RED, BLUE = TeamId("red"), TeamId("blue")


async def hold(slots: TeamSlots, team: TeamId, until: asyncio.Event, done: list[str] | None = None) -> None:
    async with slots.slot(team):
        await until.wait()
    if done is not None:
        done.append(team)


async def test_the_slots_of_one_team_are_not_those_of_another() -> None:
    slots, end = TeamSlots(2, max_wait=0), asyncio.Event()
    running = [asyncio.create_task(hold(slots, RED, end)) for _ in range(2)]
    await asyncio.sleep(0)
    assert slots.taken(RED) == 2
    with pytest.raises(NoSlot):
        async with slots.slot(RED):
            pass
    async with slots.slot(BLUE):
        assert slots.taken(BLUE) == 1
    end.set()
    await asyncio.gather(*running)
    assert (slots.taken(RED), slots.taken(BLUE)) == (0, 0)


async def test_who_waits_gets_the_slot_that_becomes_free() -> None:
    slots, end = TeamSlots(1, max_wait=60), asyncio.Event()
    done: list[str] = []
    running = [asyncio.create_task(hold(slots, RED, end, done)) for _ in range(3)]
    await asyncio.sleep(0)
    assert slots.taken(RED) == 1
    end.set()
    await asyncio.gather(*running)
    assert done == [RED] * 3


async def test_a_slot_is_free_again_after_a_failure_and_after_a_caller_that_left() -> None:
    slots = TeamSlots(1, max_wait=0)
    with pytest.raises(ZeroDivisionError):
        async with slots.slot(RED):
            raise ZeroDivisionError
    left = asyncio.create_task(hold(slots, RED, asyncio.Event()))
    await asyncio.sleep(0)
    left.cancel()
    await asyncio.gather(left, return_exceptions=True)
    async with slots.slot(RED):
        assert slots.taken(RED) == 1
