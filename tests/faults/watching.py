"""Others who use a service while somebody attacks it."""

import os
import threading
import time
from http.client import HTTPConnection
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

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
