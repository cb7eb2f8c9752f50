"""Teams listed with what they have, and removed with all of it; on both engines."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.tenancy import IndexName, alias
from mcp_server.access.session_store import SessionStore, TokenSignIn
from mcp_server.features.quilt.api.token_store import Issued
from mcp_server.features.quilt.api.token_store import TokenStore as UpstreamTokens
from mcp_server.teams import JobsRunning, list_teams, remove_team
from tests.contract.engines import ENGINES, settings_of
from tests.teams_apart.compare import stable
from tests.teams_apart.handles import MARK
from tests.teams_apart.world import BLUE, RED, World, two_teams
from workers.sources.open import open_staging

KINDS = (
    *("indices", "deletions", "jobs", "chunks", "chunk_files", "unfinished_jobs"),
    *("web-history", "upstream_tokens", "tokens", "sessions", "searches"),
)
"""All kinds of records that belong to a team."""
OTHERS = re.compile(rf"{MARK}team(?!{BLUE.removeprefix(f'{MARK}team')}\b)")
"""A team of another process of tests, which shares the cluster."""


@pytest.mark.parametrize("engine", ENGINES)
async def test_a_removed_team_leaves_nothing_and_takes_nothing_from_another(
    engine: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    library = open_library(settings_of(engine, request, tmp_path / "library"))
    async with two_teams(tmp_path, library) as world:
        await world.client.delete(f"/api/v1/indices/default/documents/{world.theirs.doc_id}", headers=world.blue)
        await keep_tokens(library)
        await sign_in(library)
        reds = await seen_by_red(world)
        listed = {entry["team"]: entry for entry in await list_teams(world.services)}
        with pytest.raises(JobsRunning) as refused:
            await remove_team(world.services, BLUE)
        still = await world.client.get("/api/v1/me", headers=world.blue)
        removed = await remove_team(world.services, BLUE, cancel_jobs=True)
        again = await remove_team(world.services, BLUE, cancel_jobs=True)
        records = await asyncio.to_thread(all_records, library)
        physical = await asyncio.to_thread(library.engine.writer.physical_names, alias(BLUE, IndexName("")))
        uploads = await asyncio.to_thread(open_staging(tmp_path / "data").of_team, BLUE)
        assert await seen_by_red(world) == reds
        await until_refused(world)
        left = [entry["team"] for entry in await list_teams(world.services) if entry["indices"]]
    await library.aclose()
    assert listed[BLUE] == {"team": BLUE, "tokens": 1, "indices": 3, "documents": 16, "jobs": 2}
    assert listed[RED]["documents"] == 17
    assert refused.value.details == {"jobs": 1}
    assert still.status_code == 200
    assert removed["status"] == "deleted"
    assert removed["removed"] == {
        "tokens": 1,
        "sessions": 1,
        "indices": 3,
        "documents": 16,
        "jobs": 2,
        "uploads": 1,
        "deletions": 1,
        "upstream_tokens": 1,
        "web_searches": 1,
    }
    assert removed["left"] == ["its sections in TRAWL_CONNECTIONS"]
    assert again["status"] == "absent"
    assert set(again["removed"].values()) == {0}
    assert (physical, uploads) == ([], [])
    assert MARK not in records
    assert "shared by all teams" in records
    assert "red digest" in records
    assert RED in left
    assert BLUE not in left


async def keep_tokens(library: Library) -> None:
    """Let the registry of a catalog have issued tokens: to blue alone, and to all teams."""
    issued = Issued("refresh", "access", 0.0)
    for name, owner in ((f"{MARK} alone", BLUE), ("shared by all teams", None)):
        await UpstreamTokens(library.engine.records, b"key", name, owner).put(issued)


async def sign_in(library: Library) -> None:
    """Let a browser be signed in with blue's token, and one with red's."""
    sessions = SessionStore(library.engine.records)
    for name, team in ((MARK, BLUE), ("red", RED)):
        by = TokenSignIn(f"{name} digest", team)
        await asyncio.to_thread(sessions.create, f"{team}session", f"token:{name}", by)


async def seen_by_red(world: World) -> list[object]:
    paths = ("/api/v1/indices", "/api/v1/archives/documents", "/api/v1/jobs", "/api/v1/tokens", "/api/v1/web/history")
    return [stable((await world.client.get(path, headers=world.red)).json()) for path in paths]


def all_records(library: Library) -> str:
    records = (json.dumps([each.key, each.value]) for kind in KINDS for each in library.engine.records.list(kind))
    return "\n".join(record for record in records if not OTHERS.search(record))


async def until_refused(world: World) -> None:
    """Return when blue's token is refused, which takes less than a second."""
    async with asyncio.timeout(5):
        for _ in range(1_000):
            if (await world.client.get("/api/v1/me", headers=world.blue)).status_code == 401:
                return
            await asyncio.sleep(0.02)
