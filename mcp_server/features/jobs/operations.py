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
Long work is a job: archive_ingest and reindex_start return a job_id at once, job_status tells how far it is and waits
for its end if asked to, job_list finds jobs, job_cancel stops one, job_retry does again what failed."""
_GROUP: Final = Group("jobs", _GUIDANCE, reads="search", changes="ingest")

_STATUS: Final = Operation(
    name="job_status",
    title="See how far a job is",
    description=(
        "Tell how far a job is that archive_ingest or reindex_start began: its counts, and each file that failed with "
        "the reason. It answers at once, or with wait_seconds when the job has ended: ask again until status is done, "
        "failed or cancelled."
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
    description=(
        "List this team's newest jobs, by status if wanted: when a job_id is not known, or to see what is running. "
        "For one job's failed files use job_status."
    ),
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
    description="Stop a queued or running job. What it has indexed stays; job_retry does the rest later.",
    group=_GROUP,
    effect=CANCEL,
    arguments=arguments.JobCancel,
    result=results.JobStatusResult,
    handler=on_background(Background.cancel),
    route=Route("DELETE", "/api/v1/jobs/{job_id}"),
    text=text.status_text,
)
_RETRY: Final = Operation(
    name="job_retry",
    title="Do again what failed",
    description=(
        "Run a finished job once more under the same job_id: files that failed are read again, those in the archive "
        "are skipped. Correct what job_status says is wrong first."
    ),
    group=_GROUP,
    effect=CREATE,
    arguments=arguments.JobRetry,
    result=results.JobStatusResult,
    handler=on_background(Background.retry),
    route=Route("POST", "/api/v1/jobs/{job_id}/retry", "Do again what failed in a job"),
    text=text.status_text,
)
_REINDEX: Final = Operation(
    name="reindex_start",
    title="Build an index anew",
    description=(
        "Start a job that builds an index anew while it goes on serving: after an upgrade, when search_list_indices "
        "or trawl://status calls it outdated. `archive` names the archive. Not needed after adding documents."
    ),
    group=_GROUP,
    effect=CREATE,
    arguments=arguments.ReindexStart,
    result=results.JobStarted,
    handler=on_background(Background.reindex),
    route=Route("POST", "/api/v1/indices/{index_name}/reindex", "Build an index anew while it serves"),
    text=text.started_text,
    own_scope="write",
)

OPERATIONS: Final = (_STATUS, _LIST, _CANCEL, _RETRY, _REINDEX)
