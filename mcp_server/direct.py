"""Calls of tools over HTTP, answered as they go over the wire.

The SDK would validate each result by its own models and copy it twice into values that JSON can carry. Ours are such
values, so the time goes into nothing. A middleware may answer by itself; a test compares its answer with the SDK's own.
"""

from collections.abc import Mapping
from typing import Any, Final

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.types import SERVER_INFO_META_KEY, Implementation
from mcp.types.version import MODERN_PROTOCOL_VERSIONS

from mcp_server.tool import Call, Said

_PLAIN: Final = frozenset({"name", "arguments", "_meta"})


class DirectCalls:
    """A middleware for plain calls of known tools; everything else is the SDK's to answer."""

    def __init__(self, calls: Mapping[str, Call], server: Implementation) -> None:
        self._calls = calls
        self._server = server.model_dump(by_alias=True, mode="json", exclude_none=True)

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Answer a plain call, or let the SDK answer."""
        params = ctx.params
        # Only over HTTP: elsewhere a client may not call before it has introduced itself.
        if ctx.method != "tools/call" or ctx.request is None or params is None or not params.keys() <= _PLAIN:
            return await call_next(ctx)
        name, arguments = params.get("name"), params.get("arguments", {})
        call = self._calls.get(name) if isinstance(name, str) else None
        if call is None or not isinstance(arguments, dict):
            return await call_next(ctx)
        answer = _wire(await call(arguments))
        if ctx.protocol_version in MODERN_PROTOCOL_VERSIONS:
            answer |= {"resultType": "complete", "_meta": {SERVER_INFO_META_KEY: self._server}}
        return answer


def _wire(said: Said) -> dict[str, Any]:
    answer: dict[str, Any] = {"content": [{"type": "text", "text": said.text}], "isError": said.result is None}
    if said.result is not None:
        answer["structuredContent"] = said.result
    return answer
