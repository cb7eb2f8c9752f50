"""The TRAWL_* settings of the workers: queue, processes, leases, limits of parsing, retention."""

from typing import Annotated

from pydantic import Field, field_validator

from workers.parsers.child.limits import Limits
from workers.sources.settings import SourceSettings

_SCHEMES = ("redis://", "rediss://", "unix://", "redis+socket://")


class WorkerSettings(SourceSettings):
    """Read from the environment and `.env`, with those of the sources."""

    redis_url: Annotated[
        str | None,
        Field(description="Redis for the queue: redis://, rediss:// or unix://; embedded: a private one is started"),
    ] = None
    worker_processes: Annotated[int, Field(ge=1, le=64, description="Processes that one worker works with")] = 2
    worker_sweep_seconds: Annotated[
        float,
        Field(gt=0, le=600, allow_inf_nan=False, description="Seconds between looks for work that nobody does"),
    ] = 10.0
    worker_lease_seconds: Annotated[
        float,
        Field(ge=1, le=3_600, allow_inf_nan=False, description="Seconds after which a silent worker's work is redone"),
    ] = 60.0
    worker_slice_seconds: Annotated[
        float,
        Field(gt=0, le=600, allow_inf_nan=False, description="Seconds after which a job gives way if others wait"),
    ] = 10.0
    parse_seconds: Annotated[
        float, Field(gt=0, le=600, allow_inf_nan=False, description="Seconds that reading one file may take")
    ] = 30.0
    parse_memory_mb: Annotated[
        float, Field(ge=64, allow_inf_nan=False, description="Megabytes of memory that reading one file may take")
    ] = 1_000.0
    keep_jobs_days: Annotated[
        float, Field(gt=0, allow_inf_nan=False, description="Days that finished jobs can be looked up")
    ] = 30.0
    audit_days: Annotated[
        int, Field(ge=1, le=36_500, description="Days that audit records are kept; they are removed by whole months")
    ] = 365
    keep_uploads_hours: Annotated[
        float,
        Field(gt=0, allow_inf_nan=False, description="Hours that an upload is kept for a retry after its job failed"),
    ] = 24.0

    @field_validator("redis_url")
    @classmethod
    def _check_scheme(cls, url: str | None) -> str | None:
        if url is not None and not url.startswith(_SCHEMES):
            raise ValueError("give a URL that starts with redis://, rediss:// or unix://")
        return url

    @property
    def parse_limits(self) -> Limits:
        return Limits(
            seconds=self.parse_seconds, memory=int(self.parse_memory_mb * 1_000_000), file_bytes=self.max_file_bytes
        )
