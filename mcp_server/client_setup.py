"""How each client is connected to this service: a command, or a block for its configuration file.

Commands import this, so it imports little.
"""

import json
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

PLACEHOLDER: Final = "<token>"
"""Stands in a block for the token that is to be put there."""
MCP_PATH: Final = "/mcp"


@dataclass(frozen=True, slots=True)
class ClientSetup:
    """What to do with a block, and the block for an MCP address and a token, which may be None."""

    title: str
    instruction: str
    block: Callable[[str, str | None], str]
    takes_token: bool = True
    """Whether the client can send a token; if not, it signs in by OAuth where that is needed."""
    signs_in: bool = True
    """Whether the client can open a browser to sign in by OAuth, so that it needs no token."""
    needs_public_url: bool = False
    """Whether the client runs elsewhere, and cannot reach this machine's own addresses."""


def obstacles(setup: ClientSetup, url: str, *, needs_token: bool, has_issuer: bool) -> Iterator[str]:
    """Yield what the operator must set before a client can use the service at this URL."""
    if not setup.takes_token and needs_token and not has_issuer:
        yield "This client sends no token, it signs in by OAuth: that needs TRAWL_OIDC_ISSUER at the service."
    if setup.needs_public_url and not url.startswith("https://"):
        yield (
            "This client runs elsewhere: it needs an address that begins with https:// and that it can reach, "
            "set as TRAWL_PUBLIC_URL."
        )


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


def _http(address: str, token: str | None) -> str:
    list_tools = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    search = f"{address.removesuffix(MCP_PATH)}/api/v1/search"
    return "\n\n".join(
        [
            "# The tools, over MCP:\n" + _curl(address, token, list_tools, "application/json, text/event-stream"),
            "# A search, over REST:\n" + _curl(search, token, {"query": "annual report"}),
        ]
    )


def _curl(address: str, token: str | None, body: Mapping[str, Any], accepted: str = "application/json") -> str:
    headers = ["Content-Type: application/json", f"Accept: {accepted}"]
    if token is not None:
        headers.append(f"Authorization: {_header(token)}")
    lines = [f"-H {shlex.quote(header)}" for header in headers]
    return " \\\n  ".join([f"curl -sS {shlex.quote(address)}", *lines, f"-d {shlex.quote(json.dumps(body))}"])


CLIENT_SETUPS: Final[Mapping[str, ClientSetup]] = {
    "claude-code": ClientSetup("Claude Code", "Run this command:", _claude_code),
    "claude-desktop": ClientSetup(
        "Claude Desktop",
        "Put this into claude_desktop_config.json (Settings, Developer, Edit Config); it needs Node:",
        _claude_desktop,
    ),
    "cursor": ClientSetup(
        "Cursor",
        "Put this into .cursor/mcp.json of a project, or ~/.cursor/mcp.json:",
        lambda address, token: _json({"mcpServers": {"trawl": {"url": address, **_headers(token)}}}),
    ),
    "vscode": ClientSetup(
        "VS Code",
        "Put this into .vscode/mcp.json:",
        lambda address, token: _json({"servers": {"trawl": {"type": "http", "url": address, **_headers(token)}}}),
    ),
    "codex": ClientSetup("Codex", "Put this into ~/.codex/config.toml:", _codex),
    "chatgpt": ClientSetup(
        "ChatGPT",
        "Add a connector with this MCP server URL (Settings, Connectors), with OAuth if the service needs a sign-in:",
        lambda address, _: address,
        takes_token=False,
        needs_public_url=True,
    ),
    "http": ClientSetup("Plain HTTP", "Run these commands:", _http, signs_in=False),
}
