"""Sessions of browsers in the records of both engines: found by all processes, renewed by one, ended for all."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from uuid import uuid4

import pytest

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.settings import IndexerSettings
from indexer.tenancy import TeamId
from mcp_server.access.session_store import (
    IDLE_SECONDS,
    LONGEST_SECONDS,
    IssuerSignIn,
    Session,
    SessionStore,
    TokenSignIn,
    new_cookie,
    session_id,
)


class Clock:
    def __init__(self) -> None:
        self.seconds = 1_800_000_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def now() -> Clock:
    return Clock()


@pytest.fixture
def store(library: Library, now: Clock) -> SessionStore:
    return SessionStore(library.engine.records, now)


@pytest.fixture
async def elsewhere(engine_settings: IndexerSettings, now: Clock) -> AsyncIterator[SessionStore]:
    """The store of another process."""
    opened = open_library(engine_settings)
    yield SessionStore(opened.engine.records, now)
    await opened.aclose()


@pytest.fixture
def team() -> TeamId:
    return TeamId(f"sessions{uuid4().hex[:12]}")


def made(store: SessionStore, subject: str, by: TokenSignIn | IssuerSignIn) -> Session:
    return store.create(session_id(new_cookie()), subject, by)


async def test_a_session_is_found_by_all_processes_until_it_ends(
    store: SessionStore, elsewhere: SessionStore, team: TeamId
) -> None:
    of_token = await asyncio.to_thread(made, store, "token:ann", TokenSignIn("a digest", team))
    of_person = await asyncio.to_thread(made, store, "ann", IssuerSignIn("sealed", 1_800_000_300.0))
    for session in (of_token, of_person):
        assert await asyncio.to_thread(elsewhere.find, session.id) == session
    assert (of_token.team, of_person.team) == (team, None)
    for session in (of_token, of_person):
        await asyncio.to_thread(elsewhere.remove, session.id)
        assert await asyncio.to_thread(store.find, session.id) is None
    await asyncio.to_thread(store.remove, of_token.id)


async def test_a_session_is_over_when_it_was_not_used_or_is_too_old(
    store: SessionStore, now: Clock, team: TeamId
) -> None:
    used, unused = [made(store, "token:ann", TokenSignIn("a digest", team)) for _ in range(2)]
    now.seconds += IDLE_SECONDS - 1
    assert not store.is_noted(used)
    store.note_use(used.id)
    now.seconds += 1
    assert store.find(unused.id) is None
    for _ in range(LONGEST_SECONDS // IDLE_SECONDS - 1):
        found = store.find(used.id)
        assert found is not None
        assert store.is_noted(replace(found, used_at=now()))
        now.seconds += IDLE_SECONDS - 1
        store.note_use(used.id)
    now.seconds += IDLE_SECONDS - 1
    assert store.find(used.id) is None
    store.note_use("unknown")
    assert len(store.of_subject("token:ann", team)) == 2
    store.remove_over()
    assert store.of_subject("token:ann", team) == []


async def test_of_all_processes_one_renews_the_tokens(store: SessionStore, elsewhere: SessionStore, now: Clock) -> None:
    before = IssuerSignIn("before", now() + 10)
    session = made(store, "ann", before)
    due_at = now() + 30

    def lease(which: SessionStore) -> IssuerSignIn | None:
        return which.lease_renewal(session.id, 20, due_at=due_at)

    with ThreadPoolExecutor(8) as threads:
        leases = [lease for lease in threads.map(lease, [store, elsewhere] * 8) if lease is not None]
    assert leases == [replace(before, renewing_until=now() + 20)]
    # Its process died.
    now.seconds += 20
    assert lease(elsewhere) is not None
    assert elsewhere.put_tokens(session.id, IssuerSignIn("after", now() + 300))
    assert lease(store) is None
    found = store.find(session.id)
    assert found is not None
    assert found.by == IssuerSignIn("after", now() + 300)
    store.remove(session.id)
    assert lease(store) is None
    assert not store.put_tokens(session.id, IssuerSignIn("late", now() + 300))
    assert store.find(session.id) is None


async def test_the_sessions_of_a_team_go_with_it(store: SessionStore, team: TeamId) -> None:
    other = TeamId(f"{team}x")
    for of_team in (team, team, other):
        made(store, "token:ann", TokenSignIn("a digest", of_team))
    person = made(store, f"ann of {team}", IssuerSignIn("sealed", 0.0))
    assert len(store.of_subject("token:ann", team)) == 2
    assert store.remove_team(team) == 2
    assert store.of_subject("token:ann", team) == []
    assert len(store.of_subject("token:ann", other)) == 1
    assert store.of_subject(person.subject, None) == [person]
    assert store.of_subject(person.subject, team) == []
    store.remove(person.id)
    assert (store.remove_team(other), store.remove_team(other)) == (1, 0)
