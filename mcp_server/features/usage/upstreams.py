"""What was asked of upstreams, and what that cost the team."""

from collections.abc import Mapping
from typing import Any, Final

from indexer.schema.dates import format_utc
from indexer.tenancy import TeamId
from mcp_server.feature import upstreams_of
from mcp_server.features.usage.results import Cost, UpstreamUse
from mcp_server.services import Services
from mcp_server.upstream.telemetry import DailyBudget, Telemetry
from mcp_server.upstream.upstream import Upstream

_ANSWERED: Final = frozenset({"ok", "cached", "joined"})


async def upstreams_used_by(services: Services, team: TeamId, started: str) -> list[UpstreamUse]:
    """Return the use of each upstream since this process started."""
    return [await _use(services, team, upstream, started) for upstream in upstreams_of(services.features)]


async def _use(services: Services, team: TeamId, upstream: Upstream[Any], started: str) -> UpstreamUse:
    service = services.upstreams.of(team)[upstream]
    telemetry: Telemetry = service.telemetry
    outcomes = telemetry.outcomes
    own = services.connections.of(team, upstream.section)
    budget = telemetry.budgets.get("" if own is None or own.owner is None else own.owner)
    counted = {
        what: Cost(scope="process", since=started, used=amount, limit=None)
        for what, amount in telemetry.used.get(team, {}).items()
    }
    return UpstreamUse(
        name=upstream.name,
        configured=service.is_configured,
        requests=telemetry.requests,
        failures=sum(count for outcome, count in outcomes.items() if outcome not in _ANSWERED),
        cached=outcomes["cached"],
        cost={**counted, **({} if budget is None else await _today(budget, team))},
    )


async def _today(budget: DailyBudget, team: TeamId) -> Mapping[str, Cost]:
    """Return what is limited by the day, as all processes have counted it."""
    today = await budget.read(team)
    since = format_utc(today.since, "seconds")
    return {
        what: Cost(scope="team" if today.is_shared else "process", since=since, used=today.amounts[what], limit=limit)
        for what, limit in budget.limits.items()
    }
