"""Mounts the fixtures on the server of the service, which goes on answering everything else."""

from collections.abc import Callable
from typing import Any, Final

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.lowlevel.server import HandlerEntry, RequestHandler
from mcp.server.mcpserver import MCPServer
from mcp.server.request_state import RequestStateBoundary, RequestStateSecurity
from mcp.types import (
    CallToolRequestParams,
    EmptyResult,
    GetPromptRequestParams,
    PromptReference,
    ReadResourceRequestParams,
    ResourceTemplateReference,
    SetLevelRequestParams,
    SubscribeRequestParams,
    UnsubscribeRequestParams,
)
from pydantic import BaseModel

from tests.clients.conformance.client_requests import add_client_requests
from tests.clients.conformance.content import add_content, schema_tool
from tests.clients.conformance.documents import add_prompts, add_resources
from tests.clients.conformance.input_required import add_input_required
from tests.clients.conformance.notifications import add_notifications

Named = (
    CallToolRequestParams
    | GetPromptRequestParams
    | ReadResourceRequestParams
    | PromptReference
    | ResourceTemplateReference
)

_LISTS: Final = {
    "tools/list": "tools",
    "resources/list": "resources",
    "resources/templates/list": "resource_templates",
    "prompts/list": "prompts",
}
_RESOURCES: Final = ("test://static-", "test://template/", "test://watched-resource")
# The service itself sends no log messages and has no subscriptions.
_ACCEPTED: Final[dict[str, type[BaseModel]]] = {
    "logging/setLevel": SetLevelRequestParams,
    "resources/subscribe": SubscribeRequestParams,
    "resources/unsubscribe": UnsubscribeRequestParams,
}


def mount_fixtures(server: Server[Any]) -> None:
    """Add the fixtures to what a server lists and answers."""
    fixtures = build_fixtures()
    registered = fixtures._lowlevel_server
    for method, field in _LISTS.items():
        entry, added = _entry(server, method), _entry(registered, method)
        server.add_request_handler(method, entry.params_type, _append(entry.handler, added.handler, field))
    tools = {tool.name: tool.parameters for tool in fixtures._tool_manager.list_tools()}
    prompts = {prompt.name for prompt in fixtures._prompt_manager.list_prompts()}
    chosen: dict[str, Callable[[Any], bool]] = {
        "tools/call": lambda params: _name(params) in tools,
        "prompts/get": lambda params: _name(params) in prompts,
        "completion/complete": lambda params: _name(params.ref) in prompts,
        "resources/read": lambda params: _name(params).startswith(_RESOURCES),
    }
    for method, is_fixture in chosen.items():
        entry, added = _entry(server, method), _entry(registered, method)
        server.add_request_handler(method, entry.params_type, _choose(is_fixture, added.handler, entry.handler))
    for method, params_type in _ACCEPTED.items():
        server.add_request_handler(method, params_type, _accept)
    server.get_tool_input_schema = tools.get
    server.middleware.insert(0, RequestStateBoundary(RequestStateSecurity.ephemeral(), default_audience=server.name))


def build_fixtures() -> MCPServer:
    """Register everything that the suite asks for."""
    fixtures = MCPServer("fixtures", tools=[schema_tool()])
    for add in (add_content, add_notifications, add_client_requests, add_input_required, add_resources, add_prompts):
        add(fixtures)
    return fixtures


def _entry(server: Server[Any], method: str) -> HandlerEntry[Any]:
    entry = server.get_request_handler(method)
    assert entry is not None, f"no handler of {method}"
    return entry


def _append(
    service: RequestHandler[Any, Any], fixtures: RequestHandler[Any, Any], field: str
) -> RequestHandler[Any, Any]:
    async def list_both(ctx: ServerRequestContext[Any], params: Any) -> Any:
        listed: Any = await service(ctx, params)
        added: Any = await fixtures(ctx, params)
        return listed.model_copy(update={field: [*getattr(listed, field), *getattr(added, field)]})

    return list_both


def _choose(
    is_fixture: Callable[[Any], bool], fixtures: RequestHandler[Any, Any], service: RequestHandler[Any, Any]
) -> RequestHandler[Any, Any]:
    async def answer(ctx: ServerRequestContext[Any], params: Any) -> Any:
        return await (fixtures if is_fixture(params) else service)(ctx, params)

    return answer


def _name(named: Named) -> str:
    return str(named.uri) if isinstance(named, ReadResourceRequestParams | ResourceTemplateReference) else named.name


async def _accept(_ctx: ServerRequestContext[Any], _params: BaseModel) -> EmptyResult:
    return EmptyResult()
