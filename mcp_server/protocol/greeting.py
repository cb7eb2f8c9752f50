"""What a client learns when it connects: the instructions for what its address offers, and the server's icon.

The SDK would put an icon of the server into the metadata of every result, where it would only cost bytes.
"""

from typing import Any, Final

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.types import SERVER_INFO_META_KEY, Icon

from mcp_server.icon import data_uri
from mcp_server.protocol.view import Views

_ICONS: Final = [
    Icon(src=data_uri(), mime_type="image/svg+xml", sizes=["any"]).model_dump(by_alias=True, exclude_none=True)
]


class Greeting:
    """Middleware that completes the results of `initialize` and `server/discover`."""

    def __init__(self, views: Views) -> None:
        self._views = views

    async def __call__(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        result = await call_next(ctx)
        if not isinstance(result, dict):
            return result
        match ctx.method:
            case "initialize":
                result["serverInfo"]["icons"] = _ICONS
            case "server/discover":
                result["_meta"][SERVER_INFO_META_KEY]["icons"] = _ICONS
            case _:
                return result
        return result | {"instructions": self._views.of(ctx.request).instructions}
