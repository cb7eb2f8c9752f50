"""The `WWW-Authenticate` header: tells a client where tokens come from, and which scopes it lacks."""

from typing import Final

from indexer.errors import Authentication, PlatformError
from mcp_server.access.scopes import InsufficientScope

METADATA_PATH: Final = "/.well-known/oauth-protected-resource"
DEFAULT_SCOPE: Final = "search"
"""What a client without a token asks for: the smallest useful scope."""
_MCP_PATHS: Final = ("/mcp/read", "/mcp")


def challenge(public_url: str, path: str, error: PlatformError) -> str | None:
    """Return the header's value for a failure at this path; None if a token would not help."""
    metadata = f'resource_metadata="{public_url}{METADATA_PATH}{resource_path(path)}"'
    if isinstance(error, InsufficientScope):
        return f'Bearer error="insufficient_scope", scope="{" ".join(error.missing)}", {metadata}'
    if not isinstance(error, Authentication):
        return None
    # A message never repeats what the caller sent, so it can stand in a header.
    is_invalid = error.details.get("token") == "invalid"
    reason = f'error="invalid_token", error_description="{error.message}", ' if is_invalid else ""
    return f'Bearer {reason}{metadata}, scope="{DEFAULT_SCOPE}"'


def resource_path(path: str) -> str:
    """Return the path of the protected resource that a request's path belongs to; nothing for the API as a whole."""
    bare = path.rstrip("/")
    return next((each for each in _MCP_PATHS if bare == each), "")
