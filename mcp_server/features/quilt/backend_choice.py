"""Selects the backend of a catalog on the first search: GraphQL where the stack supports it, else Elasticsearch."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from indexer.errors import PlatformError
from indexer.tenancy import Principal
from mcp_server.features.quilt.api.connection import QuiltConnection
from mcp_server.features.quilt.backend import CAPABILITIES, SearchBackend
from mcp_server.features.quilt.failures import NoRoute, StackChanged, UnexpectedResponse
from mcp_server.features.quilt.graphql.buckets import list_buckets
from mcp_server.features.quilt.graphql.schema import INTROSPECTION, parse_introspection
from mcp_server.features.quilt.graphql.search import GraphqlSearch
from mcp_server.features.quilt.results import BackendStatus, Status
from mcp_server.features.quilt.settings import QuiltSettings

if TYPE_CHECKING:
    from mcp_server.features.quilt.elasticsearch.search import ElasticsearchSearch

_TRANSIENT: Final = frozenset({"timeout", "unavailable", "provider", "rate_limit"})
_FAILURE_STATUSES: Final[dict[str, Status]] = {
    "authentication": "authentication_required",
    "not_applicable": "no_search",
}


@dataclass(frozen=True, slots=True)
class _DetectedBackend:
    backend: SearchBackend
    detected_at: float


class BackendSelector:
    """Detects the backend and caches it. Failures are not cached."""

    def __init__(
        self, settings: QuiltSettings, connection: QuiltConnection, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._connection = connection
        self._now = now
        self._lock = asyncio.Lock()
        self._detected: _DetectedBackend | None = None
        self.registry: str | None = None

    async def backend(
        self, principal: Principal, *, refresh: bool = False, instead_of: GraphqlSearch | None = None
    ) -> SearchBackend:
        """Return the backend; detect it again when it is due, on `refresh`, or when `instead_of` no longer works."""
        before = self._detected
        async with self._lock:
            current = self._detected
            if current is not None and (current is not before or not (refresh or self._is_due(current, instead_of))):
                return current.backend
            cached_registry = self.registry if instead_of is not None and not refresh else None
            try:
                backend = await self._detect(principal, cached_registry)
            except PlatformError as error:
                if current is None or refresh or instead_of is not None or error.category not in _TRANSIENT:
                    raise
                backend = current.backend  # a transient failure of a scheduled check; the backend may still work
            self._detected = _DetectedBackend(backend, self._now())
            return backend

    def record_failure(self, error: PlatformError) -> None:
        """Update the status after a failure that only the contents of an answer show."""
        if isinstance(error, NoRoute):
            self._detected = None
        if isinstance(error, NoRoute) or error.category in _TRANSIENT - {"rate_limit"}:
            self._connection.last_failure = error

    @property
    def status(self) -> BackendStatus:
        """The status by the last answer; no request is sent."""
        failure = self._connection.last_failure
        if failure is not None:
            return unavailable(_FAILURE_STATUSES.get(failure.category, "unavailable"))
        if self._detected is None:
            return unavailable("not_checked")
        name = self._detected.backend.name
        return BackendStatus(available=True, backend=name, capabilities=list(CAPABILITIES[name]), status="ready")

    def _is_due(self, detected: _DetectedBackend, instead_of: GraphqlSearch | None) -> bool:
        return detected.backend is instead_of or self._now() >= detected.detected_at + self._settings.recheck_seconds

    async def _detect(self, principal: Principal, cached_registry: str | None) -> SearchBackend:
        """Inspect the registry, which is looked up first unless its URL is cached."""
        registry = cached_registry or await self._connection.registry(principal, str(self._settings.catalog_url))
        self.registry = registry
        try:
            data = await self._connection.graphql(principal, registry, {"query": INTROSPECTION}, fresh=True)
        except (NoRoute, UnexpectedResponse):
            return await self._elasticsearch(principal, registry, has_graphql=False)
        except StackChanged:
            data = {}  # GraphQL exists, but introspection is disabled
        stack = parse_introspection(data)
        if stack is not None and stack.has_search:
            return GraphqlSearch(self._connection, registry, stack)
        return await self._elasticsearch(principal, registry, has_graphql=True)

    async def _elasticsearch(self, principal: Principal, registry: str, *, has_graphql: bool) -> SearchBackend:
        buckets = list(self._settings.buckets) or None
        if buckets is None and has_graphql:
            buckets = await list_buckets(self._connection, principal, registry, fresh=True)
        backend = await asyncio.to_thread(_elasticsearch_class)
        return backend(self._connection, registry, buckets)


def _elasticsearch_class() -> "type[ElasticsearchSearch]":
    """Import the backend on first use: elasticsearch-dsl is slow to import, and GraphQL does not need it."""
    from mcp_server.features.quilt.elasticsearch.search import ElasticsearchSearch  # noqa: PLC0415 - see above

    return ElasticsearchSearch


def unavailable(status: Status) -> BackendStatus:
    """Return the status of a catalog that cannot be searched."""
    return BackendStatus(available=False, backend=None, capabilities=[], status=status)
