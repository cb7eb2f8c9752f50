"""Operations as tools: how they are listed, and the one place where failures and bugs become replies."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mcp.types import CallToolResult, TextContent, ToolAnnotations
from mcp.types import Tool as ListedTool

from indexer.errors import PlatformError, closest
from indexer.tenancy import Principal
from mcp_server.feature import operations_of
from mcp_server.observability.bug_reports import report
from mcp_server.operation import Operation
from mcp_server.protocol.failure_text import failure_text
from mcp_server.protocol.refusal import refusal
from mcp_server.protocol.schema import Schema, input_schema, output_schema
from mcp_server.result_json import well_formed
from mcp_server.run import run
from mcp_server.services import Services
from mcp_server.wrong_arguments import WrongArguments


@dataclass(frozen=True, slots=True)
class ToolReply:
    """What a call answers; without a result it is an error in the protocol's sense."""

    text: str
    result: dict[str, Any] | None = None

    def for_sdk(self) -> CallToolResult:
        """Return it as the SDK's own model."""
        return CallToolResult(
            content=[TextContent(type="text", text=self.text)],
            structured_content=self.result,
            is_error=self.result is None,
        )


class Tools:
    """All tools of a service; those that its settings leave out are not listed, and say so when they are called."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._operations = {each.name: each for each in operations_of(services.features) if each.text is not None}
        self._schemas = {name: agent_schema(each) for name, each in self._operations.items()}
        self.offered = [each for each in self._operations.values() if services.selection.offers(each)]

    def get(self, name: object) -> Operation[Any, Any] | None:
        return self._operations.get(name) if isinstance(name, str) else None

    @cached_property
    def listed(self) -> list[ListedTool]:
        """The offered tools as clients see them; made once, for describing all results takes a tenth of a second."""
        return [
            ListedTool(
                name=operation.name,
                title=operation.title,
                description=operation.description,
                input_schema=self._schemas[operation.name],
                output_schema=output_schema(operation.result),
                annotations=_annotations(operation),
            )
            for operation in self.offered
        ]

    async def call(self, operation: Operation[Any, Any], given: Mapping[str, Any], principal: Principal) -> ToolReply:
        """Answer a call; raises nothing."""
        try:
            result = await run(operation, self._services, principal, with_agent_defaults(operation, given))
            return _reply(result, operation.text or str)
        except WrongArguments as error:
            return ToolReply(refusal(operation.name, self._schemas[operation.name], error.cause))
        except PlatformError as error:
            return _reply(error.failure(), failure_text)
        except Exception as error:  # noqa: BLE001 - whatever it is, its text must reach neither the caller nor the log
            return ToolReply(report(operation.name, error))

    def unknown(self, name: str) -> ToolReply:
        """Answer a call of something that is no tool with the names there are, never with what was called."""
        names = [operation.name for operation in self.offered]
        near = closest(name, names)
        hint = f"did you mean {', '.join(near)}?" if near else f"there are {', '.join(names)}"
        return ToolReply(f"Unknown tool: {hint}")


def agent_schema(operation: Operation[Any, Any]) -> Schema:
    """Describe an operation's arguments with the defaults that agents get."""
    schema = input_schema(operation.arguments)
    for name, value in operation.agent_defaults.items():
        schema["properties"][name]["default"] = value
    return schema


def with_agent_defaults(operation: Operation[Any, Any], given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Fill in the defaults that agents get."""
    missing = {name: value for name, value in operation.agent_defaults.items() if given.get(name) is None}
    return {**given, **missing} if missing else given


def _annotations(operation: Operation[Any, Any]) -> ToolAnnotations:
    effect = operation.effect
    return ToolAnnotations(
        read_only_hint=not effect.changes,
        destructive_hint=effect.destroys,
        idempotent_hint=effect.repeatable,
        open_world_hint=effect.external,
    )


def _reply(result: Mapping[str, object], text: Callable[[Any], str]) -> ToolReply:
    sendable = well_formed(result)
    return ToolReply(text(sendable), sendable)
