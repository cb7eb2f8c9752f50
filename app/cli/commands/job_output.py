"""Jobs on a terminal: waits for them with a progress bar on standard error, and renders their status."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import click

from app.cli.commands.report import printable
from app.cli.connection import Caller

_FINISHED: Final = frozenset({"done", "failed", "cancelled"})
_POLL_SECONDS: Final = 0.3
_KIND_TEXTS: Final = {"no extension": "with no extension", "other": "of other kinds"}
_NAMED: Final = 3
"""Skipped files that are shown by name, for each reason."""


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
    """Render the progress of a job, its failed files, and what it skipped."""
    lines = [job_line(status)]
    if status["errors"]:
        lines += ["Failed:", *_file_lines(status["errors"], status["error_count"])]
    return "\n".join([*lines, *_skipped_lines(status)])


def _skipped_lines(status: Mapping[str, Any]) -> Iterator[str]:
    """Render kinds without a reader in one line, and the others by reason."""
    kinds = status["skipped_kinds"]
    without_reader = sum(kind["count"] for kind in kinds)
    if kinds:
        listed = ", ".join(
            f"{kind['count']:,} {printable(_KIND_TEXTS.get(kind['kind'], kind['kind']))}" for kind in kinds
        )
        yield f"Skipped, {kinds[0]['reason']}: {plural(without_reader, 'file')} ({listed})"
    if (others := status["counts"]["skipped"] - without_reader) > 0:
        yield f"Skipped for another reason: {plural(others, 'file or folder', 'files or folders')}"
        reasons = {kind["reason"] for kind in kinds}
        files = [file for file in status["skipped"] if file["reason"] not in reasons]
        yield from _lines_by_reason(files)
        yield from _more(others - len(files))


def _lines_by_reason(files: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Render one line per reason, with the first files that it applies to."""
    paths: dict[str, list[str]] = {}
    for file in files:
        paths.setdefault(file["reason"], []).append(file["path"])
    for reason, named in paths.items():
        more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
        yield f"  {printable(', '.join(named[:_NAMED]))}{more}: {printable(reason)}"


def _file_lines(files: Sequence[Mapping[str, Any]], count: int) -> Iterator[str]:
    yield from (f"  {printable(file['path'])}: {printable(file['reason'])}" for file in files)
    yield from _more(count - len(files))


def _more(count: int) -> Iterator[str]:
    if count > 0:
        yield f"  and {count} more"


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
