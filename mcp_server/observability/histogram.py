"""Durations in buckets, in the shape that Prometheus scrapes; percentiles are computed from them."""

from bisect import bisect_left
from typing import Final

BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
"""Upper bounds in seconds; longer ones fall into the last bucket, which has no bound."""


class Histogram:
    """Counts durations since the process started."""

    def __init__(self) -> None:
        self._counts = [0] * (len(BUCKETS) + 1)
        self.sum = 0.0

    def observe(self, seconds: float) -> None:
        """Count one duration."""
        self._counts[bisect_left(BUCKETS, seconds)] += 1
        self.sum += seconds

    def quantile(self, share: float) -> float | None:
        """Estimate the duration that this share does not exceed: evenly within its bucket. None without durations."""
        left = share * sum(self._counts)
        if not left:
            return None
        lower = 0.0
        for bound, count in zip(BUCKETS, self._counts, strict=False):
            if count >= left:
                return lower + (bound - lower) * left / count
            left -= count
            lower = bound
        return lower

    def cumulative(self) -> list[tuple[str, float]]:
        """Return each upper bound with the number of durations up to it, as Prometheus wants them."""
        total = 0
        buckets = []
        for bound, count in zip((*BUCKETS, "+Inf"), self._counts, strict=True):
            total += count
            buckets.append((str(bound), float(total)))
        return buckets
