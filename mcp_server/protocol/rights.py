"""Refuses MCP requests that the caller's token does not allow, with status 403, before the SDK sees them.

`run` checks the same again. But its failures are results with status 200, and a client asks for more rights only at a
403.
"""

from typing import Any, Final

import orjson
from starlette.types import Scope

from indexer.tenancy import Principal
from mcp_server.access.scopes import ALL_SCOPES, InsufficientScope
from mcp_server.feature import operations_of
from mcp_server.operation import Operation
from mcp_server.protocol.request import header
from mcp_server.protocol.resources import Resources
from mcp_server.run import admitted
from mcp_server.services import Services

_CALL: Final = "tools/call"
_READ: Final = "resources/read"
_NAMED: Final = {_CALL: "name", _READ: "uri"}


class Rights:
    """Finds the operation that a request calls, and compares its scope with those of the caller."""

    def __init__(self, services: Services) -> None:
        self._tools = {each.name: each for each in operations_of(services.features) if each.text is not None}
        self._resources = Resources(services)
        self._services = services

    async def missing(self, scope: Scope, body: bytes, principal: Principal) -> InsufficientScope | None:
        """Return the failure of a request that the caller's scopes do not allow, counted and audited as a call."""
        if principal.scopes == ALL_SCOPES:
            return None
        operation = self._operation(*_called(scope, body))
        if operation is None or operation.scope in principal.scopes:
            return None
        try:
            async with admitted(operation, self._services, principal):
                return None
        except InsufficientScope as error:
            return error

    def _operation(self, method: str, name: str) -> Operation[Any, Any] | None:
        if method == _CALL:
            return self._tools.get(name)
        return self._resources.operation_of(name) if method == _READ else None


def _called(scope: Scope, body: bytes) -> tuple[str, str]:
    """Return the method and the name of what is called; newer clients say both in headers."""
    method = header(scope, b"mcp-method").decode("latin-1")
    if method:
        return method, header(scope, b"mcp-name").decode("latin-1")
    try:
        request = orjson.loads(body)
        method = request["method"]
        return method, request["params"][_NAMED[method]]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return "", ""
