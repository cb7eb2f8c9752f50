"""The principal of an HTTP request: middleware stores it in the ASGI scope, MCP and the routes read it there."""

from typing import Any, Final

from indexer.tenancy import Principal

_KEY: Final = "trawl.principal"


def put_principal(scope: Any, principal: Principal) -> None:
    """Store the principal in an ASGI scope."""
    scope[_KEY] = principal


def principal_of(scope: Any) -> Principal:
    """Return the principal of a request; a `KeyError` is a bug, since the middleware did not run."""
    principal: Principal = scope[_KEY]
    return principal
