"""Operations on the caller's account and on the tokens of its team. They are for people, and no MCP tools."""

from typing import Final

from mcp_server.effect import CREATE, DELETE, READ
from mcp_server.features.account import arguments, results, service
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

OPERATIONS: Final = (_SHOW, _LIST, _CREATE, _REVOKE, _AUDIT)
