"""Which operations are offered: by the settings everywhere, and by the address of an MCP request as well."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from indexer.errors import Authorization, Invalid, closest
from indexer.tenancy import Principal
from mcp_server.access.scopes import ALL_SCOPES
from mcp_server.admission import allows
from mcp_server.feature import Feature, groups_of, operations_of
from mcp_server.operation import Operation
from mcp_server.settings import McpSettings

_MAX_SUGGESTED: Final = 3


@dataclass(frozen=True, slots=True)
class Selection:
    """The names of the offered operations; all others are not listed and fail with `authorization`."""

    names: frozenset[str]
    chosen_by: str = "its operator chooses that by TRAWL_TOOLS and TRAWL_READ_ONLY"
    """For the failure of an operation that is not offered."""

    def offers(self, operation: Operation[Any, Any]) -> bool:
        return operation.name in self.names

    def check(self, operation: Operation[Any, Any]) -> None:
        """Raise `Authorization` if the operation is not offered."""
        if not self.offers(operation):
            raise Authorization(
                f"This service does not offer {operation.name}", action=f"Use what it lists; {self.chosen_by}"
            )


def select_all(features: Sequence[Feature]) -> Selection:
    """Select all operations."""
    return Selection(frozenset(operation.name for operation in operations_of(features)))


def select(features: Sequence[Feature], settings: McpSettings) -> Selection:
    """Select operations by the settings; an unknown name in them is `Invalid`."""
    known = _known_names(operations_of(features))
    unknown = [name for name in settings.tools if name not in known]
    if unknown:
        suggestions = {name: closest(name, known) for name in unknown}
        best = ", ".join(names[0] for names in suggestions.values() if names)
        raise Invalid(
            f"Unknown names in TRAWL_TOOLS: {', '.join(unknown)}",
            action=(f"Did you mean {best}? " if best else "") + f"There are {', '.join(known)}",
            details={"closest": suggestions},
        )
    return Selection(_selected(features, settings.tools, read_only=settings.read_only))


def narrow(selection: Selection, features: Sequence[Feature], names: Sequence[str], *, read_only: bool) -> Selection:
    """Select among the offered operations for one address. An unknown name is `Invalid`, and is not repeated."""
    operations = operations_of(features)
    known = _known_names(operations)
    unknown = [name for name in names if name not in known]
    if unknown:
        offered = _known_names([operation for operation in operations if selection.offers(operation)])
        # Comparing names takes time, and an address may hold thousands of them.
        best = [name for each in unknown[:_MAX_SUGGESTED] for name in closest(each, offered, count=1)]
        raise Invalid(
            "Unknown name in ?tools= of the address",
            action=(f"Did you mean {', '.join(best)}? " if best else "") + f"There are {', '.join(offered)}",
        )
    selected = selection.names & _selected(features, names, read_only=read_only)
    return Selection(selected, "the address chooses that by /mcp/read and ?tools=, its operator by TRAWL_TOOLS")


def allowed(selection: Selection, features: Sequence[Feature], principal: Principal) -> Selection:
    """Select among the offered operations those that the caller's token allows."""
    if principal.scopes == ALL_SCOPES and principal.indices is None:
        return selection
    names = frozenset(operation.name for operation in operations_of(features) if allows(principal, operation))
    return replace(selection, names=selection.names & names)


def _selected(features: Sequence[Feature], names: Sequence[str], *, read_only: bool) -> frozenset[str]:
    """Return the operations that names of operations and groups select; without names, all."""
    selected = frozenset(names)
    return frozenset(
        operation.name
        for feature in features
        for operation in feature.operations
        if (feature.always_offered or not selected or operation.name in selected or operation.group.name in selected)
        and not (read_only and operation.effect.changes)
    )


def _known_names(operations: Sequence[Operation[Any, Any]]) -> list[str]:
    return [group.name for group in groups_of(operations)] + [operation.name for operation in operations]
