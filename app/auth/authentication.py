"""Decides who sends a request: by its token, or as nobody in particular while authentication is off."""

import hmac
from dataclasses import dataclass, replace
from typing import Final, Protocol

from starlette.datastructures import Headers
from starlette.types import Scope

from app.auth.bearer import bearer_token
from app.auth.forwarded import is_forwarded
from app.auth.team_choice import choose_team, drop_team_parameter, requested_team
from app.auth.token_verifier import TokenVerifier
from app.principals import ANONYMOUS, LOCAL
from app.settings import AppSettings, needs_tokens
from indexer.errors import Authentication
from indexer.tenancy import Principal, team_id
from mcp_server.access.limits.failed_attempts import FailedAttempts
from mcp_server.access.token_format import PREFIX
from mcp_server.access.token_store import TokenRecord

_MAX_CLIENT: Final = 100


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a request comes from."""

    client: str
    address: str


class OtherTokens(Protocol):
    """Verifies tokens that somebody else issued."""

    async def principal(self, token: str, team: str | None, origin: Origin) -> Principal:
        """Return the principal of a valid token, in the team that it chose; `Authentication` for any other."""


class RequestAuthentication:
    """Authenticates requests by the settings."""

    def __init__(
        self,
        settings: AppSettings,
        verifier: TokenVerifier,
        attempts: FailedAttempts,
        *,
        local_secret: str,
        others: OtherTokens | None = None,
    ) -> None:
        self._is_required = needs_tokens(settings)
        self._requires_if_forwarded = settings.auth == "auto"
        self._verifier = verifier
        self._attempts = attempts
        self._local_secret = local_secret
        self._others = others

    async def principal(self, scope: Scope) -> Principal:
        """Return the principal of a request; `Authentication` if it needs a token and has no valid one.

        `RateLimited` if too many tokens from its network address were wrong.
        """
        headers = Headers(scope=scope)
        required = self._is_required or (self._requires_if_forwarded and is_forwarded(scope))
        token = bearer_token(headers) if required or _has_own_token(headers) else None
        if token is None:
            if required:
                raise MissingToken
            return ANONYMOUS
        principal = await self._verify(token, requested_team(scope), origin_of(scope))
        drop_team_parameter(scope)
        return principal

    async def check(self, scope: Scope) -> None:
        """Raise `Authentication` or `Authorization` if the token of a request that was admitted is no longer valid."""
        token = bearer_token(Headers(scope=scope))
        if token is not None:
            await self._identify(token, requested_team(scope), origin_of(scope))

    async def _verify(self, token: str, team: str | None, origin: Origin) -> Principal:
        if hmac.compare_digest(token.encode(), self._local_secret.encode()):
            return LOCAL if team is None else replace(LOCAL, team=team_id(team))
        self._attempts.check(token, origin.address)
        try:
            principal = await self._identify(token, team, origin)
        except Authentication:
            await self._attempts.failed(origin.address)
            raise
        self._attempts.succeeded(token)
        return principal

    async def _identify(self, token: str, team: str | None, origin: Origin) -> Principal:
        if token.startswith(PREFIX):
            record = await self._verifier.verify(token, origin.client)
            if record is not None:
                return _principal_of(record, team, origin)
        elif self._others is not None:
            return await self._others.principal(token, team, origin)
        raise InvalidToken


class MissingToken(Authentication):
    """The request has no token."""

    def __init__(self) -> None:
        super().__init__(
            "This service needs a token",
            action="Send the header Authorization: Bearer <token>; an administrator of your team can make one",
            command="trawl token create --team TEAM --scopes search",
        )


class InvalidToken(Authentication):
    """The token is unknown, revoked, expired or meant for another service."""

    def __init__(
        self,
        reason: str = "The token is not valid: it is unknown, expired or revoked",
        action: str = "Ask an administrator of your team for a new token",
    ) -> None:
        super().__init__(reason, action=action, details={"token": "invalid"})


def origin_of(scope: Scope) -> Origin:
    """Return where a request comes from."""
    client, address = Headers(scope=scope).get("user-agent", ""), (scope.get("client") or ("", 0))[0]
    # A trusted proxy may pass on as an address whatever it was sent.
    return Origin(_printable(client), _printable(address))


def _has_own_token(headers: Headers) -> bool:
    """While authentication is off, other tokens are ignored: clients are often set up with a placeholder."""
    return any(PREFIX in value for value in headers.getlist("authorization"))


def _principal_of(record: TokenRecord, team: str | None, origin: Origin) -> Principal:
    return Principal(
        team=choose_team((record.team,), team),
        subject=record.subject,
        scopes=frozenset(record.scopes),
        indices=None if record.indices is None else frozenset(record.indices),
        credential=record.id,
        client=origin.client,
        address=origin.address,
    )


def _printable(text: str) -> str:
    # Nearly all are printable, and each request has two.
    shown = text if text.isprintable() else "".join(character for character in text if character.isprintable())
    return shown[:_MAX_CLIENT]
