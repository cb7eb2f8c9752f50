"""Operations as MCP tools: how they are called, and how failures and bugs become replies."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp.types import INVALID_PARAMS, CallToolResult, TextContent
from mcp.types import Tool as ListedTool

from indexer.errors import PlatformError, closest
from indexer.tenancy import Principal
from mcp_server.feature import operations_of
from mcp_server.observability.bug_reports import report
from mcp_server.operation import Operation
from mcp_server.protocol.failure_text import failure_text
from mcp_server.protocol.listing import list_tools
from mcp_server.protocol.reply_size import bounded
from mcp_server.result_json import well_formed
from mcp_server.run import run
from mcp_server.services import Services
from mcp_server.wrong_arguments import WrongArguments


@dataclass(frozen=True, slots=True)
class ToolReply:
    """The reply to a tool call; without a result it is an error (`isError`)."""

    text: str
    result: dict[str, Any] | None = None

    def for_sdk(self) -> CallToolResult:
        """Convert to the SDK's own model."""
        return CallToolResult(
            content=[TextContent(type="text", text=self.text)],
            structured_content=self.result,
            is_error=self.result is None,
        )


class Tools:
    """All tools of a service; those that are not offered are not listed, and calling them fails."""

    def __init__(self, services: Services, configured: frozenset[str]) -> None:
        """Take the names of the configured upstreams; the tools of the others are listed in brief."""
        self._services = services
        self._configured = configured
        self._operations = {each.name: each for each in operations_of(services.features) if each.text is not None}
        self.offered = [each for each in self._operations.values() if services.selection.offers(each)]

    def get(self, name: object) -> Operation[Any, Any] | None:
        return self._operations.get(name) if isinstance(name, str) else None

    @cached_property
    def listed(self) -> list[ListedTool]:
        """The offered tools for `tools/list`."""
        return list_tools(self._services, self.offered, self._configured)

    async def call(
        self, operation: Operation[Any, Any], arguments: Mapping[str, Any], principal: Principal
    ) -> ToolReply:
        """Run an operation and return the reply; never raises."""
        try:
            result = await run(operation, self._services, principal, with_agent_defaults(operation, arguments))
            return _build_reply(result, operation.text or str, is_bounded=arguments.get("max_chars") is None)
        except WrongArguments as error:
            return ToolReply("\n- ".join([f"Invalid arguments for {operation.name}:", *error.lines]))
        except PlatformError as error:
            return _build_reply(error.failure(), failure_text)
        except Exception as error:  # noqa: BLE001 - its text must reach neither the caller nor the log
            return ToolReply(report(operation.name, error))

    def unknown(self, name: str) -> MCPError:
        """Build the error for an unknown tool: it lists the known names and does not repeat the unknown one."""
        names = [operation.name for operation in self.offered]
        suggestions = closest(name, names)
        hint = f"did you mean {', '.join(suggestions)}?" if suggestions else f"there are {', '.join(names)}"
        return MCPError(code=INVALID_PARAMS, message=f"Unknown tool: {hint}")


def with_agent_defaults(operation: Operation[Any, Any], arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """Fill in the defaults for agents."""
    missing = {name: value for name, value in operation.agent_defaults.items() if arguments.get(name) is None}
    return {**arguments, **missing} if missing else arguments


def _build_reply(result: Mapping[str, object], text: Callable[[Any], str], *, is_bounded: bool = True) -> ToolReply:
    """Render a result; a caller that gave a bound of its own gets what it asked for."""
    valid_result = well_formed(result)
    if not is_bounded:
        return ToolReply(text(valid_result), valid_result)
    bounded_result, rendered = bounded(valid_result, text)
    return ToolReply(rendered, dict(bounded_result))
