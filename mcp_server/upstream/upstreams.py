"""All upstreams, opened from their settings, by team."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, cast

from pydantic_settings import BaseSettings

from indexer.engines.record_port import Records
from indexer.tenancy import TeamId
from mcp_server.shared import Shared
from mcp_server.upstream.telemetry import Telemetry
from mcp_server.upstream.upstream import Opening, Upstream, UpstreamService

S = TypeVar("S", bound=UpstreamService)


class TeamUpstreams:
    """The upstreams of one team; a call of one without settings fails as not configured."""

    def __init__(self, services: Mapping[str, UpstreamService]) -> None:
        self._services = services

    def __getitem__(self, upstream: Upstream[S]) -> S:
        return cast("S", self._services[upstream.name])


class Upstreams:
    """All upstreams of all teams."""

    def __init__(self, services: Mapping[str, UpstreamService], shared: Shared) -> None:
        self._services = services
        self._all_teams = TeamUpstreams(services)
        self._shared = shared

    def of(self, team: TeamId) -> TeamUpstreams:  # noqa: ARG002 - all teams share one connection to each
        """Return the upstreams of a team."""
        return self._all_teams

    def is_configured(self, upstream: Upstream[Any]) -> bool:
        """Whether an upstream is open and its settings are complete."""
        service = self._services.get(upstream.name)
        return service is not None and service.is_configured

    @property
    def telemetry(self) -> list[Telemetry]:
        """Counts of each upstream, for metrics."""
        return [service.telemetry for service in self._services.values()]

    async def aclose(self) -> None:
        """Close everything, in the event loop that used it."""
        for service in self._services.values():
            await service.aclose()
        await self._shared.aclose()


def open_upstreams(
    upstreams: Sequence[Upstream[Any]],
    settings: Mapping[str, BaseSettings],
    *,
    key: bytes,
    redis_url: str | None,
    redis_patience: float = 1.0,
    records: Records | None = None,
) -> Upstreams:
    """Open all upstreams without any request; those without settings are not configured.

    `key` is the service's secret key. `records` stores histories and tokens.
    """
    shared = Shared(redis_url, patience=redis_patience)
    opening = Opening(key, shared, records)
    opened = {
        upstream.name: upstream.open(settings.get(upstream.name) or upstream.settings.model_construct(), opening)
        for upstream in upstreams
    }
    return Upstreams(opened, shared)
