"""Slots: how much a team may do at a time, who waits, and that one team takes none of another's."""

import asyncio

import pytest

from indexer.tenancy import TeamId
from mcp_server.access.limits.slots import NoSlot, TeamSlots

RED, BLUE = TeamId("red"), TeamId("blue")


async def hold(slots: TeamSlots, team: TeamId, until: asyncio.Event, done: list[str] | None = None) -> None:
    await slots.take(team)
    try:
        await until.wait()
    finally:
        slots.release(team)
    if done is not None:
        done.append(team)


async def test_the_slots_of_one_team_are_not_those_of_another() -> None:
    slots, end = TeamSlots(2, max_wait=0), asyncio.Event()
    running = [asyncio.create_task(hold(slots, RED, end)) for _ in range(2)]
    await asyncio.sleep(0)
    assert slots.taken(RED) == 2
    with pytest.raises(NoSlot):
        await slots.take(RED)
    await slots.take(BLUE)
    assert slots.taken(BLUE) == 1
    end.set()
    await asyncio.gather(*running)
    assert (slots.taken(RED), slots.taken(BLUE)) == (0, 1)


async def test_who_waits_gets_the_slot_that_becomes_free() -> None:
    slots, end = TeamSlots(1, max_wait=60), asyncio.Event()
    done: list[str] = []
    running = [asyncio.create_task(hold(slots, RED, end, done)) for _ in range(3)]
    await asyncio.sleep(0)
    assert slots.taken(RED) == 1
    end.set()
    await asyncio.gather(*running)
    assert done == [RED] * 3


async def test_a_slot_goes_past_those_who_no_longer_wait() -> None:
    slots, end = TeamSlots(1, max_wait=60), asyncio.Event()
    await slots.take(RED)
    left, stays = (asyncio.create_task(hold(slots, RED, end)) for _ in range(2))
    await asyncio.sleep(0)
    left.cancel()
    await asyncio.gather(left, return_exceptions=True)
    assert left.cancelled()
    slots.release(RED)
    end.set()
    await stays
    assert slots.taken(RED) == 0


async def test_a_slot_is_not_handed_to_a_caller_who_is_just_leaving() -> None:
    slots = TeamSlots(1, max_wait=60)
    await slots.take(RED)
    leaving = asyncio.create_task(hold(slots, RED, asyncio.Event()))
    await asyncio.sleep(0)
    leaving.cancel()
    slots.release(RED)
    await asyncio.gather(leaving, return_exceptions=True)
    assert slots.taken(RED) == 0


async def test_a_slot_that_was_handed_to_a_caller_who_leaves_is_not_lost() -> None:
    slots = TeamSlots(1, max_wait=60)
    await slots.take(RED)
    waiting = asyncio.create_task(hold(slots, RED, asyncio.Event()))
    await asyncio.sleep(0)
    slots.release(RED)
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert waiting.cancelled()
    assert slots.taken(RED) == 0
