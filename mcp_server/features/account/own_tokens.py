"""Tokens that callers make for themselves, and the calls of callers and of these tokens.

A token that somebody made for itself acts as its maker, with no more rights. So the audit, jobs and an erasure name one
subject for all calls of a person.
"""

import asyncio
from typing import Final

from indexer.errors import Authorization, Conflict, Invalid
from indexer.tenancy import Principal, index_name
from mcp_server.access.indices import LimitedToIndices
from mcp_server.access.lifetime import parse_lifetime
from mcp_server.access.scopes import InsufficientScope, parse_scopes
from mcp_server.features.account.arguments import (
    CreateOwnToken,
    CreateToken,
    ListAudit,
    ListOwnCalls,
    ListOwnTokens,
    RevokeOwnToken,
)
from mcp_server.features.account.audit import list_audit
from mcp_server.features.account.results import AuditResult, CreatedToken, NewToken, RevokedToken, TokensResult
from mcp_server.features.account.service import MadeForItself, issue_token, token_entries
from mcp_server.services import Services

_LONGEST: Final = "90d"
_MAX_TOKENS: Final = 100


class MayNotMakeTokens(Authorization):
    """The caller is no person of the issuer, and no administrator."""

    def __init__(self) -> None:
        super().__init__(
            "A token without the scope admin may not make tokens",
            action="Sign in through the issuer, if this service has one, or ask an administrator of your team for a "
            "token",
            details={"makers": ["issuer", "admin"]},
        )


class TooManyTokens(Conflict):
    """One caller has made so many tokens that nobody can still know what they are for."""

    def __init__(self) -> None:
        super().__init__(
            f"You have {_MAX_TOKENS} tokens already", action="Revoke some of your tokens, then make the new one"
        )


async def list_own_tokens(services: Services, principal: Principal, _: ListOwnTokens) -> TokensResult:
    """Return the tokens that the caller, or the owner of its token, made for itself in this team."""
    records = await asyncio.to_thread(services.tokens.of_owner, principal.team, _owner(principal))
    return TokensResult(success=True, tokens=token_entries(records))


async def create_own_token(services: Services, principal: Principal, arguments: CreateOwnToken) -> CreatedToken:
    """Create a token that may do no more than the caller, and not for longer than 90 days."""
    if principal.owner:
        raise MadeForItself
    if not principal.signed_in and "admin" not in principal.scopes:
        raise MayNotMakeTokens
    new = await asyncio.to_thread(_issue, services, principal, _within_rights(principal, arguments))
    return CreatedToken(success=True, **new)


async def revoke_own_token(services: Services, principal: Principal, arguments: RevokeOwnToken) -> RevokedToken:
    """Revoke a token that the caller made for itself; such a token may revoke itself alone."""
    if principal.owner and arguments.token_id != principal.credential:
        raise MadeForItself
    await asyncio.to_thread(services.tokens.revoke, principal.team, arguments.token_id, _owner(principal))
    return RevokedToken(success=True, status="revoked", id=arguments.token_id)


async def list_own_calls(services: Services, principal: Principal, arguments: ListOwnCalls) -> AuditResult:
    """Return the newest calls of the caller and of its tokens, in this team."""
    wanted = ListAudit(subject=principal.subject, **arguments.model_dump())
    return await list_audit(services, principal, wanted)


def _owner(principal: Principal) -> str:
    # While authentication is off, nobody has a credential.
    return principal.owner or principal.credential or principal.subject


def _within_rights(principal: Principal, arguments: CreateOwnToken) -> CreateToken:
    """Return the request as one of an administrator, having checked that the caller has all these rights itself."""
    missing = parse_scopes(arguments.scopes) - principal.scopes
    if missing:
        raise InsufficientScope(missing)
    if parse_lifetime(arguments.expires) > parse_lifetime(_LONGEST):
        raise Invalid("Your own tokens live 90 days at most", action=f"Set expires to {_LONGEST} or less")
    indices = principal.indices if arguments.indices is None else frozenset(map(index_name, arguments.indices))
    if indices is not None and not all(map(principal.may_use, indices)):
        raise LimitedToIndices(principal)
    return CreateToken(
        scopes=arguments.scopes,
        name=arguments.name,
        indices=None if indices is None else sorted(indices),
        expires=arguments.expires,
    )


def _issue(services: Services, principal: Principal, wanted: CreateToken) -> NewToken:
    owner = _owner(principal)
    if len(services.tokens.of_owner(principal.team, owner)) >= _MAX_TOKENS:
        raise TooManyTokens
    return issue_token(services.tokens, principal.team, wanted, created_by=principal.subject, owner=owner)
