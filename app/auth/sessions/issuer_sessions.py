"""Sessions of people of the issuer: their tokens are verified like any other, and renewed before they expire."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from app.auth.authentication import InvalidToken, Origin
from app.auth.login.sign_in_place import SignInPlace
from app.auth.login.token_request import IssuedTokens, renew_tokens, revoke_token
from app.auth.oidc.issuer_http import IssuerHttp, IssuerUnavailable
from app.auth.oidc.issuer_tokens import IssuerTokens
from app.auth.sessions.issuer_place import IssuerPlace
from app.auth.sessions.seal import Seal
from indexer.errors import PlatformError
from indexer.tenancy import Principal
from mcp_server.access.session_store import IssuerSignIn, Session, SessionStore

_PURPOSE: Final = b"trawl session"
_MARGIN_SECONDS: Final = 30.0
"""A token is renewed a little early, so that it does not expire on its way."""
_LEASE_SECONDS: Final = 20.0
"""Longer than the issuer may take to answer; after that another process tries."""
_POLL_SECONDS: Final = 0.1
_UNKNOWN_SECONDS: Final = 60.0
"""How long a token is taken to last whose issuer does not say."""


class IssuerSessions:
    """Keeps the tokens of sessions usable. However many requests and processes need one, it is renewed once."""

    def __init__(
        self,
        store: SessionStore,
        tokens: IssuerTokens,
        http: IssuerHttp,
        place: IssuerPlace,
        keys: tuple[bytes, ...],
        *,
        now: Callable[[], float] = time.time,
    ) -> None:
        """Take the service's secret keys, the current one first."""
        self._store = store
        self._tokens = tokens
        self._http = http
        self._place = place
        self._seal = Seal(keys, _PURPOSE)
        self._now = now
        self._renewals: dict[str, asyncio.Task[IssuerSignIn]] = {}

    def sign_in(self, id_: str, issued: IssuedTokens, *, expires_at: float) -> IssuerSignIn:
        """Return what a session with this id keeps of the tokens that were issued."""
        return IssuerSignIn(self._seal.seal([issued.access_token, issued.refresh_token], id_), expires_at)

    async def principal(self, session: Session, by: IssuerSignIn, team: str | None, origin: Origin) -> Principal:
        """Return the principal of a session; `Authentication` if the issuer or this service lets it no longer in."""
        if self._is_due(by):
            by = await self._renewed(session.id, by)
        access_token, _ = self._open(session.id, by)
        verified = await self._tokens.verify(access_token)
        if verified.subject != session.subject:
            raise InvalidToken
        return self._tokens.principal_of(verified, team, origin)

    async def revoke(self, id_: str, by: IssuerSignIn) -> None:
        """Tell the issuer that a session has ended. If it cannot be told, its tokens expire by themselves."""
        try:
            access_token, refresh_token = self._open(id_, by)
            place = await self._place.get()
        except PlatformError:
            return
        endpoint = place.metadata.address("revocation_endpoint")
        await revoke_token(self._http, endpoint, refresh_token or access_token, client_id=place.client_id)

    async def aclose(self) -> None:
        """Let renewals end: an issuer may have replaced a refresh token already, and nobody else knows the new one."""
        if self._renewals:
            await asyncio.wait(self._renewals.values())

    def _is_due(self, by: IssuerSignIn) -> bool:
        return by.expires_at <= self._now() + _MARGIN_SECONDS

    def _open(self, id_: str, by: IssuerSignIn) -> tuple[str, str | None]:
        opened = self._seal.open(by.sealed, id_)
        if opened is None:
            raise InvalidToken  # The service's key is another one now.
        return opened[0], opened[1]

    async def _renewed(self, id_: str, by: IssuerSignIn) -> IssuerSignIn:
        """Return renewed tokens, or these while the issuer does not answer and they are still valid."""
        task = self._renewals.get(id_)
        if task is None:
            task = asyncio.create_task(self._renew(id_))
            self._renewals[id_] = task
            task.add_done_callback(lambda done: self._forget(id_, done))
        try:
            # Shielded: a browser that leaves must not end what the others wait for.
            return await asyncio.shield(task)
        except IssuerUnavailable:
            if by.expires_at <= self._now():
                raise
            return by

    def _forget(self, id_: str, task: "asyncio.Task[IssuerSignIn]") -> None:
        del self._renewals[id_]
        if not task.cancelled():
            task.exception()  # retrieved, so that asyncio does not log it if all requests have left

    async def _renew(self, id_: str) -> IssuerSignIn:
        place = await self._place.get()
        patience = self._now() + _LEASE_SECONDS
        while True:
            due_at = self._now() + _MARGIN_SECONDS
            leased = await asyncio.to_thread(self._store.lease_renewal, id_, _LEASE_SECONDS, due_at=due_at)
            if leased is not None:
                return await self._request(id_, leased, place)
            latest = await asyncio.to_thread(self._store.find, id_)
            if latest is None or not isinstance(latest.by, IssuerSignIn):
                raise InvalidToken
            if not self._is_due(latest.by):
                return latest.by
            if self._now() > patience:
                raise IssuerUnavailable
            await asyncio.sleep(_POLL_SECONDS)

    async def _request(self, id_: str, leased: IssuerSignIn, place: SignInPlace) -> IssuerSignIn:
        _, refresh_token = self._open(id_, leased)
        if refresh_token is None:
            raise InvalidToken("The token has expired", action="Sign in again")
        try:
            issued = await renew_tokens(
                self._http,
                place.token_endpoint,
                refresh_token,
                client_id=place.client_id,
                resource=place.resource,
            )
        except IssuerUnavailable:
            await asyncio.to_thread(self._store.put_tokens, id_, replace(leased, renewing_until=0.0))
            raise
        renewed = self.sign_in(id_, issued, expires_at=issued.expires_at or self._now() + _UNKNOWN_SECONDS)
        if not await asyncio.to_thread(self._store.put_tokens, id_, renewed):
            # Somebody signed out meanwhile.
            await self.revoke(id_, renewed)
            raise InvalidToken
        return renewed
