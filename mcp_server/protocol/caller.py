"""The principal of an MCP call."""

from typing import Any

from starlette.requests import Request

from indexer.tenancy import Principal
from mcp_server.principal import principal_of


def caller_of(request: Any, local: Principal | None) -> Principal:
    """Return the local principal if the server has one, or else that of the HTTP request."""
    if local is not None:
        return local
    if not isinstance(request, Request):
        raise TypeError("no HTTP request and no local principal")
    return principal_of(request.scope)
