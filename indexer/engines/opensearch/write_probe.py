"""Whether the cluster takes writes: OpenSearch blocks an index when the disk of a node passes the flood-stage mark."""

from typing import Final

from opensearchpy import OpenSearch

from indexer.engines.opensearch.failures import translate_errors
from indexer.errors import Unavailable

_SECONDS: Final = 2
_FLOOD_BLOCK: Final = "index.blocks.read_only_allow_delete"
_OWN_INDICES: Final = "trawl.*"


def check_blocks(client: OpenSearch, records: str) -> None:
    """Return unless one of our indices is blocked for a full disk; then raise `Unavailable`."""
    params = {"filter_path": f"*.settings.{_FLOOD_BLOCK}", "ignore_unavailable": "true", "request_timeout": _SECONDS}
    with translate_errors():
        found = client.indices.get_settings(index=f"{_OWN_INDICES},{records}-*", name=_FLOOD_BLOCK, params=params)
    blocked = sum(item["settings"]["index"]["blocks"]["read_only_allow_delete"] == "true" for item in found.values())
    if blocked:
        indices = "1 index" if blocked == 1 else f"{blocked} indices"
        raise Unavailable(
            f"OpenSearch takes no writes for {indices}, because a disk of the cluster is nearly full",
            action="Free space on the nodes' disks, or add nodes: OpenSearch then lifts its block "
            f"({_FLOOD_BLOCK}) by itself, and searches go on meanwhile",
        )


def write_once(client: OpenSearch, index: str) -> None:
    """Replace one small record; raise `Unavailable` if that is not done in time."""
    params = {"timeout": f"{_SECONDS}s", "request_timeout": _SECONDS}
    with translate_errors():
        client.index(index=index, id="probe", body={"key": "probe", "value": {}, "attempt": ""}, params=params)
