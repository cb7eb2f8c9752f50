"""How clients are connected to this service."""

from typing import Final

from mcp_server.feature import Feature
from mcp_server.features.connect.operations import OPERATIONS

FEATURE: Final = Feature(OPERATIONS, always_offered=True)
