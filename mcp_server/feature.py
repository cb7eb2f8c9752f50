"""A feature: its operations, and everything else that the service derives from it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from indexer.engines.record_port import Records
from indexer.errors import PlatformError
from indexer.tenancy import TeamId
from mcp_server.advice import Advice
from mcp_server.completion import Complete
from mcp_server.operation import Group, Operation
from mcp_server.search_source import SearchSource
from mcp_server.upstream.upstream import Upstream


@dataclass(frozen=True, slots=True)
class Completer:
    """How an argument is completed while a user types it."""

    operation: Operation[Any, Any]
    """Callers who may not call this operation get no suggestions."""
    complete: Complete


@dataclass(frozen=True, slots=True)
class PromptArgument:
    """A required argument of a prompt."""

    name: str
    description: str
    completer: Completer | None = None


@dataclass(frozen=True, slots=True)
class Prompt:
    """An MCP prompt: a guide that a client can request."""

    name: str
    title: str
    description: str
    text: Callable[[Mapping[str, str]], str]
    """Builds the message from the arguments, which are data: they stand there quoted."""
    arguments: tuple[PromptArgument, ...] = ()
    uses: tuple[Operation[Any, Any], ...] = ()
    """The operations without which it leads nowhere."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One folder of `mcp_server.features`."""

    operations: tuple[Operation[Any, Any], ...]
    upstream: Upstream[Any] | None = None
    """The external service that it calls, with its settings."""
    source: SearchSource | None = None
    """How `search_everywhere` searches it."""
    prompts: tuple[Prompt, ...] = ()
    advice: Mapping[type[PlatformError], Advice] = field(default_factory=dict)
    """What its operations can do about failures of the library."""
    always_offered: bool = False
    """Whether `TRAWL_TOOLS` cannot leave it out."""
    forget_team: Callable[[Records, TeamId], Mapping[str, int]] | None = None
    """Removes what its own records hold of a team, and returns how much of what; blocking."""


def operations_of(features: Sequence[Feature]) -> list[Operation[Any, Any]]:
    """Return all operations, in the order in which they are listed."""
    return [operation for feature in features for operation in feature.operations]


def groups_of(operations: Sequence[Operation[Any, Any]]) -> list[Group]:
    """Return the groups of these operations, each once."""
    return list(dict.fromkeys(operation.group for operation in operations))


def advise(error: PlatformError, features: Sequence[Feature]) -> None:
    """Add the advice of these features to a failure."""
    for feature in features:
        if (advice := feature.advice.get(type(error))) is not None:
            advice.add_to(error)


def upstreams_of(features: Sequence[Feature]) -> list[Upstream[Any]]:
    """Return the upstreams of all features."""
    return [feature.upstream for feature in features if feature.upstream is not None]
