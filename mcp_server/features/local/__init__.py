"""The team's own indices."""

from typing import Final

from mcp_server.feature import Feature
from mcp_server.features.local.advice import ADVICE
from mcp_server.features.local.operations import OPERATIONS
from mcp_server.features.local.prompts import PROMPTS
from mcp_server.features.local.source import SOURCE

FEATURE: Final = Feature(OPERATIONS, source=SOURCE, prompts=PROMPTS, advice=ADVICE)
