"""The sandboxes by name: how a service is connected to each, and what to try. Imports nothing of the servers."""

from dataclasses import dataclass
from typing import Final, Literal

from app.sandbox.osdu.partition import PARTITION
from mcp_server.sandbox import OSDU_SANDBOX_TOKEN, QUILT_SANDBOX_KEY

SandboxName = Literal["osdu", "quilt"]


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A sandbox; `{url}` in its texts stands for its address."""

    title: str
    port: int
    """The port on which the command serves it unless told otherwise."""
    settings: dict[str, str]
    """The settings that connect a service to it."""
    call: str
    """A call of a tool that finds something."""
    request: str
    """A request that finds something without a service."""

    def settings_for(self, url: str) -> dict[str, str]:
        """Return the settings for this address."""
        return {name: value.format(url=url) for name, value in self.settings.items()}


SANDBOXES: Final[dict[SandboxName, Sandbox]] = {
    "osdu": Sandbox(
        "OSDU",
        8701,
        {"TRAWL_OSDU_URL": "{url}", "TRAWL_OSDU_PARTITION": PARTITION, "TRAWL_OSDU_TOKEN": OSDU_SANDBOX_TOKEN},
        'search_query(query="data.FacilityName:amber AND data.Depth:[3300 TO *]")',
        "curl -s {url}/api/search/v2/query -H 'Content-Type: application/json' "
        f"-H 'Authorization: Bearer {OSDU_SANDBOX_TOKEN}' -H 'data-partition-id: {PARTITION}' "
        '-d \'{{"kind": "*:*:*:*", "query": "amber", "limit": 3}}\'',
    ),
    "quilt": Sandbox(
        "Quilt",
        8702,
        {"TRAWL_QUILT_CATALOG_URL": "{url}", "TRAWL_QUILT_TOKEN": QUILT_SANDBOX_KEY},
        'search_catalog(query="otter trawl", scope="package")',
        "curl -s '{url}/registry/api/search?index=sandbox-surveys&action=search&query=trawl&size=3' "
        f"-H 'Authorization: Bearer {QUILT_SANDBOX_KEY}'",
    ),
}
