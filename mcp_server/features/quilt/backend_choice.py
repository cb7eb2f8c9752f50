"""Selects the backend of a catalog on the first search: GraphQL where the stack supports it, else Elasticsearch."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from indexer.errors import PlatformError
from indexer.tenancy import Principal
from mcp_server.features.quilt.api.connection import QuiltConnection
from mcp_server.features.quilt.backend import CAPABILITIES, SearchBackend
from mcp_server.features.quilt.elasticsearch.search import ElasticsearchSearch
from mcp_server.features.quilt.failures import NoRoute, StackChanged, UnexpectedResponse
from mcp_server.features.quilt.graphql.queries import BUCKETS
from mcp_server.features.quilt.graphql.schema import INTROSPECTION, parse_introspection
from mcp_server.features.quilt.graphql.search import GraphqlSearch
from mcp_server.features.quilt.results import BackendStatus, Status
from mcp_server.features.quilt.settings import QuiltSettings

_TRANSIENT: Final = frozenset({"timeout", "unavailable", "provider", "rate_limit"})


@dataclass(frozen=True, slots=True)
class _DetectedBackend:
    backend: SearchBackend
    detected_at: float


class BackendSelector:
    """Detects the backend and caches it. Failures are not cached; they only change the status."""

    def __init__(
        self, settings: QuiltSettings, connection: QuiltConnection, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = settings
        self._connection = connection
        self._now = now
        self._lock = asyncio.Lock()
        self._detected: _DetectedBackend | None = None
        self._buckets: list[str] | None = None
        self._failure_status: BackendStatus | None = None
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
                    self.record_failure(error)
                    raise
                backend = current.backend  # a transient failure of a scheduled check; the backend may still work
            self._detected = _DetectedBackend(backend, self._now())
            self._failure_status = None
            return backend

    async def buckets(self, principal: Principal) -> list[str] | None:
        """Return the catalog's buckets; None where it cannot list them."""
        if self._buckets is None and self.registry is not None:
            try:
                data = await self._connection.graphql(principal, self.registry, BUCKETS, fresh=True)
                self._buckets = [str(bucket["name"]) for bucket in data["bucketConfigs"]]
            except (NoRoute, StackChanged, UnexpectedResponse, KeyError, TypeError):
                return None
        return self._buckets

    def record_failure(self, error: PlatformError) -> None:
        """Update the status after a failed search or detection."""
        if error.category == "authentication":
            self._failure_status = unavailable("authentication_required")
        elif isinstance(error, NoRoute):
            self._detected = None
            self._failure_status = unavailable("no_search")
        elif error.category in _TRANSIENT - {"rate_limit"}:
            self._failure_status = unavailable("unavailable")

    def record_success(self) -> None:
        """Update the status after a successful search."""
        self._failure_status = None

    @property
    def status(self) -> BackendStatus:
        """The cached status; no request is sent."""
        if self._failure_status is not None:
            return self._failure_status
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
        self._buckets = list(self._settings.buckets) or None
        try:
            data = await self._connection.graphql(principal, registry, {"query": INTROSPECTION}, fresh=True)
        except (NoRoute, UnexpectedResponse):
            return ElasticsearchSearch(self._connection, registry, self._buckets)
        except StackChanged:
            data = {}  # GraphQL exists, but introspection is disabled
        stack = parse_introspection(data)
        if stack is not None and stack.has_search:
            return GraphqlSearch(self._connection, registry, stack)
        return ElasticsearchSearch(self._connection, registry, await self.buckets(principal))


def unavailable(status: Status) -> BackendStatus:
    """Return the status of a catalog that cannot be searched."""
    return BackendStatus(available=False, backend=None, capabilities=[], status=status)
