"""Operations on the caller's account and on the tokens of its team. They are for people, and no MCP tools."""

from typing import Final

from mcp_server.effect import CREATE, DELETE, READ
from mcp_server.features.account import arguments, own_tokens, results, service
from mcp_server.features.account.audit import list_audit
from mcp_server.operation import ANY_SCOPE, Group, Operation
from mcp_server.route import Route

_GROUP: Final = Group("account", guidance="", reads="admin", changes="admin")

_SHOW: Final = Operation(
    name="account",
    title="Show who I am and what I may do",
    description="The team, subject, scopes and limits of the caller.",
    group=_GROUP,
    effect=READ,
    arguments=arguments.ShowAccount,
    result=results.AccountResult,
    handler=service.show_account,
    route=Route("GET", "/api/v1/me"),
    text=None,
    own_scope=ANY_SCOPE,
)
_LIST: Final = Operation(
    name="token_list",
    title="List the team's tokens",
    description="The tokens of the team with their scopes and last use, never the tokens themselves.",
    group=_GROUP,
    effect=READ,
    arguments=arguments.ListTokens,
    result=results.TokensResult,
    handler=service.list_tokens,
    route=Route("GET", "/api/v1/tokens"),
    text=None,
)
_CREATE: Final = Operation(
    name="token_create",
    title="Create a token",
    description="A new token of the team. It is shown once.",
    group=_GROUP,
    effect=CREATE,
    arguments=arguments.CreateToken,
    result=results.CreatedToken,
    handler=service.create_token,
    route=Route("POST", "/api/v1/tokens"),
    text=None,
)
_REVOKE: Final = Operation(
    name="token_revoke",
    title="Revoke a token",
    description="The token no longer works, in any process, within a second.",
    group=_GROUP,
    effect=DELETE,
    arguments=arguments.RevokeToken,
    result=results.RevokedToken,
    handler=service.revoke_token,
    route=Route("DELETE", "/api/v1/tokens/{token_id}"),
    text=None,
)
_AUDIT: Final = Operation(
    name="audit_list",
    title="List who did what",
    description="The calls of the team, newest first, with who called, what it concerned and how it ended.",
    group=_GROUP,
    effect=READ,
    arguments=arguments.ListAudit,
    result=results.AuditResult,
    handler=list_audit,
    route=Route("GET", "/api/v1/audit"),
    text=None,
)

_LIST_OWN: Final = Operation(
    name="own_token_list",
    title="List my tokens",
    description="The tokens that the caller made for itself, with their scopes and last use.",
    group=_GROUP,
    effect=READ,
    arguments=arguments.ListOwnTokens,
    result=results.TokensResult,
    handler=own_tokens.list_own_tokens,
    route=Route("GET", "/api/v1/me/tokens"),
    text=None,
    own_scope=ANY_SCOPE,
)
_CREATE_OWN: Final = Operation(
    name="own_token_create",
    title="Create a token for myself",
    description="A new token that acts as the caller, with its rights or fewer, for 90 days at most. It is shown once.",
    group=_GROUP,
    effect=CREATE,
    arguments=arguments.CreateOwnToken,
    result=results.CreatedToken,
    handler=own_tokens.create_own_token,
    route=Route("POST", "/api/v1/me/tokens"),
    text=None,
    own_scope=ANY_SCOPE,
)
_REVOKE_OWN: Final = Operation(
    name="own_token_revoke",
    title="Revoke a token of mine",
    description="The token no longer works, in any process, within a second.",
    group=_GROUP,
    effect=DELETE,
    arguments=arguments.RevokeOwnToken,
    result=results.RevokedToken,
    handler=own_tokens.revoke_own_token,
    route=Route("DELETE", "/api/v1/me/tokens/{token_id}"),
    text=None,
    own_scope=ANY_SCOPE,
)
_OWN_CALLS: Final = Operation(
    name="own_calls",
    title="List what I did",
    description="The calls of the caller and of the tokens that it made for itself, newest first.",
    group=_GROUP,
    effect=READ,
    arguments=arguments.ListOwnCalls,
    result=results.AuditResult,
    handler=own_tokens.list_own_calls,
    route=Route("GET", "/api/v1/me/calls"),
    text=None,
    own_scope=ANY_SCOPE,
)

OPERATIONS: Final = (_SHOW, _LIST, _CREATE, _REVOKE, _AUDIT, _LIST_OWN, _CREATE_OWN, _REVOKE_OWN, _OWN_CALLS)
