"""Calls of tools over HTTP, answered as they go over the wire.

The SDK would validate each result by its own models and copy it twice into values that JSON can carry. Ours are such
values, so the time goes into nothing. A middleware may answer by itself; a test compares its answer with the SDK's own.
"""

from typing import Any, Final

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.types import SERVER_INFO_META_KEY, Implementation
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from indexer.tenancy import Principal
from mcp_server.protocol.caller import caller_of_request
from mcp_server.protocol.tools import ToolReply, Tools

_PLAIN: Final = frozenset({"name", "arguments", "_meta"})


class FastPath:
    """A middleware for plain calls of known tools; everything else is the SDK's to answer."""

    def __init__(self, tools: Tools, server: Implementation, local: Principal | None) -> None:
        self._tools = tools
        self._local = local
        self._server = server.model_dump(by_alias=True, mode="json", exclude_none=True)

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Answer a plain call, or let the SDK answer."""
        params = ctx.params
        # Only over HTTP: elsewhere a client may not call before it has introduced itself.
        if ctx.method != "tools/call" or ctx.request is None or params is None or not params.keys() <= _PLAIN:
            return await call_next(ctx)
        operation, arguments = self._tools.get(params.get("name")), params.get("arguments", {})
        # What tells its progress needs the SDK's way of telling it.
        if operation is None or operation.progress or not isinstance(arguments, dict):
            return await call_next(ctx)
        answer = _wire(await self._tools.call(operation, arguments, caller_of_request(ctx.request, self._local)))
        if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
            answer |= {"resultType": "complete", "_meta": {SERVER_INFO_META_KEY: self._server}}
        return answer


def _wire(reply: ToolReply) -> dict[str, Any]:
    answer: dict[str, Any] = {"content": [{"type": "text", "text": reply.text}], "isError": reply.result is None}
    if reply.result is not None:
        answer["structuredContent"] = reply.result
    return answer
