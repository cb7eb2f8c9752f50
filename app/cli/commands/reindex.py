"""`trawl reindex`: builds an index anew while it serves."""

import asyncio
from collections.abc import Mapping
from typing import Any

import click

from app.cli.commands.following import ran_to_its_end, status_rendered, wait_for
from app.cli.commands.report import as_json_option, fail, failures, print_json
from app.cli.connection import connect
from indexer.environment import read_settings
from indexer.settings import IndexerSettings


@click.command("reindex")
@click.argument("name")
@click.option("--wait", is_flag=True, help="Return when it is done; always so where no service runs.")
@as_json_option
def command(*, name: str, wait: bool, as_json: bool) -> None:
    """Build an index anew while it serves; `archive` names the archive."""
    with failures(as_json=as_json):
        result = asyncio.run(_reindex(name, wait=wait))
        if not result["success"]:
            fail(result, as_json=as_json)
        if as_json:
            print_json(result)
        elif "counts" in result:
            click.echo(status_rendered(result))
        else:
            click.echo(f"{result['job_id']} is {result['status']}; see `trawl jobs show {result['job_id']}`")
        if "counts" in result and not ran_to_its_end(result):
            raise SystemExit(1)


async def _reindex(name: str, *, wait: bool) -> Mapping[str, Any]:
    async with connect(read_settings(IndexerSettings), working=True) as caller:
        started = await caller.call("reindex_start", {"index_name": name})
        if not started["success"] or not (wait or caller.alone):
            return started
        return await wait_for(caller, started["job_id"])
