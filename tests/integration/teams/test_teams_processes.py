"""Two real web processes of one service, each with its own memory: what they share is in Redis."""

from pathlib import Path

import httpx

from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from indexer.tenancy import TeamId
from mcp_server.access.scopes import ALL_SCOPES
from mcp_server.access.token_store import TokenStore
from tests.integration.teams.conftest import bearer
from tests.service import run_service

LIST = "/api/v1/indices"


def test_two_processes_share_the_limit_of_a_token(tmp_path: Path, redis_url: str) -> None:
    library = open_library(IndexerSettings(engine="tantivy", data_dir=tmp_path / "data", _env_file=None))
    token = TokenStore(library.engine.records).issue(TeamId("red"), ALL_SCOPES, name="test", created_by="test")
    library.close()
    env = {
        "TRAWL_AUTH": "on",
        "TRAWL_REDIS_URL": redis_url,
        "TRAWL_CALLS_PER_MINUTE": "1",
        "TRAWL_CALLS_BURST": "8",
    }
    (tmp_path / "second").mkdir()
    second_env = env | {"TRAWL_DATA_DIR": str(tmp_path / "data")}
    with (
        run_service(tmp_path, env=env) as first,
        run_service(tmp_path / "second", env=second_env) as second,
        httpx.Client(trust_env=False, timeout=60, headers=bearer(token)) as client,
    ):
        codes = [client.get(service.url + LIST).status_code for service in (first, second) * 6]
    assert codes == [200] * 8 + [429] * 4
