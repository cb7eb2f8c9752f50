"""`trawl reindex`: rebuilds an index while it stays in use."""

from collections.abc import Mapping
from typing import Any

import click

from app.cli.commands.job_output import render_status, succeeded, wait_for_job
from app.cli.commands.report import as_json_option, fail, print_json, report_failures
from app.cli.connection import connect


@click.command("reindex")
@click.argument("name")
@click.option("--wait", is_flag=True, help="Wait until the job has finished; implied if no service runs.")
@as_json_option
def command(*, name: str, wait: bool, as_json: bool) -> None:
    """Rebuild an index while it stays in use; `archive` is the archive."""
    import asyncio  # noqa: PLC0415 - slow

    with report_failures(as_json=as_json):
        result = asyncio.run(_reindex(name, wait=wait))
        if not result["success"]:
            fail(result, as_json=as_json)
        if as_json:
            print_json(result)
        elif "counts" in result:
            click.echo(render_status(result))
        else:
            click.echo(f"{result['job_id']} is {result['status']}; see `trawl jobs show {result['job_id']}`")
        if "counts" in result and not succeeded(result):
            raise SystemExit(1)


async def _reindex(name: str, *, wait: bool) -> Mapping[str, Any]:
    async with connect(start_worker=True) as caller:
        started = await caller.call("reindex_start", {"index_name": name})
        if not started["success"] or not (wait or caller.owns_worker):
            return started
        return await wait_for_job(caller, started["job_id"])
