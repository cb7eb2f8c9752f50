"""Deadlines: how long all work of a request may take together."""

import asyncio
from math import inf

import pytest

from indexer.deadline import TimeLimit, remaining
from indexer.errors import TimedOut


async def test_a_limit_ends_its_block_with_a_failure_that_says_what_to_do() -> None:
    with pytest.raises(TimedOut, match="took too long") as failed:
        async with TimeLimit(0.01):
            await asyncio.Event().wait()
    assert "TRAWL_SEARCH_TIMEOUT" in failed.value.action


async def test_an_inner_limit_never_lengthens_an_outer_one() -> None:
    async with TimeLimit(5):
        async with TimeLimit(60):
            assert 4 < remaining(30) <= 5
        async with TimeLimit(1):
            assert 0 < remaining(30) <= 1
        assert 4 < remaining(30) <= 5
        assert remaining(2) == 2
    assert remaining(inf) == inf


async def test_tasks_of_a_request_share_its_deadline_and_those_of_others_do_not() -> None:
    async def left() -> float:
        return remaining(60)

    before = asyncio.create_task(left())
    async with TimeLimit(5):
        within = await asyncio.create_task(left())
    assert within <= 5
    assert await before == 60


async def test_a_time_out_of_the_work_itself_stays_what_it_is() -> None:
    with pytest.raises(TimeoutError, match="of a socket"):
        async with TimeLimit(5):
            raise TimeoutError("of a socket")
