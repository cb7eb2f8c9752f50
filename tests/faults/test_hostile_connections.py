"""Connections of a hostile client end early and cost little, and others are served meanwhile."""

import json
import resource
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest

from app.http.connection.limits import EXTRA
from tests.faults.hostile_bodies import PLAIN, SEARCH
from tests.faults.hostile_connections import (
    ENDLESS,
    GET,
    MALFORMED,
    POST,
    connect,
    opened,
    read_all,
    send_without_end,
    status_of,
    until_ended,
)
from tests.faults.watching import LIVE_SECONDS, SEARCH_SECONDS, Watching, ask
from tests.service import Service, environment, run_service, served_by, wait_until

INNOCENT = b'{"query":"reef"}'
ATTEMPTS = 20
"""Each is short; other work on this machine delays some, and an event loop that stands still delays all."""
TIMEOUT_SECONDS = 1
MOST_SENT = 20_000_000
"""Includes what the system keeps for a receiver that does not read."""
MOST_MEMORY = 50_000_000
DOCUMENT = b'{"documents":[{"doc_id":"a","content":"A reef"}]}'
DOCUMENTS = "/api/v1/indices/default/documents"
UPLOAD = "/api/v1/archives/upload"
FEW_FILES = 256
HALF_OPEN = 5_000


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    env = {"TRAWL_WORKERS": "0", "TRAWL_CLIENT_TIMEOUT": str(TIMEOUT_SECONDS)}
    with run_service(tmp_path_factory.mktemp("connections"), env=env) as started:
        assert ask(started, "POST", SEARCH, INNOCENT, PLAIN)[0] == 200
        yield started


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that may open few files."""
    folder = tmp_path_factory.mktemp("small")
    limited = ["sh", "-c", f'ulimit -n {FEW_FILES} && exec "$0" "$@"', sys.executable, "-m", "app", "serve"]
    env = {"TRAWL_PORT": "0", "TRAWL_WORKERS": "0", "TRAWL_CLIENT_TIMEOUT": "5"}
    with served_by(limited, folder, environment(folder, env)) as started:
        assert ask(started, "POST", SEARCH, INNOCENT, PLAIN)[0] == 200
        yield started


def memory(service: Service) -> int:
    status = Path(f"/proc/{service.process.pid}/status").read_text()
    return next(int(line.split()[1]) * 1_024 for line in status.splitlines() if line.startswith("VmHWM"))


@pytest.mark.parametrize("name", ENDLESS)
def test_others_are_served_while_a_client_sends_without_end(service: Service, name: str) -> None:
    before = memory(service)
    longest = []
    for _ in range(ATTEMPTS):
        with (
            Watching(service, "GET", "/livez", None, {}) as live,
            Watching(service, "POST", SEARCH, INNOCENT, PLAIN) as search,
        ):
            sent, status = send_without_end(service, name)
        assert live.statuses == search.statuses == {200}
        assert sent <= MOST_SENT
        assert status in {*ENDLESS[name][2], None}, "a reset may overtake the answer"
        assert memory(service) - before < MOST_MEMORY
        longest.append((live.longest, search.longest))
        if live.longest <= LIVE_SECONDS and search.longest <= SEARCH_SECONDS:
            return
    pytest.fail(f"the longest answers to /livez and to a search, in seconds: {longest}")


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (GET + b"X: " + b"a" * 40_000 + b"\r\n\r\n", 431),
        (GET + b"X: a\r\n" * 101 + b"\r\n", 431),
        (b"GET /livez?" + b"a" * 70_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 414),
        (b"FETCH /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 400),
    ],
)
def test_a_request_beyond_a_limit_is_answered_with_what_to_do(service: Service, request_: bytes, status: int) -> None:
    with connect(service) as connection:
        connection.sendall(request_)
        head, _, body = read_all(connection).partition(b"\r\n\r\n")
    assert status_of(head) == status
    assert b"connection: close" in head
    assert json.loads(body)["fix"]["required_action"]


@pytest.mark.parametrize("name", MALFORMED)
def test_a_body_whose_length_is_ambiguous_is_refused(service: Service, name: str) -> None:
    with connect(service) as connection:
        connection.sendall(POST + MALFORMED[name])
        answer = read_all(connection)
    assert status_of(answer) == 400
    assert answer.count(b"connection: close") == 1


def test_headers_after_a_body_do_not_become_headers_of_the_request(service: Service) -> None:
    late = b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n10\r\n" + INNOCENT + b"\r\n0\r\nHost: other\r\n\r\n"
    with connect(service) as connection:
        connection.sendall(POST + late)
        assert status_of(read_all(connection)) == 200


def test_a_client_that_asks_first_is_told_to_go_on(service: Service) -> None:
    with connect(service) as connection:
        connection.sendall(POST + b"Content-Length: 16\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n")
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(INNOCENT)
        assert status_of(read_all(connection)) == 200


def test_some_requests_at_once_are_all_answered(service: Service) -> None:
    with connect(service) as connection:
        connection.sendall((GET + b"\r\n") * 9 + GET + b"Connection: close\r\n\r\n")
        assert read_all(connection).count(b"HTTP/1.1 200 OK") == 10


def test_clients_that_keep_the_service_waiting_are_ended(service: Service) -> None:
    drips = {
        "headers": (GET + b"X: ", b"a"),
        "a body": (POST + b"Content-Length: 1000000\r\n\r\n{", b" "),
        "chunks": (POST + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", b"1\r\n \r\n"),
        "empty lines": (b"", b"\r\n"),
        "a body that nobody reads": (b"POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n", b" "),
    }
    with ExitStack() as stack:
        drippers = {name: stack.enter_context(connect(service)) for name in drips}
        silent = stack.enter_context(connect(service))
        deaf = stack.enter_context(connect(service, receive_buffer=4_096))
        for name, connection in drippers.items():
            connection.sendall(drips[name][0])
        deaf.setblocking(False)

        def drip() -> None:
            for name, connection in drippers.items():
                with suppress(ConnectionError):
                    connection.send(drips[name][1])
            # The system keeps some MB for a receiver that does not read.
            with suppress(OSError):
                deaf.send(b"GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 8)

        names = {each: name for name, each in drippers.items()} | {silent: "nothing", deaf: "no reading"}
        left = until_ended(list(names), 10 * TIMEOUT_SECONDS, drip)
        assert not [names[each] for each in left]
        for name in ("headers", "a body", "chunks"):
            assert status_of(read_all(drippers[name])) == 408
        assert read_all(silent) == b""


def test_a_slow_but_honest_body_is_served(service: Service) -> None:
    body = b'{"query":"reef"' + b" " * 8_000 + b"}"
    with connect(service) as connection:
        connection.sendall(POST + b"Content-Length: %d\r\nConnection: close\r\n\r\n" % len(body))
        for start in range(0, len(body), 400):
            connection.sendall(body[start : start + 400])
            time.sleep(0.15)  # 2.7 kB/s
        assert status_of(read_all(connection)) == 200


def test_uploads_that_wait_for_their_clients_delay_no_other_upload(small: Service) -> None:
    head = b'--b\r\nContent-Disposition: form-data; name="files"; filename="a.md"\r\n\r\n#'
    request = (
        b"POST " + UPLOAD.encode() + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n"
        b"Content-Type: multipart/form-data; boundary=b\r\n\r\n" + head
    )
    with opened(small, 5, request) as waiting:
        answer = httpx.post(f"{small.url}{UPLOAD}", files=[("files", ("b.md", b"# A reef\n"))], timeout=4)
        assert answer.json()["status"] == "queued"
        assert len(until_ended(waiting, 0.1, lambda: None)) == len(waiting)


@pytest.fixture
def many_files() -> Iterator[None]:
    """Let this process open as many connections as the service is attacked with."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < HALF_OPEN + 500:
        pytest.skip("this process may not open so many connections")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, HALF_OPEN + 500), hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.usefixtures("many_files")
def test_others_are_served_while_thousands_of_connections_send_nothing(small: Service) -> None:
    with opened(small, HALF_OPEN):
        for _ in range(ATTEMPTS):
            with (
                Watching(small, "GET", "/livez", None, {}) as live,
                Watching(small, "POST", SEARCH, INNOCENT, PLAIN) as search,
            ):
                written = ask(small, "POST", DOCUMENTS, DOCUMENT, PLAIN)
            assert live.statuses == search.statuses == {written[0]} == {200}
            if live.longest <= LIVE_SECONDS and search.longest <= SEARCH_SECONDS:
                return
        pytest.fail(f"the longest answers: {live.longest:.2f} and {search.longest:.2f} s")


def test_at_the_limit_health_is_answered_and_others_are_told_to_come_back(small: Service) -> None:
    with opened(small, FEW_FILES, GET):
        assert ask(small, "GET", "/livez", None, {})[0] == 200
        with opened(small, EXTRA, GET), httpx.Client(base_url=small.url, trust_env=False) as client:
            refused = client.post(SEARCH, json={"query": "reef"})
            assert (refused.status_code, refused.json()["error_category"]) == (503, "unavailable"), refused.text
            assert refused.headers["retry-after"]
            assert refused.headers["connection"] == "close"
            assert client.get("/livez").status_code == 200
    wait_until(lambda: ask(small, "POST", SEARCH, INNOCENT, PLAIN)[0] == 200, "searches are served again", 10)
    assert b'trawl_refused_total{limit="connections"}' in ask(small, "GET", "/metrics", None, {})[1]


def test_without_a_free_file_requests_are_unavailable_and_later_served(small: Service) -> None:
    pid = small.process.pid
    with httpx.Client(base_url=small.url, trust_env=False) as client:
        assert client.get("/livez").status_code == 200
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (first_free_file(pid), FEW_FILES))
        try:
            refused = client.post(DOCUMENTS, content=DOCUMENT, headers=PLAIN)
            assert (refused.status_code, refused.json()["error_category"]) == (503, "unavailable"), refused.text
            assert client.get("/livez").status_code == 200
            with connect(small) as another:
                another.sendall(GET + b"\r\n")
                assert status_of(read_all(another)) in {200, 503}
        finally:
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (FEW_FILES, FEW_FILES))
    wait_until(lambda: ask(small, "POST", SEARCH, INNOCENT, PLAIN)[0] == 200, "searches are served again", 10)


def first_free_file(pid: int) -> int:
    """Return the number that the next file would get: as a limit, it leaves none."""
    taken = {int(each.name) for each in Path(f"/proc/{pid}/fd").iterdir()}
    return next(number for number in range(FEW_FILES) if number not in taken)
