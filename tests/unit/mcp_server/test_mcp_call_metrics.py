"""Counts of calls: by how they ended, and how long they took."""

import asyncio

import pytest

from mcp_server.observability.call_metrics import CallMetrics
from mcp_server.observability.histogram import Histogram


def histogram(*seconds: float) -> Histogram:
    made = Histogram()
    for each in seconds:
        made.observe(each)
    return made


def test_a_share_of_the_durations_is_estimated_within_its_bucket() -> None:
    assert histogram().quantile(0.5) is None
    assert histogram(0.2).quantile(1) == 0.25
    assert histogram(0.2).quantile(0.5) == pytest.approx(0.175)
    assert histogram(*[0.004] * 90, *[0.8] * 10).quantile(0.5) == pytest.approx(0.005 * 50 / 90)
    assert histogram(*[0.004] * 90, *[0.8] * 10).quantile(0.95) == pytest.approx(0.75)


def test_of_a_duration_beyond_all_bounds_only_the_last_bound_is_known() -> None:
    assert histogram(900.0).quantile(0.5) == 60.0


def test_a_call_that_its_caller_gives_up_is_no_failure() -> None:
    metrics = CallMetrics()
    with pytest.raises(asyncio.CancelledError), metrics.call("search"):
        raise asyncio.CancelledError
    with pytest.raises(ZeroDivisionError), metrics.call("search"):
        raise ZeroDivisionError
    assert metrics.calls == {("search", "cancelled"): 1, ("search", "broken"): 1}
