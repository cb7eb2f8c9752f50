"""What the address of an MCP request selects: `/mcp/read` what changes nothing, `?tools=` groups and operations."""

from typing import Final
from urllib.parse import parse_qsl

from starlette.types import Scope

from mcp_server.selection import Selection, narrow
from mcp_server.services import Services

PATH: Final = "/mcp"
_READ_PATH: Final = "/mcp/read"
_READ_PATHS: Final = frozenset({_READ_PATH, f"{_READ_PATH}/"})
PATHS: Final = frozenset({PATH, f"{PATH}/"}) | _READ_PATHS
"""Clients add or drop the last slash, so both forms are served: many do not follow a redirect of a POST."""
_KEY: Final = "trawl.selection"


def put_selection(scope: Scope, services: Services) -> None:
    """Store what the address selects in the ASGI scope; `Invalid` if it names what does not exist."""
    is_read_only = scope["path"] in _READ_PATHS
    names = _named_tools(scope["query_string"])
    if is_read_only or names:
        scope[_KEY] = narrow(services.selection, services.features, names, read_only=is_read_only)


def selection_of(scope: Scope, services: Services) -> Selection:
    """Return what the request's address selects, or else what the service offers."""
    selection: Selection = scope.get(_KEY, services.selection)
    return selection


def _named_tools(query_string: bytes) -> list[str]:
    if not query_string:
        return []
    pairs = parse_qsl(query_string.decode("latin-1"))
    return [name.strip() for key, value in pairs if key == "tools" for name in value.split(",") if name.strip()]
