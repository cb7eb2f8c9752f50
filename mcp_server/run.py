"""Runs an operation: the one entry point for MCP, REST and the command line."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from indexer.errors import PlatformError
from indexer.tenancy import Principal
from mcp_server.feature import advise
from mcp_server.operation import A, Operation, R
from mcp_server.services import Services

ReadArguments = Callable[[], Awaitable[A]]
"""Reads arguments from a request and validates them."""


async def run(
    operation: Operation[A, R],
    services: Services,
    principal: Principal,
    arguments: Mapping[str, Any] | ReadArguments[A],
) -> R:
    """Return the result, or raise `PlatformError`; a function that reads arguments is called after admission."""
    try:
        async with admitted(operation, services, principal):
            validated = operation.read(arguments) if isinstance(arguments, Mapping) else await arguments()
            return await operation.handler(services, principal, validated)
    except PlatformError as error:
        advise(error, services.features)
        raise


@asynccontextmanager
async def admitted(operation: Operation[Any, Any], services: Services, principal: Principal) -> AsyncIterator[None]:
    """Count a call; check that the operation is offered, and that scope and quota allow the call."""
    with services.metrics.call(operation.name):
        services.selection.check(operation)
        async with services.admission.call(operation, principal):
            yield
