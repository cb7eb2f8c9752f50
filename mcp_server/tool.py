"""What a tool of this service is, and the one place where failures and bugs become results."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from mcp.types import ToolAnnotations
from pydantic import ValidationError

from indexer.arguments import Arguments
from indexer.errors import PlatformError
from indexer.tenancy import Principal
from mcp_server.bugs import report
from mcp_server.principal import current_principal
from mcp_server.refusal import refusal
from mcp_server.schema import input_schema
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
    tells_progress: bool = False
    """Whether it may take long, and tells meanwhile how far it is."""


@dataclass(frozen=True, slots=True)
class Group:
    """Tools of one source, which settings can name together; the guidance tells a model when to use which."""

    name: str
    guidance: str
    tools: tuple[Tool[Any, Any], ...]


@dataclass(frozen=True, slots=True)
class Said:
    """What a call answers; without a result it is an error in the protocol's sense."""

    text: str
    result: dict[str, Any] | None = None


Call = Callable[[dict[str, Any]], Awaitable[Said]]
"""A tool that was given its services: it takes raw arguments and raises nothing."""


def bound(tool: Tool[A, R], services: Services) -> Call:
    """Give a tool its services."""
    schema = input_schema(tool.arguments)

    async def call(given: dict[str, Any]) -> Said:
        try:
            arguments = tool.arguments.model_validate(given)
        except ValidationError as error:
            return Said(refusal(tool.name, schema, error))
        try:
            with services.measures.call(tool.name):
                result = await tool.handler(services, current_principal(), arguments)
            return _said(result, tool.text)
        except PlatformError as error:
            return _said(error.failure(), failure_text)
        except Exception as error:  # noqa: BLE001 - whatever it is, its text must reach neither the caller nor the log
            return Said(report(tool.name, error))

    return call


def _said(result: Mapping[str, object], text: Callable[[Any], str]) -> Said:
    sendable = well_formed(result)
    return Said(text(sendable), sendable)
