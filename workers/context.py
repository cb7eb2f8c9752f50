"""The resources of one worker process. Each is opened at its first use, so after the fork."""

import logging
import os
import secrets
import socket
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property, partial
from typing import Any, TypeVar

from indexer.archives.ingest import refresh_archive
from indexer.bootstrap import open_library
from indexer.connections.connections import Connections
from indexer.file_lock import WORKER_PATIENCE
from indexer.index.quota import Quota
from indexer.index.usage import Usage
from indexer.library import Library
from indexer.secret_key import secret_keys
from indexer.settings import IndexerSettings
from workers.broker import Broker
from workers.event_loop import EventLoop
from workers.jobs.jobs import Jobs
from workers.jobs.records import Job
from workers.parsers.child.parser import Parser
from workers.settings import WorkerSettings
from workers.sources.interface import Staging
from workers.sources.open import open_staging
from workers.sources.rights import SECTIONS, SourceRights, TeamRights

Result = TypeVar("Result")
_log = logging.getLogger(__name__)


class WorkerContext:
    """The library, the parser, the staging area and the event loop of one process.

    One chunk at a time uses it, in the main thread, which has the parser. Job tasks use the rest in threads of theirs.
    """

    def __init__(
        self,
        settings: WorkerSettings,
        indexer_settings: IndexerSettings,
        broker: Broker,
        *,
        needs_tokens: bool = False,
    ) -> None:
        self.settings = settings
        self.broker = broker
        self._indexer_settings = indexer_settings
        self._connections = Connections(settings.connections, SECTIONS, ignore_others=True)
        self._rights = TeamRights(settings, self._connections, indexer_settings.data_dir, needs_tokens=needs_tokens)
        self._last_finish: Future[None] | None = None

    def open(self) -> None:
        """Open what several threads use, before there is a second one."""
        _ = (self.owner, self.jobs, self.staging, self._loop)

    @cached_property
    def owner(self) -> str:
        """The name of this process in leases."""
        return f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(4)}"

    @cached_property
    def library(self) -> Library:
        return open_library(self._indexer_settings, patience=WORKER_PATIENCE)

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The service's secret keys, the current one first."""
        return secret_keys(self._indexer_settings)

    @cached_property
    def jobs(self) -> Jobs:
        return Jobs(self.library.engine.records)

    @cached_property
    def quota(self) -> Quota:
        """What teams may have. Documents are written without a refresh, so it refreshes before it counts."""
        settings = self._indexer_settings
        usage = Usage(self.library, before_count=partial(refresh_archive, self.library))
        return Quota(self.library, usage, max_documents=settings.max_documents, max_bytes=settings.max_bytes)

    @cached_property
    def parser(self) -> Parser:
        return Parser(self.settings.parse_limits)

    @cached_property
    def staging(self) -> Staging:
        return open_staging(self._indexer_settings.data_dir)

    @cached_property
    def write_pool(self) -> ThreadPoolExecutor:
        """Writes documents to archives, one batch at a time, while the next ones are parsed."""
        return ThreadPoolExecutor(1, thread_name_prefix="write")

    def rights_of(self, job: Job) -> SourceRights:
        """Return which folders and buckets the job's team may read now."""
        self._connections.refresh()
        return self._rights.of(job.team, restricted=job.restricted)

    def finish_in_background(self, finish: Callable[[], None]) -> None:
        """Run the end of a task while the next task starts; first wait for the end of the task before it."""
        if self._last_finish is not None:
            self._last_finish.result()
        self._last_finish = self._finish_pool.submit(_run_logged, finish)

    def start(self, coroutine: Coroutine[Any, Any, Result]) -> Future[Result]:
        """Start one of the library's async functions and return its future."""
        return self._loop.start(coroutine)

    def run(self, coroutine: Coroutine[Any, Any, Result]) -> Result:
        """Run one of the library's async functions and wait for its result."""
        return self.start(coroutine).result()

    def close(self) -> None:
        """Wait for background work, end the parser's child process, and close what was opened."""
        for pool in ("_finish_pool", "write_pool"):
            if pool in self.__dict__:
                self.__dict__[pool].shutdown()
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
    def _finish_pool(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(1, thread_name_prefix="finish")


def _run_logged(finish: Callable[[], None]) -> None:
    try:
        finish()
    except Exception:  # noqa: BLE001 (Celery logs only errors of the task itself, not of this thread)
        _log.exception("The end of a task failed")
