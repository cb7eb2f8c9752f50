"""The principals while authentication is off: every caller belongs to one team."""

from typing import Final

from indexer.tenancy import Principal, TeamId

_MAIN: Final = TeamId("main")
ANONYMOUS: Final = Principal(_MAIN, "anonymous")
"""The sender of an HTTP request."""
LOCAL: Final = Principal(_MAIN, "local")
"""The user of a command on this machine."""
