"""Which of the tools a service offers, by its settings."""

from collections.abc import Sequence
from dataclasses import replace

from indexer.errors import Invalid, closest
from mcp_server.settings import McpSettings
from mcp_server.tool import Group


def selected(groups: Sequence[Group], settings: McpSettings) -> list[Group]:
    """Return the groups with only the tools to offer, leaving out groups without any."""
    _check(groups, settings.tools)
    wanted = frozenset(settings.tools)
    kept = []
    for group in groups:
        tools = tuple(
            tool
            for tool in group.tools
            if (not wanted or group.name in wanted or tool.name in wanted)
            and (not settings.read_only or tool.annotations.read_only_hint)
        )
        if tools:
            kept.append(replace(group, tools=tools))
    return kept


def _check(groups: Sequence[Group], names: Sequence[str]) -> None:
    known = [group.name for group in groups] + [tool.name for group in groups for tool in group.tools]
    unknown = [name for name in names if name not in known]
    if unknown:
        near = {name: closest(name, known) for name in unknown}
        meant = ", ".join(names[0] for names in near.values() if names)
        raise Invalid(
            f"Unknown names in TRAWL_TOOLS: {', '.join(unknown)}",
            action=(f"Did you mean {meant}? " if meant else "") + f"There are {', '.join(known)}",
            details={"closest": near},
        )
