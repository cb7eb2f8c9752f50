"""Search and fetch for clients that expect just these two tools."""

from typing import Final

from mcp_server.feature import Feature
from mcp_server.features.simple.operations import FETCH, SEARCH

FEATURE: Final = Feature((SEARCH, FETCH))
