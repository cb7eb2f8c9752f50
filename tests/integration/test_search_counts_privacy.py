"""The words of a search are nowhere to be found afterwards, though it was counted; kept ones only sealed."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis

from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from indexer.tenancy import TeamId
from mcp_server.access.scopes import ALL_SCOPES
from mcp_server.access.token_store import TokenStore
from tests.modern import modern_request
from tests.redis import RedisServer
from tests.service import application

CANARY = "canary7e1c"
SECRET = "a secret of this test"


def everything_in(server: RedisServer, folder: Path) -> bytes:
    """Return all that a Redis and a folder hold."""
    with redis.Redis.from_url(server.url) as client:
        kept = [part for key in client.scan_iter() for part in (key, client.dump(key) or b"")]
    return b"\n".join([*kept, *(path.read_bytes() for path in folder.rglob("*") if path.is_file())])


async def search_in_all_ways(client: httpx.AsyncClient, headers: dict[str, str]) -> None:
    for path in ("/api/v1/indices/default/search", "/api/v1/archives/search", "/api/v1/search"):
        answer = await client.post(path, json={"query": f"{CANARY} {path}"}, headers=headers)
        assert answer.status_code == 200, answer.text
    for name in ("search", "search_index", "searchLocalArchives", "search_everywhere"):
        mcp_headers, body = modern_request("tools/call", {"name": name, "arguments": {"query": f"{name} {CANARY}"}})
        await client.post("/mcp", json=body, headers={**mcp_headers, **headers})


@pytest.mark.parametrize(
    "given",
    [
        ("off", None, False),
        ("on", "", False),
        ("on", "[teams.main.searches]\nkeep_words = false\n[default.searches]\nkeep_words = true\n", False),
        ("on", "[teams.main.searches]\nkeep_words = true\n", True),
    ],
)
async def test_no_word_of_a_search_is_written_down_in_the_clear(
    own_redis: Callable[..., RedisServer],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    given: tuple[str, str | None, bool],
) -> None:
    auth, connections, keeps = given
    server, folder = own_redis(), tmp_path / "everything"
    settings: dict[str, Any] = {"data_dir": folder, "secret_key": SECRET}
    library = open_library(IndexerSettings(_env_file=None, engine="tantivy", **settings))
    headers: dict[str, str] = {}
    if auth == "on":
        issued = TokenStore(library.engine.records).issue(TeamId("main"), ALL_SCOPES, name="x", created_by="x")
        headers = {"authorization": f"Bearer {issued.token}"}
    path = tmp_path / "connections.toml"
    path.write_text(connections or "")
    worker = {"redis_url": server.url, "connections": path if connections is not None else None}
    with caplog.at_level(logging.DEBUG):
        async with application(tmp_path, library=library, auth=auth, worker=worker, indexer=settings) as client:
            await search_in_all_ways(client, headers)
            metrics = (await client.get("/metrics", headers=headers)).text
        # The service has ended, so that all is stored.
        async with application(tmp_path, library=library, auth=auth, worker=worker, indexer=settings) as client:
            told = (await client.get("/api/v1/searches", headers=headers)).json()
        kept = everything_in(server, folder)
    await library.aclose()
    assert [day["searches"] for day in told["days"]] == [day["without_results"] for day in told["days"]]
    assert sum(day["searches"] for day in told["days"]) == 7
    assert (told["words_kept"], CANARY in str(told["without_results"])) == (keeps, keeps)
    assert b"without_results" not in kept
    assert b"searches" in kept
    assert CANARY not in caplog.text + metrics
    assert CANARY.encode() not in kept
