"""Jobs on a terminal: waits for them with a progress bar on standard error, and renders their status."""

import sys
from collections.abc import Mapping
from typing import Any, Final

import click

from app.cli.commands.report import printable
from app.cli.connection import Caller

_FINISHED: Final = frozenset({"done", "failed", "cancelled"})
_POLL_SECONDS: Final = 0.3


async def wait_for_job(caller: Caller, job_id: str) -> Mapping[str, Any]:
    """Wait until the job has finished, and return its status; or return a failure to get it."""
    import asyncio  # noqa: PLC0415 - slow, and commands that only print jobs must start fast

    with click.progressbar(length=1_000, label="Indexing", file=sys.stderr) as bar:
        while True:
            status = await caller.call("job_status", {"job_id": job_id})
            if not status["success"]:
                return status
            bar.update(int(status["progress"] * 1_000) - bar.pos)
            if status["status"] in _FINISHED:
                return status
            await asyncio.sleep(_POLL_SECONDS)


def render_status(status: Mapping[str, Any]) -> str:
    """Render the progress of a job and its failed files."""
    lines = [job_line(status)]
    lines += [f"  {printable(error['path'])}: {printable(error['reason'])}" for error in status["errors"]]
    if (more := status["error_count"] - len(status["errors"])) > 0:
        lines.append(f"  and {more} more")
    return "\n".join(lines)


def job_line(job: Mapping[str, Any]) -> str:
    """Render a job in one line."""
    counts = ", ".join(f"{count} {name}" for name, count in job["counts"].items())
    return f"{job['job_id']}  {job['kind']:7}  {job['status']:9}  {job['progress']:4.0%}  {counts}"


def succeeded(status: Mapping[str, Any], *, strict: bool = False) -> bool:
    """Say whether a job is done; with `strict`, also that no file failed."""
    return bool(status["success"]) and status["status"] == "done" and not (strict and status["counts"]["failed"])
