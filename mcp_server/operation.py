"""An operation: one thing that a caller can do, declared once.

MCP tools, resources, REST routes, OpenAPI and the reference are derived from it.
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from pydantic import ValidationError

from indexer.arguments import Arguments
from indexer.tenancy import Principal
from mcp_server.effect import Effect
from mcp_server.result_json import compact_json
from mcp_server.route import Route
from mcp_server.wrong_arguments import WrongArguments

if TYPE_CHECKING:
    from mcp_server.services import Services

A = TypeVar("A", bound=Arguments)
R = TypeVar("R", bound=Mapping[str, object])

Handler = Callable[["Services", Principal, A], Awaitable[R]]
"""Executes an operation; raises `PlatformError` for expected failures."""
AGENT_MAX_CHARS: Final = 20_000
"""Default size limit of a result for an agent, because a model reads all of it."""


def result_json(result: Mapping[str, object]) -> str:
    """Render a result as the content of a resource; `success` is left out, since failures are MCP errors there."""
    return compact_json({name: value for name, value in result.items() if name != "success"})


@dataclass(frozen=True, slots=True)
class Group:
    """Operations that settings can select together, with guidance for models."""

    name: str
    guidance: str
    reads: str
    """The scope that its reading operations require."""
    changes: str
    """The scope that its changing operations require."""


@dataclass(frozen=True, slots=True)
class Resource(Generic[R]):
    """How an operation is offered as an MCP resource."""

    address: str
    """The URI, or a URI template."""
    name: str
    title: str | None = None
    """Overrides the operation's title."""
    description: str | None = None
    """Overrides the operation's description."""
    media_type: str = "application/json"
    content: Callable[[R], str] = result_json
    bind: Callable[[Mapping[str, str]], Mapping[str, Any]] = dict
    """Maps the variables of the URI template to the operation's arguments."""


@dataclass(frozen=True, slots=True)
class Operation(Generic[A, R]):
    """One thing that a caller can do."""

    name: str
    title: str
    description: str
    group: Group
    effect: Effect
    arguments: type[A]
    result: Any
    """The type of `R`, for schemas."""
    handler: Handler[A, R]
    route: Route
    text: Callable[[R], str] | None
    """Renders a result for clients that read only text, ids and cursors included; None if it is not an MCP tool."""
    resource: Resource[R] | None = None
    progress: bool = False
    """Whether it may take long and reports progress."""
    own_scope: str | None = None
    """Overrides the scope of its group."""
    agent_max_chars: int = AGENT_MAX_CHARS
    """The default of `max_chars` for agents."""

    @property
    def scope(self) -> str:
        """The scope that the caller's token must have."""
        return self.own_scope or (self.group.changes if self.effect.changes else self.group.reads)

    @property
    def agent_defaults(self) -> Mapping[str, Any]:
        """The defaults of arguments that differ for agents."""
        return {"max_chars": self.agent_max_chars} if "max_chars" in self.arguments.model_fields else {}

    def read(self, values: Mapping[str, Any]) -> A:
        """Validate arguments; `WrongArguments` names each invalid one."""
        try:
            return self.arguments.model_validate(values)
        except ValidationError as error:
            raise WrongArguments(error) from None
