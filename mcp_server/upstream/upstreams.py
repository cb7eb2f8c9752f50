"""All upstreams, opened at their first use from the settings of the team that calls."""

from collections import OrderedDict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar, cast

from cachetools import LRUCache
from pydantic_settings import BaseSettings

from indexer.connections.connections import Connections
from indexer.connections.section import Connection
from indexer.engines.record_port import Records
from indexer.errors import NotConfigured
from indexer.tenancy import TeamId
from mcp_server.shared import Shared
from mcp_server.upstream.telemetry import Telemetry
from mcp_server.upstream.upstream import Opening, Upstream, UpstreamService

S = TypeVar("S", bound=UpstreamService)
_MAX_KNOWN_TEAMS: Final = 1_000
_MAX_OPEN: Final = 200
"""Connections that are kept open; beyond that, the one that was used longest ago is opened again when needed."""


@dataclass(slots=True)
class _OpenConnection(Generic[S]):
    settings: BaseSettings
    service: S
    calls: int = 0
    """Calls under way."""


class TeamUpstreams:
    """The upstreams of one team; a call of one without settings fails as not configured."""

    def __init__(self, upstreams: "Upstreams", team: TeamId) -> None:
        self._upstreams = upstreams
        self._team = team

    def __getitem__(self, upstream: Upstream[S]) -> S:
        """Return the service, to look at it; `Upstreams.call` calls it."""
        return self._upstreams.connection(self._team, upstream).service


class Upstreams:
    """All upstreams of all teams. A team has connections of its own, or shares those of all teams without their own.

    It is used in one event loop. A connection whose settings change, or that is one too many, is closed after its last
    call.
    """

    def __init__(
        self,
        upstreams: Sequence[Upstream[Any]],
        environment: Mapping[str, BaseSettings],
        connections: Connections,
        opening: Opening,
    ) -> None:
        self._upstreams = {upstream.name: upstream for upstream in upstreams}
        self._connections = connections
        self._opening = opening
        # Without a file, the environment has the settings of all teams.
        given = {} if connections.is_given else environment
        self._unnamed = {
            upstream.name: given.get(upstream.name) or upstream.settings.model_construct() for upstream in upstreams
        }
        """The settings of teams that the connections do not name."""
        self._telemetry = {upstream.name: Telemetry(upstream.name) for upstream in upstreams}
        self._open: OrderedDict[tuple[str, TeamId | None], _OpenConnection[Any]] = OrderedDict()
        self._retired: list[_OpenConnection[Any]] = []
        self._configured: LRUCache[TeamId, frozenset[str]] = LRUCache(_MAX_KNOWN_TEAMS)
        self._version = connections.version
        for upstream in upstreams:
            self._connect(upstream, self._shared_connection(upstream))

    @property
    def telemetry(self) -> list[Telemetry]:
        """Counts of each upstream, for metrics; those of all its connections together."""
        return list(self._telemetry.values())

    def of(self, team: TeamId) -> TeamUpstreams:
        """Return the upstreams of a team."""
        return TeamUpstreams(self, team)

    def configured(self, team: TeamId) -> frozenset[str]:
        """Return the names of the upstreams whose settings are complete for this team."""
        self._retire_changed()
        found = self._configured.get(team)
        if found is None:
            opened = ((name, self.connection(team, upstream)) for name, upstream in self._upstreams.items())
            found = frozenset(name for name, connection in opened if connection.service.is_configured)
            self._configured[team] = found
        return found

    def remedy(self, upstream: Upstream[Any]) -> str:
        """Say what an operator does to configure an upstream, to complete a sentence."""
        if self._connections.is_given:
            return f"add the section {upstream.name} to TRAWL_CONNECTIONS"
        return f"set {', '.join(upstream.required_settings)}"

    @asynccontextmanager
    async def call(self, team: TeamId, upstream: Upstream[S]) -> AsyncIterator[S]:
        """Call a team's upstream; the connection stays open until the end, also if its settings change meanwhile."""
        connection = self.connection(team, upstream)
        connection.calls += 1
        try:
            yield connection.service
        except NotConfigured as error:
            if self._connections.is_given and "missing" in error.details:
                error.action = f"Ask the operator to {self.remedy(upstream)}"
                error.details = {**error.details, "missing": [f"teams.{team}.{upstream.name}"]}
            raise
        finally:
            connection.calls -= 1
            await self._close_idle()

    def connection(self, team: TeamId, upstream: Upstream[S]) -> _OpenConnection[S]:
        """Return the connection of a team; it is opened if it is not open yet, without a request."""
        self._retire_changed()
        found = self._connections.of(team, upstream.section) or Connection(None, self._unnamed[upstream.name])
        opened = self._open.get((upstream.name, found.owner))
        if opened is None:
            return self._connect(upstream, found)
        self._open.move_to_end((upstream.name, found.owner))
        return cast("_OpenConnection[S]", opened)

    async def aclose(self) -> None:
        """Close everything, in the event loop that used it."""
        for connection in (*self._open.values(), *self._retired):
            await connection.service.aclose()
        await self._opening.shared.aclose()

    def _connect(self, upstream: Upstream[S], found: Connection[BaseSettings]) -> _OpenConnection[S]:
        opening = replace(self._opening, telemetry=self._telemetry[upstream.name], owner=found.owner)
        opened = _OpenConnection(found.settings, upstream.open(found.settings, opening))
        self._open[upstream.name, found.owner] = opened
        if len(self._open) > _MAX_OPEN:
            self._retired.append(self._open.popitem(last=False)[1])
        return opened

    def _shared_connection(self, upstream: Upstream[Any]) -> Connection[BaseSettings]:
        """Return the settings of teams without their own."""
        defaults = (each for each in self._connections.all_of(upstream.section) if each.owner is None)
        return next(defaults, Connection(None, self._unnamed[upstream.name]))

    def _retire_changed(self) -> None:
        """Take away the connections whose settings have changed since they were opened."""
        if self._version == self._connections.version:
            return
        self._version = self._connections.version
        self._configured.clear()
        for name, upstream in self._upstreams.items():
            found = (self._shared_connection(upstream), *self._connections.all_of(upstream.section))
            current = {each.owner: each.settings for each in found}
            for key in [key for key in self._open if key[0] == name]:
                if current.get(key[1]) != self._open[key].settings:
                    self._retired.append(self._open.pop(key))

    async def _close_idle(self) -> None:
        while idle := next((each for each in self._retired if not each.calls), None):
            self._retired.remove(idle)
            await idle.service.aclose()


def open_upstreams(
    upstreams: Sequence[Upstream[Any]],
    settings: Mapping[str, BaseSettings],
    *,
    keys: tuple[bytes, ...],
    redis_url: str | None,
    redis_patience: float = 1.0,
    records: Records | None = None,
    connections: Connections | None = None,
) -> Upstreams:
    """Open all upstreams without any request; those without settings are not configured.

    `settings` are those of all teams, unless `connections` has a file. `keys` are the service's secret keys, the
    current one first. `records` stores histories and tokens.
    """
    opening = Opening(keys, Shared(redis_url, patience=redis_patience), records)
    return Upstreams(upstreams, settings, connections or Connections(None, ()), opening)
