"""Operations as MCP resources, read by URI."""

import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import unquote

from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_REQUEST, ResourceTemplate
from mcp.types import Resource as ListedResource

from indexer.errors import Authorization, PlatformError
from indexer.tenancy import Principal
from mcp_server.feature import operations_of
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
            if "{" not in resource.address
        ]

    def templates(self) -> list[ResourceTemplate]:
        return [
            ResourceTemplate(uri_template=resource.address, **_listing(operation, resource))
            for operation, resource in self._offered()
            if "{" in resource.address
        ]

    async def read(self, address: str, principal: Principal) -> list[ReadResourceContents]:
        """Read a resource; errors never repeat its URI."""
        operation, resource, variables = self._match(address)
        try:
            result = await run(operation, self._services, principal, resource.bind(variables))
            return [ReadResourceContents(content=resource.content(result), mime_type=resource.media_type)]
        except Authorization as error:
            message = f"{error.message}. {error.action}"
            raise MCPError(code=INVALID_REQUEST, message=message, data=error.failure()) from None
        except PlatformError as error:
            raise _resource_error(error) from None
        except Exception as error:  # noqa: BLE001 - its text must reach neither the caller nor the log
            raise ResourceError(report("reading a resource", error)) from None

    def _match(self, address: str) -> tuple[Operation[Any, Any], Resource[Any], Mapping[str, str]]:
        for operation, resource, pattern in self._all:
            if (match := pattern.fullmatch(address)) is not None:
                return operation, resource, {name: unquote(value) for name, value in match.groupdict().items()}
        addresses = " and ".join(resource.address for _, resource in self._offered())
        raise ResourceNotFoundError(f"Unknown resource: there are {addresses}")

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


def _resource_error(error: PlatformError) -> ResourceError:
    if error.category in {"not_found", "validation"}:
        return ResourceNotFoundError("No such document: search_index finds ids, search_list_indices finds indices")
    return ResourceError(f"{error.message}. {error.action}")
