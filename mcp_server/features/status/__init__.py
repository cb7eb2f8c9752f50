"""Status of the service: engine, sources, queues and versions."""

from typing import Final

from mcp_server.feature import Feature
from mcp_server.features.status.operations import STATUS

FEATURE: Final = Feature((STATUS,), always_offered=True)
