"""The principals that need no token: of requests while authentication is off, and of commands on this machine."""

from typing import Final

from indexer.tenancy import LOCAL_CREDENTIAL, Principal, TeamId
from mcp_server.access.scopes import ALL_SCOPES

MAIN: Final = TeamId("main")
"""The team that everything belongs to that was stored without authentication."""
ANONYMOUS: Final = Principal(MAIN, "anonymous", ALL_SCOPES)
"""The sender of an HTTP request while authentication is off."""
NOBODY: Final = Principal(MAIN, "nobody")
"""The sender of a request that anybody may send: it has no scope at all."""
LOCAL: Final = Principal(MAIN, "local", ALL_SCOPES, credential=LOCAL_CREDENTIAL)
"""The user of a command on this machine."""
