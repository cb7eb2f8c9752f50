"""`trawl worker`: runs background jobs in the foreground."""

import click

from app import logs
from app.cli.commands.report import report_failures
from app.cli.data_folder import prepare_data_folder
from app.embedded.supervisor import with_redis_url
from app.settings import AppSettings, needs_tokens
from indexer.environment import read_settings
from indexer.settings import IndexerSettings
from workers.settings import WorkerSettings
from workers.worker import run_worker


@click.command("worker")
def command() -> None:
    """Run background jobs: ingestion and re-indexing."""
    with report_failures():
        settings = read_settings(IndexerSettings)
        prepare_data_folder()
        worker_settings = with_redis_url(settings, read_settings(WorkerSettings))
        logs.configure()
        code = run_worker(worker_settings, settings, needs_tokens=needs_tokens(read_settings(AppSettings)))
    raise SystemExit(code)
