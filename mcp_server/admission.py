"""Admits calls: scope, limits and audit are applied here, once for every call of every way in."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, Protocol

from indexer.errors import PlatformError
from indexer.tenancy import Principal
from mcp_server.access.indices import LimitedToIndices
from mcp_server.access.scopes import InsufficientScope
from mcp_server.operation import ANY_SCOPE, Operation


@dataclass(slots=True)
class Call:
    """One call while it runs; `run` adds what the arguments tell."""

    operation: Operation[Any, Any]
    principal: Principal
    at: float = 0.0
    """When it began, in seconds since 1970."""
    is_inner: bool = False
    """Whether another call makes it on the caller's behalf, as `search_everywhere` does."""
    object: str = ""
    """What it concerns, by its identifier: an index, a document, a job, a token. Never a query or a text."""
    bytes: int = 0
    """The size of what the caller stored."""
    number: int = 0
    """Identifies the call in the audit trail; 0 if it is not there yet."""
    is_begun: bool = False
    """Whether the audit trail has a record from before it ran."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a call ended: `ok`, the category of its failure, `cancelled`, or `error` for a bug."""

    outcome: str
    seconds: float


class Limits(Protocol):
    """Bounds what one credential and one team may do at a time."""

    def call(self, call: Call) -> AbstractAsyncContextManager[None]:
        """Raise `PlatformError` on entry if the call exceeds a limit; hold the team's slot until exit."""

    def room(self, call: Call, arguments: Any) -> AbstractAsyncContextManager[None]:
        """Raise `PlatformError` on entry if the team may not have what the call adds."""


class Audit(Protocol):
    """Records calls."""

    async def begin(self, call: Call) -> None:
        """Record a call which changes something, before it does; `Unavailable` if calls cannot be recorded now."""

    async def record(self, call: Call, ended: Ended) -> None:
        """Record a call. That of a call which changes something is stored when this returns."""


class Observer(Protocol):
    """Learns of calls that succeeded."""

    def observe(self, call: Call, arguments: Any, result: Any) -> None:
        """Take note of a call. It returns at once and does not raise, because the caller waits."""


_UNDER_WAY: Final = ContextVar("call_under_way", default=False)
"""Whether a call is made within another one."""


class Admission:
    """Wraps each call of an operation. Without limits and audit it checks scopes alone."""

    def __init__(
        self, limits: Limits | None = None, audit: Audit | None = None, observer: Observer | None = None
    ) -> None:
        self._limits = limits
        self._audit = audit
        self._observer = observer

    @asynccontextmanager
    async def call(self, operation: Operation[Any, Any], principal: Principal) -> AsyncIterator[Call]:
        """Check scope and limits on entry, raising `PlatformError`; write the audit record on exit."""
        call = Call(operation, principal, time.time(), is_inner=_UNDER_WAY.get())
        outer = _UNDER_WAY.set(True)
        started = time.perf_counter()
        outcome = "error"
        try:
            _check_rights(principal, operation)
            if self._limits is None:
                yield call
            else:
                async with self._limits.call(call):
                    yield call
            outcome = "ok"
        except PlatformError as error:
            outcome = error.category
            raise
        except asyncio.CancelledError:
            outcome = "cancelled"
            raise
        finally:
            _UNDER_WAY.reset(outer)
            if self._audit is not None:
                await self._audit.record(call, Ended(outcome, time.perf_counter() - started))

    async def begin(self, call: Call) -> None:
        """Let the audit know of a call whose arguments are valid, before it runs."""
        if self._audit is not None:
            await self._audit.begin(call)

    def succeeded(self, call: Call, arguments: Any, result: Any) -> None:
        """Let the observer know of a call that has succeeded."""
        if self._observer is not None:
            self._observer.observe(call, arguments, result)

    def room(self, call: Call, arguments: Any) -> AbstractAsyncContextManager[None]:
        """Check, by its arguments, that the team may have what a call adds, raising `PlatformError`."""
        operation = call.operation
        if self._limits is None or (operation.adds is None and not operation.starts_job):
            return nullcontext()
        return self._limits.room(call, arguments)


def allows(principal: Principal, operation: Operation[Any, Any]) -> bool:
    """Say whether the caller's token allows the operation at all."""
    index = operation.group.index
    return _has_scope(principal, operation) and (index is None or principal.may_use(index))


def _has_scope(principal: Principal, operation: Operation[Any, Any]) -> bool:
    return operation.scope in principal.scopes or operation.scope == ANY_SCOPE


def _check_rights(principal: Principal, operation: Operation[Any, Any]) -> None:
    if not _has_scope(principal, operation):
        raise InsufficientScope([operation.scope])
    if not allows(principal, operation):
        raise LimitedToIndices(principal)
