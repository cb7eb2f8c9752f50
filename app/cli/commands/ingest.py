"""`trawl ingest`: files, folders and pages into the archive."""

import asyncio
from collections.abc import Mapping
from typing import Any

import click

from app.cli.commands.following import ran_to_its_end, status_rendered, wait_for
from app.cli.commands.report import as_json_option, failures, print_json, printable, tell_failure
from app.cli.connection import Caller, connect
from app.cli.ingestion import Ingestion, Options, Task, tasks_of
from app.cli.watching import watched
from indexer.environment import read_settings
from indexer.settings import IndexerSettings
from workers.settings import WorkerSettings


@click.command("ingest")
@click.argument("what", metavar="PATH|URL...", nargs=-1, required=True)
@click.option("--include", multiple=True, metavar="PATTERN", help='Only files that match, like "**/*.md"; repeatable.')
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Leave out files that match; repeatable.")
@click.option("--mirror", is_flag=True, help="Also remove documents of these folders whose files are gone.")
@click.option("--watch", is_flag=True, help="Go on, and ingest again whenever files change, until interrupted.")
@click.option("--wait", is_flag=True, help="Return when all is done; always so where no service runs.")
@click.option("--strict", is_flag=True, help="With --wait: exit code 1 if any file failed.")
@as_json_option
def command(
    *,
    what: tuple[str, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    mirror: bool,
    watch: bool,
    wait: bool,
    strict: bool,
    as_json: bool,
) -> None:
    """Put files, folders or pages into the archive; a second time only what changed is read."""
    with failures(as_json=as_json):
        settings = read_settings(WorkerSettings)
        options = Options(include, exclude, mirror, settings.ingest_roots, settings.max_file_bytes)
        tasks = tasks_of(what, options)
        if watch and not any(task.folder for task in tasks):
            raise click.UsageError("--watch needs a file or a folder.")
        ingesting = _Ingesting(options, wait=wait or strict, strict=strict, as_json=as_json)
        try:
            asyncio.run(ingesting.run(tasks, watch=watch))
        except KeyboardInterrupt:
            if not watch:
                raise
    raise SystemExit(0 if ingesting.fine else 1)


class _Ingesting:
    """Runs tasks one after the other and reports each."""

    def __init__(self, options: Options, *, wait: bool, strict: bool, as_json: bool) -> None:
        self._options = options
        self._wait = wait
        self._strict = strict
        self._as_json = as_json
        self.fine = True

    async def run(self, tasks: list[Task], *, watch: bool) -> None:
        # watching begins first, so that nothing is missed that changes while the first jobs run
        async with (
            connect(read_settings(IndexerSettings), working=True) as caller,
            watched(tasks if watch else []) as changes,
        ):
            for task in tasks:
                self._report(await self._do(caller, task))
            async for changed in changes:
                for task in changed:
                    self._report(await self._do(caller, task), go_on=True)

    async def _do(self, caller: Caller, task: Task) -> Mapping[str, Any]:
        ingestion = Ingestion(caller, self._options)
        result = await ingestion.start(task)
        for refused in ingestion.refused:
            click.echo(f"{printable(refused.path)}: this file {printable(refused.reason)}", err=True)
            self.fine &= not self._strict
        if result["success"] and (self._wait or caller.alone):
            result = await wait_for(caller, result["job_id"])
            self.fine &= ran_to_its_end(result, strict=self._strict)
        return result

    def _report(self, result: Mapping[str, Any], *, go_on: bool = False) -> None:
        if not result["success"]:
            tell_failure(result, as_json=self._as_json)
            if not go_on:
                raise SystemExit(1)
        elif self._as_json:
            print_json(result)
        elif "counts" in result:
            click.echo(status_rendered(result))
        else:
            click.echo(f"{result['job_id']} is {result['status']}; see `trawl jobs show {result['job_id']}`")
