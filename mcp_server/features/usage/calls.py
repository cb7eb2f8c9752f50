"""The calls of a team by operation: from the audit trail, or as this process has counted them."""

import asyncio
import math
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from indexer.audit.entry import position_at
from indexer.audit.reading import AuditEntry, read_page
from indexer.audit.record import UNKNOWN
from indexer.engines.audit_port import AuditLog, LogFilter
from indexer.errors import PlatformError
from indexer.schema.dates import format_utc
from indexer.tenancy import Principal, TeamId
from mcp_server.features.usage.results import OperationUse, Scope
from mcp_server.observability.call_metrics import CallMetrics
from mcp_server.services import Services

_PERIOD_SECONDS: Final = 86_400.0
_MAX_RECORDS: Final = 10_000
_NO_FAILURE: Final = frozenset({"ok", "cancelled", UNKNOWN})


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls by operation, and what they cover."""

    operations: list[OperationUse]
    scope: Scope
    since: str
    truncated: bool = False


async def calls_of(services: Services, principal: Principal) -> Calls:
    """Return the team's calls of the last day, at most 10,000.

    While authentication is off, or the audit trail cannot be read, they are the calls of this process.
    """
    if principal.credential:
        try:
            return await asyncio.to_thread(_audited, services.library.engine.audit, principal.team)
        except PlatformError:
            return _counted(services.metrics)
    return _counted(services.metrics)


def _audited(log: AuditLog, team: TeamId) -> Calls:
    first = time.time() - _PERIOD_SECONDS
    wanted = LogFilter(team=team, first=position_at(round(first * 1_000)))
    records, after = read_page(log, wanted, after=None, limit=_MAX_RECORDS)
    by_operation: defaultdict[str, list[AuditEntry]] = defaultdict(list)
    for record in records:
        by_operation[record["operation"]].append(record)
    since = _time(first) if after is None else records[-1]["time"]
    uses = (_use(operation, entries) for operation, entries in by_operation.items())
    return Calls(_sorted(uses), "team", since, truncated=after is not None)


def _use(operation: str, entries: Sequence[AuditEntry]) -> OperationUse:
    durations = sorted(entry["duration_ms"] for entry in entries if entry["outcome"] != UNKNOWN)
    return OperationUse(
        operation=operation,
        calls=len(entries),
        failures=sum(entry["outcome"] not in _NO_FAILURE for entry in entries),
        median_ms=_quantile(durations, 0.5),
        p95_ms=_quantile(durations, 0.95),
    )


def _counted(metrics: CallMetrics) -> Calls:
    uses = []
    for operation, durations in metrics.durations.items():
        outcomes = {outcome: count for (name, outcome), count in metrics.calls.items() if name == operation}
        uses.append(
            OperationUse(
                operation=operation,
                calls=sum(outcomes.values()),
                failures=sum(count for outcome, count in outcomes.items() if outcome not in _NO_FAILURE),
                median_ms=_milliseconds(durations.quantile(0.5)),
                p95_ms=_milliseconds(durations.quantile(0.95)),
            )
        )
    return Calls(_sorted(uses), "process", _time(metrics.since))


def _sorted(uses: Iterable[OperationUse]) -> list[OperationUse]:
    return sorted(uses, key=lambda use: (-use["calls"], use["operation"]))


def _quantile(durations: Sequence[int], share: float) -> int | None:
    """Return the duration that this share of the calls does not exceed."""
    return durations[math.ceil(share * len(durations)) - 1] if durations else None


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1_000)


def _time(seconds: float) -> str:
    return format_utc(datetime.fromtimestamp(seconds, UTC), "seconds")
