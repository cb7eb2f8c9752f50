"""Authenticates callers by tokens of the configured issuer."""

import asyncio
from typing import Self

from app.auth.authentication import InvalidToken, Origin
from app.auth.oidc.discovery import discover
from app.auth.oidc.issuer_http import IssuerHttp, IssuerUnavailable
from app.auth.oidc.jwt_verifier import JwtVerifier
from app.auth.oidc.key_cache import KeyCache
from app.auth.oidc.signing_keys import SigningKeys
from app.auth.recent_lookups import RecentLookups
from app.auth.team_choice import choose_team
from app.settings import AppSettings
from indexer.tenancy import Principal
from mcp_server.access.denied_subjects import DeniedSubjects, subject_key


class IssuerTokens:
    """Makes principals of tokens. Contacts the issuer at the first token, not before."""

    def __init__(self, settings: AppSettings, issuer: str, denied: DeniedSubjects) -> None:
        self._settings = settings
        self._issuer = issuer
        self._denied = denied
        self._recent: RecentLookups[bool] = RecentLookups()
        self._http = IssuerHttp(settings.oidc_ca)
        self._keys = KeyCache(self.load_keys)
        self._verifier = JwtVerifier(settings, issuer, self._keys)

    async def principal(self, token: str, team: str | None, origin: Origin) -> Principal:
        """Return the principal of a valid token, in the team that it chose; `InvalidToken` for any other."""
        verified = await self._verifier.verify(token)
        credential = subject_key(self._issuer, verified.subject)
        if await self._recent.get(credential, lambda: asyncio.to_thread(self._denied.is_denied, credential)):
            raise InvalidToken("The token's subject is denied", action="Ask the operator of this service")
        return Principal(
            team=choose_team(verified.teams, team),
            subject=verified.subject,
            scopes=verified.scopes,
            teams=verified.teams,
            credential=credential,
            client=verified.client or origin.client,
            address=origin.address,
        )

    async def load_keys(self) -> SigningKeys:
        """Fetch the issuer's keys; a `PlatformError` says what is wrong with the issuer or the settings."""
        metadata = await discover(self._http, self._issuer)
        address = metadata.address("jwks_uri")
        if address is None:
            raise IssuerUnavailable("its document does not say where its keys are")
        reply = await self._http.get(address)
        keys = SigningKeys(reply.body, self._settings.oidc_algorithms)
        if reply.status != 200 or not keys:
            raise IssuerUnavailable("it shows no key for the signatures that are accepted")
        return keys

    async def aclose(self) -> None:
        """Stop fetching keys, and close the connections."""
        await self._keys.aclose()
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()
