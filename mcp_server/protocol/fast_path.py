"""The fast path for tool calls over HTTP: the response is built as it goes over the wire.

The SDK would validate each result against its own models and copy it twice into JSON values. Results are JSON values
already, so a middleware responds without that work. A test compares its response with the SDK's own.
"""

from typing import Any, Final

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.types import SERVER_INFO_META_KEY, Implementation
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from indexer.tenancy import Principal
from mcp_server.protocol.caller import caller_of
from mcp_server.protocol.tools import ToolReply
from mcp_server.protocol.view import Views

_PLAIN_PARAMS: Final = frozenset({"name", "arguments", "_meta"})


class FastPath:
    """Middleware that responds to plain calls of known tools; the SDK handles everything else."""

    def __init__(self, views: Views, server: Implementation, local: Principal | None) -> None:
        self._views = views
        self._local = local
        self._server = server.model_dump(by_alias=True, mode="json", exclude_none=True)

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Respond to a plain call, or pass the request on to the SDK."""
        params = ctx.params
        # Only over HTTP: on stdio the SDK must reject calls before the client has initialised the session.
        if ctx.method != "tools/call" or ctx.request is None or params is None or not params.keys() <= _PLAIN_PARAMS:
            return await call_next(ctx)
        tools = self._views.of(ctx.request).tools
        operation, arguments = tools.get(params.get("name")), params.get("arguments", {})
        # Progress notifications need the SDK.
        if operation is None or operation.progress or not isinstance(arguments, dict):
            return await call_next(ctx)
        caller = caller_of(ctx.request, self._local)
        response = _wire_format(await tools.call(operation, arguments, caller))
        if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
            response |= {"resultType": "complete", "_meta": {SERVER_INFO_META_KEY: self._server}}
        return response


def _wire_format(reply: ToolReply) -> dict[str, Any]:
    response: dict[str, Any] = {"content": [{"type": "text", "text": reply.text}], "isError": reply.result is None}
    if reply.result is not None:
        response["structuredContent"] = reply.result
    return response
