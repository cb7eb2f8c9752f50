"""Who makes a call over MCP."""

from typing import Any

from mcp.server.mcpserver import Context
from starlette.requests import Request

from indexer.tenancy import Principal
from mcp_server.principal import principal_of


def caller_of(context: Context[Any, Any] | None, local: Principal | None) -> Principal:
    """Return the principal of the request, or the local one where the call came over no HTTP."""
    request = None if context is None else context.request_context.request
    return caller_of_request(request, local)


def caller_of_request(request: Any, local: Principal | None) -> Principal:
    """Return whom a request is made for; the local one was given to the server by whoever started it."""
    if local is not None:
        return local
    if not isinstance(request, Request):
        raise TypeError("a call that came over no HTTP, to a server that was given no local principal")
    return principal_of(request.scope)
