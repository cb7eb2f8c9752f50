"""Long strings of an MCP request: they pass by the SDK, which would copy them several times at once."""

from dataclasses import replace
from typing import Any, Final

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from starlette.requests import Request
from starlette.types import Scope

from mcp_server.json_body.checked import CheckedBody

_KEY: Final = "trawl.body"


def put_body(scope: Scope, body: CheckedBody) -> None:
    """Store the request's body in the ASGI scope."""
    scope[_KEY] = body


async def restore_long_strings(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Put the long strings back into the parameters, as middleware."""
    body = ctx.request.scope.get(_KEY) if isinstance(ctx.request, Request) else None
    return await call_next(ctx if body is None else replace(ctx, params=body.restored(ctx.params)))
