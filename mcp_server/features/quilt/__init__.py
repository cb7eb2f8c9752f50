"""Quilt's catalog: the wire in `client`, one backend chosen in `selection`, the rules in `service`."""

from typing import Final

from mcp_server.feature import Feature
from mcp_server.features.quilt.operations import OPERATIONS
from mcp_server.features.quilt.source import SOURCE
from mcp_server.features.quilt.upstream import QUILT

FEATURE: Final = Feature(OPERATIONS, upstream=QUILT, source=SOURCE)
