"""The MCP server: tools, resources and prompts are those of the features."""

from collections.abc import Iterable
from contextlib import nullcontext
from importlib.metadata import version
from typing import Any

from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver import Context, MCPServer
from mcp.types import CallToolResult, GetPromptResult, Implementation, InputRequiredResult, ResourceTemplate
from mcp.types import Prompt as ListedPrompt
from mcp.types import Resource as ListedResource
from mcp.types import Tool as ListedTool
from pydantic import AnyUrl

from indexer.tenancy import Principal
from mcp_server.observability.sdk_logs import mask_sdk_logs, root_logger_untouched
from mcp_server.progress import progress_to
from mcp_server.protocol.caller import caller_of
from mcp_server.protocol.fast_path import FastPath
from mcp_server.protocol.listing import instructions
from mcp_server.protocol.prompts import Prompts
from mcp_server.protocol.resources import Resources
from mcp_server.protocol.tools import Tools
from mcp_server.services import Services


class OperationServer(MCPServer[Any]):
    """Dispatches to operations instead of functions registered with the SDK; no error repeats the caller's input."""

    def __init__(self, services: Services, principal: Principal | None = None) -> None:
        self._tools = Tools(services)
        self._resources = Resources(services)
        self._prompts = Prompts(services)
        self._principal = principal
        implementation = Implementation(
            name="trawl", title="Trawl", description="Search for a team and its agents", version=version("trawl")
        )
        super().__init__(
            name=implementation.name,
            title=implementation.title,
            description=implementation.description,
            version=implementation.version,
            instructions=instructions(services, self._tools.offered),
            middleware=[FastPath(self._tools, implementation, principal)],
            # The lists never change, so clients need no stream of change notifications.
            subscriptions=False,
        )

    async def list_tools(self) -> list[ListedTool]:
        return self._tools.listed

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        operation = self._tools.get(name)
        if operation is None:
            return self._tools.unknown(name).for_sdk()
        principal = caller_of(context, self._principal)
        with nullcontext() if context is None else progress_to(context.report_progress):
            return (await self._tools.call(operation, arguments, principal)).for_sdk()

    def _tool_input_schema(self, name: str) -> None:
        """Skip the SDK's check of arguments against headers: no tool takes arguments from headers, and it is slow."""

    async def list_resources(self) -> list[ListedResource]:
        return self._resources.listed()

    async def list_resource_templates(self) -> list[ResourceTemplate]:
        return self._resources.templates()

    async def read_resource(
        self, uri: AnyUrl | str, context: Context[Any, Any] | None = None
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        return await self._resources.read(str(uri), caller_of(context, self._principal))

    async def list_prompts(self) -> list[ListedPrompt]:
        return self._prompts.listed()

    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,  # noqa: ARG002 - no prompt takes any
        context: Context[Any, Any] | None = None,  # noqa: ARG002 - the signature is the SDK's
    ) -> GetPromptResult | InputRequiredResult:
        return self._prompts.get(name)


def build_server(services: Services, principal: Principal | None = None) -> OperationServer:
    """Build the server; `principal` is that of all calls on stdio, over HTTP each request has its own."""
    with root_logger_untouched():
        server = OperationServer(services, principal)
    mask_sdk_logs()
    return server
