"""The handler of `job_status`: it can wait for the end of a job and reports progress meanwhile."""

import asyncio
import time
from typing import Final

from indexer.tenancy import Principal
from mcp_server.features.jobs.text import progress_text
from mcp_server.progress import report_progress
from mcp_server.services import Services
from workers.jobs.arguments import FINISHED, JobStatus
from workers.jobs.results import JobStatusResult

_POLL_SECONDS: Final = 0.5


async def job_status(services: Services, principal: Principal, arguments: JobStatus) -> JobStatusResult:
    """Return the status of a job at once, or after `wait_seconds` or the end of the job."""
    deadline = time.monotonic() + arguments.wait_seconds
    reported = -1.0
    while True:
        status = await asyncio.to_thread(services.background.status, principal, arguments)
        left = deadline - time.monotonic()
        if left <= 0 or status["status"] in FINISHED:
            return status
        if status["progress"] > reported:
            reported = status["progress"]
            await report_progress(reported, 1.0, progress_text(status))
        await asyncio.sleep(min(_POLL_SECONDS, left))
