"""Lets browsers in and out: begins and ends their sessions, and records it."""

from collections.abc import Callable

from starlette.types import Scope

from app.auth.authentication import origin_of
from app.auth.sessions.sessions import Sessions
from indexer.audit.record import NO_TEAM
from mcp_server.access.session_store import IssuerSignIn, TokenSignIn
from mcp_server.audit.call_audit import CallAudit


class Entrance:
    """The way in and out. People of the issuer belong to no team here: they name one in each call."""

    def __init__(self, sessions: Sessions, audit: CallAudit) -> None:
        self._sessions = sessions
        self._audit = audit

    async def enter(self, scope: Scope, subject: str, sign_in: Callable[[str], TokenSignIn | IssuerSignIn]) -> str:
        """Begin a session in place of the one that the browser has; return its cookie.

        `sign_in` gets the id of the session. `AuditUnavailable` if it cannot be recorded.
        """
        before = self._sessions.cookie_of(scope)
        if before is not None:
            await self._sessions.end(before)
        cookie, session = await self._sessions.begin(subject, sign_in)
        origin = origin_of(scope)
        self._audit.signed(
            "sign_in", team=session.team or NO_TEAM, subject=subject, client=origin.client, address=origin.address
        )
        return cookie

    async def leave(self, scope: Scope) -> None:
        """End the session of the browser, if it has one; `WrongCsrfToken` if perhaps somebody else wants that."""
        cookie = self._sessions.cookie_of(scope)
        session = None if cookie is None else await self._sessions.find(cookie)
        if cookie is None or session is None:
            return
        self._sessions.check_csrf(cookie, scope)
        await self._sessions.end(cookie)
        origin = origin_of(scope)
        self._audit.signed(
            "sign_out",
            team=session.team or NO_TEAM,
            subject=session.subject,
            client=origin.client,
            address=origin.address,
        )
