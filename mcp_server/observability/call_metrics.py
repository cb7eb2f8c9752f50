"""What is counted of calls, whichever door they come in by: tool, outcome and time, never what was asked."""

import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from indexer.errors import PlatformError


class Measures:
    """Counts since the process started."""

    def __init__(self) -> None:
        self.calls: Counter[tuple[str, str]] = Counter()
        """How many calls of a tool ended so: ok, a failure's category, or broken."""
        self.seconds: defaultdict[str, float] = defaultdict(float)
        """How long the calls of a tool took together."""

    @contextmanager
    def call(self, tool: str) -> Iterator[None]:
        """Count one call, which is what happens inside."""
        started = time.perf_counter()
        outcome = "broken"
        try:
            yield
            outcome = "ok"
        except PlatformError as error:
            outcome = error.category
            raise
        finally:
            self.calls[tool, outcome] += 1
            self.seconds[tool] += time.perf_counter() - started
