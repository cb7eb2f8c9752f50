"""Jobs on a terminal: waiting for them with a bar on standard error, and telling how they ended."""

import asyncio
import sys
from collections.abc import Mapping
from typing import Any, Final

import click

from app.cli.commands.report import printable
from app.cli.connection import Caller

_ENDED: Final = frozenset({"done", "failed", "cancelled"})
_LOOKS_AGAIN_SECONDS: Final = 0.3


async def wait_for(caller: Caller, job_id: str) -> Mapping[str, Any]:
    """Return the job's status when it has ended, or the failure to ask for it."""
    with click.progressbar(length=1_000, label="Indexing", file=sys.stderr) as bar:
        while True:
            status = await caller.call("job_status", {"job_id": job_id})
            if not status["success"]:
                return status
            bar.update(int(status["progress"] * 1_000) - bar.pos)
            if status["status"] in _ENDED:
                return status
            await asyncio.sleep(_LOOKS_AGAIN_SECONDS)


def status_rendered(status: Mapping[str, Any]) -> str:
    """Tell how far a job is, and which files failed."""
    lines = [job_line(status)]
    lines += [f"  {printable(error['path'])}: {printable(error['reason'])}" for error in status["errors"]]
    if (more := status["error_count"] - len(status["errors"])) > 0:
        lines.append(f"  and {more} more")
    return "\n".join(lines)


def job_line(job: Mapping[str, Any]) -> str:
    """Describe a job in one line."""
    counts = ", ".join(f"{count} {name}" for name, count in job["counts"].items())
    return f"{job['job_id']}  {job['kind']:7}  {job['status']:9}  {job['progress']:4.0%}  {counts}"


def ran_to_its_end(status: Mapping[str, Any], *, strict: bool = False) -> bool:
    """Say whether a job did its work: all of it, where `strict`."""
    return bool(status["success"]) and status["status"] == "done" and not (strict and status["counts"]["failed"])
