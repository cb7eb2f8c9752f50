"""Shows what a team uses: its limits, its calls, and the upstreams."""

from datetime import UTC, datetime

from indexer.schema.dates import format_utc
from indexer.tenancy import Principal
from mcp_server.features.usage.arguments import ShowUsage
from mcp_server.features.usage.calls import calls_of
from mcp_server.features.usage.results import Coverage, Covers, UsageResult
from mcp_server.features.usage.upstreams import upstreams_used_by
from mcp_server.services import Services


async def show_usage(services: Services, principal: Principal, _: ShowUsage) -> UsageResult:
    """Return what the caller's team uses; parts that are not known of the team are those of this process."""
    started = format_utc(datetime.fromtimestamp(services.metrics.since, UTC), "seconds")
    calls = await calls_of(services, principal)
    return UsageResult(
        success=True,
        limits=await services.limits.of(principal),
        upstreams=await upstreams_used_by(services, principal.team, started),
        calls=calls.operations,
        covers=Covers(
            limits=Coverage(scope="team", since=None),
            upstreams=Coverage(scope="process", since=started),
            calls=Coverage(scope=calls.scope, since=calls.since),
        ),
        truncated=calls.truncated,
    )
