"""`trawl ingest`: adds files, folders and web pages to the archive."""

import asyncio
from collections.abc import Mapping
from typing import Any

import click

from app.cli.commands.job_output import render_status, succeeded, wait_for_job
from app.cli.commands.report import as_json_option, print_failure, print_json, printable, report_failures
from app.cli.connection import Caller, connect
from app.cli.ingestion import Ingestion, Options, Task, tasks_of
from app.cli.remote_service import remote_service
from app.cli.watching import watch_folders
from app.services import local_rights
from indexer.environment import read_settings
from workers.settings import WorkerSettings


@click.command("ingest")
@click.argument("what", metavar="PATH|URL...", nargs=-1, required=True)
@click.option("--include", multiple=True, metavar="PATTERN", help='Only files that match, like "**/*.md"; repeatable.')
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Skip files that match; repeatable.")
@click.option("--no-ignore", is_flag=True, help="Also read what .gitignore, .trawlignore and built-in rules leave out.")
@click.option("--mirror", is_flag=True, help="Also delete documents of these folders whose files are gone or left out.")
@click.option("--watch", is_flag=True, help="Keep running, and ingest again when files change, until interrupted.")
@click.option("--wait", is_flag=True, help="Wait until the jobs have finished; implied if no service runs.")
@click.option(
    "--strict",
    is_flag=True,
    help="Exit with code 1 if a file failed, or a file that was named was skipped; implies --wait.",
)
@as_json_option
def command(
    *,
    what: tuple[str, ...],
    include: tuple[str, ...],
    exclude: tuple[str, ...],
    no_ignore: bool,
    mirror: bool,
    watch: bool,
    wait: bool,
    strict: bool,
    as_json: bool,
) -> None:
    """Add files, folders or web pages to the archive. A second run reads only what has changed."""
    with report_failures(as_json=as_json):
        settings = read_settings(WorkerSettings)
        # A service elsewhere cannot read the folders of this machine, so their files are sent to it.
        roots = local_rights(settings).roots if remote_service() is None else ()
        options = Options(include, exclude, not no_ignore, mirror, roots, settings.max_file_bytes)
        tasks = tasks_of(what, options)
        if watch and not any(task.folder for task in tasks):
            raise click.UsageError("--watch needs a file or a folder.")
        ingest_run = _IngestRun(options, wait=wait or strict, strict=strict, as_json=as_json)
        try:
            asyncio.run(ingest_run.run(tasks, watch=watch))
        except KeyboardInterrupt:
            if not watch:
                raise
    raise SystemExit(0 if ingest_run.success else 1)


class _IngestRun:
    """Runs tasks one after the other, and reports each."""

    def __init__(self, options: Options, *, wait: bool, strict: bool, as_json: bool) -> None:
        self._options = options
        self._wait = wait
        self._strict = strict
        self._as_json = as_json
        self.success = True

    async def run(self, tasks: list[Task], *, watch: bool) -> None:
        # Watching starts first, so that no change during the first jobs is missed.
        async with (
            connect(start_worker=True, create=True) as caller,
            watch_folders(tasks if watch else []) as changes,
        ):
            for task in tasks:
                self._report(await self._run_task(caller, task))
            async for changed in changes:
                for task in changed:
                    self._report(await self._run_task(caller, task), keep_running=True)

    async def _run_task(self, caller: Caller, task: Task) -> Mapping[str, Any]:
        result = await Ingestion(caller, self._options).start(task)
        if result["success"] and (self._wait or caller.owns_worker):
            result = await wait_for_job(caller, result["job_id"])
            # Whoever names a file wants that one to be read.
            all_wanted = self._strict and task.files is not None
            self.success &= succeeded(result, strict=self._strict) and not (all_wanted and result["counts"]["skipped"])
        return result

    def _report(self, result: Mapping[str, Any], *, keep_running: bool = False) -> None:
        if not result["success"]:
            print_failure(result, as_json=self._as_json)
            if not keep_running:
                raise SystemExit(1)
        elif self._as_json:
            print_json(result)
        elif "counts" in result:
            click.echo(render_status(result))
        else:
            click.echo(f"{result['job_id']} is {result['status']}; see `trawl jobs show {result['job_id']}`")
        if result.get("warning"):
            click.echo(f"{printable(result['warning'])}.", err=True)
