"""What a caller can do, declared once: tools, resources, routes, OpenAPI and the reference are all read from it."""

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
"""Does it; raises `PlatformError` for what may be expected to fail."""
AGENT_MAX_CHARS: Final = 20_000
"""How large a result for an agent may be where it does not say: a model reads all of it."""


def result_json(result: Mapping[str, object]) -> str:
    """Write a result as a resource has it: without `success`, for one that fails is an error there."""
    return compact_json({name: value for name, value in result.items() if name != "success"})


@dataclass(frozen=True, slots=True)
class Group:
    """Operations that settings can name together, with what a model is told about when to use which."""

    name: str
    guidance: str
    reads: str
    """The scope that its reading operations need."""
    changes: str
    """The scope that its changing operations need."""


@dataclass(frozen=True, slots=True)
class Resource(Generic[R]):
    """An operation as something that MCP clients read by its address."""

    address: str
    name: str
    title: str | None = None
    """What it is called, where the operation's title will not do; so with the description."""
    description: str | None = None
    media_type: str = "application/json"
    content: Callable[[R], str] = result_json
    bind: Callable[[Mapping[str, str]], Mapping[str, Any]] = dict
    """From the template's variables to the operation's arguments."""


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
    """Renders a tool's result for clients that read only text, ids and cursors included; None: it is no tool."""
    resource: Resource[R] | None = None
    progress: bool = False
    """Whether it may take long, and tells meanwhile how far it is."""
    own_scope: str | None = None
    """The scope that it needs, where that is not its group's."""

    @property
    def scope(self) -> str:
        """What a caller's token must allow."""
        return self.own_scope or (self.group.changes if self.effect.changes else self.group.reads)

    @property
    def agent_defaults(self) -> Mapping[str, Any]:
        """The defaults that differ for agents."""
        return {"max_chars": AGENT_MAX_CHARS} if "max_chars" in self.arguments.model_fields else {}

    def read(self, given: Mapping[str, Any]) -> A:
        """Validate arguments; `WrongArguments` names each wrong one."""
        try:
            return self.arguments.model_validate(given)
        except ValidationError as error:
            raise WrongArguments(error) from None
