"""Which operations help against failures of jobs."""

from collections.abc import Mapping
from typing import Final

from indexer.errors import PlatformError
from indexer.reindex.session import RebuildRunning
from mcp_server.advice import Advice
from workers.jobs.failures import JobFinished, JobNotFinished, JobNotFound

_LIST: Final = {"job_list": "List this team's jobs"}
ADVICE: Final[Mapping[type[PlatformError], Advice]] = {
    JobNotFound: Advice(_LIST),
    JobFinished: Advice({"job_status": "See what the job did", **_LIST}),
    JobNotFinished: Advice({"job_status": "See how far it is", "job_cancel": "Stop it"}),
    RebuildRunning: Advice(
        {"job_cancel": "Stop the one that is on"}, command=lambda error: f'job_status(job_id="{error.owner}")'
    ),
}
