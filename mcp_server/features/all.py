"""The list of all features."""

from typing import Final

from mcp_server.feature import Feature
from mcp_server.features import account, archives, everywhere, jobs, local, osdu, quilt, quotes, simple, status, web

FEATURES: Final[tuple[Feature, ...]] = tuple(
    folder.FEATURE for folder in (status, simple, quotes, everywhere, local, archives, jobs, osdu, quilt, web, account)
)
"""All features, in the order in which their tools and resources are listed."""
