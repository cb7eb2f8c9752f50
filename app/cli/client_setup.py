"""How each MCP client is connected to this service: a command, or a block for its configuration file."""

import json
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

PLACEHOLDER: Final = "<token>"
"""Stands in a block for the token that is to be put there."""


@dataclass(frozen=True, slots=True)
class ClientSetup:
    """What to do with a block, and the block for an MCP address and a token, which may be None."""

    instruction: str
    block: Callable[[str, str | None], str]
    takes_token: bool = True
    """Whether the client can send a token; if not, it signs in by OAuth where that is needed."""
    needs_public_url: bool = False
    """Whether the client runs elsewhere, and cannot reach this machine's own addresses."""


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, indent=2)


def _header(token: str) -> str:
    return f"Bearer {token}"


def _headers(token: str | None) -> dict[str, Any]:
    """Return the part of a JSON block that holds the token."""
    return {} if token is None else {"headers": {"Authorization": _header(token)}}


def _claude_code(address: str, token: str | None) -> str:
    # --header takes all words that follow, so it stands last.
    header = [] if token is None else ["--header", f"Authorization: {_header(token)}"]
    return shlex.join(["claude", "mcp", "add", "--transport", "http", "trawl", address, *header])


def _codex(address: str, token: str | None) -> str:
    lines = ["[mcp_servers.trawl]", f"url = {json.dumps(address)}"]
    if token is not None:
        lines.append(f"http_headers = {{ Authorization = {json.dumps(_header(token))} }}")
    return "\n".join(lines)


def _claude_desktop(address: str, token: str | None) -> str:
    server: dict[str, Any] = {"command": "npx", "args": ["-y", "mcp-remote", address]}
    if token is not None:
        # Arguments with a space are split on Windows, and others on this machine can read them.
        server["args"] += ["--header", "Authorization:${TRAWL_AUTHORIZATION}"]
        server["env"] = {"TRAWL_AUTHORIZATION": _header(token)}
    return _json({"mcpServers": {"trawl": server}})


CLIENT_SETUPS: Final[Mapping[str, ClientSetup]] = {
    "claude-code": ClientSetup("Run this command:", _claude_code),
    "cursor": ClientSetup(
        "Put this into .cursor/mcp.json of a project, or ~/.cursor/mcp.json:",
        lambda address, token: _json({"mcpServers": {"trawl": {"url": address, **_headers(token)}}}),
    ),
    "vscode": ClientSetup(
        "Put this into .vscode/mcp.json:",
        lambda address, token: _json({"servers": {"trawl": {"type": "http", "url": address, **_headers(token)}}}),
    ),
    "codex": ClientSetup("Put this into ~/.codex/config.toml:", _codex),
    "claude-desktop": ClientSetup(
        "Put this into claude_desktop_config.json (Settings, Developer, Edit Config); it needs Node:", _claude_desktop
    ),
    "chatgpt": ClientSetup(
        "Add a connector with this MCP server URL (Settings, Connectors), with OAuth if the service needs a sign-in:",
        lambda address, _: address,
        takes_token=False,
        needs_public_url=True,
    ),
}
