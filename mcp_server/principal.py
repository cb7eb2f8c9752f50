"""On whose behalf a request over HTTP is made: its middleware puts that into the scope, for MCP and routes alike."""

from typing import Any, Final

from indexer.tenancy import Principal

_KEY: Final = "trawl.principal"


def put_principal(scope: Any, principal: Principal) -> None:
    """Say who makes the request of this ASGI scope."""
    scope[_KEY] = principal


def principal_of(scope: Any) -> Principal:
    """Return who makes the request; a request that passed no such middleware is answered as a bug."""
    principal: Principal = scope[_KEY]
    return principal
