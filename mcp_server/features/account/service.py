"""Shows accounts; creates, lists and revokes tokens of a team."""

import asyncio
from collections.abc import Iterable

from indexer.errors import Authorization
from indexer.tenancy import Principal, TeamId, index_name
from mcp_server.access.lifetime import parse_lifetime
from mcp_server.access.scopes import SCOPES, parse_scopes
from mcp_server.access.token_store import TokenRecord, TokenStore
from mcp_server.features.account.arguments import CreateToken, ListTokens, RevokeToken, ShowAccount
from mcp_server.features.account.results import (
    AccountResult,
    CreatedToken,
    NewToken,
    RevokedToken,
    TokenEntry,
    TokensResult,
)
from mcp_server.services import Services


class MadeForItself(Authorization):
    """A token that somebody made for itself manages no tokens: whoever found it must not come to others."""

    def __init__(self) -> None:
        super().__init__(
            "A token that you made for yourself may not make or revoke others",
            action="Do it where you are signed in yourself, or with the token that you made this one with",
        )


async def show_account(services: Services, principal: Principal, _: ShowAccount) -> AccountResult:
    """Return who the caller is, and what limits it and its team have."""
    return AccountResult(
        success=True,
        team=principal.team,
        teams=list(principal.teams or (principal.team,)),
        subject=principal.subject,
        scopes=_in_order(principal.scopes),
        indices=None if principal.indices is None else sorted(principal.indices),
        limits=await services.limits.of(principal),
    )


async def list_tokens(services: Services, principal: Principal, _: ListTokens) -> TokensResult:
    """Return the tokens of the caller's team."""
    records = await asyncio.to_thread(services.tokens.of_team, principal.team)
    return TokensResult(success=True, tokens=token_entries(records))


async def create_token(services: Services, principal: Principal, arguments: CreateToken) -> CreatedToken:
    """Create a token of the caller's team."""
    if principal.owner:
        raise MadeForItself
    new = await asyncio.to_thread(issue_token, services.tokens, principal.team, arguments, created_by=principal.subject)
    return CreatedToken(success=True, **new)


async def revoke_token(services: Services, principal: Principal, arguments: RevokeToken) -> RevokedToken:
    """Revoke a token of the caller's team."""
    await asyncio.to_thread(services.tokens.revoke, principal.team, arguments.token_id)
    return RevokedToken(success=True, status="revoked", id=arguments.token_id)


def issue_token(
    store: TokenStore, team: TeamId, arguments: CreateToken, *, created_by: str, owner: str | None = None
) -> NewToken:
    """Check the arguments and create the token; `owner` is the credential that makes it for itself. Blocking."""
    issued = store.issue(
        team,
        parse_scopes(arguments.scopes),
        name=arguments.name,
        created_by=created_by,
        indices=None if arguments.indices is None else {index_name(name) for name in arguments.indices},
        lifetime=None if arguments.expires is None else parse_lifetime(arguments.expires),
        owner=owner,
    )
    record = issued.record
    return NewToken(
        id=record.id,
        token=issued.token,
        team=record.team,
        scopes=_in_order(record.scopes),
        name=record.name,
        indices=None if record.indices is None else list(record.indices),
        expires_at=record.expires_at,
    )


def token_entries(records: Iterable[TokenRecord]) -> list[TokenEntry]:
    """Return what is told of tokens."""
    return [
        TokenEntry(
            id=record.id,
            name=record.name,
            team=record.team,
            scopes=_in_order(record.scopes),
            indices=None if record.indices is None else list(record.indices),
            created_at=record.created_at,
            created_by=record.created_by,
            expires_at=record.expires_at,
            last_used_at=record.last_used_at,
            last_client=record.last_client,
        )
        for record in records
    ]


def _in_order(scopes: frozenset[str] | tuple[str, ...]) -> list[str]:
    return [scope for scope in SCOPES if scope in scopes]
