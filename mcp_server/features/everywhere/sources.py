"""The sources that there are, as one caller may ask them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, get_args

from indexer.tenancy import Principal
from mcp_server.search_source import Answer, Question, SearchSource, SourceName
from mcp_server.services import Services

_SHARE: Final = 0.8
"""Of the time that a search may take: so a source that is late leaves time to answer with the others."""


@dataclass(frozen=True, slots=True)
class Source:
    """A source as one caller may ask it; `ask` raises `PlatformError`, also where it is not configured."""

    name: SourceName
    tool: str
    """Which tool asks this source alone."""
    is_configured: bool
    deadline: float
    """How many seconds it has."""
    ask: Callable[[Question], Awaitable[Answer]]


def sources_of(services: Services, principal: Principal) -> tuple[Source, ...]:
    """Return all sources, configured or not, in the order of their names' declaration."""
    declared = [feature.source for feature in services.features if feature.source is not None]
    declared.sort(key=lambda source: get_args(SourceName).index(source.name))
    return tuple(_source(each, services, principal) for each in declared)


def _source(declared: SearchSource, services: Services, principal: Principal) -> Source:
    upstreams = services.upstreams.of(principal.team)
    return Source(
        declared.name,
        declared.operation.name,
        is_configured=declared.upstream is None or upstreams[declared.upstream].is_configured,
        deadline=declared.seconds or services.library.search_timeout * _SHARE,
        ask=partial(declared.ask, services, principal),
    )
