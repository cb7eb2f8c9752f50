"""A request body does not stop the event loop: while it is read and refused, all others are served as usual."""

import json
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

import pytest

from indexer.bootstrap import open_library
from indexer.settings import IndexerSettings
from indexer.tenancy import TeamId
from mcp_server.access.scopes import ALL_SCOPES
from mcp_server.access.token_store import TokenStore
from tests.faults.hostile_bodies import BODIES, MCP, PLAIN, SEARCH, error_of
from tests.service import Service, run_service

LIVE_SECONDS = 0.1
SEARCH_SECONDS = 1.0
ATTEMPTS = 4
"""Other work on this machine delays every process now and then; a standing event loop delays each time."""
INNOCENT = b'{"query":"reef"}'
Headers = dict[str, str]


def ask(service: Service, method: str, path: str, body: bytes | None, headers: Headers) -> tuple[int, bytes]:
    connection = HTTPConnection(urlsplit(service.url).netloc, timeout=120)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


class Watching:
    """Asks again and again while its block runs, and keeps the longest time that an answer took."""

    def __init__(self, service: Service, method: str, path: str, body: bytes | None, headers: Headers) -> None:
        self._request = (service, method, path, body, headers)
        self._over = threading.Event()
        self._is_answered = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self.longest = 0.0
        self.statuses: set[int] = set()

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._is_answered.wait(60)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._over.wait(0.01):
            started = time.perf_counter()
            status, _ = ask(*self._request)
            self.longest = max(self.longest, time.perf_counter() - started)
            self.statuses.add(status)
            self._is_answered.set()


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
