"""The state of all parts of the service, for `/readyz` and `trawl doctor`."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from app.health.disk import check_disk
from app.health.probe import TIMED_OUT, Probe, state_of
from indexer.errors import PlatformError
from indexer.library import Library
from indexer.own_thread import in_own_thread
from workers.enqueue import Background

_TIMEOUT_SECONDS: Final = 3.0
_QUEUE_TIMEOUT_SECONDS: Final = 6.0
"""Twice what Redis may take to answer, so that its own failure is told."""
_KEEP_SECONDS: Final = 2.0
"""How long the state of what costs something is kept: a write to the disk, or a list of jobs."""
_QUEUE_PARTS: Final = ("redis", "workers")


class Readiness:
    """Probes all parts at once. Each state is `ok` or what is wrong."""

    def __init__(self, library: Library, background: Background, data_dir: Path) -> None:
        self._background = background
        records = library.engine.records
        self._parts = {
            "engine": Probe(partial(state_of, library.engine.reader.health), timeout=_TIMEOUT_SECONDS),
            "disk": _blocking(partial(check_disk, data_dir), "disk"),
            "writes": _blocking(records.check_writable, "writes"),
        }
        self._queue: dict[str, str] = {}
        self._queue_probe = Probe(self._ask_queue, timeout=_QUEUE_TIMEOUT_SECONDS)
        self._waiting = Probe(self._count_waiting, timeout=_TIMEOUT_SECONDS, keep=_KEEP_SECONDS)

    async def states(self, *, queue: bool = True) -> dict[str, str]:
        """Return the state of each part; without `queue`, not of Redis and the workers."""
        names = list(self._parts)
        states, queues = await asyncio.gather(
            asyncio.gather(*(self._parts[name].state() for name in names)),
            self._queue_states() if queue else _nothing(),
        )
        return dict(zip(names, states, strict=True)) | queues

    def close(self) -> None:
        """End all probes."""
        for probe in (*self._parts.values(), self._queue_probe, self._waiting):
            probe.close()

    async def _queue_states(self) -> dict[str, str]:
        if await self._queue_probe.state() == TIMED_OUT:
            return dict.fromkeys(_QUEUE_PARTS, TIMED_OUT)
        states = dict(self._queue)
        if states["workers"] != "ok":
            waiting = await self._waiting.state()
            states["workers"] += waiting if waiting != TIMED_OUT else ""
        return states

    async def _ask_queue(self) -> str:
        self._queue = await in_own_thread(self._background.health, "probe-queue")
        return "ok"

    async def _count_waiting(self) -> str:
        """Return which jobs wait for a worker, as the rest of a sentence."""
        try:
            waiting = await in_own_thread(self._background.waiting, "probe-jobs")
        except PlatformError:
            return ""
        if waiting is None:
            return ""
        jobs = "1 job waits" if waiting.jobs == 1 else f"{waiting.jobs} jobs wait"
        return f"; {jobs}, the oldest for {waiting.seconds:.0f} s"


def _blocking(check: Callable[[], None], name: str) -> Probe:
    async def ask() -> str:
        try:
            await in_own_thread(check, f"probe-{name}")
        except PlatformError as error:
            return f"unavailable: {error.message}. {error.action}"
        return "ok"

    return Probe(ask, timeout=_TIMEOUT_SECONDS, keep=_KEEP_SECONDS)


async def _nothing() -> dict[str, str]:
    return {}
