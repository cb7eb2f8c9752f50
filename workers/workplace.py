"""What one worker process works with; everything is opened at its first use, so after the fork."""

import os
import secrets
import socket
from collections.abc import Coroutine
from concurrent.futures import Future
from functools import cached_property
from typing import Any, TypeVar

from indexer.bootstrap import open_library
from indexer.library import Library
from indexer.settings import IndexerSettings
from workers.broker import Broker
from workers.event_loop import EventLoop
from workers.jobs import Jobs
from workers.parsers.child import Parser
from workers.settings import WorkerSettings
from workers.sources.interface import Staging
from workers.sources.opening import open_staging

Answer = TypeVar("Answer")


class Workplace:
    """The library, the parser's child and an event loop of one process; tasks use it one at a time."""

    def __init__(self, settings: WorkerSettings, indexer_settings: IndexerSettings, broker: Broker) -> None:
        self.settings = settings
        self.broker = broker
        self._indexer_settings = indexer_settings

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

    def begin(self, work: Coroutine[Any, Any, Answer]) -> Future[Answer]:
        """Begin one of the library's reading functions, and return its answer to come."""
        return self._loop.start(work)

    def run(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Run one of the library's reading functions to its end."""
        return self.begin(work).result()

    def close(self) -> None:
        """End the child and let go of what was opened."""
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
