"""A server that never answers with what the caller wrote, where the SDK's own would."""

from collections.abc import Iterable
from typing import Any

from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError, UnexpectedResourceError
from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, CallToolResult, GetPromptResult, InputRequiredResult, TextContent
from pydantic import AnyUrl

from indexer.errors import PlatformError, closest
from mcp_server.addresses import DOCUMENT, STATUS, canonical
from mcp_server.bugs import report


class DiscreetServer(MCPServer[Any]):
    """Answers unknown names with the known ones, and failed reads without their address."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; an unknown one is answered with the names there are."""
        if self._tool_manager.get_tool(name) is None:
            names = [tool.name for tool in self._tool_manager.list_tools()]
            near = closest(name, names)
            hint = f"did you mean {', '.join(near)}?" if near else f"there are {', '.join(names)}"
            return CallToolResult(content=[TextContent(type="text", text=f"Unknown tool: {hint}")], is_error=True)
        return await super().call_tool(name, arguments, context)

    def _tool_input_schema(self, name: str) -> None:
        """Let no header be compared with an argument: no tool takes one from a header, and looking costs much."""

    async def read_resource(
        self, uri: AnyUrl | str, context: Context[Any, Any] | None = None
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        """Read a resource; failures become errors that do not repeat its address."""
        try:
            return await super().read_resource(canonical(str(uri)), context)
        except ResourceNotFoundError:
            raise ResourceNotFoundError(f"Unknown resource: there are {STATUS} and {DOCUMENT}") from None
        except UnexpectedResourceError as error:
            raise _resource_error(error.__cause__ or error) from None

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Context[Any, Any] | None = None
    ) -> GetPromptResult | InputRequiredResult:
        """Return a prompt; an unknown one is answered with the names there are."""
        names = [prompt.name for prompt in self._prompt_manager.list_prompts()]
        if name not in names:
            raise MCPError(code=INVALID_PARAMS, message=f"Unknown prompt: there are {', '.join(names) or 'none'}")
        return await super().get_prompt(name, arguments, context)


def _resource_error(error: BaseException) -> ResourceError:
    if not isinstance(error, PlatformError):
        return ResourceError(report("reading a resource", error))
    if error.category in {"not_found", "validation"}:
        return ResourceNotFoundError("No such document: search_index finds ids, search_list_indices finds indices")
    return ResourceError(f"{error.message}. {error.action}")
