"""One question to all sources at once: asked side by side, each for its own time, and ranked together."""

from typing import Final

from mcp_server.feature import Feature
from mcp_server.features.everywhere.operations import SEARCH

FEATURE: Final = Feature((SEARCH,))
