"""Runs an operation: the one way for every caller, whichever door it came in by."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from indexer.errors import PlatformError
from indexer.tenancy import Principal
from mcp_server.feature import advise
from mcp_server.operation import A, Operation, R
from mcp_server.services import Services

Read = Callable[[], Awaitable[A]]
"""Reads and validates arguments."""


async def run(
    operation: Operation[A, R],
    services: Services,
    principal: Principal,
    given: Mapping[str, Any] | Read[A],
) -> R:
    """Return the result, or raise `PlatformError`; arguments that must be read first are read once it is admitted."""
    try:
        async with admitted(operation, services, principal):
            arguments = operation.read(given) if isinstance(given, Mapping) else await given()
            return await operation.handler(services, principal, arguments)
    except PlatformError as error:
        advise(error, services.features)
        raise


@asynccontextmanager
async def admitted(operation: Operation[Any, Any], services: Services, principal: Principal) -> AsyncIterator[None]:
    """Count a call, and let it begin only where it is offered and its caller may make it now."""
    with services.measures.call(operation.name):
        services.selection.check(operation)
        async with services.admission.call(operation, principal):
            yield
