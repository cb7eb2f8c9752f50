"""Where a quotation stands in the documents of a team."""

from typing import Final

from mcp_server.feature import Feature
from mcp_server.features.quotes.operations import FIND

FEATURE: Final = Feature((FIND,))
