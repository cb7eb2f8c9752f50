"""Callers share the open views of an engine: nobody's paging ends that of others."""

from dataclasses import replace

from indexer.open_views import MAX_VIEWS_OF_CALLER
from tests.contract.caller import Caller

MORE_THAN_AN_ENGINE_KEEPS = 310
"""A node of OpenSearch opens 300 by default."""


async def cursor_in_view(caller: Caller) -> str:
    """Return the cursor of a third page, which stands in a view."""
    first = await caller.search("boat", k=2)
    second = await caller.search("boat", k=2, cursor=first["next_cursor"])
    assert second["next_cursor"] is not None
    return second["next_cursor"]


async def test_paging_through_many_searches_expires_no_cursor_of_another_caller_of_the_team(caller: Caller) -> None:
    await caller.fill({f"d{number}": "boat" for number in range(9)})
    other = Caller(caller.library, replace(caller.principal, subject="other"))
    kept = await cursor_in_view(other)
    for _ in range(MORE_THAN_AN_ENGINE_KEEPS):
        await cursor_in_view(caller)
    assert len((await other.search("boat", k=2, cursor=kept))["results"]) == 2


async def test_a_caller_with_too_many_views_loses_its_own_oldest_and_is_told_what_to_do(caller: Caller) -> None:
    await caller.fill({f"d{number}": "boat" for number in range(9)})
    oldest, used = await cursor_in_view(caller), await cursor_in_view(caller)
    for _ in range(MAX_VIEWS_OF_CALLER - 2):
        await cursor_in_view(caller)
    for cursor in (oldest, used):
        assert len((await caller.search("boat", k=2, cursor=cursor))["results"]) == 2
    await caller.search("boat", k=2, cursor=used)
    for _ in range(MAX_VIEWS_OF_CALLER - 1):
        await cursor_in_view(caller)
    failure = await caller.failure("boat", k=2, cursor=oldest)
    assert failure["error"] == "This cursor has expired"
    assert failure["fix"]["required_action"] == "Search again without a cursor"
    assert len((await caller.search("boat", k=2, cursor=used))["results"]) == 2
