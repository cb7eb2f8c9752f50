import json
import os
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from select import select
from threading import Thread

import pytest

from app.cli.service_client import ServiceClient, running_client
from app.embedded.service_file import RunningService, announce


class Answering(ThreadingHTTPServer):
    """Answers every request with one body, remembers them, and can close connections that it keeps open."""

    answer = b'{"instance": "i1", "success": true}'
    closing = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[tuple[str, str, bytes]] = []
        self.connections = 0


class Handler(BaseHTTPRequestHandler):
    server: Answering
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        super().setup()
        self.server.connections += 1

    def reply(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.seen.append((self.command, self.path, body))
        self.close_connection = self.server.closing
        self.send_response(200)
        self.send_header("content-length", str(len(self.server.answer)))
        self.end_headers()
        self.wfile.write(self.server.answer)

    do_GET = do_POST = do_DELETE = reply  # noqa: N815 - the server looks for these names

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture
def server() -> Iterator[Answering]:
    with Answering() as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def client(server: Answering) -> Iterator[ServiceClient]:
    client = ServiceClient(RunningService(1, f"http://127.0.0.1:{server.server_port}", "i1"))
    yield client
    client.close()


def test_arguments_go_into_path_query_and_body(server: Answering, client: ServiceClient) -> None:
    client.call("search_index", {"index_name": "a/b", "query": "größe", "k": 3})
    client.call("archive_list", {"limit": 5, "cursor": None, "filters": {"path": {"prefix": "a&b"}}})
    client.call("archive_delete", {"id": "d_1"})
    assert [(method, path) for method, path, _ in server.seen] == [
        ("POST", "/api/v1/indices/a%2Fb/search"),
        ("GET", "/api/v1/archives/documents?limit=5&filters=%7B%22path%22%3A+%7B%22prefix%22%3A+%22a%26b%22%7D%7D"),
        ("DELETE", "/api/v1/archives/documents/d_1"),
    ]
    assert json.loads(server.seen[0][2]) == {"query": "größe", "k": 3}
    assert server.connections == 1


def test_a_connection_that_the_service_has_closed_is_opened_again(server: Answering, client: ServiceClient) -> None:
    server.closing = True
    for _ in range(3):
        assert client.call("search_list_indices", {})["success"] is True
        closed, _, _ = select([client._connection.sock], [], [], 30)
        assert closed
    assert server.connections == 3


@pytest.mark.parametrize("answer", [b"", b"not JSON", b"[]", b"null"])
def test_an_answer_that_is_no_result_is_a_failure(server: Answering, client: ServiceClient, answer: bytes) -> None:
    server.answer = answer
    assert client.call("search_list_indices", {})["error_category"] == "unavailable"


def test_a_service_that_is_gone_is_a_failure(server: Answering, client: ServiceClient) -> None:
    server.shutdown()
    server.server_close()
    assert client.call("search_list_indices", {})["error_category"] == "unavailable"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [("search_index", {"index_name": "x", "query": "\udcff"}), ("archive_get_document", {"id": "\udcff"})],
)
def test_arguments_in_another_encoding_are_refused(client: ServiceClient, name: str, arguments: dict[str, str]) -> None:
    assert client.call(name, arguments)["error_category"] == "validation"


def test_only_the_service_that_announced_itself_is_called(server: Answering, tmp_path: Path) -> None:

    url = f"http://127.0.0.1:{server.server_port}"
    announce(tmp_path, RunningService(os.getpid(), url, "i1", "https://search.example.org"))
    client = running_client(tmp_path)
    assert client is not None
    assert client.service.public_url == "https://search.example.org"
    client.close()
    announce(tmp_path, RunningService(os.getpid(), url, "another"))
    assert running_client(tmp_path) is None
    assert running_client(tmp_path / "absent") is None
