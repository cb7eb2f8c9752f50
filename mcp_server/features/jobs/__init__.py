"""Background jobs: status, cancellation and retry."""

from typing import Final

from mcp_server.feature import Feature
from mcp_server.features.jobs.advice import ADVICE
from mcp_server.features.jobs.operations import OPERATIONS

FEATURE: Final = Feature(OPERATIONS, advice=ADVICE)
