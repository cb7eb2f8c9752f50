"""Operations on background jobs: ingestion and re-indexing."""

from typing import Final

from mcp_server.effect import CANCEL, CREATE, READ
from mcp_server.features.jobs import text
from mcp_server.features.jobs.waiting import job_status
from mcp_server.operation import Group, Operation
from mcp_server.route import Route
from mcp_server.services import on_background
from workers.enqueue import Background
from workers.jobs import arguments, results

_GUIDANCE: Final = """\
archive_ingest and reindex_start return a job_id: follow it with job_status."""
_GROUP: Final = Group("jobs", _GUIDANCE, reads="search", changes="ingest")

_STATUS: Final = Operation(
    name="job_status",
    title="See how far a job is",
    description=(
        "Tell whether a job, like an import by archive_ingest, is finished, and which files were not read and why."
    ),
    group=_GROUP,
    effect=READ,
    arguments=arguments.JobStatus,
    result=results.JobStatusResult,
    handler=job_status,
    route=Route("GET", "/api/v1/jobs/{job_id}", "Show how far a job is, and what failed"),
    text=text.status_text,
    progress=True,
)
_LIST: Final = Operation(
    name="job_list",
    title="List the jobs",
    description="List the newest background jobs, like imports: what is running, what failed.",
    group=_GROUP,
    effect=READ,
    arguments=arguments.JobList,
    result=results.JobListResult,
    handler=on_background(Background.list),
    route=Route("GET", "/api/v1/jobs", "List the team's newest jobs"),
    text=text.list_text,
)
_CANCEL: Final = Operation(
    name="job_cancel",
    title="Stop a job",
    description="Stop a queued or running job, like an import. What it has indexed stays.",
    group=_GROUP,
    effect=CANCEL,
    arguments=arguments.JobCancel,
    result=results.JobChanged,
    handler=on_background(Background.cancel),
    route=Route("DELETE", "/api/v1/jobs/{job_id}"),
    text=text.changed_text,
)
_RETRY: Final = Operation(
    name="job_retry",
    title="Do again what failed",
    description="Try files again that failed in a job, after they are repaired.",
    group=_GROUP,
    effect=CREATE,
    arguments=arguments.JobRetry,
    result=results.JobChanged,
    handler=on_background(Background.retry),
    starts_job=True,
    route=Route("POST", "/api/v1/jobs/{job_id}/retry", "Do again what failed in a job"),
    text=text.changed_text,
)
_REINDEX: Final = Operation(
    name="reindex_start",
    title="Build an index anew",
    description="Rebuild an index that is outdated after an upgrade, while it serves; `archive` is the archive.",
    group=_GROUP,
    effect=CREATE,
    arguments=arguments.ReindexStart,
    result=results.JobStarted,
    handler=on_background(Background.reindex),
    starts_job=True,
    route=Route("POST", "/api/v1/indices/{index_name}/reindex", "Build an index anew while it serves"),
    text=text.started_text,
    own_scope="write",
)

OPERATIONS: Final = (_STATUS, _LIST, _CANCEL, _RETRY, _REINDEX)
