"""The limits of calls: `run` applies them to every call of every way in."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Final

from indexer.errors import PlatformError, RateLimited
from indexer.index.failures import QuotaReached
from indexer.index.quota import Quota
from indexer.library import Library
from indexer.tenancy import Principal, TeamId
from mcp_server.access.limits.entry import LimitEntry
from mcp_server.access.limits.failed_attempts import RATE, FailedAttempts
from mcp_server.access.limits.rate_limiter import RateLimiter
from mcp_server.access.limits.settings import LimitSettings
from mcp_server.access.limits.slots import NoSlot, TeamSlots
from mcp_server.access.limits.token_bucket import Rate
from mcp_server.shared import Shared
from mcp_server.upstream.telemetry import Hashes
from workers.enqueue import Background

if TYPE_CHECKING:
    from mcp_server.admission import Call

_SEARCH_WAIT: Final = 1.0
_INSIDE: Final = ContextVar("inside a limited call", default=False)
"""Calls that a call makes itself, like those of `search_everywhere`, belong to it and count once."""


class CallLimits:
    """How fast a token may call, how much a team may search at a time, and how much it may have."""

    def __init__(
        self,
        settings: LimitSettings,
        library: Library,
        background: Background,
        quota: Quota,
        *,
        shared: Shared,
        key: bytes,
        unlimited: frozenset[str] = frozenset(),
    ) -> None:
        """Credentials in `unlimited` are not limited in speed, like callers without any: there is no token to limit."""
        self._settings = settings
        self._library = library
        self._background = background
        self._quota = quota
        self._shared = shared
        self._unlimited = unlimited | {""}
        self._searches = TeamSlots(settings.searches_per_team)
        self.refusals: Counter[str] = Counter()
        """Refused calls and requests, by the name of the limit."""
        hashes = Hashes(key, "limits")
        rate = Rate(settings.calls_per_minute, settings.calls_burst)
        self._calls = RateLimiter("calls", rate, shared, hashes) if rate.per_minute else None
        self.failed_attempts = FailedAttempts(RateLimiter("attempts", RATE, shared, hashes), self.refusals)

    @asynccontextmanager
    async def call(self, call: "Call") -> AsyncIterator[None]:
        """Take a call from the token's rate and a slot of the team; raise `RateLimited` if there is none."""
        if _INSIDE.get():
            yield
            return
        outer = _INSIDE.set(True)
        try:
            if call.principal.credential in self._unlimited:
                yield
            else:
                await self._take_call(call.principal)
                if call.operation.is_search:
                    async with self._search(call.principal):
                        yield
                else:
                    yield
        except QuotaReached as full:
            self.refusals[full.name] += 1
            raise
        finally:
            _INSIDE.reset(outer)

    @asynccontextmanager
    async def room(self, call: "Call", arguments: Any) -> AsyncIterator[None]:
        """Check that the team may have what the call adds, before it runs; raise `QuotaReached` if it may not."""
        operation, team = call.operation, call.principal.team
        if operation.starts_job and self._settings.max_jobs is not None:
            await asyncio.to_thread(self._background.check_room, team, self._settings.max_jobs)
        if operation.adds is None or not self._quota.is_limited:
            yield
            return
        additions = operation.adds(arguments)
        for failure in await self._quota.failures(team, additions):
            if failure is not None:
                raise failure
        with self._quota.writing(team, additions.documents):
            yield

    async def of(self, principal: Principal) -> dict[str, LimitEntry]:
        """Return the limits of a caller and its team, each with what is used of it if that is known."""
        is_limited = principal.credential not in self._unlimited
        settings, team = self._settings, principal.team
        return {
            "calls_per_minute": _entry(settings.calls_per_minute if is_limited and self._calls else None),
            "calls_burst": _entry(settings.calls_burst if is_limited and self._calls else None),
            "searches": _entry(self._searches.number if is_limited else None, self._searches.taken(team)),
            **await self._quotas(team),
        }

    async def aclose(self) -> None:
        """Close the connections to Redis."""
        await self._shared.aclose()

    async def _take_call(self, principal: Principal) -> None:
        if self._calls is not None and (wait := await self._calls.take(principal.credential)):
            self.refusals["calls"] += 1
            limit = {"name": "calls_per_minute", "number": self._settings.calls_per_minute}
            raise RateLimited("Too many calls with this token", retry_after=wait, details={"limit": limit})

    @asynccontextmanager
    async def _search(self, principal: Principal) -> AsyncIterator[None]:
        try:
            async with self._searches.slot(principal.team):
                yield
        except NoSlot:
            self.refusals["searches"] += 1
            limit = {"name": "searches", "number": self._searches.number}
            raise RateLimited(
                "Too many searches of this team at a time", retry_after=_SEARCH_WAIT, details={"limit": limit}
            ) from None

    async def _quotas(self, team: TeamId) -> dict[str, LimitEntry]:
        registry, quota = self._library.registry, self._quota
        used: dict[str, int] = {}
        # While the engine is unavailable, the limits are known all the same.
        with suppress(PlatformError):
            size = await quota.usage.of(team)
            used |= {"documents": size.documents, "bytes": size.size_bytes}
            used["indices"] = len(await asyncio.to_thread(registry.of_team, team))
            used["jobs"] = await asyncio.to_thread(self._background.count_open, team)
        limits = {
            "documents": quota.max_documents,
            "bytes": quota.max_bytes,
            "indices": registry.max_indices,
            "jobs": self._settings.max_jobs,
        }
        return {name: _entry(limit, used.get(name)) for name, limit in limits.items()}


def _entry(limit: int | None, used: int | None = None) -> LimitEntry:
    return LimitEntry(limit=limit, used=used)
