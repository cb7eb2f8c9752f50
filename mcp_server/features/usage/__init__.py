"""What a team uses and what it searches for, for its administrators."""

from typing import Final

from mcp_server.feature import Feature
from mcp_server.features.usage.operations import OPERATIONS
from mcp_server.search_counts.search_records import forget_searches

FEATURE: Final = Feature(OPERATIONS, always_offered=True, forget_team=forget_searches)
