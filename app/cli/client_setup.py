"""How each MCP client is connected to this service: a command, or a block for its configuration file."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class ClientSetup:
    """What to do with a block, and the block for an MCP address."""

    instruction: str
    block: Callable[[str], str]
    needs_public_url: bool = False
    """Whether the client runs elsewhere, and cannot reach this machine's own addresses."""


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, indent=2)


CLIENT_SETUPS: Final[Mapping[str, ClientSetup]] = {
    "claude-code": ClientSetup("Run this command:", lambda address: f"claude mcp add --transport http trawl {address}"),
    "cursor": ClientSetup(
        "Put this into .cursor/mcp.json of a project, or ~/.cursor/mcp.json:",
        lambda address: _json({"mcpServers": {"trawl": {"url": address}}}),
    ),
    "vscode": ClientSetup(
        "Put this into .vscode/mcp.json:",
        lambda address: _json({"servers": {"trawl": {"type": "http", "url": address}}}),
    ),
    "codex": ClientSetup(
        "Put this into ~/.codex/config.toml:", lambda address: f"[mcp_servers.trawl]\nurl = {json.dumps(address)}"
    ),
    "claude-desktop": ClientSetup(
        "Put this into claude_desktop_config.json (Settings, Developer, Edit Config); it needs Node:",
        lambda address: _json({"mcpServers": {"trawl": {"command": "npx", "args": ["-y", "mcp-remote", address]}}}),
    ),
    "chatgpt": ClientSetup(
        "Add a connector with this MCP server URL, without authentication (Settings, Connectors):",
        lambda address: address,
        needs_public_url=True,
    ),
}
