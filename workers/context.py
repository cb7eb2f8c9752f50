"""What one worker process works with; everything is opened at its first use, so after the fork."""

import logging
import os
import secrets
import socket
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from typing import Any, TypeVar

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.settings import IndexerSettings
from workers.broker import Broker
from workers.event_loop import EventLoop
from workers.jobs.jobs import Jobs
from workers.parsers.child.parser import Parser
from workers.settings import WorkerSettings
from workers.sources.interface import Staging
from workers.sources.open import open_staging

Answer = TypeVar("Answer")
_log = logging.getLogger(__name__)


class WorkerContext:
    """The library, the parser's child and an event loop of one process; tasks use it one at a time."""

    def __init__(self, settings: WorkerSettings, indexer_settings: IndexerSettings, broker: Broker) -> None:
        self.settings = settings
        self.broker = broker
        self._indexer_settings = indexer_settings
        self._last: Future[None] | None = None

    @cached_property
    def owner(self) -> str:
        """How leases name this process."""
        return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"

    @cached_property
    def library(self) -> Library:
        return open_library(self._indexer_settings)

    @cached_property
    def jobs(self) -> Jobs:
        return Jobs(self.library.engine.records)

    @cached_property
    def parser(self) -> Parser:
        return Parser(self.settings.parse_limits)

    @cached_property
    def staging(self) -> Staging:
        return open_staging(self._indexer_settings.data_dir)

    @cached_property
    def writer(self) -> ThreadPoolExecutor:
        """Writes documents to archives, one batch at a time, while others are parsed."""
        return ThreadPoolExecutor(1, thread_name_prefix="write")

    def finish_later(self, work: Callable[[], None]) -> None:
        """Have a task's last part done while the next task begins; one such part at a time."""
        if self._last is not None:
            self._last.result()
        self._last = self._finisher.submit(_finished, work)

    def begin(self, work: Coroutine[Any, Any, Answer]) -> Future[Answer]:
        """Begin one of the library's reading functions, and return its answer to come."""
        return self._loop.start(work)

    def run(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Run one of the library's reading functions to its end."""
        return self.begin(work).result()

    def close(self) -> None:
        """End the child and let go of what was opened, as soon as everything begun is finished."""
        for executor in ("_finisher", "writer"):
            if executor in self.__dict__:
                self.__dict__[executor].shutdown()
        if "parser" in self.__dict__:
            self.parser.close()
        if "library" in self.__dict__:
            self.run(self.library.aclose())
        if "_loop" in self.__dict__:
            self._loop.close()
        self.broker.close()

    @cached_property
    def _loop(self) -> EventLoop:
        return EventLoop()

    @cached_property
    def _finisher(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1, thread_name_prefix="finish")


def _finished(work: Callable[[], None]) -> None:
    try:
        work()
    except Exception:  # noqa: BLE001 (Celery logs what fails in a task; this is out of its sight)
        _log.exception("The end of a task failed")
