"""The MCP server: tools, resources and prompts are those of the features."""

from importlib.metadata import version
from typing import Any, Final

from mcp.server.caching import CacheableMethod, CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.types import (
    CallToolRequestParams,
    CallToolResult,
    CompleteRequestParams,
    CompleteResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
)

from indexer.tenancy import Principal
from mcp_server.observability.sdk_logs import mask_sdk_logs
from mcp_server.progress import progress_to
from mcp_server.protocol.caller import caller_of
from mcp_server.protocol.fast_path import FastPath
from mcp_server.protocol.greeting import Greeting
from mcp_server.protocol.long_strings import restore_long_strings
from mcp_server.protocol.view import View, Views
from mcp_server.services import Services

Call = ServerRequestContext[Any, Any]
Page = PaginatedRequestParams | None

_LISTS: Final = CacheHint(ttl_ms=300_000, scope="private")
"""The lists depend on the caller's rights, and change only if the operator changes the team's connections."""
_CACHE_HINTS: Final[dict[CacheableMethod, CacheHint]] = {
    "server/discover": _LISTS,
    "tools/list": _LISTS,
    "resources/list": _LISTS,
    "resources/templates/list": _LISTS,
    "prompts/list": _LISTS,
    # A document may change at any time.
    "resources/read": CacheHint(ttl_ms=0, scope="private"),
}


class OperationServer(Server[Any]):
    """Dispatches to operations; what a client sees depends on the address of its request.

    There are no subscriptions: the lists hardly change, and the SDK would tell any caller of any URI.
    """

    def __init__(self, services: Services, principal: Principal | None = None) -> None:
        self.services = services
        self.local = principal
        self._views = Views(services, principal)
        super().__init__(
            name="trawl",
            title="Trawl",
            description="Search for a team and its agents",
            version=version("trawl"),
            cache_hints=_CACHE_HINTS,
            # No tool takes arguments from headers; otherwise the SDK would list all tools before each call.
            get_tool_input_schema=lambda _: None,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_completion=self._complete,
        )
        self.middleware += [
            restore_long_strings,
            Greeting(self._views),
            FastPath(self._views, self.server_info, principal),
        ]

    def _view(self, call: Call) -> View:
        return self._views.of(call.request)

    def _caller(self, call: Call) -> Principal:
        return caller_of(call.request, self.local)

    async def _list_tools(self, call: Call, _: Page) -> ListToolsResult:
        return ListToolsResult(tools=self._view(call).tools.listed)

    async def _call_tool(self, call: Call, params: CallToolRequestParams) -> CallToolResult:
        tools = self._view(call).tools
        operation = tools.get(params.name)
        if operation is None:
            raise tools.unknown(params.name)
        with progress_to(call.session.report_progress):
            return (await tools.call(operation, params.arguments or {}, self._caller(call))).for_sdk()

    async def _list_resources(self, call: Call, _: Page) -> ListResourcesResult:
        return ListResourcesResult(resources=self._view(call).resources.listed())

    async def _list_templates(self, call: Call, _: Page) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult(resource_templates=self._view(call).resources.templates())

    async def _read_resource(self, call: Call, params: ReadResourceRequestParams) -> ReadResourceResult:
        return await self._view(call).resources.read(str(params.uri), self._caller(call))

    async def _list_prompts(self, call: Call, _: Page) -> ListPromptsResult:
        return ListPromptsResult(prompts=self._view(call).prompts.listed())

    async def _get_prompt(self, call: Call, params: GetPromptRequestParams) -> GetPromptResult:
        return self._view(call).prompts.get(params.name, params.arguments or {})

    async def _complete(self, call: Call, params: CompleteRequestParams) -> CompleteResult:
        return await self._view(call).completions.complete(params, self._caller(call))


def build_server(services: Services, principal: Principal | None = None) -> OperationServer:
    """Build the server; `principal` is that of all calls on stdio, over HTTP each request has its own."""
    mask_sdk_logs()
    return OperationServer(services, principal)
