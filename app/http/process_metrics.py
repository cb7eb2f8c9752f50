"""The metrics of this process in Prometheus' format; never anything that was asked or found."""

from collections.abc import Iterable, Iterator

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector

from indexer.audit.trail import AuditTrail
from indexer.tenancy import TeamId
from mcp_server.observability.index_counts import IndexCounts
from mcp_server.services import Services
from mcp_server.upstream.telemetry import Telemetry

CONTENT_TYPE = CONTENT_TYPE_LATEST


def rendered(services: Services, index_counts: IndexCounts, team: TeamId | None = None) -> bytes:
    """Return all metrics; of those that name a team, only its own if a team is given."""
    registry = CollectorRegistry()
    registry.register(_ServiceCollector(services, index_counts, team))
    ProcessCollector(registry=registry)
    return generate_latest(registry)


class _ServiceCollector(Collector):
    """Reads the counts at each scrape."""

    def __init__(self, services: Services, index_counts: IndexCounts, team: TeamId | None) -> None:
        self._services = services
        self._index_counts = index_counts
        self._team = team

    def collect(self) -> Iterator[Metric]:
        """Yield all families, also empty ones, without the samples of other teams."""
        for family in self._families():
            family.samples = [each for each in family.samples if self._may_see(each.labels.get("team"))]
            yield family

    def _may_see(self, team: str | None) -> bool:
        return self._team is None or team in (None, self._team)

    def _families(self) -> Iterator[Metric]:
        metrics, upstreams = self._services.metrics, self._services.upstreams.telemetry
        yield _counted("trawl_tool_calls", "Calls by what became of them", ["tool", "outcome"], metrics.calls.items())
        seconds = (((tool,), durations.sum) for tool, durations in metrics.durations.items())
        yield _counted("trawl_tool_seconds", "Time that calls took", ["tool"], seconds)
        durations = HistogramMetricFamily("trawl_tool_duration_seconds", "Duration of calls", labels=["tool"])
        for tool, histogram in metrics.durations.items():
            durations.add_metric([tool], histogram.cumulative(), histogram.sum)
        yield durations
        yield from _upstream_families(upstreams)
        yield from _budget_families(upstreams)
        yield from _index_families(self._index_counts)
        yield from _audit_families(self._services.audit.trail)
        refusals = (((limit,), count) for limit, count in self._services.limits.refusals.items())
        yield _counted("trawl_refused", "Calls and requests that a limit refused", ["limit"], refusals)


def _upstream_families(upstreams: Iterable[Telemetry]) -> Iterator[Metric]:
    calls = CounterMetricFamily(
        "trawl_upstream_calls", "Calls of an upstream by what became of them", labels=["upstream", "outcome"]
    )
    requests = CounterMetricFamily("trawl_upstream_requests", "Requests that went upstream", labels=["upstream"])
    seconds = CounterMetricFamily("trawl_upstream_seconds", "Time that they took", labels=["upstream"])
    durations = HistogramMetricFamily(
        "trawl_upstream_duration_seconds", "Duration of requests that went upstream", labels=["upstream"]
    )
    used = CounterMetricFamily(
        "trawl_upstream_used", "What a team used of what costs", labels=["upstream", "team", "what"]
    )
    for each in upstreams:
        requests.add_metric([each.upstream], each.requests)
        seconds.add_metric([each.upstream], each.durations.sum)
        durations.add_metric([each.upstream], each.durations.cumulative(), each.durations.sum)
        for outcome, count in each.outcomes.items():
            calls.add_metric([each.upstream, outcome], count)
        for team, amounts in each.used.items():
            for what, amount in amounts.items():
                used.add_metric([each.upstream, team, what], amount)
    yield from (calls, requests, seconds, durations, used)


def _index_families(counts: IndexCounts) -> Iterator[Metric]:
    for name, about, values in (
        ("trawl_indices", "Indices of a team", counts.indices),
        ("trawl_documents", "Documents in a team's indices", counts.documents),
    ):
        family = GaugeMetricFamily(name, about, labels=["team", "kind"])
        for labels, count in values.items():
            family.add_metric(labels, count)
        yield family


def _audit_families(trail: AuditTrail) -> Iterator[Metric]:
    yield _counted("trawl_audit_records", "Audit records that were stored", [], [((), trail.written)])
    failures = "How often audit records could not be stored, or calls were refused because of that"
    yield _counted("trawl_audit_failures", failures, [], [((), trail.failures)])


def _budget_families(upstreams: Iterable[Telemetry]) -> Iterator[Metric]:
    limits = GaugeMetricFamily("trawl_upstream_daily_limit", "Daily budget of a team", labels=["upstream", "what"])
    used = GaugeMetricFamily(
        "trawl_upstream_daily_used", "What a team has used of its daily budget", labels=["upstream", "team", "what"]
    )
    for each in upstreams:
        usage: dict[tuple[str, str], int] = {}
        for owner, budget in sorted(each.budgets.items()):
            labels = {"upstream": each.upstream} | ({"team": owner} if owner else {})
            for what, limit in budget.limits.items():
                limits.add_sample(limits.name, {**labels, "what": what}, limit)
            for team, amounts in budget.usage_today().items():
                # A team whose connection has changed today is counted by two budgets: the newer has the larger total.
                usage |= {(team, what): max(amount, usage.get((team, what), 0)) for what, amount in amounts.items()}
        for (team, what), amount in usage.items():
            used.add_metric([each.upstream, team, what], amount)
    yield from (limits, used)


def _counted(
    name: str, about: str, labels: list[str], counts: Iterable[tuple[tuple[str, ...], float]]
) -> CounterMetricFamily:
    family = CounterMetricFamily(name, about, labels=labels)
    for values, count in counts:
        family.add_metric(values, count)
    return family
