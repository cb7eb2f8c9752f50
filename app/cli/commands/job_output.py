"""Jobs on a terminal: waits for them with a progress bar on standard error, and renders their status."""

import asyncio
import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import click

from app.cli.commands.report import printable
from app.cli.connection import Caller

_FINISHED: Final = frozenset({"done", "failed", "cancelled"})
_POLL_SECONDS: Final = 0.3
_SHOWN: Final = 20
"""Skipped files that are shown by name."""


async def wait_for_job(caller: Caller, job_id: str) -> Mapping[str, Any]:
    """Wait until the job has finished, and return its status; or return a failure to get it."""
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
    """Render the progress of a job, its failed files, and what it skipped."""
    lines = [job_line(status)]
    if status["errors"]:
        lines += ["Failed:", *_file_lines(status["errors"], status["error_count"])]
    return "\n".join([*lines, *_skipped_lines(status)])


def _skipped_lines(status: Mapping[str, Any]) -> Iterator[str]:
    """Render kinds without a reader as one line, and the others one by one."""
    kinds = status["skipped_kinds"]
    without_reader = sum(kind["count"] for kind in kinds)
    if kinds:
        listed = ", ".join(f"{kind['count']} {printable(kind['kind'])}" for kind in kinds)
        yield f"Skipped, {kinds[0]['reason']}: {plural(without_reader, 'file')} ({listed})"
    if (others := status["counts"]["skipped"] - without_reader) > 0:
        yield f"Skipped for another reason: {plural(others, 'file or folder', 'files or folders')}"
        reasons = {kind["reason"] for kind in kinds}
        yield from _file_lines([file for file in status["skipped"] if file["reason"] not in reasons][:_SHOWN], others)


def _file_lines(files: Sequence[Mapping[str, Any]], count: int) -> Iterator[str]:
    yield from (f"  {printable(file['path'])}: {printable(file['reason'])}" for file in files)
    if (more := count - len(files)) > 0:
        yield f"  and {more} more"


def plural(count: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def job_line(job: Mapping[str, Any]) -> str:
    """Render a job in one line."""
    counts = ", ".join(f"{count} {name}" for name, count in job["counts"].items())
    return f"{job['job_id']}  {job['kind']:7}  {job['status']:9}  {job['progress']:4.0%}  {counts}"


def succeeded(status: Mapping[str, Any], *, strict: bool = False) -> bool:
    """Say whether a job is done; with `strict`, also that no file failed."""
    return bool(status["success"]) and status["status"] == "done" and not (strict and status["counts"]["failed"])
