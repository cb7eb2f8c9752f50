"""Background work: what runs, how far it is, stopping it, doing it again."""

from app.calls import Call
from mcp_server.job_waiting import job_status
from mcp_server.services import on_background
from workers import job_arguments as arguments
from workers import job_results as results
from workers.enqueue import Background

CALLS = (
    Call(
        "job_list",
        "GET",
        "/api/v1/jobs",
        arguments.JobList,
        results.JobListResult,
        on_background(Background.list),
        "List the team's newest jobs",
    ),
    Call(
        "job_status",
        "GET",
        "/api/v1/jobs/{job_id}",
        arguments.JobStatus,
        results.JobStatusResult,
        job_status,
        "Show how far a job is, and what failed",
    ),
    Call(
        "job_cancel",
        "DELETE",
        "/api/v1/jobs/{job_id}",
        arguments.JobCancel,
        results.JobStatusResult,
        on_background(Background.cancel),
        "Stop a job",
    ),
    Call(
        "job_retry",
        "POST",
        "/api/v1/jobs/{job_id}/retry",
        arguments.JobRetry,
        results.JobStatusResult,
        on_background(Background.retry),
        "Do again what failed in a job",
    ),
    Call(
        "reindex_start",
        "POST",
        "/api/v1/indices/{index_name}/reindex",
        arguments.ReindexStart,
        results.JobStarted,
        on_background(Background.reindex),
        "Build an index anew while it serves",
    ),
)
