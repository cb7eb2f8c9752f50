"""Tools for what goes on in the background: ingestion and re-indexing."""

from typing import Final

from mcp_server import job_text as text
from mcp_server.annotations import CREATES, READS, STOPS
from mcp_server.job_waiting import job_status
from mcp_server.services import on_background
from mcp_server.tool import Group, Tool
from workers import job_arguments as given
from workers import job_results as results
from workers.enqueue import Background

_STATUS: Final = Tool(
    name="job_status",
    title="See how far a job is",
    description=(
        "Tell how far a job is that archive_ingest or reindex_start began: its counts, and each file that failed with "
        "the reason. It answers at once, or with wait_seconds when the job has ended: ask again until status is done, "
        "failed or cancelled."
    ),
    annotations=READS,
    arguments=given.JobStatus,
    result=results.JobStatusResult,
    handler=job_status,
    text=text.status_text,
    tells_progress=True,
)
_LIST: Final = Tool(
    name="job_list",
    title="List the jobs",
    description=(
        "List this team's newest jobs, by status if wanted: when a job_id is not known, or to see what is running. "
        "For one job's failed files use job_status."
    ),
    annotations=READS,
    arguments=given.JobList,
    result=results.JobListResult,
    handler=on_background(Background.list),
    text=text.list_text,
)
_CANCEL: Final = Tool(
    name="job_cancel",
    title="Stop a job",
    description="Stop a queued or running job. What it has indexed stays; job_retry does the rest later.",
    annotations=STOPS,
    arguments=given.JobCancel,
    result=results.JobStatusResult,
    handler=on_background(Background.cancel),
    text=text.status_text,
)
_RETRY: Final = Tool(
    name="job_retry",
    title="Do again what failed",
    description=(
        "Run a finished job once more under the same job_id: files that failed are read again, those in the archive "
        "are skipped. Correct what job_status says is wrong first."
    ),
    annotations=CREATES,
    arguments=given.JobRetry,
    result=results.JobStatusResult,
    handler=on_background(Background.retry),
    text=text.status_text,
)
_REINDEX: Final = Tool(
    name="reindex_start",
    title="Build an index anew",
    description=(
        "Start a job that builds an index anew while it goes on serving: after an upgrade, when search_list_indices "
        "or trawl://status calls it outdated. `archive` names the archive. Not needed after adding documents."
    ),
    annotations=CREATES,
    arguments=given.ReindexStart,
    result=results.JobStarted,
    handler=on_background(Background.reindex),
    text=text.started_text,
)

_GUIDANCE: Final = """\
Long work is a job: archive_ingest and reindex_start return a job_id at once, job_status tells how far it is and waits
for its end if asked to, job_list finds jobs, job_cancel stops one, job_retry does again what failed."""

JOBS: Final = Group(name="jobs", guidance=_GUIDANCE, tools=(_STATUS, _LIST, _CANCEL, _RETRY, _REINDEX))
