"""The settings of all upstreams together."""

from dataclasses import dataclass, field

from mcp_server.upstreams.osdu.settings import OsduSettings
from mcp_server.upstreams.quilt.settings import QuiltSettings
from mcp_server.upstreams.web.settings import WebSettings


@dataclass(frozen=True, slots=True)
class UpstreamSettings:
    """Where the upstreams are and how they are asked; what is not given here is not configured."""

    osdu: OsduSettings = field(default_factory=OsduSettings.model_construct)
    quilt: QuiltSettings = field(default_factory=QuiltSettings.model_construct)
    web: WebSettings = field(default_factory=WebSettings.model_construct)
