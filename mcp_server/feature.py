"""A part of what Trawl can do: its operations, and all that the rest of the service derives from it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from indexer.errors import PlatformError
from mcp_server.advice import Advice
from mcp_server.operation import Group, Operation
from mcp_server.search_source import SearchSource
from mcp_server.upstream.upstream import Upstream


@dataclass(frozen=True, slots=True)
class Prompt:
    """A text that clients can ask to be taught by."""

    name: str
    title: str
    description: str
    text: Callable[[], str]


@dataclass(frozen=True, slots=True)
class Feature:
    """One folder of `mcp_server.features`."""

    operations: tuple[Operation[Any, Any], ...]
    upstream: Upstream[Any] | None = None
    """The service elsewhere that it asks, with the settings of that."""
    source: SearchSource | None = None
    """What `search_everywhere` asks."""
    prompts: tuple[Prompt, ...] = ()
    advice: Mapping[type[PlatformError], Advice] = field(default_factory=dict)
    """What its operations can do about failures of the library."""
    always_offered: bool = False
    """Whether no setting leaves it out."""


def operations_of(features: Sequence[Feature]) -> list[Operation[Any, Any]]:
    """Return all operations, in the order in which they are listed."""
    return [operation for feature in features for operation in feature.operations]


def groups_of(operations: Sequence[Operation[Any, Any]]) -> list[Group]:
    """Return the groups of these operations, each once."""
    return list(dict.fromkeys(operation.group for operation in operations))


def advise(error: PlatformError, features: Sequence[Feature]) -> None:
    """Add to a failure what the operations of these features can do about it."""
    for feature in features:
        if (advice := feature.advice.get(type(error))) is not None:
            advice.add_to(error)


def upstreams_of(features: Sequence[Feature]) -> list[Upstream[Any]]:
    """Return the upstreams of all features."""
    return [feature.upstream for feature in features if feature.upstream is not None]
