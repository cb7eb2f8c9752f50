"""`trawl jobs`: what goes on in the background."""

import asyncio
from collections.abc import Mapping
from typing import Any

import click

from app.cli.commands.following import job_line, status_rendered
from app.cli.commands.report import as_json_option, fail, failures, print_json
from app.cli.connection import connect
from indexer.environment import read_settings
from indexer.settings import IndexerSettings


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
    help="Only jobs in this state.",
)
@click.option("--limit", type=click.IntRange(1, 200), default=20, show_default=True, help="Jobs at most.")
@as_json_option
def list_jobs(*, status: str | None = None, limit: int = 20, as_json: bool = False) -> None:
    """List the newest jobs."""
    result = _called("job_list", {"status": status, "limit": limit}, as_json=as_json)
    if not as_json:
        click.echo("\n".join(job_line(job) for job in result["jobs"]) or "No jobs")


@command.command("show")
@click.argument("job_id")
@as_json_option
def show(*, job_id: str, as_json: bool) -> None:
    """Show how far a job is, and which files failed."""
    result = _called("job_status", {"job_id": job_id}, as_json=as_json)
    if not as_json:
        click.echo(status_rendered(result))


@command.command("cancel")
@click.argument("job_id")
@as_json_option
def cancel(*, job_id: str, as_json: bool) -> None:
    """Stop a job; what it has indexed stays."""
    result = _called("job_cancel", {"job_id": job_id}, as_json=as_json)
    if not as_json:
        click.echo(f"{result['job_id']} is {result['status']}")


@command.command("retry")
@click.argument("job_id")
@as_json_option
def retry(*, job_id: str, as_json: bool) -> None:
    """Do again what failed in a finished job."""
    result = _called("job_retry", {"job_id": job_id}, as_json=as_json)
    if not as_json:
        click.echo(f"{result['job_id']} is {result['status']}")


def _called(tool: str, arguments: Mapping[str, Any], *, as_json: bool) -> Mapping[str, Any]:
    """Call, print where JSON is wanted, and end with exit code 1 for a failure."""
    with failures(as_json=as_json):
        result = asyncio.run(_call(tool, arguments))
        if not result["success"]:
            fail(result, as_json=as_json)
        if as_json:
            print_json(result)
    return result


async def _call(tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    async with connect(read_settings(IndexerSettings)) as caller:
        return await caller.call(tool, arguments)
