"""`trawl jobs`: lists and controls background jobs."""

from collections.abc import Mapping
from typing import Any, Final

import click

from app.cli.commands.job_output import render_status
from app.cli.commands.report import as_json_option, call_and_report
from app.cli.commands.table import Column, render_table
from app.cli.commands.units import local_time

_COLUMNS: Final = (
    Column("JOB"),
    Column("KIND"),
    Column("STATUS"),
    Column("DONE", right=True),
    Column("STARTED"),
    Column("FINISHED"),
    Column("COUNTS", flexible=True),
)


@click.group("jobs", invoke_without_command=True)
@as_json_option
@click.pass_context
def command(context: click.Context, *, as_json: bool) -> None:
    """List, show, cancel and retry background jobs; without a command, list the newest."""
    if context.invoked_subcommand is None:
        context.invoke(list_jobs, as_json=as_json)
    elif as_json:
        raise click.UsageError(f"Give --json after {context.invoked_subcommand}.")


@command.command("list")
@click.option(
    "--status",
    type=click.Choice(["queued", "running", "done", "failed", "cancelled"]),
    help="Only jobs with this status.",
)
@click.option("--limit", type=click.IntRange(1, 200), default=20, show_default=True, help="Maximum number of jobs.")
@as_json_option
def list_jobs(*, status: str | None = None, limit: int = 20, as_json: bool = False) -> None:
    """List the newest jobs."""
    result = call_and_report("job_list", {"status": status, "limit": limit}, as_json=as_json)
    if not as_json:
        rows = [_row(job) for job in result["jobs"]]
        click.echo(render_table(_COLUMNS, rows) if rows else "No jobs")


@command.command("show")
@click.argument("job_id")
@as_json_option
def show(*, job_id: str, as_json: bool) -> None:
    """Show the progress of a job and its failed files."""
    result = call_and_report("job_status", {"job_id": job_id}, as_json=as_json)
    if not as_json:
        click.echo(render_status(result))


@command.command("cancel")
@click.argument("job_id")
@as_json_option
def cancel(*, job_id: str, as_json: bool) -> None:
    """Cancel a job; the documents that it has indexed stay."""
    result = call_and_report("job_cancel", {"job_id": job_id}, as_json=as_json)
    if not as_json:
        click.echo(f"{result['job_id']} is {result['status']}")


@command.command("retry")
@click.argument("job_id")
@as_json_option
def retry(*, job_id: str, as_json: bool) -> None:
    """Retry what failed in a finished job."""
    result = call_and_report("job_retry", {"job_id": job_id}, as_json=as_json)
    if not as_json:
        click.echo(f"{result['job_id']} is {result['status']}")


def _row(job: Mapping[str, Any]) -> list[str]:
    counts = ", ".join(f"{count} {name}" for name, count in job["counts"].items() if count)
    times = (job["started_at"] or job["created_at"], job["finished_at"])
    return [job["job_id"], job["kind"], job["status"], f"{job['progress']:.0%}", *map(local_time, times), counts]
