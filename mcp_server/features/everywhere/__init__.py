"""One search of all sources: run concurrently, each with its own deadline, and ranked together."""

from typing import Final

from mcp_server.feature import Feature
from mcp_server.features.everywhere.operations import SEARCH

FEATURE: Final = Feature((SEARCH,))
