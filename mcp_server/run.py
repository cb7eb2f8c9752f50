"""Runs an operation: the one entry point for MCP, REST and the command line."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import Any

from indexer.deadline import TimeLimit
from indexer.errors import PlatformError
from indexer.open_files import is_out_of_files, too_many_files
from indexer.tenancy import Principal
from mcp_server.access.indices import LimitedToIndices
from mcp_server.admission import Call
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
        async with admitted(operation, services, principal) as call:
            validated = operation.read(arguments) if isinstance(arguments, Mapping) else await arguments()
            call.object = operation.object_of(validated)
            _check_index(operation, principal, validated)
            async with services.admission.room(call, validated):
                await services.admission.begin(call)
                try:
                    async with _time_limit(operation, services):
                        result = await operation.handler(services, principal, validated)
                finally:
                    call.bytes = validated.stored_bytes()
                call.object = call.object or operation.created_in(result)
                services.admission.succeeded(call, validated, result)
                return result
    except PlatformError as error:
        advise(error, services.features)
        raise
    except Exception as error:
        if is_out_of_files(error):
            raise too_many_files() from error
        raise


@asynccontextmanager
async def admitted(operation: Operation[Any, Any], services: Services, principal: Principal) -> AsyncIterator[Call]:
    """Count a call; check that scope and limits allow it, and that the operation is offered."""
    with services.metrics.call(operation.name):
        async with services.admission.call(operation, principal) as call:
            services.selection.check(operation)
            yield call


def _time_limit(operation: Operation[A, R], services: Services) -> AbstractAsyncContextManager[None]:
    """Return the deadline of a call; work that changes something is never given up in the middle."""
    return TimeLimit(services.library.search_timeout) if operation.ends_in_time else nullcontext()


def _check_index(operation: Operation[A, R], principal: Principal, arguments: A) -> None:
    """Raise `Authorization` if the token is limited to other indices."""
    index = operation.index_of(arguments)
    if index is not None and not principal.may_use(index):
        raise LimitedToIndices(principal)
