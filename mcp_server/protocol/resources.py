"""Operations as MCP resources, read by URI."""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    ReadResourceResult,
    ResourceTemplate,
    TextResourceContents,
)
from mcp.types import Resource as ListedResource

from indexer.errors import Authorization, PlatformError, RateLimited
from indexer.tenancy import Principal
from mcp_server.feature import Completer, operations_of
from mcp_server.observability.bug_reports import report
from mcp_server.operation import Operation, Resource
from mcp_server.run import run
from mcp_server.services import Services

_VARIABLE: Final = re.compile(r"\\\{(\w+)\\\}")


class Resources:
    """All resources of a service; those that are not offered are not listed, and reading them fails."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._all = [
            (operation, operation.resource, _compile_template(operation.resource.address))
            for operation in operations_of(services.features)
            if operation.resource is not None
        ]

    def listed(self) -> list[ListedResource]:
        return [
            ListedResource(uri=resource.address, **_listing(operation, resource))
            for operation, resource in self._offered()
            if not resource.is_template
        ]

    def templates(self) -> list[ResourceTemplate]:
        return [
            ResourceTemplate(uri_template=resource.address, **_listing(operation, resource))
            for operation, resource in self._offered()
            if resource.is_template
        ]

    async def read(self, address: str, principal: Principal) -> ReadResourceResult:
        """Read a resource; the message of an error never repeats its URI."""
        operation, resource, variables = self._match(address)
        try:
            result = await run(operation, self._services, principal, resource.bind(variables))
            content = TextResourceContents(uri=address, text=resource.content(result), mime_type=resource.media_type)
        except (Authorization, RateLimited) as error:
            message = f"{error.message}. {error.action}"
            raise MCPError(code=INVALID_REQUEST, message=message, data=error.failure()) from None
        except PlatformError as error:
            raise _read_error(error, resource, address) from None
        except Exception as error:  # noqa: BLE001 - its text must reach neither the caller nor the log
            raise MCPError(code=INTERNAL_ERROR, message=report("reading a resource", error)) from None
        return ReadResourceResult(contents=[content])

    def operation_of(self, address: str) -> Operation[Any, Any] | None:
        """Return the operation that reads this address."""
        try:
            return self._match(address)[0]
        except MCPError:
            return None

    def completers(self, template: str) -> dict[str, Completer | None]:
        """Return how each variable of a URI template is completed."""
        for operation, resource in self._offered():
            if resource.address == template:
                completers = {name: Completer(operation, each) for name, each in resource.complete.items()}
                return {name: completers.get(name) for name in resource.variables}
        raise MCPError(code=INVALID_PARAMS, message=f"Unknown resource: there are {self._addresses()}")

    def _match(self, address: str) -> tuple[Operation[Any, Any], Resource[Any], Mapping[str, str]]:
        matches = [
            (operation, resource, match)
            for operation, resource, pattern in self._all
            if (match := pattern.fullmatch(address)) is not None
        ]
        if not matches:
            message = f"Unknown resource: there are {self._addresses()}"
            raise MCPError(code=INVALID_PARAMS, message=message, data={"uri": address})
        # Of doc://archive/{id} and doc://{index}/{id}, the one that leaves less open.
        operation, resource, match = min(matches, key=lambda each: len(each[1].variables))
        return operation, resource, {name: unquote(value) for name, value in match.groupdict().items()}

    def _addresses(self) -> str:
        return " and ".join(resource.address for _, resource in self._offered())

    def _offered(self) -> list[tuple[Operation[Any, Any], Resource[Any]]]:
        offers = self._services.selection.offers
        return [(operation, resource) for operation, resource, _ in self._all if offers(operation)]


def _listing(operation: Operation[Any, Any], resource: Resource[Any]) -> dict[str, str]:
    return {
        "name": resource.name,
        "title": resource.title or operation.title,
        "description": resource.description or operation.description,
        "mime_type": resource.media_type,
    }


def _compile_template(address: str) -> re.Pattern[str]:
    """Compile a URI template; a variable ends at a slash, except the last one, which may contain slashes."""
    parts = _VARIABLE.split(re.escape(address))
    names = parts[1::2]
    for number, name in enumerate(names):
        parts[2 * number + 1] = f"(?P<{name}>.*)" if number == len(names) - 1 else f"(?P<{name}>[^/]*)"
    return re.compile("".join(parts), re.DOTALL)


def _read_error(error: PlatformError, resource: Resource[Any], address: str) -> MCPError:
    is_absent = error.category in {"not_found", "validation"}
    # The failures of a template may repeat its variables, which are the caller's text.
    message = resource.absent if is_absent and resource.absent else f"{error.message}. {error.action}"
    return MCPError(code=INVALID_PARAMS if is_absent else INTERNAL_ERROR, message=message, data={"uri": address})
