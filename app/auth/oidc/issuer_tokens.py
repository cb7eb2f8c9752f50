"""Authenticates callers by tokens of the configured issuer."""

import asyncio
from typing import Self

from app.auth.authentication import InvalidToken, Origin
from app.auth.oidc.claims import VerifiedToken
from app.auth.oidc.fetch_keys import fetch_keys
from app.auth.oidc.issuer_http import IssuerHttp
from app.auth.oidc.jwt_verifier import JwtVerifier
from app.auth.oidc.key_cache import KeyCache
from app.auth.recent_lookups import RecentLookups
from app.auth.team_choice import choose_team
from app.settings import AppSettings
from indexer.tenancy import Principal
from mcp_server.access.denied_subjects import DeniedSubjects, subject_key


class IssuerTokens:
    """Makes principals of tokens. Contacts the issuer at the first token, not before."""

    def __init__(self, settings: AppSettings, issuer: str, denied: DeniedSubjects) -> None:
        self._issuer = issuer
        self._denied = denied
        self._recent: RecentLookups[bool] = RecentLookups()
        self._http = IssuerHttp(settings.oidc_ca)
        self._keys = KeyCache(lambda: fetch_keys(self._http, issuer, settings.oidc_algorithms))
        self._verifier = JwtVerifier(settings, issuer, self._keys)

    async def principal(self, token: str, team: str | None, origin: Origin) -> Principal:
        """Return the principal of a valid token, in the team that it chose; `InvalidToken` for any other."""
        return self.principal_of(await self.verify(token), team, origin)

    async def verify(self, token: str) -> VerifiedToken:
        """Return what a valid token says; `InvalidToken` for any other, and for one of a denied subject."""
        verified = await self._verifier.verify(token)
        key = subject_key(self._issuer, verified.subject)
        if await self._recent.get(key, lambda: asyncio.to_thread(self._denied.is_denied, key)):
            raise InvalidToken("The token's subject is denied", action="Ask the operator of this service")
        return verified

    def principal_of(self, verified: VerifiedToken, team: str | None, origin: Origin) -> Principal:
        """Return the principal of a verified token, in the team that it chose."""
        return Principal(
            team=choose_team(verified.teams, team),
            subject=verified.subject,
            scopes=verified.scopes,
            teams=verified.teams,
            credential=subject_key(self._issuer, verified.subject),
            signed_in=True,
            client=verified.client or origin.client,
            address=origin.address,
        )

    async def aclose(self) -> None:
        """Stop fetching keys, and close the connections."""
        await self._keys.aclose()
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
