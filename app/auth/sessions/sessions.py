"""Begins, verifies and ends sessions. What was withdrawn from the token behind one ends it within a second."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final

from cachetools import TTLCache
from starlette.datastructures import Headers
from starlette.types import Scope

from app.auth.authentication import Origin, SessionEnded, token_principal
from app.auth.recent_lookups import RecentLookups
from app.auth.sessions.cookies import Cookie
from app.auth.sessions.csrf import CSRF_HEADER, CsrfTokens
from app.auth.token_verifier import TokenVerifier
from indexer.errors import Authentication, PlatformError
from indexer.tenancy import Principal
from mcp_server.access.session_store import (
    LONGEST_SECONDS,
    IssuerSignIn,
    Session,
    SessionStore,
    TokenSignIn,
    new_cookie,
    session_id,
)

if TYPE_CHECKING:
    from app.auth.sessions.issuer_sessions import IssuerSessions

_NAME: Final = "trawl_session"
_PATHS: Final = frozenset({"/", "/metrics"})
_PREFIXES: Final = ("/api/v1/", "/d/", "/auth/")
"""Where a cookie counts; never at the MCP endpoint, which programs call with a token."""
_ENDED_SECONDS: Final = 3_600
_MAX_ENDED: Final = 10_000
_SWEEP_SECONDS: Final = 3_600


class Sessions:
    """`authentication.Sessions`, for sign-ins with Trawl's own tokens and at the issuer."""

    def __init__(
        self,
        store: SessionStore,
        verifier: TokenVerifier,
        keys: tuple[bytes, ...],
        *,
        public_url: str,
        issuer: "IssuerSessions | None" = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the service's secret keys, the current one first."""
        self.cookie = Cookie(_NAME, LONGEST_SECONDS, public_url)
        self._csrf = CsrfTokens(keys)
        self._store = store
        self._verifier = verifier
        self._issuer = issuer
        self._now = now
        self._recent: RecentLookups[Session | None] = RecentLookups(now)
        # No other session ever gets the same id, so what has ended stays so and needs no look into the store.
        self._ended: TTLCache[str, bool] = TTLCache(_MAX_ENDED, _ENDED_SECONDS, now)
        self._swept_at = float("-inf")
        self._beside: set[asyncio.Task[None]] = set()

    def cookie_of(self, scope: Scope) -> str | None:
        path = scope["path"]
        return self.cookie.read(scope) if path in _PATHS or path.startswith(_PREFIXES) else None

    def check_csrf(self, cookie: str, scope: Scope) -> None:
        self._csrf.check(session_id(cookie), Headers(scope=scope).get(CSRF_HEADER, ""))

    async def principal(self, cookie: str, team: str | None, origin: Origin) -> Principal:
        id_ = session_id(cookie)
        if id_ in self._ended:
            raise SessionEnded(was_told=True)
        session = await self._recent.get(id_, lambda: self._look_up(id_))
        try:
            if session is None:
                raise SessionEnded
            return await self._principal_of(session, team, origin)
        except Authentication:
            was_told = id_ in self._ended
            self._ended[id_] = True
            if session is not None:
                await asyncio.to_thread(self._store.remove, id_)
            raise SessionEnded(was_told=was_told) from None

    def csrf_token(self, cookie: str) -> str:
        """Return what the page must send with each call that changes something."""
        return self._csrf.of(session_id(cookie))

    async def begin(self, subject: str, sign_in: Callable[[str], TokenSignIn | IssuerSignIn]) -> tuple[str, Session]:
        """Make a session and return it with its cookie; `sign_in` gets its id."""
        cookie = new_cookie()
        id_ = session_id(cookie)
        session = await asyncio.to_thread(self._store.create, id_, subject, sign_in(id_))
        if self._now() - self._swept_at > _SWEEP_SECONDS:
            self._swept_at = self._now()
            self._start(self._sweep())
        return cookie, session

    async def find(self, cookie: str) -> Session | None:
        """Return the session with this cookie; None if there is none any more."""
        return await asyncio.to_thread(self._store.find, session_id(cookie))

    async def end(self, cookie: str) -> None:
        """End a session, if there is one, in every process within a second; tell the issuer if it knows of it."""
        id_ = session_id(cookie)
        session = await self.find(cookie)
        self._ended[id_] = True
        await asyncio.to_thread(self._store.remove, id_)
        if session is not None and self._issuer is not None and isinstance(session.by, IssuerSignIn):
            await self._issuer.revoke(session.id, session.by)

    async def aclose(self) -> None:
        """Finish what runs beside the requests."""
        if self._beside:
            await asyncio.wait(self._beside)

    async def _principal_of(self, session: Session, team: str | None, origin: Origin) -> Principal:
        if isinstance(session.by, TokenSignIn):
            record = await self._verifier.verify_digest(session.by.digest, origin.client)
            if record is None:
                raise SessionEnded
            return token_principal(record, team, origin)
        if self._issuer is None:
            raise SessionEnded
        return await self._issuer.principal(session, session.by, team, origin)

    async def _look_up(self, id_: str) -> Session | None:
        session = await asyncio.to_thread(self._store.find, id_)
        if session is not None and not self._store.is_noted(session):
            self._start(self._note_use(id_))
        return session

    async def _note_use(self, id_: str) -> None:
        try:
            await asyncio.to_thread(self._store.note_use, id_)
        except PlatformError:
            return  # The next use is noted; nothing depends on this one.

    async def _sweep(self) -> None:
        try:
            await asyncio.to_thread(self._store.remove_over)
        except PlatformError:
            return  # The next sign-in sweeps again.

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._beside.add(task)
        task.add_done_callback(self._beside.discard)
