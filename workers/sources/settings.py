"""Settings that limit what sources may read: folders, hosts, sizes."""

from ipaddress import ip_network
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, field_validator
from pydantic_settings import NoDecode

from indexer.environment import EnvironmentSettings, comma_separated


def _is_network(name: str) -> bool:
    try:
        ip_network(name)
    except ValueError:
        return False
    return True


def absolute_folders(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    """Expand `~`, and refuse relative paths: processes may run in different folders."""
    expanded = tuple(path.expanduser() for path in paths)
    if not all(path.is_absolute() for path in expanded):
        raise ValueError("give absolute folders")
    return expanded


class SourceSettings(EnvironmentSettings):
    """TRAWL_* settings of the sources."""

    ingest_roots: Annotated[
        tuple[Path, ...],
        NoDecode,
        BeforeValidator(comma_separated),
        AfterValidator(absolute_folders),
        Field(
            description="Absolute folders, separated by commas, below which folders may be ingested by their path; "
            "where callers need tokens, TRAWL_CONNECTIONS says so for each team instead"
        ),
    ] = ()
    connections: Annotated[
        Path | None,
        Field(
            description="TOML file with the upstreams of each team and what it may read of S3 and of the host; "
            "instead of TRAWL_OSDU_*, TRAWL_QUILT_*, TRAWL_WEB_* and OPENAI_*"
        ),
    ] = None
    fetch_allow: Annotated[
        tuple[str, ...],
        NoDecode,
        BeforeValidator(comma_separated),
        Field(description="Hosts and networks, separated by commas, to fetch from although they are not public"),
    ] = ()
    max_file_mb: Annotated[
        float, Field(gt=0, le=1000, allow_inf_nan=False, description="Megabytes that one ingested file may have")
    ] = 100.0
    max_page_mb: Annotated[
        float, Field(gt=0, le=1000, allow_inf_nan=False, description="Megabytes that one fetched page may have")
    ] = 20.0
    max_upload_mb: Annotated[
        float,
        Field(gt=0, allow_inf_nan=False, description="Megabytes that one upload may have, its archives unpacked"),
    ] = 2_000.0
    fetch_timeout: Annotated[
        float,
        Field(gt=0, le=600, allow_inf_nan=False, description="Seconds for one page, redirects included"),
    ] = 30.0

    @field_validator("fetch_allow")
    @classmethod
    def _check_networks(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if "/" in name and not _is_network(name):
                raise ValueError("give host names, addresses, and networks like 10.0.0.0/8, separated by commas")
        return tuple(name.lower().rstrip(".") for name in names)

    @property
    def max_file_bytes(self) -> int:
        return int(self.max_file_mb * 1_000_000)

    @property
    def max_page_bytes(self) -> int:
        return int(self.max_page_mb * 1_000_000)

    @property
    def max_upload_bytes(self) -> int:
        return int(self.max_upload_mb * 1_000_000)
