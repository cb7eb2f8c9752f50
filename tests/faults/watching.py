"""Others who use a service while somebody attacks it."""

import os
import threading
import time
from http.client import HTTPConnection
from typing import Self
from urllib.parse import urlsplit

from tests.faults.watcher import Watcher
from tests.service import Service

LIVE_SECONDS = 0.1
SEARCH_SECONDS = 1.0
SLACK = 1 if os.environ.get("TRAWL_TEST_IDLE") else 5
"""The bounds above hold on an idle machine. Among other tests, all processors are busy with these."""
ATTEMPTS = 4
"""Other work on this machine delays every process now and then; a standing event loop delays each time."""
Headers = dict[str, str]


def ask(service: Service, method: str, path: str, body: bytes | None, headers: Headers) -> tuple[int, bytes]:
    connection = HTTPConnection(urlsplit(service.url).netloc, timeout=120)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


class Watching(Watcher):
    """Asks again and again while its block runs, and keeps the longest time that an answer took."""

    def __init__(self, service: Service, method: str, path: str, body: bytes | None, headers: Headers) -> None:
        super().__init__(0.01)
        self._request = (service, method, path, body, headers)
        self._is_answered = threading.Event()
        self.longest = 0.0
        self.statuses: set[int] = set()

    def __enter__(self) -> Self:
        super().__enter__()
        assert self._is_answered.wait(60)
        return self

    def look(self) -> None:
        started = time.perf_counter()
        status, _ = ask(*self._request)
        self.longest = max(self.longest, time.perf_counter() - started)
        self.statuses.add(status)
        self._is_answered.set()
