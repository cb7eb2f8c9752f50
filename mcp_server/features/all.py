"""The list of all features."""

from typing import Final

from mcp_server.feature import Feature
from mcp_server.features import (
    account,
    archives,
    connect,
    documents,
    everywhere,
    jobs,
    local,
    osdu,
    quilt,
    quotes,
    simple,
    status,
    usage,
    web,
)

FEATURES: Final[tuple[Feature, ...]] = tuple(
    folder.FEATURE
    for folder in (
        status,
        simple,
        quotes,
        documents,
        everywhere,
        local,
        archives,
        jobs,
        osdu,
        quilt,
        web,
        connect,
        account,
        usage,
    )
)
"""All features, in the order in which their tools and resources are listed."""
