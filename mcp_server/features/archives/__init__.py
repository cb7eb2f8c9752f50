"""The team's archive: ingested files and web pages, with their citations."""

from typing import Final

from mcp_server.feature import Feature
from mcp_server.features.archives.advice import ADVICE
from mcp_server.features.archives.operations import OPERATIONS
from mcp_server.features.archives.overview import OVERVIEW
from mcp_server.features.archives.prompts import PROMPTS
from mcp_server.features.archives.source import SOURCE
from mcp_server.features.archives.upload import UPLOAD

FEATURE: Final = Feature((*OPERATIONS, UPLOAD, OVERVIEW), source=SOURCE, prompts=PROMPTS, advice=ADVICE)
