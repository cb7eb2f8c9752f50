"""Who calls while authentication is off: everybody belongs to the one team."""

from typing import Final

from indexer.tenancy import Principal, TeamId

_MAIN: Final = TeamId("main")
ANONYMOUS: Final = Principal(_MAIN, "anonymous")
"""Whoever sends a request."""
LOCAL: Final = Principal(_MAIN, "local")
"""Whoever starts a command on this machine."""
