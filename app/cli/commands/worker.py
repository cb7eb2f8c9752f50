"""`trawl worker`: does the jobs, in the foreground."""

import click

from app import logs
from app.cli.commands.report import failures
from app.embedded.supervisor import with_queue
from indexer.environment import read_settings
from indexer.settings import IndexerSettings
from workers.settings import WorkerSettings
from workers.worker import run_worker


@click.command("worker")
def command() -> None:
    """Work through the queue: ingest documents, rebuild indices."""
    with failures():
        settings = read_settings(IndexerSettings)
        worker_settings = with_queue(settings, read_settings(WorkerSettings))
        logs.configure()
        code = run_worker(worker_settings, settings)
    raise SystemExit(code)
