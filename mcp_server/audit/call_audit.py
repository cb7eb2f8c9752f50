"""Records the calls of authenticated callers in the audit trail, and failed authentications apart from all teams."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Final, Literal

from indexer.audit.record import NO_TEAM, UNKNOWN, AuditRecord
from indexer.audit.trail import AuditTrail, AuditUnavailable
from indexer.errors import Unavailable
from mcp_server.admission import Call, Ended
from mcp_server.audit.refusals import Refusal, Refusals

_WAIT_SECONDS: Final = 15.0
_MAX_OBJECT: Final = 1_000
_REFUSED: Final = frozenset({"authentication", "authorization", "rate_limit"})
_AUTHENTICATE: Final = "authenticate"
_OK: Final = "ok"
_ADMINISTRATION: Final = "admin"
"""The scope of administration, whose calls are all recorded before they are acknowledged."""


class NotRecorded(Unavailable):
    """The call was carried out, and the record of its end could not be stored."""

    def __init__(self) -> None:
        super().__init__(
            "The call was carried out, but the audit trail could not be written, so it is not confirmed",
            action="Look whether it took effect before you repeat it; `trawl doctor` tells the operator what is wrong",
        )


class CallAudit:
    """`admission.Audit`. Callers without a credential, while authentication is off, are not recorded."""

    def __init__(self, trail: AuditTrail, now: Callable[[], float] = time.time) -> None:
        self.trail = trail
        self._now = now
        self._refusals = Refusals()

    async def begin(self, call: Call) -> None:
        """Refuse the call if it could not be recorded. If it changes something, store that it begins."""
        if not _is_recorded(call):
            return
        call.number = self.trail.next_call()
        if call.operation.effect.changes:
            await _stored(self.trail.store(_record(call, UNKNOWN, has_ended=False), signed=False))
            call.is_begun = True

    async def record(self, call: Call, ended: Ended) -> None:
        """Record how a call ended. If it changed something or administered, return when that is stored and signed."""
        if not _is_recorded(call):
            return
        self._record_unrecorded(self._now())
        if _is_refused(call, ended) and not self._refusals.is_recorded(_refusal(call, ended.outcome)):
            return
        call.number = call.number or self.trail.next_call()
        record = _record(call, ended.outcome, seconds=ended.seconds)
        if not _is_awaited(call, ended):
            self.trail.add(record)
            return
        try:
            await _stored(self.trail.store(record, signed=True))
        except AuditUnavailable:
            # A failure of its own is no confirmation, and says more.
            if ended.outcome == _OK:
                raise NotRecorded from None

    def authentication_failed(self, client: str, address: str) -> None:
        """Record that a request had a credential that is not valid; never what it was."""
        now = self._now()
        self._record_unrecorded(now)
        refusal = Refusal(NO_TEAM, "", "", _AUTHENTICATE, "authentication")
        if self._refusals.is_recorded(refusal):
            self._add(refusal, now, client=client, address=address)

    def signed(
        self, operation: Literal["sign_in", "sign_out"], *, team: str, subject: str, client: str, address: str
    ) -> None:
        """Record that somebody signed in or out by a browser; `AuditUnavailable` if nothing can be recorded now."""
        number = self.trail.next_call()
        self.trail.add(AuditRecord(number, self._now(), team, subject, client, address, operation, "", _OK))

    def close(self) -> None:
        """Store what is left. Blocking."""
        self._record_unrecorded(float("inf"))
        self.trail.close()

    def _record_unrecorded(self, now: float) -> None:
        for refusal, count in self._refusals.unrecorded(now):
            self._add(refusal, self._now(), object_=f"{count} more in a minute")

    def _add(self, refusal: Refusal, at: float, *, object_: str = "", client: str = "", address: str = "") -> None:
        try:
            number = self.trail.next_call()
        except AuditUnavailable:
            return  # Nothing was done, so nothing stays unrecorded.
        team, subject, _, operation, outcome = refusal
        self.trail.add(AuditRecord(number, at, team, subject, client, address, operation, object_, outcome))


def _is_recorded(call: Call) -> bool:
    return bool(call.principal.credential) and not call.is_inner


def _is_refused(call: Call, ended: Ended) -> bool:
    return ended.outcome in _REFUSED and not call.is_begun


def _is_awaited(call: Call, ended: Ended) -> bool:
    if ended.outcome == "cancelled":
        return False  # Nobody is there to be told.
    return call.is_begun or (call.operation.scope == _ADMINISTRATION and ended.outcome == _OK)


def _refusal(call: Call, outcome: str) -> Refusal:
    principal = call.principal
    return Refusal(principal.team, principal.subject, principal.credential, call.operation.name, outcome)


def _record(call: Call, outcome: str, *, seconds: float = 0.0, has_ended: bool = True) -> AuditRecord:
    principal = call.principal
    return AuditRecord(
        call.number,
        call.at,
        principal.team,
        principal.subject,
        principal.client,
        principal.address,
        call.operation.name,
        call.object[:_MAX_OBJECT],
        outcome,
        seconds,
        call.bytes,
        has_ended,
    )


async def _stored(waiting: "Future[None]") -> None:
    try:
        async with asyncio.timeout(_WAIT_SECONDS):
            await asyncio.wrap_future(waiting)
    except TimeoutError:
        raise AuditUnavailable from None
