"""Which operations a service offers, by its settings: on every way in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from indexer.errors import Authorization, Invalid, closest
from mcp_server.feature import Feature, groups_of, operations_of
from mcp_server.operation import Operation
from mcp_server.settings import McpSettings


@dataclass(frozen=True, slots=True)
class Selection:
    """The names of the operations that are offered; the others are not listed and answer `authorization`."""

    names: frozenset[str]

    def offers(self, operation: Operation[Any, Any]) -> bool:
        return operation.name in self.names

    def check(self, operation: Operation[Any, Any]) -> None:
        """Raise `Authorization` where the operation is left out."""
        if not self.offers(operation):
            raise Authorization(
                f"This service does not offer {operation.name}",
                action="Use what it lists; its operator chooses that by TRAWL_TOOLS and TRAWL_READ_ONLY",
            )


def everything(features: Sequence[Feature]) -> Selection:
    """Leave nothing out."""
    return Selection(frozenset(operation.name for operation in operations_of(features)))


def select(features: Sequence[Feature], settings: McpSettings) -> Selection:
    """Choose by the settings; an unknown name in them is `Invalid`."""
    operations = operations_of(features)
    _check(operations, settings.tools)
    wanted = frozenset(settings.tools)
    names = {
        operation.name
        for feature in features
        for operation in feature.operations
        if (feature.always_offered or not wanted or operation.name in wanted or operation.group.name in wanted)
        and not (settings.read_only and operation.effect.changes)
    }
    return Selection(frozenset(names))


def _check(operations: Sequence[Operation[Any, Any]], names: Sequence[str]) -> None:
    known = [group.name for group in groups_of(operations)] + [operation.name for operation in operations]
    unknown = [name for name in names if name not in known]
    if unknown:
        near = {name: closest(name, known) for name in unknown}
        meant = ", ".join(names[0] for names in near.values() if names)
        raise Invalid(
            f"Unknown names in TRAWL_TOOLS: {', '.join(unknown)}",
            action=(f"Did you mean {meant}? " if meant else "") + f"There are {', '.join(known)}",
            details={"closest": near},
        )
