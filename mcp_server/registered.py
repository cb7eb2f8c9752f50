"""Tools in the form that the SDK's server lists and calls."""

from typing import Any

from mcp.server.mcpserver.context import Context
from mcp.server.mcpserver.tools import Tool as SdkTool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, FuncMetadata
from mcp.types import CallToolResult, TextContent

from mcp_server.progress import telling
from mcp_server.schema import input_schema, output_schema
from mcp_server.tool import Call, Tool


class _RegisteredTool(SdkTool):
    """Hands the raw arguments over: they are validated once, by the tool's own model."""

    async def run(
        self,
        arguments: dict[str, Any],
        context: Context[Any, Any],
        convert_result: bool = False,  # noqa: ARG002 - the signature is the SDK's
    ) -> CallToolResult:
        with telling(context.report_progress):
            said = await self.fn(arguments)
        return CallToolResult(
            content=[TextContent(type="text", text=said.text)],
            structured_content=said.result,
            is_error=said.result is None,
        )


def registered(tool: Tool[Any, Any], call: Call) -> SdkTool:
    """Describe a tool to the SDK."""
    return _RegisteredTool(
        fn=call,
        name=tool.name,
        title=tool.title,
        description=tool.description,
        parameters=input_schema(tool.arguments),
        # Without an output model the SDK publishes the schema and does not validate large results again.
        fn_metadata=FuncMetadata(arg_model=ArgModelBase, output_schema=output_schema(tool.result)),
        is_async=True,
        annotations=tool.annotations,
    )
