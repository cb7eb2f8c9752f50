"""An operation: one thing that a caller can do, declared once.

MCP tools, resources, REST routes, OpenAPI and the reference are derived from it.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from indexer.arguments import Arguments
from indexer.index.quota import Additions
from indexer.tenancy import DEFAULT_INDEX, IndexName, Principal
from mcp_server.completion import Complete
from mcp_server.effect import Effect
from mcp_server.result_json import compact_json
from mcp_server.route import Route
from mcp_server.wrong_arguments import read_arguments

if TYPE_CHECKING:
    from mcp_server.services import Services

A = TypeVar("A", bound=Arguments)
R = TypeVar("R", bound=Mapping[str, object])

Handler = Callable[["Services", Principal, A], Awaitable[R]]
"""Executes an operation; raises `PlatformError` for expected failures."""
_VARIABLE: Final = re.compile(r"\{(\w+)\}")
ANY_SCOPE: Final = ""
"""The scope of operations that every authenticated caller may use."""
_IDENTIFIERS: Final = ("index_name", "doc_id", "id", "ids", "job_id", "token_id", "bucket")
"""The arguments that name what a call concerns."""
_CREATED: Final = ("job_id", "id")
"""The fields of results that name what a call created."""


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
    index: IndexName | None = None
    """The index that all of them concern, if their arguments do not name one."""


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
    absent: str | None = None
    """For a template: what to tell a caller whose variables lead to nothing, without repeating them."""
    complete: Mapping[str, Complete] = field(default_factory=dict)
    """How variables of the URI template are completed."""

    @property
    def variables(self) -> list[str]:
        return _VARIABLE.findall(self.address)

    @property
    def is_template(self) -> bool:
        return bool(self.variables)


# Compared by identity: each operation is declared once, and caches use it as their key.
@dataclass(frozen=True, slots=True, eq=False)
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
    asks_upstreams: bool = False
    """Whether it asks other sources too, each for a time of its own."""
    own_scope: str | None = None
    """Overrides the scope of its group."""
    adds: Callable[[A], Additions] | None = None
    """Returns the documents that it writes, for the quota of the team."""
    starts_job: bool = False
    """Whether it starts a job, for the quota of the team."""

    @property
    def scope(self) -> str:
        """The scope that the caller's token must have."""
        if self.own_scope is not None:
            return self.own_scope
        return self.group.changes if self.effect.changes else self.group.reads

    @property
    def is_search(self) -> bool:
        """Whether it reads the team's own data and takes a slot of the team meanwhile; one that only waits does not."""
        return self.scope == "search" and not self.effect.changes and not self.progress

    @property
    def ends_in_time(self) -> bool:
        """Whether the search timeout is the deadline of the whole call."""
        return self.is_search and not self.asks_upstreams

    @property
    def agent_defaults(self) -> Mapping[str, Any]:
        """The defaults of arguments that differ for agents."""
        return self.arguments.agent_defaults()

    def index_of(self, arguments: A) -> IndexName | None:
        """Return the index that the arguments name, if they can name one; null names the default index."""
        if "index_name" not in self.arguments.model_fields:
            return None
        return IndexName(str(getattr(arguments, "index_name", None) or DEFAULT_INDEX).lower())

    def object_of(self, arguments: A) -> str:
        """Return the identifiers of what a call concerns, for the audit; never a query or a text."""
        named = (getattr(arguments, name, None) for name in _IDENTIFIERS)
        return "/".join(
            ",".join(map(str, each)) if isinstance(each, list) else str(each) for each in named if each is not None
        )

    def created_in(self, result: R) -> str:
        """Return the identifier of what a call created, if its arguments could not name it."""
        return next((str(result[name]) for name in _CREATED if name in result), "")

    def read(self, values: Mapping[str, Any]) -> A:
        """Validate arguments; `Invalid` names what is wrong."""
        return read_arguments(self.arguments, values)
