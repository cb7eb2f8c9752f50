"""The principal of an MCP call."""

from typing import Any

from mcp.server.mcpserver import Context
from starlette.requests import Request

from indexer.tenancy import Principal
from mcp_server.principal import principal_of


def caller_of(context: Context[Any, Any] | None, local: Principal | None) -> Principal:
    """Return the principal of the HTTP request, or the local one of a server on stdio."""
    request = None if context is None else context.request_context.request
    return caller_of_request(request, local)


def caller_of_request(request: Any, local: Principal | None) -> Principal:
    """Return the local principal if the server has one, or else that of the HTTP request."""
    if local is not None:
        return local
    if not isinstance(request, Request):
        raise TypeError("no HTTP request and no local principal")
    return principal_of(request.scope)
