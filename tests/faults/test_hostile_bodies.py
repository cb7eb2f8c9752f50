"""A request body does not stop the event loop: while it is read and refused, all others are served as usual."""

import json
from collections.abc import Iterator

import pytest

from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from indexer.tenancy import TeamId
from mcp_server.access.scopes import ALL_SCOPES
from mcp_server.access.token_store import TokenStore
from tests.faults.hostile_bodies import BODIES, MCP, PLAIN, SEARCH, error_of
from tests.faults.watching import ATTEMPTS, LIVE_SECONDS, SEARCH_SECONDS, Headers, Watching, ask
from tests.service import Service, run_service

INNOCENT = b'{"query":"reef"}'


@pytest.fixture(scope="module", params=["without authentication", "with authentication"])
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Service, Headers]]:
    folder = tmp_path_factory.mktemp("bodies")
    env = {"TRAWL_WORKERS": "0"}
    headers = dict(PLAIN)
    if request.param == "with authentication":
        env["TRAWL_AUTH"] = "on"
        env["TRAWL_CALLS_PER_MINUTE"] = "0"
        library = open_library(IndexerSettings(engine="tantivy", data_dir=folder / "data", _env_file=None))
        issued = TokenStore(library.engine.records).issue(TeamId("red"), ALL_SCOPES, name="test", created_by="test")
        library.close()
        headers["authorization"] = f"Bearer {issued.token}"
    with run_service(folder, env=env) as service:
        # Both are ready when they have answered once.
        assert ask(service, "POST", SEARCH, INNOCENT, headers)[0] == 200
        ask(service, "POST", MCP, b"{}", headers)
        yield service, headers


@pytest.mark.parametrize("name", BODIES)
def test_others_are_served_while_a_hostile_body_is_refused(served: tuple[Service, Headers], name: str) -> None:
    service, headers = served
    make, told = BODIES[name]
    path, own_headers, body = make()
    longest = []
    for _ in range(ATTEMPTS):
        with (
            Watching(service, "GET", "/livez", None, {}) as live,
            Watching(service, "POST", SEARCH, INNOCENT, headers) as search,
        ):
            status, answer = ask(service, "POST", path, body, {**headers, **own_headers})
        assert live.statuses == search.statuses == {200}
        assert 400 <= status < 500
        assert told in error_of(json.loads(answer))
        longest.append((live.longest, search.longest))
        if live.longest <= LIVE_SECONDS and search.longest <= SEARCH_SECONDS:
            return
    pytest.fail(f"the longest answers to /livez and to a search, in seconds: {longest}")
