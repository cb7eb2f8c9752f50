"""One document of any source as a person reads it: with its matches marked, and who cites whom."""

from typing import Final

from mcp_server.feature import Feature
from mcp_server.features.documents.operations import OPERATIONS

FEATURE: Final = Feature(OPERATIONS)
