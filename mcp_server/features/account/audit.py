"""Lists the calls of a team from the audit trail, and all calls for the operator."""

import asyncio
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from indexer.audit.entry import position_at
from indexer.audit.reading import read_page
from indexer.cursors import bind
from indexer.engines.audit_port import LogFilter
from indexer.errors import Invalid
from indexer.library import Library
from indexer.schema.dates import last_moment, moment, to_microseconds
from indexer.tenancy import Principal, TeamId
from mcp_server.features.account.arguments import ListAudit
from mcp_server.features.account.results import AuditResult
from mcp_server.services import Services

_CURSOR_SOURCE: Final = "audit"


@dataclass(frozen=True, slots=True)
class _AuditCursor:
    """The position of the last call."""

    position: str


async def list_audit(services: Services, principal: Principal, arguments: ListAudit) -> AuditResult:
    """Return the newest calls of the caller's team."""
    await asyncio.to_thread(services.audit.trail.flush)
    return await asyncio.to_thread(audit_page, services.library, principal.team, arguments)


def audit_page(library: Library, team: TeamId | None, arguments: ListAudit) -> AuditResult:
    """Return the newest calls of a team; for the operator (None) those of all teams, with failed authentications."""
    wanted = audit_filter(team, arguments)
    bound_to = bind(team or TeamId(""), _CURSOR_SOURCE, wanted._asdict())
    after = None
    if arguments.cursor is not None:
        after = library.cursors.read(arguments.cursor, bound_to, _AuditCursor).position
    records, position = read_page(library.engine.audit, wanted, after=after, limit=arguments.limit)
    cursor = None if position is None else library.cursors.write(_AuditCursor(position), bound_to)
    return AuditResult(success=True, records=records, next_cursor=cursor)


def audit_filter(team: TeamId | None, arguments: ListAudit) -> LogFilter:
    """Check the arguments; of the operator (None) they concern all teams."""
    since = None if arguments.since is None else _time("since", arguments.since)
    until = None if arguments.until is None else last_moment(arguments.until, _time("until", arguments.until))
    return LogFilter(
        team=team,
        subject=arguments.subject,
        operation=arguments.operation,
        outcome=arguments.outcome,
        first=None if since is None else position_at(_milliseconds(since)),
        end=None if until is None else position_at(_milliseconds(until) + 1),
    )


def _milliseconds(when: datetime) -> int:
    # In whole numbers: a sum of floats may fall short of the very millisecond that was asked for.
    return to_microseconds(when) // 1_000


def _time(name: str, text: str) -> datetime:
    when = moment(text)
    if when is None:
        raise Invalid(f"{name} is not a date", action="Write a date like 2026-07-01 or 2026-07-01T12:00:00Z")
    return when
