"""Which operations a service offers, by its settings: over MCP, REST and the command line alike."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from indexer.errors import Authorization, Invalid, closest
from mcp_server.feature import Feature, groups_of, operations_of
from mcp_server.operation import Operation
from mcp_server.settings import McpSettings


@dataclass(frozen=True, slots=True)
class Selection:
    """The names of the offered operations; all others are not listed and fail with `authorization`."""

    names: frozenset[str]

    def offers(self, operation: Operation[Any, Any]) -> bool:
        return operation.name in self.names

    def check(self, operation: Operation[Any, Any]) -> None:
        """Raise `Authorization` if the operation is not offered."""
        if not self.offers(operation):
            raise Authorization(
                f"This service does not offer {operation.name}",
                action="Use what it lists; its operator chooses that by TRAWL_TOOLS and TRAWL_READ_ONLY",
            )


def select_all(features: Sequence[Feature]) -> Selection:
    """Select all operations."""
    return Selection(frozenset(operation.name for operation in operations_of(features)))


def select(features: Sequence[Feature], settings: McpSettings) -> Selection:
    """Select operations by the settings; an unknown name in them is `Invalid`."""
    operations = operations_of(features)
    _check_names(operations, settings.tools)
    selected = frozenset(settings.tools)
    names = {
        operation.name
        for feature in features
        for operation in feature.operations
        if (feature.always_offered or not selected or operation.name in selected or operation.group.name in selected)
        and not (settings.read_only and operation.effect.changes)
    }
    return Selection(frozenset(names))


def _check_names(operations: Sequence[Operation[Any, Any]], names: Sequence[str]) -> None:
    known = [group.name for group in groups_of(operations)] + [operation.name for operation in operations]
    unknown = [name for name in names if name not in known]
    if unknown:
        suggestions = {name: closest(name, known) for name in unknown}
        best = ", ".join(names[0] for names in suggestions.values() if names)
        raise Invalid(
            f"Unknown names in TRAWL_TOOLS: {', '.join(unknown)}",
            action=(f"Did you mean {best}? " if best else "") + f"There are {', '.join(known)}",
            details={"closest": suggestions},
        )
