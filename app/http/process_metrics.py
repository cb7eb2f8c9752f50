"""Counts of this process in the format of Prometheus, never anything that was asked or found."""

from collections.abc import Iterable, Iterator

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import CounterMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from mcp_server.services import Services
from mcp_server.upstream.telemetry import Telemetry

CONTENT_TYPE = CONTENT_TYPE_LATEST


def rendered(services: Services) -> bytes:
    """Return all counts as they are now."""
    registry = CollectorRegistry()
    registry.register(_ServiceCollector(services))
    ProcessCollector(registry=registry)
    return generate_latest(registry)


class _ServiceCollector(Collector):
    """Reads the counts when they are asked for."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def collect(self) -> Iterator[Metric]:
        """Return all families, also those that have counted nothing yet."""
        measures, upstreams = self._services.measures, self._services.upstreams.telemetry
        yield _counted("trawl_tool_calls", "Calls by what became of them", ["tool", "outcome"], measures.calls.items())
        seconds = (((tool,), value) for tool, value in measures.seconds.items())
        yield _counted("trawl_tool_seconds", "Time that calls took", ["tool"], seconds)
        yield from _upstream_families(upstreams)


def _upstream_families(upstreams: Iterable[Telemetry]) -> Iterator[Metric]:
    calls = CounterMetricFamily(
        "trawl_upstream_calls", "Calls of an upstream by what became of them", labels=["upstream", "outcome"]
    )
    requests = CounterMetricFamily("trawl_upstream_requests", "Requests that went upstream", labels=["upstream"])
    seconds = CounterMetricFamily("trawl_upstream_seconds", "Time that they took", labels=["upstream"])
    used = CounterMetricFamily(
        "trawl_upstream_used", "What a team used of what costs", labels=["upstream", "team", "what"]
    )
    for each in upstreams:
        requests.add_metric([each.upstream], each.requests)
        seconds.add_metric([each.upstream], each.seconds)
        for outcome, count in each.outcomes.items():
            calls.add_metric([each.upstream, outcome], count)
        for team, amounts in each.used.items():
            for what, amount in amounts.items():
                used.add_metric([each.upstream, team, what], amount)
    yield from (calls, requests, seconds, used)


def _counted(
    name: str, about: str, labels: list[str], counts: Iterable[tuple[tuple[str, ...], float]]
) -> CounterMetricFamily:
    family = CounterMetricFamily(name, about, labels=labels)
    for values, count in counts:
        family.add_metric(values, count)
    return family
