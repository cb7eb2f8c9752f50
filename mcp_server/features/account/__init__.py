"""The caller's own account, and the tokens of its team."""

from typing import Final

from mcp_server.feature import Feature
from mcp_server.features.account.operations import OPERATIONS

FEATURE: Final = Feature(OPERATIONS, always_offered=True)
