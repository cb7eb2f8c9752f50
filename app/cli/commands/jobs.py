"""`trawl jobs`: lists and controls background jobs."""

from collections.abc import Mapping
from typing import Any

import click

from app.cli.commands.job_output import job_line, render_status
from app.cli.commands.report import as_json_option, fail, print_json, report_failures
from app.cli.connection import call_operation


@click.group("jobs", invoke_without_command=True)
@click.pass_context
def command(context: click.Context) -> None:
    """List, show, cancel and retry background jobs."""
    if context.invoked_subcommand is None:
        context.invoke(list_jobs)


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
    result = _call("job_list", {"status": status, "limit": limit}, as_json=as_json)
    if not as_json:
        click.echo("\n".join(job_line(job) for job in result["jobs"]) or "No jobs")


@command.command("show")
@click.argument("job_id")
@as_json_option
def show(*, job_id: str, as_json: bool) -> None:
    """Show the progress of a job and its failed files."""
    result = _call("job_status", {"job_id": job_id}, as_json=as_json)
    if not as_json:
        click.echo(render_status(result))


@command.command("cancel")
@click.argument("job_id")
@as_json_option
def cancel(*, job_id: str, as_json: bool) -> None:
    """Cancel a job; the documents that it has indexed stay."""
    result = _call("job_cancel", {"job_id": job_id}, as_json=as_json)
    if not as_json:
        click.echo(f"{result['job_id']} is {result['status']}")


@command.command("retry")
@click.argument("job_id")
@as_json_option
def retry(*, job_id: str, as_json: bool) -> None:
    """Retry what failed in a finished job."""
    result = _call("job_retry", {"job_id": job_id}, as_json=as_json)
    if not as_json:
        click.echo(f"{result['job_id']} is {result['status']}")


def _call(operation: str, arguments: Mapping[str, Any], *, as_json: bool) -> Mapping[str, Any]:
    """Call an operation, print the result if `as_json`, and exit with code 1 on a failure."""
    with report_failures(as_json=as_json):
        result = call_operation(operation, arguments)
        if not result["success"]:
            fail(result, as_json=as_json)
        if as_json:
            print_json(result)
    return result
