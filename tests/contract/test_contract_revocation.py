"""Rights withdrawn by one process hold in another one within a second, on both engines and without Redis."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from uuid import uuid4

import pytest

from app.auth.recent_lookups import RecentLookups
from app.auth.token_verifier import TokenVerifier
from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.settings import IndexerSettings
from indexer.tenancy import TeamId
from mcp_server.access.denied_subjects import DeniedSubjects, subject_key
from mcp_server.access.scopes import ALL_SCOPES
from mcp_server.access.token_store import OwnerDenied, TokenStore, UnknownToken

ISSUER = "https://issuer.example.org"


@pytest.fixture
async def other(engine_settings: IndexerSettings) -> AsyncIterator[Library]:
    """The library of another process."""
    opened = open_library(engine_settings)
    yield opened
    await opened.aclose()


@pytest.fixture
def team() -> TeamId:
    return TeamId(f"t{uuid4().hex[:16]}")


async def within_a_second(is_so: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(1):
        while not await is_so():  # noqa: ASYNC110 - another process knows, and tells nobody
            await asyncio.sleep(0.01)


async def test_a_token_that_another_process_revokes_is_refused(library: Library, other: Library, team: TeamId) -> None:
    store, elsewhere = TokenStore(library.engine.records), TokenStore(other.engine.records)
    kept, revoked = [
        await asyncio.to_thread(store.issue, team, ALL_SCOPES, name=name, created_by="test")
        for name in ("kept", "revoked")
    ]
    verifier = TokenVerifier(store)
    assert await verifier.verify(revoked.token, "test") is not None
    await asyncio.to_thread(elsewhere.revoke, team, revoked.record.id)

    async def is_refused() -> bool:
        return await verifier.verify(revoked.token, "test") is None

    await within_a_second(is_refused)
    assert await verifier.verify(kept.token, "test") is not None
    with pytest.raises(UnknownToken):
        await asyncio.to_thread(elsewhere.revoke, team, revoked.record.id)
    assert await asyncio.to_thread(elsewhere.remove_team, team) == 1


async def test_a_token_that_another_process_makes_works_at_once(library: Library, other: Library, team: TeamId) -> None:
    elsewhere = TokenStore(other.engine.records)
    verifier = TokenVerifier(TokenStore(library.engine.records))
    made = await asyncio.to_thread(elsewhere.issue, team, ["search"], name="new", created_by="test")
    found = await verifier.verify(made.token, "test")
    assert found is not None
    assert (found.team, found.scopes) == (team, ("search",))
    assert await asyncio.to_thread(elsewhere.remove_team, team) == 1


async def test_the_use_of_a_token_does_not_bring_it_back(library: Library, team: TeamId) -> None:
    store = TokenStore(library.engine.records)
    issued = await asyncio.to_thread(store.issue, team, ["search"], name="used", created_by="test")
    await asyncio.to_thread(store.revoke, team, issued.record.id)
    await asyncio.to_thread(store.note_use, issued.record, "2026-01-01T00:00:00Z", "test")
    assert await asyncio.to_thread(store.find, issued.token) is None


async def test_a_subject_that_another_process_denies_is_refused(library: Library, other: Library, team: TeamId) -> None:
    denied, elsewhere = DeniedSubjects(library.engine.records), DeniedSubjects(other.engine.records)
    key = subject_key(ISSUER, team)
    lookups: RecentLookups[bool] = RecentLookups()

    async def is_denied() -> bool:
        return await lookups.get(key, lambda: asyncio.to_thread(denied.is_denied, key))

    assert not await is_denied()
    await asyncio.to_thread(elsewhere.deny, ISSUER, team, seconds=60, denied_by="test")
    await within_a_second(is_denied)
    await asyncio.to_thread(elsewhere.allow, ISSUER, team)

    async def is_allowed() -> bool:
        return not await is_denied()

    await within_a_second(is_allowed)


async def test_the_tokens_that_a_denied_subject_made_for_itself_are_refused(
    library: Library, other: Library, team: TeamId
) -> None:
    store, denied = TokenStore(library.engine.records), DeniedSubjects(other.engine.records)
    key = subject_key(ISSUER, team)
    own, given = [
        await asyncio.to_thread(store.issue, team, ["search"], name="", created_by="ann", owner=owner)
        for owner in (key, None)
    ]
    verifier = TokenVerifier(store)
    found = await verifier.verify(own.token, "test")
    assert found is not None
    assert (found.subject, found.owner) == ("ann", key)
    await asyncio.to_thread(denied.deny, ISSUER, team, seconds=60, denied_by="test")

    async def is_refused() -> bool:
        return await verifier.verify(own.token, "test") is None

    await within_a_second(is_refused)
    assert await verifier.verify(given.token, "test") is not None
    with pytest.raises(OwnerDenied):
        await asyncio.to_thread(store.issue, team, ["search"], name="", created_by="ann", owner=key)
    assert [record.id for record in await asyncio.to_thread(store.of_owner, team, key)] == [own.record.id]
    elsewhere = TokenStore(other.engine.records)
    assert await asyncio.to_thread(elsewhere.remove_of_owner, key) == 1
    await asyncio.to_thread(denied.allow, ISSUER, team)
    assert await asyncio.to_thread(store.find, own.token) is None
    assert await asyncio.to_thread(store.remove_team, team) == 1


async def test_a_token_that_an_earlier_version_recorded_has_no_owner(library: Library, team: TeamId) -> None:
    store, records = TokenStore(library.engine.records), library.engine.records
    issued = await asyncio.to_thread(store.issue, team, ["search"], name="old", created_by="ann")
    stored = await asyncio.to_thread(records.get, "tokens", issued.record.digest)
    assert stored is not None
    older = {name: value for name, value in stored.value.items() if name != "owner"}
    await asyncio.to_thread(records.put_if, "tokens", stored.key, older, stored.revision)
    found = await asyncio.to_thread(store.find, issued.token)
    assert found is not None
    assert (found.owner, found.subject) == (None, "token:old")
    assert await asyncio.to_thread(store.remove_team, team) == 1
