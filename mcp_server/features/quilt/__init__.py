"""The Quilt feature: `backend_choice` selects GraphQL or Elasticsearch, the two ways to search a catalog."""

from typing import Final

from mcp_server.feature import Feature
from mcp_server.features.quilt.api.token_store import forget_tokens
from mcp_server.features.quilt.operations import OPERATIONS
from mcp_server.features.quilt.source import SOURCE
from mcp_server.features.quilt.upstream import QUILT

FEATURE: Final = Feature(OPERATIONS, upstream=QUILT, source=SOURCE, forget_team=forget_tokens)
