"""Asking about a job, and waiting for its end for a while: the caller is told how far it is meanwhile."""

import asyncio
import time
from typing import Final

from indexer.tenancy import Principal
from mcp_server.features.jobs.text import progress_text
from mcp_server.progress import tell_progress
from mcp_server.services import Services
from workers.jobs.arguments import FINISHED, JobStatus
from workers.jobs.results import JobStatusResult

_LOOK_SECONDS: Final = 0.5


async def job_status(services: Services, principal: Principal, asked: JobStatus) -> JobStatusResult:
    """Return how far a job is: at once, or when it has ended or the time is over."""
    until = time.monotonic() + asked.wait_seconds
    told = -1.0
    while True:
        status = await asyncio.to_thread(services.background.status, principal, asked)
        left = until - time.monotonic()
        if left <= 0 or status["status"] in FINISHED:
            return status
        if status["progress"] > told:
            told = status["progress"]
            await tell_progress(told, 1.0, progress_text(status))
        await asyncio.sleep(min(_LOOK_SECONDS, left))
