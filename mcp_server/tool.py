"""What a tool of this service is, and the one place where failures and bugs become results."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from mcp.server.mcpserver.context import Context
from mcp.server.mcpserver.tools import Tool as SdkTool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, FuncMetadata
from mcp.types import CallToolResult, TextContent, ToolAnnotations
from pydantic import ValidationError

from indexer.arguments import Arguments
from indexer.errors import PlatformError
from indexer.tenancy import Principal
from mcp_server.bugs import report
from mcp_server.principal import current_principal
from mcp_server.refusal import refusal
from mcp_server.schema import Schema, input_schema, output_schema
from mcp_server.services import Services
from mcp_server.text import failure_text
from mcp_server.wellformed import well_formed

A = TypeVar("A", bound=Arguments)
R = TypeVar("R", bound=Mapping[str, object])


@dataclass(frozen=True, slots=True)
class Tool(Generic[A, R]):
    """A tool as its file declares it; the handler raises `PlatformError` for what may be expected to fail."""

    name: str
    title: str
    description: str
    annotations: ToolAnnotations
    arguments: type[A]
    result: type[R]
    handler: Callable[[Services, Principal, A], Awaitable[R]]
    text: Callable[[R], str]
    """Render the result for clients that read only text: ids and the next cursor included."""


@dataclass(frozen=True, slots=True)
class Group:
    """Tools of one source, which settings can name together; the guidance tells a model when to use which."""

    name: str
    guidance: str
    tools: tuple[Tool[Any, Any], ...]


class _RegisteredTool(SdkTool):
    """Hands the raw arguments over: they are validated once, by the tool's own model."""

    async def run(
        self,
        arguments: dict[str, Any],
        context: Context[Any, Any],  # noqa: ARG002 - the signature is the SDK's
        convert_result: bool = False,  # noqa: ARG002 - as above
    ) -> CallToolResult:
        result: CallToolResult = await self.fn(arguments)
        return result


def registered(tool: Tool[A, R], services: Services) -> SdkTool:
    """Bind a tool to its services, in the form that the SDK's server lists and calls."""
    schema = input_schema(tool.arguments)

    async def call(arguments: dict[str, Any]) -> CallToolResult:
        return await _called(tool, services, schema, arguments)

    return _RegisteredTool(
        fn=call,
        name=tool.name,
        title=tool.title,
        description=tool.description,
        parameters=schema,
        # Without an output model the SDK publishes the schema and does not validate large results again.
        fn_metadata=FuncMetadata(arg_model=ArgModelBase, output_schema=output_schema(tool.result)),
        is_async=True,
        annotations=tool.annotations,
    )


async def _called(tool: Tool[A, R], services: Services, schema: Schema, given: dict[str, Any]) -> CallToolResult:
    try:
        arguments = tool.arguments.model_validate(given)
    except ValidationError as error:
        return _error(refusal(tool.name, schema, error))
    try:
        result = await tool.handler(services, current_principal(), arguments)
        return _answer(result, tool.text)
    except PlatformError as error:
        return _answer(error.failure(), failure_text)
    except Exception as error:  # noqa: BLE001 - whatever it is, its text must reach neither the caller nor the log
        return _error(report(tool.name, error))


def _answer(result: Mapping[str, object], text: Callable[[Any], str]) -> CallToolResult:
    sendable = well_formed(result)
    return CallToolResult(content=[TextContent(type="text", text=text(sendable))], structured_content=sendable)


def _error(text: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=True)
