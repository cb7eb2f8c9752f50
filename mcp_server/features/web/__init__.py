"""The web search feature: a model of OpenAI searches the web and answers with citations."""

from typing import Final

from mcp_server.feature import Feature
from mcp_server.features.web.history import forget_history
from mcp_server.features.web.history_operations import HISTORY_OPERATIONS
from mcp_server.features.web.operations import SEARCH
from mcp_server.features.web.source import SOURCE
from mcp_server.features.web.upstream import WEB

FEATURE: Final = Feature((SEARCH, *HISTORY_OPERATIONS), upstream=WEB, source=SOURCE, forget_team=forget_history)
