"""The limits of calls: `run` applies them to every call of every way in."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from contextvars import ContextVar, Token
from types import TracebackType
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

    def call(self, call: "Call") -> AbstractAsyncContextManager[None]:
        """Take a call from the token's rate and a slot of the team; raise `RateLimited` if there is none."""
        return _LimitedCall(self, call)

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
        is_limited = self.apply_to(principal)
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

    async def enter(self, principal: Principal, *, is_search: bool) -> None:
        """Admit a call, which leaves when it has ended."""
        if self._calls is not None and not self._calls.take_at_hand(principal.credential):
            wait = await self._calls.take(principal.credential)
            if wait:
                self.refusals["calls"] += 1
                limit = {"name": "calls_per_minute", "number": self._settings.calls_per_minute}
                raise RateLimited("Too many calls with this token", retry_after=wait, details={"limit": limit})
        if is_search:
            try:
                await self._searches.take(principal.team)
            except NoSlot:
                self.refusals["searches"] += 1
                limit = {"name": "searches", "number": self._searches.number}
                raise RateLimited(
                    "Too many searches of this team at a time", retry_after=_SEARCH_WAIT, details={"limit": limit}
                ) from None

    def leave(self, principal: Principal, *, is_search: bool) -> None:
        """Release what a call held."""
        if is_search:
            self._searches.release(principal.team)

    def apply_to(self, principal: Principal) -> bool:
        """Say whether this caller is limited in speed."""
        return principal.credential not in self._unlimited

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


class _LimitedCall:
    """One call while it runs. Not made by `asynccontextmanager`, which would take longer than all the rest."""

    __slots__ = ("_call", "_is_admitted", "_is_search", "_limits", "_outer")

    def __init__(self, limits: CallLimits, call: "Call") -> None:
        self._limits = limits
        self._call = call
        self._is_search = False
        self._is_admitted = False
        self._outer: Token[bool] | None = None

    async def __aenter__(self) -> None:
        if _INSIDE.get():
            return
        if self._limits.apply_to(self._call.principal):
            self._is_search = self._call.operation.is_search
            await self._limits.enter(self._call.principal, is_search=self._is_search)
            self._is_admitted = True
        self._outer = _INSIDE.set(True)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._outer is None:
            return
        _INSIDE.reset(self._outer)
        if self._is_admitted:
            self._limits.leave(self._call.principal, is_search=self._is_search)
        if isinstance(error, QuotaReached):
            self._limits.refusals[error.name] += 1
