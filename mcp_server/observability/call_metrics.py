"""Counts of calls by operation, outcome and duration, for every way in; never what was asked."""

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from indexer.errors import PlatformError
from mcp_server.observability.histogram import Histogram


class CallMetrics:
    """Counts since the process started."""

    def __init__(self) -> None:
        self.since = time.time()
        """When it began to count, in seconds since 1970."""
        self.calls: Counter[tuple[str, str]] = Counter()
        """Calls by operation and outcome: ok, a failure's category, cancelled by the caller, or broken."""
        self.durations: defaultdict[str, Histogram] = defaultdict(Histogram)
        """Durations by operation."""

    @contextmanager
    def call(self, operation: str) -> Iterator[None]:
        """Count the call that happens inside."""
        started = time.perf_counter()
        outcome = "broken"
        try:
            yield
            outcome = "ok"
        except PlatformError as error:
            outcome = error.category
            raise
        except asyncio.CancelledError:
            outcome = "cancelled"
            raise
        finally:
            self.calls[operation, outcome] += 1
            self.durations[operation].observe(time.perf_counter() - started)
